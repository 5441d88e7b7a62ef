# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of what a reading operation of the infrastructure interface returns."""

from __future__ import annotations

DOCUMENTATION = r"""
name: infrastructure
short_description: Look up the result of a read operation of the infrastructure interface
version_added: 1.0.0
description:
  - Calls operations that only read, and returns their results as plain values.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.rest
options:
  _terms:
    description:
      - Names of operations, in any spelling, or their methods and paths, such as C(GET /disks). For an unknown name,
        the error suggests similar ones.
      - Write operations are rejected; use M(fcd.cloud.infrastructure_call) for these.
    required: true
    type: list
    elements: str
  inputs:
    description:
      - Inputs of the operations, a free mapping with names in any spelling.
    type: dict
    default: {}
  cache_seconds:
    description:
      - Time in seconds for which a result is cached, only within this run of the playbook. An expression may be
        evaluated many times, so set this if the play does not change what is read. 0 disables caching.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
      - Cached results are files in O(state_dir) that only this user can read. A password, a token or an init script is
        never cached.
    type: str
    default: "0"
notes:
  - The value of a lookup is shown wherever it is printed.
seealso:
  - module: fcd.cloud.infrastructure_call
"""

EXAMPLES = r"""
- name: Show the names of the subregions
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.infrastructure', 'list_subregions') | map(attribute='name') }}"

- name: Show a dictionary, and ask the service once for ten minutes
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.infrastructure', 'list_dictionary_items', inputs={'ids': 17}, cache_seconds='10m') }}"
"""

RETURN = r"""
_list:
  description:
    - The result of each operation, in the order of the names.
    - Values have the form of RV(fcd.cloud.infrastructure_call#module:result).
  type: list
  elements: raw
"""

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import REST, SECONDS
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import plain_data
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.infrastructure_call import CachedReads
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup


class LookupModule(ServiceLookup):
    """Looks up results."""

    services = (REST,)
    elsewhere = "What an operation takes goes into inputs."

    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, t.Any]) -> list[t.Any]:
        """Return the result of each operation."""
        if not terms:
            raise InvalidInput(
                "Name an operation to call.",
                next_step="docs/infrastructure-operations.md of the collection lists them.",
            )
        inputs = plain_data(params["inputs"])
        reader = CachedReads(task, SECONDS.read("cache_seconds", params["cache_seconds"]))
        return [reader.answer(term, inputs) for term in terms]

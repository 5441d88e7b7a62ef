# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of what a reading operation of the SOAP contract returns."""

from __future__ import annotations

DOCUMENTATION = r"""
name: contract
short_description: Look up the result of a read operation of the SOAP contract
version_added: 1.0.0
description:
  - Calls operations that only read, and returns their results as plain values.
  - A result is cached for O(cache_seconds), only within this run of the playbook. The same query is sent to the service
    once, regardless of how many tasks and hosts use it.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.soap
options:
  _terms:
    description:
      - Names of operations, in any spelling. For an unknown name, the error suggests similar ones.
      - Write operations are rejected; use M(fcd.cloud.contract_call) for these.
    required: true
    type: list
    elements: str
  inputs:
    description:
      - Inputs of the operations, a free mapping with names in any spelling.
    type: dict
    default: {}
  all_pages:
    description:
      - Whether to read all pages of a paged result. The result is then the list of all rows.
    type: bool
    default: false
  limit:
    description:
      - Maximum number of rows to return of a paged result. With this option, pages are read as with O(all_pages=true).
    type: int
  cache_seconds:
    description:
      - Time in seconds for which a result is cached; 0 disables caching.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
      - Cached results are files in O(state_dir) that only this user can read. A password, a token, a verification code
        or a national identification number, as an input or in the result, is never cached.
    type: str
    default: "300"
notes:
  - The value of a lookup is shown wherever it is printed.
seealso:
  - module: fcd.cloud.contract_call
  - module: fcd.cloud.contract_info
"""

EXAMPLES = r"""
- name: Show the names of the time zones
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.contract', 'GetTimeZones') | map(attribute='display_name') }}"

- name: Show all clients
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.contract', 'GetClients', all_pages=true) }}"

- name: Show the current clusters of a client
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.contract', 'GetClusters', inputs=of_client, cache_seconds=0) }}"
  vars:
    of_client: {only_client_clusters: true, client_id: 100}
"""

RETURN = r"""
_list:
  description:
    - The result of each operation, in the order of the names.
    - Values have the form of RV(fcd.cloud.contract_call#module:result).
  type: list
  elements: raw
"""

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import SECONDS, SOAP
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._contract.any_operation import CachedOperations, ReadRequest
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import plain_data
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup


class LookupModule(ServiceLookup):
    """Looks up results."""

    services = (SOAP,)
    elsewhere = "What an operation takes goes into inputs."

    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, t.Any]) -> list[t.Any]:
        """Return the result of each operation."""
        if not terms:
            raise InvalidInput("Name an operation to call.", next_step="fcd.cloud.contract_info lists them.")
        question = ReadRequest(plain_data(params["inputs"]), params["all_pages"], params["limit"])
        reader = CachedOperations(task, SECONDS.read("cache_seconds", params["cache_seconds"]))
        return [reader.answer(term, question) for term in terms]

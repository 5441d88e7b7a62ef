# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of the instances of an account."""

from __future__ import annotations

DOCUMENTATION = r"""
name: instances
short_description: Look up instances by name, ID or filter
version_added: 1.0.0
description:
  - Returns the instances of an account, for expressions that need a few of their values, also from several accounts.
  - Deleted instances are not returned.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.rest
options:
  _terms:
    description:
      - Names, shell patterns such as C(web-*), or IDs. An instance must match at least one of them. If omitted, all
        instances are returned.
      - Names are not unique, so a name may return several instances. A term that matches nothing is no error.
    type: list
    elements: str
  filters:
    description:
      - Filters that the service itself applies, with the keys of O(fcd.cloud.instances#inventory:filters). An instance
        must match all of them.
    type: dict
    default: {}
  cache_seconds:
    description:
      - Time in seconds for which the instances are cached, only within this run of the playbook. An expression may be
        evaluated many times, so set this if the play does not change instances. 0 disables caching.
      - Cached instances are files in O(state_dir) that only this user can read.
    type: float
    default: 0.0
notes:
  - The service is asked for the whole list, with the filters. Without C(wantlist=true), C(lookup) returns a single
    instance as a dictionary; C(query) always returns a list.
seealso:
  - module: fcd.cloud.instance_info
  - plugin: fcd.cloud.instances
    plugin_type: inventory
  - ref: ansible_collections.fcd.cloud.docsite.several_accounts
    description: Guide to several accounts.
"""

EXAMPLES = r"""
- name: Show the addresses of the instances whose names begin with web
  ansible.builtin.debug:
    msg: "{{ query('fcd.cloud.instances', 'web*') | map(attribute='ip_address') }}"

- name: Show the running instances of a subregion
  ansible.builtin.debug:
    msg: "{{ query('fcd.cloud.instances', filters=running) | map(attribute='name') }}"
  vars:
    running: {is_turned_on: true, subregion: EU-001}

- name: Count the instances, and ask the service once for ten minutes
  ansible.builtin.debug:
    msg: "{{ query('fcd.cloud.instances', cache_seconds=600) | length }}"
"""

RETURN = r"""
_list:
  description:
    - The instances, in the form of RV(fcd.cloud.instance_info#module:instances), without the names of their templates.
  type: list
  elements: dict
"""

import typing as t
from fnmatch import fnmatchcase

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import REST, REST_ACCOUNT
from ansible_collections.fcd.cloud.plugins.module_utils._connection.result_cache import ResultCache
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import plain_data
from ansible_collections.fcd.cloud.plugins.module_utils._core.type_aliases import JsonObject
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import (
    parse_filters,
    read_instances,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.reference_names import ReferenceNames
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup


class LookupModule(ServiceLookup):
    """Looks up instances."""

    services = (REST,)

    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, t.Any]) -> list[JsonObject]:
        """Return the instances that match a term, or all."""
        filters = parse_filters(plain_data(params["filters"] or {}))
        kept = ResultCache(task, params["cache_seconds"], REST_ACCOUNT)

        def read() -> list[JsonObject]:
            api = infrastructure(task)
            return read_instances(api, filters, ReferenceNames(api))

        found = kept.answer(kept.path("instances", filters), read, lambda _records: True)
        return [record for record in found if not terms or any(_matches(record, term) for term in terms)]


def _matches(record: JsonObject, term: str) -> bool:
    return term == str(record["id"]) or fnmatchcase(str(record["name"]), term)

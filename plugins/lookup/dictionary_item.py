# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of the numbers behind labels."""

from __future__ import annotations

DOCUMENTATION = r"""
name: dictionary_item
short_description: Look up the IDs of dictionary items by their labels
version_added: 1.0.0
description:
  - Returns the ID for each label in one dictionary of the service.
  - A dictionary is cached for O(cache_seconds), only within this run of the playbook. It is read once, regardless of
    how many tasks and hosts use it.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.rest
options:
  _terms:
    description:
      - Labels, which match exactly, or else ignoring case.
      - For an unknown name, the error suggests similar ones.
      - An ID that the dictionary contains is returned unchanged.
    required: true
    type: list
    elements: str
  dictionary:
    description:
      - ID or name of the dictionary.
    required: true
    type: str
  cache_seconds:
    description:
      - Time in seconds for which a dictionary is cached; 0 disables caching.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
      - Cached dictionaries are files in O(state_dir) that only this user can read.
    type: str
    default: "300"
seealso:
  - module: fcd.cloud.dictionary_info
"""

EXAMPLES = r"""
- name: Show the ID of a disk class
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.dictionary_item', 'Tier 1', dictionary=17) }}"

- name: Show the IDs of several statuses
  ansible.builtin.debug:
    msg: "{{ query('fcd.cloud.dictionary_item', 'Powered On', 'Powered Off', dictionary='Instance statuses') }}"
"""

RETURN = r"""
_list:
  description: IDs, in the order of the labels.
  type: list
  elements: int
"""

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import (
    REST,
    REST_ACCOUNT,
    SECONDS,
    Label,
    resolve_label,
)
from ansible_collections.fcd.cloud.plugins.module_utils._connection.result_cache import ResultCache
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.dictionary import dictionary_items
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup


class LookupModule(ServiceLookup):
    """Looks up numbers."""

    services = (REST,)

    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, t.Any]) -> list[int]:
        """Return the numbers of the labels."""
        dictionary = str(params["dictionary"]).strip()
        items = _items(task, dictionary, SECONDS.read("cache_seconds", params["cache_seconds"]))
        where = f"the items of dictionary {dictionary}"
        return [resolve_label(term, items, option="label", where=where) for term in terms]


def _items(task: Task, dictionary: str, cache_seconds: float) -> list[Label]:
    kept = ResultCache(task, cache_seconds, REST_ACCOUNT)
    path = kept.path("dictionary", {"dictionary": dictionary.lower()})
    items = kept.answer(path, lambda: dictionary_items(infrastructure(task), dictionary)[1], lambda _items: True)
    return [(item[0], item[1]) for item in items]  # a kept pair is a list

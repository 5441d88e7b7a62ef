# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of temporary addresses of objects."""

from __future__ import annotations

DOCUMENTATION = r"""
name: storage_temp_url
short_description: Create addresses with which anybody can reach an object for a while
version_added: 0.1.0
description:
  - Returns an address for each object. Anybody who has it can do the one thing that O(method) names until it expires,
    without a token.
  - The address is signed here. No object is looked at, so one that does not exist yet can be given an address.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.storage
  - fcd.cloud._signing
options:
  _terms:
    description:
      - Objects, each as C(container/object).
      - With O(prefix=true), each is the beginning of the names of objects.
    required: true
    type: list
    elements: str
  method:
    description:
      - What can be done with the address. An address for V(GET) is good for V(HEAD) too.
    type: str
    choices: [GET, HEAD, PUT, POST, DELETE]
    default: GET
  prefix:
    description:
      - Whether the address is good for every object whose name begins like this. The name of the object is then put in
        place of the beginning in the address.
    type: bool
    default: false
  ip_range:
    description:
      - Address, or range of addresses such as V(203.0.113.0/24), from which alone it can be used.
    type: str
  filename:
    description:
      - Name under which a browser keeps what it gets, in place of that of the object.
    type: str
  inline:
    description:
      - Whether a browser shows what it gets in place of keeping it.
    type: bool
    default: false
notes:
  - The value of a lookup shows wherever it is printed, and anybody who has the address needs no password.
  - A key that is changed ends all addresses that were signed with it.
seealso:
  - module: fcd.cloud.storage_container
  - module: fcd.cloud.storage_account
  - plugin: fcd.cloud.storage_form_post
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Create an address that serves a report for a day
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.storage_temp_url', 'reports/2026/may.pdf', expires_in=86400) }}"

- name: Create an address to which any host can upload its log
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.storage_temp_url', 'reports/log.txt', method='PUT', key=vault_temp_url_key) }}"
"""

RETURN = r"""
_list:
  description: Addresses, in the order of the objects.
  type: list
  elements: str
"""

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import STORAGE
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import object_storage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.signatures import (
    Grant,
    check_range,
    end_of_signature,
    object_places,
    signer,
    temporary_url,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup


class LookupModule(ServiceLookup):
    """Creates addresses."""

    services = (STORAGE,)

    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, t.Any]) -> list[str]:
        """Return an address for each object."""
        objects = object_places(task, terms, whole=not params["prefix"])
        grant = Grant(
            params["method"],
            end_of_signature(params, task.clock.now()),
            params["prefix"],
            check_range(params["ip_range"]),
            params["filename"],
            params["inline"],
        )
        storage = object_storage(task)
        signers = {container: signer(task, storage, container, "tempurl", params) for container, _name in objects}
        return [temporary_url(storage.address(*place), grant, signers[place[0]]) for place in objects]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of temporary addresses of objects."""

from __future__ import annotations

DOCUMENTATION = r"""
name: storage_temp_url
short_description: Create temporary URLs for objects
version_added: 1.0.0
description:
  - Returns a URL for each object. Until it expires, anybody who has the URL can do what O(method) allows, without a
    token.
  - The URL is signed locally. Objects are not read, so a URL can be created before its object exists.
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
      - With O(prefix=true), each is a prefix of object names.
    required: true
    type: list
    elements: str
  method:
    description:
      - The operation that the URL allows. A URL for V(GET) also allows V(HEAD).
    type: str
    choices: [GET, HEAD, PUT, POST, DELETE]
    default: GET
  prefix:
    description:
      - Whether the URL is valid for every object whose name begins with this prefix. To use it, replace the prefix in
        the URL with the name of the object.
    type: bool
    default: false
  ip_range:
    description:
      - Address, or range of addresses such as V(203.0.113.0/24), to which the use of the URL is restricted.
    type: str
  filename:
    description:
      - File name under which a browser saves the download, instead of the name of the object.
    type: str
  inline:
    description:
      - Whether browsers display the content instead of saving it.
    type: bool
    default: false
notes:
  - The value of a lookup is shown wherever it is printed, and anybody who has the URL needs no password.
  - Changing a key invalidates all URLs that were signed with it.
seealso:
  - module: fcd.cloud.storage_container
  - module: fcd.cloud.storage_account
"""

EXAMPLES = r"""
- name: Create a URL that serves a report for a day
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.storage_temp_url', 'reports/2026/may.pdf', expires_in=86400) }}"

- name: Create a URL to which any host can upload its log
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.storage_temp_url', 'reports/log.txt', method='PUT', key=vault_temp_url_key) }}"
"""

RETURN = r"""
_list:
  description: URLs, in the order of the objects.
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
        signers = {container: signer(task, storage, container, params) for container, _name in objects}
        return [temporary_url(storage.address(*place), grant, signers[place[0]]) for place in objects]

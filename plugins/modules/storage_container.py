#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_resources."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_container
short_description: Manage a container of the object storage
version_added: 0.1.0
description:
  - Creates, changes and deletes containers of the object storage, their metadata and their access lists.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  name:
    description:
      - Name of the container. It may hold anything but a slash.
    type: str
    required: true
    aliases: [container]
  metadata:
    description:
      - Metadata items to set. Items that are not named stay as they are, unless O(purge_metadata) is set.
      - An item whose value is null or empty is removed.
      - Names are made of letters, digits and hyphens; upper and lower case are the same. An underscore is refused,
        since the service drops such items silently.
      - Some names mean something to the service, for example C(quota-bytes) and C(quota-count).
      - C(temp-url-key) and C(temp-url-key-2) are secrets. They are refused here, hidden in results, and never removed.
    type: dict
  purge_metadata:
    description:
      - Whether items that O(metadata) does not name are removed. Without O(metadata) it has no effect.
    type: bool
    default: false
  read_acl:
    description:
      - Who may read, in the syntax of the service, for example V(.r:*,.rlistings) for everybody, or C(account:user).
      - An empty text removes the list. Only the owner of the account can read and change it.
    type: str
  write_acl:
    description:
      - Who may write, for example C(account:user).
      - An empty text removes the list. Only the owner of the account can read and change it.
    type: str
  force:
    description:
      - Whether O(state=absent) deletes a container together with its contents. Without it, a container that is not
        empty is left alone and the task fails.
      - Only objects in the container itself are deleted. Segments that its large objects have in other containers stay.
    type: bool
    default: false
  state:
    description:
      - Whether the container is to exist.
    type: str
    choices: [present, absent]
    default: present
notes:
  - Contents are deleted page by page, with one request for many objects where the service offers that.
  - Counts of objects and bytes are brought up to date by the service with some delay.
seealso:
  - module: fcd.cloud.storage_object
"""

EXAMPLES = r"""
- name: Have a container
  fcd.cloud.storage_container:
    storage_base: https://storage.example.com
    storage_user: example:admin
    storage_key: "{{ vault_storage_key }}"
    name: backups
    metadata:
      owner: operations
      quota-bytes: "10737418240"

- name: Let everybody read it, with credentials from the environment or the profile file
  fcd.cloud.storage_container:
    name: downloads
    read_acl: ".r:*,.rlistings"

- name: Have exactly this metadata and no access list
  fcd.cloud.storage_container:
    name: downloads
    metadata:
      owner: operations
    purge_metadata: true
    read_acl: ""

- name: Remove a container with all that is in it
  fcd.cloud.storage_container:
    name: scratch
    state: absent
    force: true
"""

RETURN = r"""
container:
  description: The container as it is, or in check mode would be; null when it is not there.
  returned: success
  type: dict
  contains:
    name:
      description: Its name.
      type: str
      returned: always
    object_count:
      description: Number of objects in it.
      type: int
      returned: always
    bytes_used:
      description: Bytes that they hold together.
      type: int
      returned: always
    metadata:
      description: Its metadata, with names in lower case.
      type: dict
      returned: always
    read_acl:
      description: Who may read; empty when nothing is set, or for users who may not see it.
      type: str
      returned: always
    write_acl:
      description: Who may write; empty when nothing is set, or for users who may not see it.
      type: str
      returned: always
    storage_policy:
      description: The storage policy; V((known after apply\)) in check mode before the container is created.
      type: str
      returned: always
  sample:
    name: backups
    object_count: 0
    bytes_used: 0
    metadata:
      owner: operations
      quota-bytes: "10737418240"
    read_acl: ""
    write_acl: ""
    storage_policy: Policy-0
action:
  description: What was done, or in check mode would be done.
  returned: success
  type: str
  sample: create
"""

from ..module_utils._ansible.module import run_module
from ..module_utils._resources.storage.container import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

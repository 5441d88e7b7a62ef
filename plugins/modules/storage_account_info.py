#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_account_info
short_description: Read the object storage account and the features of the service
version_added: 0.1.0
description:
  - Reads usage statistics and metadata of the account, and the limits and features of the service.
  - This requires a user with the administrator role.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes.reading
options: {}
notes:
  - Counts lag behind the actual contents.
seealso:
  - module: fcd.cloud.storage_account
  - module: fcd.cloud.storage_container_info
  - ref: ansible_collections.fcd.cloud.docsite.object_storage
    description: Guide to the object storage.
"""

EXAMPLES = r"""
- name: Read the account
  fcd.cloud.storage_account_info:
  register: storage

- name: Show how much is stored
  ansible.builtin.debug:
    msg: "{{ storage.account.bytes_used | human_readable }} in {{ storage.account.container_count }} containers"

- name: Show the maximum size of an object
  ansible.builtin.debug:
    msg: "{{ (storage.features.swift.max_file_size | human_readable) if storage.features else 'not told' }}"
"""

RETURN = r"""
account:
  description: The account.
  returned: success
  type: dict
  contains:
    url:
      description: URL of the account; the URLs of containers and objects begin with it.
      type: str
      returned: always
    container_count:
      description: Number of containers.
      type: int
      returned: always
    object_count:
      description: Number of objects in them.
      type: int
      returned: always
    bytes_used:
      description: Total size of these objects in bytes.
      type: int
      returned: always
    metadata:
      description: >-
        Its metadata, with names in lower case, without the items that have attributes of their own. A free mapping of
        names to values.
      type: dict
      returned: always
    quota_bytes:
      description: Maximum total size of all objects in bytes; null if there is no quota.
      type: int
      returned: always
    temp_url_key:
      description: V((hidden\)) if the key is set; null if it is not.
      type: str
      returned: always
    temp_url_key_2:
      description: The same for the second key.
      type: str
      returned: always
  sample:
    url: https://storage.example.com/v1/AUTH_example
    container_count: 2
    object_count: 12
    bytes_used: 73400320
    metadata:
      owner: operations
    quota_bytes: null
    temp_url_key: (hidden)
    temp_url_key_2: null
features:
  description:
    - What the service reports about itself, by its own names. C(swift) has limits and storage policies; the other keys
      are features that it offers.
    - Null if the service does not reveal it.
    - A free mapping.
  returned: success
  type: dict
  sample:
    swift: {max_file_size: 5368709122, container_listing_limit: 10000, policies: [{name: Policy-0, default: true}]}
    staticweb: {}
    tempurl: {allowed_digests: [sha256]}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.account import ACCOUNT_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

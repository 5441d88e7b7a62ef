#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_account
short_description: Manage the metadata, keys and quota of the object storage account
version_added: 0.1.0
description:
  - Sets and removes metadata of the account, its keys for temporary URLs, and its quota.
  - This requires a user with the administrator role. The account itself is neither created nor removed.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  metadata:
    description:
      - Metadata items to set, a free mapping of names to values. Other items stay unchanged unless O(purge_metadata) is
        set.
      - An item with a null or empty value is removed.
      - Names consist of letters, digits and hyphens and are case-insensitive. Underscores are rejected, since the
        service silently drops such items.
    type: dict
  purge_metadata:
    description:
      - Whether to remove items that O(metadata) does not list. Has no effect without O(metadata).
      - Settings that have options of their own are not affected.
    type: bool
    default: false
  temp_url_key:
    description:
      - Secret key for signing temporary URLs of all containers; see P(fcd.cloud.storage_temp_url#lookup). An empty
        string removes it.
      - The key is never shown. It is compared with the current key, so a task that sets the same key changes nothing.
    type: str
    aliases: [meta_temp_url_key]
  temp_url_key_2:
    description:
      - A second key of this kind, so that keys can be rotated without invalidating URLs that are already signed.
    type: str
    aliases: [meta_temp_url_key_2]
  quota_bytes:
    description:
      - Maximum total size of all objects in bytes, as digits or with a unit, such as V(500M) or V(10GiB); units are
        powers of 1024. An empty string removes the quota.
      - Most services let only their own operators set it. In this case, the task fails, and nothing is changed.
    type: str
seealso:
  - module: fcd.cloud.storage_account_info
  - module: fcd.cloud.storage_container
  - plugin: fcd.cloud.storage_temp_url
    plugin_type: lookup
  - ref: ansible_collections.fcd.cloud.docsite.object_storage
    description: Guide to the object storage.
"""

EXAMPLES = r"""
- name: Set a key for temporary URLs
  fcd.cloud.storage_account:
    storage_base: https://storage.example.com
    storage_user: example:admin
    storage_key: "{{ vault_storage_key }}"
    temp_url_key: "{{ vault_temp_url_key }}"

- name: Set exactly this metadata, with credentials from the environment or the profile file
  fcd.cloud.storage_account:
    metadata:
      owner: operations
    purge_metadata: true

- name: Rotate the key while keeping URLs signed with the old key valid
  fcd.cloud.storage_account:
    temp_url_key: "{{ vault_next_temp_url_key }}"
    temp_url_key_2: "{{ vault_temp_url_key }}"

- name: Remove the old key
  fcd.cloud.storage_account:
    temp_url_key_2: ""
"""

RETURN = r"""
account:
  description: The account after the task, or in check mode as it would be.
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
action:
  description: The action taken, or in check mode the action that would be taken.
  returned: success
  type: str
  sample: update
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.account import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

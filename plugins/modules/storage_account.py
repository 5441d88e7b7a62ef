#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_account
short_description: Manage what describes the account of the object storage
version_added: 0.1.0
description:
  - Sets and removes metadata of the account, its keys for temporary addresses and its quota.
  - It takes a user with the administrator role. The account itself is neither created nor removed.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  metadata:
    description:
      - Metadata items to set. Items that are not named stay as they are, unless O(purge_metadata) is set.
      - An item whose value is null or empty is removed.
      - Names consist of letters, digits and hyphens; upper and lower case are the same. An underscore is refused,
        since the service drops such items silently.
    type: dict
  purge_metadata:
    description:
      - Whether items that O(metadata) does not name are removed. Without O(metadata) it has no effect.
      - What other options set is not touched by it.
    type: bool
    default: false
  temp_url_key:
    description:
      - Secret with which temporary addresses of all containers are signed, see P(fcd.cloud.storage_temp_url#lookup).
        An empty text removes it.
      - It never shows. It is compared with the key that is set, so that a task that sets the same one changes nothing.
    type: str
    aliases: [meta_temp_url_key]
  temp_url_key_2:
    description:
      - A second such secret, so that keys can be exchanged without breaking the addresses that are signed already.
    type: str
    aliases: [meta_temp_url_key_2]
  quota_bytes:
    description:
      - How many bytes all objects may have together, as digits or with a unit such as V(500M) or V(10GiB); units are
        powers of 1024. An empty text removes the quota.
      - Services mostly let only their own operator set it. The task fails then, and nothing is changed.
    type: str
seealso:
  - module: fcd.cloud.storage_account_info
  - module: fcd.cloud.storage_container
  - plugin: fcd.cloud.storage_temp_url
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Set a key for temporary addresses
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

- name: Replace the key, and keep addresses valid for a while that are signed with the old one
  fcd.cloud.storage_account:
    temp_url_key: "{{ vault_next_temp_url_key }}"
    temp_url_key_2: "{{ vault_temp_url_key }}"

- name: Take the old one away
  fcd.cloud.storage_account:
    temp_url_key_2: ""
"""

RETURN = r"""
account:
  description: The account as it is, or in check mode would be.
  returned: success
  type: dict
  contains:
    url:
      description: Its address; those of containers and objects begin with it.
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
      description: Bytes that these hold together.
      type: int
      returned: always
    metadata:
      description: Its metadata, with names in lower case, without what other attributes tell.
      type: dict
      returned: always
    quota_bytes:
      description: How many bytes all objects may have together; null without a quota.
      type: int
      returned: always
    temp_url_key:
      description: V((hidden\)) when the key is set, null when it is not.
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
  description: What was done, or in check mode would be done.
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

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ssh_key
short_description: Manage SSH keys
version_added: 1.0.0
description:
  - Stores public SSH keys at the service for use by new instances, and removes them.
  - A key is identified by its exact name or by O(id). The service does not enforce unique names; if several keys share
    the name, the task fails and lists their IDs.
  - The service cannot change a key. If a key differs, the task fails or, with O(recreate), replaces it.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
options:
  state:
    description:
      - Whether the key should exist.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - The name of the key, 1 to 200 characters. Required unless O(id) is given.
    type: str
    aliases: [ssh_key_name]
  id:
    description:
      - ID of an existing key.
      - Required for selecting one of several that share a name.
      - With O(name), O(state=absent) removes the key only if it has that name.
    type: int
  public_key:
    description:
      - The public key, in the format of a C(.pub) file, which is one line of type, data and comment. Required to
        store a key. A text in another format is rejected before anything is sent.
      - Its type and data are compared; surrounding whitespace and the trailing comment are ignored.
      - A private key is rejected before anything is sent.
    type: str
    aliases: [ssh_key]
  recreate:
    description:
      - Whether to remove and recreate a key that differs. The new key has a different ID.
      - Instances keep the keys that they were created with.
    type: bool
    default: false
seealso:
  - module: fcd.cloud.ssh_key_info
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Store an SSH key
  fcd.cloud.ssh_key:
    name: deploy
    public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExamp deploy@example.com

- name: Replace the SSH key
  fcd.cloud.ssh_key:
    name: deploy
    public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnotherAnotherAnotherAnotherAnotherAnoth deploy@example.com
    recreate: true

- name: Remove the SSH key
  fcd.cloud.ssh_key:
    name: deploy
    state: absent
"""

RETURN = r"""
ssh_key:
  description:
    - The key after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, and if a create is only started, a new object has only the values that were given.
  returned: success
  type: dict
  contains:
    id:
      description: The ID; not known in check mode for a new object.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    public_key:
      description: Text of the public key.
      type: str
      returned: always
    owner_user:
      description: Login of the user who owns the key.
      type: str
      returned: when it exists
    creation_date:
      description: When it was stored, in UTC.
      type: str
      returned: when it exists
  sample:
    id: 31002
    name: deploy
    public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExamp deploy@example.com
    owner_user: somebody@example.com
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(replace), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
forced_by:
  description: Options that differ, cannot be changed on an existing key, and therefore force its replacement.
  returned: success, if RV(action) is V(replace)
  type: list
  elements: str
  sample: [public_key]
ticket:
  description: Always null, since key operations have no tickets.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.ssh_key import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

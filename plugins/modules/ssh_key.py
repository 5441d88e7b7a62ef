#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ssh_key
short_description: Manage SSH keys
version_added: 0.1.0
description:
  - Stores public SSH keys at the service, to be used by new instances, and removes them.
  - A key is found by its name, which has to match exactly, or by O(id).
    Names are not unique at the service; when several keys bear the name, the task ends with an error that lists their
    numbers.
  - The service cannot change a key. A difference is an error, or the key is replaced (O(recreate)).
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
      - Name of the key, 1 to 200 characters. Needed unless O(id) is given.
    type: str
    aliases: [ssh_key_name]
  id:
    description:
      - Number of a key that exists.
      - Needed to choose one of several that have the same name.
    type: int
  public_key:
    description:
      - The public key, as it stands in a file whose name ends in C(.pub). Needed to store a key.
      - Its type and its data are compared; blanks around it and the comment behind it do not count.
      - A private key is refused before anything is sent.
    type: str
    aliases: [ssh_key]
  recreate:
    description:
      - Whether a key that differs is removed and created again. It gets another number.
      - Instances keep the keys they were created with.
    type: bool
    default: false
"""

EXAMPLES = r"""
- name: Store a key
  fcd.cloud.ssh_key:
    name: deploy
    public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExamp deploy@example.com

- name: Replace it
  fcd.cloud.ssh_key:
    name: deploy
    public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnotherAnotherAnotherAnotherAnotherAnoth deploy@example.com
    recreate: true

- name: Remove it
  fcd.cloud.ssh_key:
    name: deploy
    state: absent
"""

RETURN = r"""
ssh_key:
  description:
    - The key as it is, or in check mode would be; null when it is not there.
    - In check mode, and where a create is only started, a new one has only the values that were given.
  returned: success
  type: dict
  contains:
    id:
      description: Its number; null in check mode for a new one.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    public_key:
      description: Its text.
      type: str
      returned: always
    owner_user:
      description: Login of the user whose key it is.
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
  description: What was done, or in check mode would be done, one of V(create), V(replace), V(delete) and V(none).
  returned: success
  type: str
  sample: create
forced_by:
  description: The options that cannot be changed on an existing key, and so force its replacement.
  returned: success, when RV(action) is V(replace)
  type: list
  elements: str
  sample: [public_key]
ticket:
  description: Always null, since operations on keys have no ticket.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.ssh_key import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

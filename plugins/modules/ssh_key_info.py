#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ssh_key_info
short_description: Read SSH keys
version_added: 1.0.0
description:
  - Reads the SSH keys stored at the service, or a single key.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one key; if it does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(web-*). The whole list is then read.
      - Names are not unique, so several objects may be returned.
    type: str
seealso:
  - module: fcd.cloud.ssh_key
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List all SSH keys
  fcd.cloud.ssh_key_info:
  register: all

- name: Show the names of the keys
  ansible.builtin.debug:
    msg: "{{ all.ssh_keys | map(attribute='name') }}"

- name: Read the keys with a certain name
  fcd.cloud.ssh_key_info:
    name: operations
"""

RETURN = r"""
ssh_keys:
  description: The keys. Each has the keys of RV(fcd.cloud.ssh_key#module:ssh_key).
  returned: success
  type: list
  elements: dict
  sample:
    - id: 31002
      name: deploy
      public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExamp deploy@example.com
      owner_user: somebody@example.com
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.ssh_key import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: private_network
short_description: Manage private networks
version_added: 0.1.0
description:
  - Creates, renames and removes private networks, and waits until they are ready.
  - A private network is found by its name, which has to match exactly, or by O(id).
    Names are not unique at the service; when several networks bear the name, the task ends with an error that lists
    their numbers.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
options:
  state:
    description:
      - Whether the private network should exist.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - Name of the private network, 1 to 500 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
      - Together with O(id) it is the name that the network should have; it is changed in place.
      - Needed unless O(id) is given.
    type: str
    aliases: [opn_name]
  id:
    description:
      - Number of a private network that exists.
      - Needed to rename one, and to choose one of several that have the same name.
    type: int
  force_detach:
    description:
      - Whether instances in the network are detached before it is removed. Otherwise that is an error.
    type: bool
    default: false
notes:
  - An instance keeps at least one interface; the service refuses to take the last one.
"""

EXAMPLES = r"""
- name: Create a private network
  fcd.cloud.private_network:
    name: storage
  register: storage

- name: Give it another name
  fcd.cloud.private_network:
    id: "{{ storage.private_network.id }}"
    name: storage-2026

- name: Remove it, whatever is in it
  fcd.cloud.private_network:
    name: storage-2026
    state: absent
    force_detach: true
"""

RETURN = r"""
private_network:
  description:
    - The private network as it is, or in check mode would be; null when it is not there.
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
    instances:
      description: Instances in it, with C(id), C(label), C(address), C(address_v6), C(mac_address) and C(interface_id).
      type: list
      elements: dict
      returned: when it exists
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: when it exists
    last_change_date:
      description: When it was changed last, in UTC.
      type: str
      returned: when it exists
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: when it exists
  sample:
    id: 41002
    name: backend
    instances:
      - {id: 250017, label: web, address: 10.0.0.2, mac_address: "02:00:00:00:00:11", interface_id: 17}
action:
  description: What was done, or in check mode would be done, one of V(create), V(update), V(delete) and V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Number of the ticket of the last operation that was started; null without one.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.private_network import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

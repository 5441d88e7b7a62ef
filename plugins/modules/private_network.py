#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: private_network
short_description: Manage private networks
version_added: 1.0.0
description:
  - Creates, renames and removes private networks, and waits until they are ready.
  - A private network is identified by its exact name or by O(id). The service does not enforce unique names; if several
    networks share the name, the task fails and lists their IDs.
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
      - The name of the private network, 1 to 500 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
      - If O(id) is given too, this is the name that the network should have; it is changed in place.
      - Required unless O(id) is given.
    type: str
    aliases: [opn_name]
  id:
    description:
      - ID of an existing private network.
      - Required for renaming, and for selecting one of several that share a name.
      - With O(name), O(state=absent) removes the network only if it has that name.
    type: int
  force_detach:
    description:
      - Whether to detach all instances from the network before removing it. Otherwise, removing a network with attached
        instances is an error.
    type: bool
    default: false
notes:
  - An instance keeps at least one interface; the service refuses to remove the last one.
seealso:
  - module: fcd.cloud.private_network_info
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Create a private network
  fcd.cloud.private_network:
    name: storage
  register: storage

- name: Rename the private network
  fcd.cloud.private_network:
    id: "{{ storage.private_network.id }}"
    name: storage-2026

- name: Remove the private network, detaching its instances
  fcd.cloud.private_network:
    name: storage-2026
    state: absent
    force_detach: true
"""

RETURN = r"""
private_network:
  description:
    - The private network after the task, or in check mode as it would be; null if it does not exist.
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
    instances:
      description: >-
        Instances attached to it, with C(id), C(label), C(address), C(address_v6), C(mac_address) and C(interface_id).
      type: list
      elements: dict
      returned: when it exists
      contains:
        id:
          description: ID of the instance.
          type: int
          returned: always
        label:
          description: The name of the instance.
          type: str
          returned: always
        address:
          description: IPv4 address of the instance in the network.
          type: str
          returned: always
        address_v6:
          description: IPv6 address of the instance in the network.
          type: str
          returned: always
        mac_address:
          description: MAC address of the interface.
          type: str
          returned: always
        interface_id:
          description: ID of the interface.
          type: int
          returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: when it exists
    last_change_date:
      description: When it was last changed, in UTC.
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
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: ID of the ticket of the last operation that was started; null if there was none.
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

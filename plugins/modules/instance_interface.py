#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_interface
short_description: Move a network interface of an instance to another private network
version_added: 1.0.0
description:
  - Ensures that a network interface of an instance is in a private network. If it is in another one, it is moved in one
    operation, so that the instance keeps the interface.
  - To attach an instance to a private network with a new interface, or to detach it, use
    O(fcd.cloud.instance#module:private_networks).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting
options:
  name:
    description:
      - The exact name of the instance. Required unless O(id) is given.
      - The service does not enforce unique names; if several instances share the name, the task fails and lists their
        IDs.
    type: str
    aliases: [instance_name]
  id:
    description:
      - ID of the instance.
    type: int
    aliases: [instance_id]
  interface_id:
    description:
      - ID of the interface. Required unless O(mac_address) is given.
      - M(fcd.cloud.instance_info) returns the interfaces of an instance.
    type: int
  mac_address:
    description:
      - MAC address of the interface, with colons or hyphens. Whether an interface keeps it when it is moved depends on
        the service.
    type: str
  private_network:
    description:
      - Name or ID of the private network in which the interface should be.
    type: str
    required: true
notes:
  - An interface with a public address is not in a private network. Whether it can be moved to one depends on the
    service.
  - If another operation has locked the instance, the module waits for it before changing anything.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_info
  - module: fcd.cloud.private_network
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Create another private network
  fcd.cloud.private_network:
    name: storage

- name: Read the interfaces of an instance
  fcd.cloud.instance_info:
    name: db
    include: [interfaces]
  register: read

- name: Move its interface from the network backend
  fcd.cloud.instance_interface:
    name: db
    interface_id: "{{ (interfaces | selectattr('private_network.label', 'eq', 'backend') | first).interface_id }}"
    private_network: storage
  vars:
    interfaces: "{{ read.instances[0].included.interfaces | selectattr('private_network') }}"
"""

RETURN = r"""
interface:
  description:
    - The interface after the task, or in check mode as it would be. With O(wait=false), as it was before.
  returned: success
  type: dict
  sample:
    interface_id: 700003
    mac_address: 02:00:00:0a:ae:63
    address: 10.0.0.3
    address_v6: null
    instance: {id: 250017, label: db}
    private_network: {id: 41101, label: storage}
    ip_address: null
    subregion: {id: 1, label: EU-001}
    comment: null
    reverse_dns: null
    reverse_dns_v6: null
  contains:
    interface_id:
      description: ID of the interface.
      type: int
    mac_address:
      description: MAC address of the interface.
      type: str
    address:
      description: Its IPv4 address.
      type: str
    address_v6:
      description: Its IPv6 address.
      type: str
    instance:
      description: The instance.
      type: dict
      contains:
        id:
          description: Its ID.
          type: int
        label:
          description: Its name.
          type: str
    private_network:
      description: The private network; V(null) for an interface with a public address.
      type: dict
      contains:
        id:
          description: Its ID.
          type: int
        label:
          description: Its name.
          type: str
    ip_address:
      description: The public address; V(null) for an interface in a private network.
      type: dict
      contains:
        id:
          description: Its ID.
          type: int
        label:
          description: Its address.
          type: str
    subregion:
      description: The subregion.
      type: dict
      contains:
        id:
          description: Its ID.
          type: int
        label:
          description: Its name.
          type: str
    comment:
      description: Comment of the public address.
      type: str
    reverse_dns:
      description: Reverse name of the public IPv4 address.
      type: str
    reverse_dns_v6:
      description: Reverse name of the public IPv6 address.
      type: str
action:
  description:
    - What was done, or in check mode would be done.
  returned: success
  type: str
  sample: update
ticket:
  description:
    - ID of the operation that was started, V(null) if there was none.
  returned: success
  type: int
  sample: 9000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_interface import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

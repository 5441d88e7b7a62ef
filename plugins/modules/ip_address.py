#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ip_address
short_description: Manage public IP addresses
version_added: 1.0.0
description:
  - Reserves public IP addresses, sets their comments and reverse DNS names, attaches them to instances, detaches them
    and releases them.
  - An address has no name. It is identified by its O(comment), by the address itself (O(address)), or by its ID
    (O(id)). Comments are not unique; if several addresses share the comment, the task fails and lists their IDs.
  - Only the options that you set are compared and changed.
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
      - Whether the address should exist.
    type: str
    choices: [present, absent]
    default: present
  comment:
    description:
      - Comment of the address, up to 50 characters. If no address has it, a new one is reserved.
      - If O(address) or O(id) is given too, this is the comment that the address should have; it may then be empty.
    type: str
  address:
    description:
      - The address itself, IPv4 or IPv6, which the account must already have.
    type: str
    aliases: [ip_address]
  id:
    description:
      - ID of an address of the account.
      - With O(address) or O(comment), O(state=absent) releases the address only if it has these.
    type: int
    aliases: [ip_address_id]
  subregion:
    description:
      - Name or ID of the subregion. Required to reserve an address.
      - Changed in place; whether this is possible while the address is attached depends on the service.
    type: str
    aliases: [subregion_id]
  static:
    description:
      - Whether the address should be static.
    type: bool
  reverse_dns:
    description:
      - Name that reverse look-ups of the IPv4 address should return. Upper case and a trailing dot are ignored.
      - An empty string restores the service's own name. If the service reports that name afterwards, each run restores
        it again.
    type: str
  reverse_dns_v6:
    description:
      - The same for the IPv6 address.
    type: str
  instance:
    description:
      - Name or ID of the instance to attach the address to. It is first detached from any other instance.
    type: str
    aliases: [instance_id]
  detached:
    description:
      - Whether the address should be detached from any instance. If neither this option nor O(instance) is given, its
        attachment is left unchanged. Set to V(true) to detach it.
      - An automatic address may be lost when it is detached. This is therefore an error unless O(static=true) is also
        given, which makes the address static first.
    type: bool
  force_detach:
    description:
      - Whether to detach an attached address before releasing it. Otherwise, releasing an attached address is an error.
    type: bool
    default: false
notes:
  - After an unclear response, the new address is the one that did not exist before, is free and has no comment. If
    there are several, the task fails and lists their IDs.
  - An instance keeps at least one interface; the service refuses to remove the last one.
seealso:
  - module: fcd.cloud.ip_address_info
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Reserve an address for mail
  fcd.cloud.ip_address:
    comment: mail
    subregion: EU-001
    static: true
    reverse_dns: mail.example.com
  register: mail

- name: Show the address
  ansible.builtin.debug:
    var: mail.ip_address.address

- name: Attach the address to an instance
  fcd.cloud.ip_address:
    comment: mail
    instance: web

- name: Detach the address and change its comment
  fcd.cloud.ip_address:
    id: "{{ mail.ip_address.id }}"
    comment: mail (old)
    detached: true

- name: Release the address
  fcd.cloud.ip_address:
    address: "{{ mail.ip_address.address }}"
    state: absent
"""

RETURN = r"""
ip_address:
  description:
    - The address after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, and if a create is only started, a new object has only the values that were given.
  returned: success
  type: dict
  contains:
    id:
      description: The ID; not known in check mode for a new object.
      type: int
      returned: always
    comment:
      description: Its comment.
      type: str
      returned: always
    subregion:
      description: Subregion in which it can be used, as an ID and label.
      type: dict
      returned: always
      contains:
        id:
          description: ID.
          type: int
          returned: always
        label:
          description: Label.
          type: str
          returned: always
    address:
      description: The IPv4 address.
      type: str
      returned: when it exists
    address_v6:
      description: The IPv6 address.
      type: str
      returned: when it exists
    instance:
      description:
        - Instance that it is attached to, as an ID and label; null if it is free.
        - Keys as in RV(ip_address.subregion).
      type: dict
      returned: when it exists
    static:
      description: Whether it is static.
      type: bool
      returned: when it exists
    type:
      description: Its type, as an ID and label from dictionary 123. Keys as in RV(ip_address.subregion).
      type: dict
      returned: when it exists
    reverse_dns:
      description: Name that reverse look-ups of the IPv4 address return.
      type: str
      returned: when it exists
    reverse_dns_v6:
      description: Name that reverse look-ups of the IPv6 address return.
      type: str
      returned: when it exists
    mode:
      description: Its mode, as an ID and label from dictionary 301. Keys as in RV(ip_address.subregion).
      type: dict
      returned: when it exists
    default_subregion:
      description: Its default subregion, as an ID and label. Keys as in RV(ip_address.subregion).
      type: dict
      returned: when it exists
    gateway:
      description: Its gateway.
      type: str
      returned: when it exists
    netmask:
      description: Its network mask.
      type: str
      returned: when it exists
    mac_address:
      description: MAC address of its interface.
      type: str
      returned: when it exists
    interface_id:
      description: ID of its interface.
      type: int
      returned: when it exists
    dns_prefix:
      description: First part of its generated host name.
      type: str
      returned: when it exists
    dhcp_branch:
      description: Its DHCP branch, as the service reports it.
      type: str
      returned: when it exists
    owner_account:
      description: Account that it belongs to, as an ID and label. Keys as in RV(ip_address.subregion).
      type: dict
      returned: when it exists
    creation_user:
      description: Login of the user who reserved it.
      type: str
      returned: when it exists
  sample:
    id: 120003
    comment: mail
    address: 203.0.113.4
    address_v6: 2001:db8::3
    instance: null
    subregion: {id: 1, label: EU-001}
    static: false
    type: {id: 1109, label: Reserved}
    reverse_dns: mail.example.com
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
from ..module_utils._infrastructure.ip_address import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

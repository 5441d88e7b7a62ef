#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ip_address
short_description: Manage public IP addresses
version_added: 0.1.0
description:
  - Reserves public IP addresses, describes them, attaches them to instances, detaches them and gives them back.
  - An address has no name. It is found by its O(comment), by itself (O(address)), or by its number (O(id)).
    Comments are not unique at the service; when several addresses bear one, the task ends with an error that lists
    their numbers.
  - Only what is given is compared, and only what is given is changed.
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
      - Comment of the address, up to 50 characters. A new address is reserved when none has it.
      - Together with O(address) or O(id) it is the comment that the address should have; then it may be empty.
    type: str
  address:
    description:
      - The address itself, IPv4 or IPv6, of one that the account has.
    type: str
    aliases: [ip_address]
  id:
    description:
      - Number of an address that the account has.
    type: int
    aliases: [ip_address_id]
  subregion:
    description:
      - Name or number of the subregion. Needed to reserve an address.
      - It is changed in place; whether that is possible while the address is attached is up to the service.
    type: str
    aliases: [subregion_id]
  static:
    description:
      - Whether the address should be static.
    type: bool
  reverse_dns:
    description:
      - Name that reverse look-ups of the IPv4 address should give; upper case and a dot at the end do not count.
      - An empty text restores the service's own name. If the service shows that name afterwards, each run restores it.
    type: str
  reverse_dns_v6:
    description:
      - The same for the IPv6 address.
    type: str
  instance:
    description:
      - Name or number of the instance to attach the address to. It is detached from another one before.
    type: str
    aliases: [instance_id]
  detached:
    description:
      - With V(true), the address is attached to no instance. Without this option and O(instance), it stays where it is.
      - An automatic address may be lost when it is detached, which is therefore an error unless O(static=true) is given
        too; it then becomes static first.
    type: bool
  force_detach:
    description:
      - Whether an address that is attached is detached before it is given back. Otherwise that is an error.
    type: bool
    default: false
notes:
  - After an unclear answer the new address is the one that was not there before, is free and has no comment. When there
    are several, the task ends with an error that lists their numbers.
  - An instance keeps at least one interface; the service refuses to take the last one.
"""

EXAMPLES = r"""
- name: Reserve an address for mail
  fcd.cloud.ip_address:
    comment: mail
    subregion: EU-001
    static: true
    reverse_dns: mail.example.com
  register: mail

- name: Show it
  ansible.builtin.debug:
    var: mail.ip_address.address

- name: Attach it to an instance
  fcd.cloud.ip_address:
    comment: mail
    instance: web

- name: Detach it, and give it another comment
  fcd.cloud.ip_address:
    id: "{{ mail.ip_address.id }}"
    comment: mail (old)
    detached: true

- name: Give it back
  fcd.cloud.ip_address:
    address: "{{ mail.ip_address.address }}"
    state: absent
"""

RETURN = r"""
ip_address:
  description:
    - The address as it is, or in check mode would be; null when it is not there.
    - In check mode, and where a create is only started, a new one has only the values that were given.
  returned: success
  type: dict
  contains:
    id:
      description: Its number; null in check mode for a new one.
      type: int
      returned: always
    comment:
      description: Its comment.
      type: str
      returned: always
    subregion:
      description: Where it can be used, number and label.
      type: dict
      returned: always
    address:
      description: Its IPv4 text.
      type: str
      returned: when it exists
    address_v6:
      description: Its IPv6 text.
      type: str
      returned: when it exists
    instance:
      description: Instance that has it, number and label; null for a free one.
      type: dict
      returned: when it exists
    static:
      description: Whether its type is static.
      type: bool
      returned: when it exists
    type:
      description: Its type, number and label from dictionary 123.
      type: dict
      returned: when it exists
    reverse_dns:
      description: Name that reverse look-ups of the IPv4 address give.
      type: str
      returned: when it exists
    reverse_dns_v6:
      description: Name that reverse look-ups of the IPv6 address give.
      type: str
      returned: when it exists
    mode:
      description: Its mode, number and label from dictionary 301.
      type: dict
      returned: when it exists
    default_subregion:
      description: Its default subregion, number and label.
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
      description: Hardware address of its interface.
      type: str
      returned: when it exists
    interface_id:
      description: Number of its interface.
      type: int
      returned: when it exists
    dns_prefix:
      description: First part of its generated host name.
      type: str
      returned: when it exists
    dhcp_branch:
      description: Its DHCP branch, as the service tells it.
      type: str
      returned: when it exists
    owner_account:
      description: Account that it belongs to, number and name.
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
from ..module_utils._infrastructure.ip_address import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

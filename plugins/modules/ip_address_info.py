#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ip_address_info
short_description: Read public IP addresses
version_added: 0.1.0
description:
  - Reads the public IP addresses of the account, those of one instance, or a single one.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - Number of one address; where there is none, the list is empty.
    type: int
  address:
    description:
      - The IPv4 address itself; where the account does not have it, the list is empty.
    type: str
    aliases: [ip_address]
  comment:
    description:
      - Comment that has to match exactly. Comments are not unique, so there may be several.
    type: str
  instance:
    description:
      - Only those of this instance, given by name or number.
    type: str
    aliases: [instance_id]
  only_free:
    description:
      - Only those that no instance has.
    type: bool
    default: false
"""

EXAMPLES = r"""
- name: List the free addresses
  fcd.cloud.ip_address_info:
    only_free: true
  register: free

- name: Show them
  ansible.builtin.debug:
    msg: "{{ free.ip_addresses | map(attribute='address') }}"

- name: List the addresses of an instance
  fcd.cloud.ip_address_info:
    instance: web
"""

RETURN = r"""
ip_addresses:
  description: The addresses.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: Its number.
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
      returned: always
    address_v6:
      description: Its IPv6 text.
      type: str
      returned: always
    instance:
      description: Instance that has it, number and label; null for a free one.
      type: dict
      returned: always
    static:
      description: Whether its type is static.
      type: bool
      returned: always
    type:
      description: Its type, number and label from dictionary 123.
      type: dict
      returned: always
    reverse_dns:
      description: Name that reverse look-ups of the IPv4 address give.
      type: str
      returned: always
    reverse_dns_v6:
      description: Name that reverse look-ups of the IPv6 address give.
      type: str
      returned: always
    mode:
      description: Its mode, number and label from dictionary 301.
      type: dict
      returned: always
    default_subregion:
      description: Its default subregion, number and label.
      type: dict
      returned: always
    gateway:
      description: Its gateway.
      type: str
      returned: always
    netmask:
      description: Its network mask.
      type: str
      returned: always
    mac_address:
      description: Hardware address of its interface.
      type: str
      returned: always
    interface_id:
      description: Number of its interface.
      type: int
      returned: always
    dns_prefix:
      description: First part of its generated host name.
      type: str
      returned: always
    dhcp_branch:
      description: Its DHCP branch, as the service tells it.
      type: str
      returned: always
    owner_account:
      description: Account that it belongs to, number and name.
      type: dict
      returned: always
    creation_user:
      description: Login of the user who reserved it.
      type: str
      returned: always
  sample:
    - id: 120003
      comment: mail
      address: 203.0.113.4
      address_v6: 2001:db8::3
      instance: null
      subregion: {id: 1, label: EU-001}
      static: false
      type: {id: 1109, label: Reserved}
      reverse_dns: mail.example.com
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.ip_address import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ip_address_info
short_description: Read public IP addresses
version_added: 1.0.0
description:
  - Reads the public IP addresses of the account, those of one instance, or a single address.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one address; if it does not exist, it is listed in RV(missing).
    type: int
  address:
    description:
      - The IPv4 address itself; if the account does not have it, the list is empty.
    type: str
    aliases: [ip_address]
  comment:
    description:
      - The exact comment, or a pattern with C(*), C(?) or C([...]), such as V(web-*).
      - Comments are not unique, so several addresses may be returned.
    type: str
  instance:
    description:
      - Return only objects of this instance, given by name or ID.
    type: str
    aliases: [instance_id]
  only_free:
    description:
      - Whether to return only addresses that are not attached to any instance.
    type: bool
    default: false
seealso:
  - module: fcd.cloud.ip_address
  - module: fcd.cloud.instance_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List the free addresses
  fcd.cloud.ip_address_info:
    only_free: true
  register: free

- name: Show the addresses
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
      description: The ID.
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
      returned: always
    address_v6:
      description: The IPv6 address.
      type: str
      returned: always
    instance:
      description:
        - Instance that it is attached to, as an ID and label; null if it is free.
        - Keys as in RV(ip_addresses[].subregion).
      type: dict
      returned: always
    static:
      description: Whether it is static.
      type: bool
      returned: always
    type:
      description: Its type, as an ID and label from dictionary 123. Keys as in RV(ip_addresses[].subregion).
      type: dict
      returned: always
    reverse_dns:
      description: Name that reverse look-ups of the IPv4 address return.
      type: str
      returned: always
    reverse_dns_v6:
      description: Name that reverse look-ups of the IPv6 address return.
      type: str
      returned: always
    mode:
      description: Its mode, as an ID and label from dictionary 301. Keys as in RV(ip_addresses[].subregion).
      type: dict
      returned: always
    default_subregion:
      description: Its default subregion, as an ID and label. Keys as in RV(ip_addresses[].subregion).
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
      description: MAC address of its interface.
      type: str
      returned: always
    interface_id:
      description: ID of its interface.
      type: int
      returned: always
    dns_prefix:
      description: First part of its generated host name.
      type: str
      returned: always
    dhcp_branch:
      description: Its DHCP branch, as the service reports it.
      type: str
      returned: always
    owner_account:
      description: Account that it belongs to, as an ID and label. Keys as in RV(ip_addresses[].subregion).
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
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.ip_address import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

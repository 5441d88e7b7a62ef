#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: private_network_info
short_description: Read private networks
version_added: 1.0.0
description:
  - Reads the private networks of the account, those of one instance, or a single network.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one private network; if it does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(web-*). The whole list is then read.
      - Names are not unique, so several objects may be returned.
    type: str
  query:
    description:
      - Text by which the service filters.
    type: str
  instance:
    description:
      - Return only objects of this instance, given by name or ID.
    type: str
    aliases: [instance_id]
seealso:
  - module: fcd.cloud.private_network
  - module: fcd.cloud.instance_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List all private networks
  fcd.cloud.private_network_info:
  register: all

- name: Show the addresses of the instances in the first network
  ansible.builtin.debug:
    msg: "{{ all.private_networks[0].instances | map(attribute='address') }}"

- name: Read the network with a certain name
  fcd.cloud.private_network_info:
    name: backend
"""

RETURN = r"""
private_networks:
  description: The private networks. Each has the keys of RV(fcd.cloud.private_network#module:private_network).
  returned: success
  type: list
  elements: dict
  sample:
    - id: 41002
      name: backend
      instances:
        - {id: 250017, label: web, address: 10.0.0.2, mac_address: "02:00:00:00:00:11", interface_id: 17}
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.private_network import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

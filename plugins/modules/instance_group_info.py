#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_group_info
short_description: Read groups of instances
version_added: 1.0.0
description:
  - Reads the groups of instances of the account, those of one instance, or a single group.
  - Reading the instances of a group takes a request for each group that is returned.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one group; if it does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(web-*).
      - Names are not unique, so several objects may be returned.
    type: str
  instance:
    description:
      - Return only groups of this instance, given by name or ID.
    type: str
    aliases: [instance_id]
seealso:
  - module: fcd.cloud.instance_group
  - module: fcd.cloud.load_balancer_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List all groups
  fcd.cloud.instance_group_info:
  register: all

- name: Show their instances
  ansible.builtin.debug:
    msg: "{{ item.name }}: {{ item.instances | map(attribute='label') | join(', ') }}"
  loop: "{{ all.instance_groups }}"

- name: Read the groups of an instance
  fcd.cloud.instance_group_info:
    instance: web
"""

RETURN = r"""
instance_groups:
  description: The groups. Each has the keys of RV(fcd.cloud.instance_group#module:instance_group).
  returned: success
  type: list
  elements: dict
  sample:
    - id: 71101
      name: web-tier
      affinity: {id: 1405, label: Maximize separation}
      instances:
        - {id: 250001, label: web, ip_address_id: 120001, address: 203.0.113.2, address_v6: null}
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance_group import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: group_autoscaler_info
short_description: Read autoscalers of groups of instances
version_added: 1.0.0
description:
  - Reads the autoscalers of all groups, or of one group. Each takes a request, since the service does not list them.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of the group; if it has no autoscaler, or does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name of the group, or a pattern with C(*), C(?) or C([...]), such as V(web-*).
    type: str
    aliases: [group]
seealso:
  - module: fcd.cloud.group_autoscaler
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List the autoscalers of all groups
  fcd.cloud.group_autoscaler_info:
  register: found

- name: Show how far each group grows
  ansible.builtin.debug:
    msg: "{{ found.group_autoscalers | items2dict(key_name='name', value_name='max_instances') }}"
"""

RETURN = r"""
group_autoscalers:
  description: The autoscalers.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the group.
      type: int
      returned: always
    name:
      description: Name of the group.
      type: str
      returned: always
    expansion:
      description: How the group grows, V(clone) or V(add_existing).
      type: str
      returned: always
    min_instances:
      description: Lower limit of the number of instances.
      type: int
      returned: always
    max_instances:
      description: Upper limit of the number of instances.
      type: int
      returned: always
    instances:
      description: Instances that it uses, in order, as IDs and labels; null if the service leaves out one of them.
      type: list
      elements: dict
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
  sample:
    - id: 71101
      name: shop
      expansion: add_existing
      min_instances: 1
      max_instances: 2
      instances: [{id: 250017, label: web}, {id: 250018, label: db}]
missing:
  description: The value of O(id) if there is no such autoscaler; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.group_autoscaler import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

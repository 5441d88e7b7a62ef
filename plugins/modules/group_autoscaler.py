#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: group_autoscaler
short_description: Manage the autoscaler of a group of instances
version_added: 1.0.0
description:
  - Creates, replaces and removes the autoscaler of a group of instances, which puts instances into the group as its
    load requires.
  - A group has one autoscaler at most. The service cannot change one, so one that differs is removed and created again.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
options:
  state:
    description:
      - Whether the autoscaler should exist.
    type: str
    choices: [present, absent]
    default: present
  group:
    description:
      - Name or ID of the group.
    type: str
    required: true
    aliases: [group_id, instance_group]
  expansion:
    description:
      - How the group grows. V(clone) clones an instance, and V(add_existing) adds one that exists.
      - Required to create an autoscaler.
    type: str
    choices: [clone, add_existing]
  min_instances:
    description:
      - Lower limit of the number of instances, at least 1.
      - Required to create an autoscaler.
    type: int
  max_instances:
    description:
      - Upper limit of the number of instances.
      - Required to create an autoscaler.
    type: int
  instances:
    description:
      - Names or IDs of the instances that it uses, in this order.
      - Required to create an autoscaler.
    type: list
    elements: str
  create_grace:
    description:
      - Time in seconds during which the service may still show the old values.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
seealso:
  - module: fcd.cloud.group_autoscaler_info
  - module: fcd.cloud.instance_group
  - module: fcd.cloud.instance_autoscaler
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Let a group grow to two instances
  fcd.cloud.group_autoscaler:
    group: shop
    expansion: add_existing
    min_instances: 1
    max_instances: 2
    instances: [web, db]

- name: Change the order of the instances
  fcd.cloud.group_autoscaler:
    group: shop
    instances: [db, web]

- name: Remove the autoscaler
  fcd.cloud.group_autoscaler:
    group: shop
    state: absent
"""

RETURN = r"""
group_autoscaler:
  description: The autoscaler after the task, or in check mode as it would be; null if the group has none.
  returned: success
  type: dict
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
      returned: if known
    min_instances:
      description: Lower limit of the number of instances.
      type: int
      returned: if known
    max_instances:
      description: Upper limit of the number of instances.
      type: int
      returned: if known
    instances:
      description: Instances that it uses, in order, as IDs and labels.
      type: list
      elements: dict
      returned: if known
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
    id: 71101
    name: shop
    expansion: add_existing
    min_instances: 1
    max_instances: 2
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(replace), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
forced_by:
  description: Options that differ, and therefore force the replacement of the autoscaler.
  returned: success, if RV(action) is V(replace)
  type: list
  elements: str
  sample: [max_instances]
ticket:
  description: Always null, since these operations have no tickets.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.group_autoscaler import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

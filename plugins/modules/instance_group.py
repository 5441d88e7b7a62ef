#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_group
short_description: Manage groups of instances
version_added: 1.0.0
description:
  - Creates, changes and removes groups of instances, and puts instances into them or takes them out.
  - A group says whether its instances run close together or apart, and is what M(fcd.cloud.load_balancer) spreads
    requests over.
  - A group is identified by its exact name or by O(id). The service does not enforce unique names; if several groups
    share the name, the task fails and lists their IDs.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
options:
  state:
    description:
      - Whether the group should exist.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - The name of the group, 1 to 500 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
      - If O(id) is given too, this is the name that the group should have; it is changed in place.
      - Required unless O(id) is given.
    type: str
    aliases: [group_name]
  id:
    description:
      - ID of an existing group.
      - Required for renaming, and for selecting one of several that share a name.
      - With O(name), O(state=absent) removes the group only if it has that name.
    type: int
    aliases: [group_id]
  affinity:
    description:
      - Whether the instances should run close together or apart, as a label or ID from dictionary 160.
      - If omitted, a new group gets 1403, which has no such rule.
    type: str
    aliases: [affinity_rule_type]
  instances:
    description:
      - Names or IDs of the instances that should be in the group, each with one of its public addresses.
      - Missing instances are put in. Other instances stay unless O(purge_instances) is set; when instances are put in,
        those that no longer exist, or have lost the address that they are in the group with, are left out.
    type: list
    elements: str
  ip_addresses:
    description:
      - Public addresses with which the O(instances) should be in the group, as IDs or in dotted notation.
      - Needed only for an instance with several public addresses that is not in the group yet, and for changing the
        address of one that is. At most one address of each instance can be given.
    type: list
    elements: str
  purge_instances:
    description:
      - Whether to take instances out of the group that are not listed in O(instances).
    type: bool
    default: false
  force_detach:
    description:
      - Whether to remove the load balancer of the group and to take all instances out of it before removing it.
        Otherwise, removing a group that has either is an error.
    type: bool
    default: false
notes:
  - The service only replaces the instances of a group as a whole. They are read again before, under a lock that covers
    tasks of one user on one host. Two hosts that change one group at the same time may undo each other's change.
seealso:
  - module: fcd.cloud.instance_group_info
  - module: fcd.cloud.load_balancer
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Create a group of instances that run apart from each other
  fcd.cloud.instance_group:
    name: web-tier
    affinity: Maximize separation
    instances: [web]
  register: tier

- name: Rename the group
  fcd.cloud.instance_group:
    id: "{{ tier.instance_group.id }}"
    name: front

- name: Take all instances but those listed out of the group
  fcd.cloud.instance_group:
    name: front
    instances: []
    purge_instances: true

- name: Remove the group with its load balancer, if it has one
  fcd.cloud.instance_group:
    name: front
    state: absent
    force_detach: true
"""

RETURN = r"""
instance_group:
  description:
    - The group after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, a new object has only the values that were given.
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
    affinity:
      description: The affinity rule.
      type: dict
      returned: when it exists
      contains:
        id:
          description: ID.
          type: int
          returned: always
        label:
          description: Label.
          type: str
          returned: always
    instances:
      description: The instances in it.
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
        ip_address_id:
          description: ID of the public address with which it is in the group.
          type: int
          returned: always
        address:
          description: The address as IPv4 text.
          type: str
          returned: always
        address_v6:
          description: The address as IPv6 text.
          type: str
          returned: always
    has_load_balancer:
      description: Whether it has a load balancer.
      type: bool
      returned: when it exists
    instances_count:
      description: The number of its instances, as the service counts them.
      type: int
      returned: when it exists
    schedulers_count:
      description: The number of its schedulers.
      type: int
      returned: when it exists
    autoscaling:
      description: Whether it is scaled automatically. Keys as in RV(instance_group.affinity).
      type: dict
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
    id: 71101
    name: web-tier
    affinity: {id: 1405, label: Maximize separation}
    instances:
      - {id: 250001, label: web, ip_address_id: 120001, address: 203.0.113.2, address_v6: null}
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Always null, since these operations have no tickets.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance_group import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

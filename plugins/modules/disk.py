#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: disk
short_description: Manage disks
version_added: 1.0.0
description:
  - Creates, renames, grows, moves, attaches, detaches and removes disks, and waits until they are ready.
  - A disk is identified by its exact name or by O(id). The service does not enforce unique names; if several disks
    share the name, the task fails and lists their IDs.
  - Only the options that you set are compared and changed. There are no hidden defaults.
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
      - Whether the disk should exist.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - The name of the disk, 1 to 300 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
      - If O(id) is given too, this is the name that the disk should have; it is changed in place.
      - Required unless O(id) is given.
    type: str
    aliases: [disk_name]
  id:
    description:
      - ID of an existing disk.
      - Required for renaming, and for selecting one of several that share a name.
      - With O(name), O(state=absent) removes the disk only if it has that name.
    type: int
  size:
    description:
      - Size in GB, at least 5. Required to create a disk.
      - A disk can grow but never shrink. A smaller size is an error, and nothing is sent.
      - Units are accepted, as in V(20GiB) or V(1T). To create or grow a disk beyond 10,000 GB, write the size with a
        unit.
    type: str
    aliases: [space_capacity]
  disk_class:
    description:
      - Class (tier) of the disk, as an ID or label from dictionary 17. Required to create a disk.
      - Changed in place.
    type: str
    aliases: [tier]
  subregion:
    description:
      - Name or ID of the subregion. Required to create a disk, unless O(instances) names an instance to attach it to.
      - A disk can be moved only while it is detached. To move an attached disk, also set O(instances); the disk is then
        detached, moved, and attached to those instances.
    type: str
    aliases: [subregion_id]
  instances:
    description:
      - Names or IDs of all the instances that the disk should be attached to. It is detached from all others.
      - With an empty list, it is detached from all instances. If omitted, attachments are left unchanged.
      - If several disks have the name, as after cloning an instance, the only one that is attached to all these
        instances is meant.
      - More than one instance requires a shared disk, which O(shared_disk_type) creates.
      - A system disk cannot be detached from its instance.
    type: list
    elements: str
  shared_disk_type:
    description:
      - Create a disk that can be attached to several instances, of this type, as an ID or label from dictionary 162.
      - Cannot be changed on an existing disk.
    type: str
  force_detach:
    description:
      - Whether to detach an attached disk before removing it. Otherwise, removing an attached disk is an error.
    type: bool
    default: false
notes:
  - If another operation is running on the disk, the module waits for it, with O(wait) even if nothing is to be changed.
    It also waits for a locked instance before it changes the disk.
  - This module can also grow the system disk of an instance and change its class. A system disk is removed together
    with its instance.
seealso:
  - module: fcd.cloud.disk_info
  - module: fcd.cloud.instance
  - module: fcd.cloud.snapshot
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Create a disk
  fcd.cloud.disk:
    name: archive
    size: 20
    disk_class: Tier 2
    subregion: EU-001
  register: archive

- name: Grow and rename the disk
  fcd.cloud.disk:
    id: "{{ archive.disk.id }}"
    name: archive-2026
    size: 40

- name: Attach a disk to an instance
  fcd.cloud.disk:
    name: data
    size: 10
    disk_class: 48
    instances: [web]

- name: Detach the disk
  fcd.cloud.disk:
    name: data
    instances: []

- name: Remove the disk even if it is attached
  fcd.cloud.disk:
    name: data
    state: absent
    force_detach: true
"""

RETURN = r"""
disk:
  description:
    - The disk after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, and if a create is only started, a new object has only the values that were given.
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
    size:
      description: Size in GB.
      type: int
      returned: always
    disk_class:
      description: Its class (tier), as an ID and label from dictionary 17.
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
    subregion:
      description: Its subregion, as an ID and label. Keys as in RV(disk.disk_class).
      type: dict
      returned: always
    instances:
      description: Instances that it is attached to, with C(id), C(label), C(controller), C(slot) and C(is_system_disk).
      type: list
      elements: dict
      returned: always
      contains:
        id:
          description: ID of the instance.
          type: int
          returned: always
        label:
          description: The name of the instance.
          type: str
          returned: always
        controller:
          description: Number of the controller.
          type: int
          returned: always
        slot:
          description: Slot of the controller.
          type: int
          returned: always
        is_system_disk:
          description: Whether it is the system disk of the instance.
          type: bool
          returned: always
    is_system_disk:
      description: Whether an instance boots from it.
      type: bool
      returned: when it exists
    is_shared:
      description: Whether it can be attached to several instances.
      type: bool
      returned: when it exists
    shared_disk_type:
      description: Kind of a shared disk, as an ID and label from dictionary 162. Keys as in RV(disk.disk_class).
      type: dict
      returned: when it exists
    is_locked:
      description: Whether an operation is running on it, which locks it.
      type: bool
      returned: when it exists
    locking_date:
      description: When it was locked, in UTC.
      type: str
      returned: when it exists
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: when it exists
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: when it exists
    isfreemium:
      description: Whether it is part of the freemium plan.
      type: bool
      returned: when it exists
  sample:
    id: 60011
    name: data
    size: 20
    disk_class: {id: 49, label: Tier 2}
    subregion: {id: 1, label: EU-001}
    instances: []
    is_locked: false
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
from ..module_utils._infrastructure.disk import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

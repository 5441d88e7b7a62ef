#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: disk
short_description: Manage disks
version_added: 0.1.0
description:
  - Creates, renames, grows, moves, attaches, detaches and removes disks, and waits until they are ready.
  - A disk is found by its name, which has to match exactly, or by O(id).
    Names are not unique at the service; when several disks bear the name, the task ends with an error that lists their
    numbers.
  - Only what is given is compared, and only what is given is changed. There are no hidden defaults.
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
      - Name of the disk, 1 to 300 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
      - Together with O(id) it is the name that the disk should have; it is changed in place.
      - Needed unless O(id) is given.
    type: str
    aliases: [disk_name]
  id:
    description:
      - Number of a disk that exists.
      - Needed to rename one, and to choose one of several that have the same name.
    type: int
  size:
    description:
      - Size in GB, at least 5. Needed to create a disk.
      - A disk can grow and never shrink. A smaller size is an error, and nothing is sent.
    type: int
    aliases: [space_capacity]
  disk_class:
    description:
      - Class (tier) of the disk, as number or label from dictionary 17. Needed to create a disk.
      - It is changed in place.
    type: str
    aliases: [tier]
  subregion:
    description:
      - Name or number of the subregion. Needed to create a disk, unless O(instances) names one that it goes to.
      - A disk is moved only while it is detached. For one that is attached, O(instances) has to be given too; it is
        then detached, moved, and attached to those.
    type: str
    aliases: [subregion_id]
  instances:
    description:
      - Names or numbers of all the instances that the disk should be attached to. It is detached from all others.
      - With an empty list it is detached everywhere. Without this option it stays where it is.
      - More than one requires a shared disk, which O(shared_disk_type) creates.
      - A system disk stays in its instance.
    type: list
    elements: str
  shared_disk_type:
    description:
      - Creates a disk that several instances may have, of this type, as number or label from dictionary 162.
      - It cannot be changed on an existing disk.
    type: str
  force_detach:
    description:
      - Whether a disk that is attached is detached before it is removed. Otherwise that is an error.
    type: bool
    default: false
notes:
  - A disk on which another operation runs is waited for, with O(wait) also when nothing is to be changed; and so is a
    locked instance before the disk is changed.
  - The system disk of an instance can grow and change its class here, too. It goes with its instance.
"""

EXAMPLES = r"""
- name: Create a disk
  fcd.cloud.disk:
    name: archive
    size: 20
    disk_class: Tier 2
    subregion: EU-001
  register: archive

- name: Grow it and rename it
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

- name: Detach it
  fcd.cloud.disk:
    name: data
    instances: []

- name: Remove it, wherever it is attached
  fcd.cloud.disk:
    name: data
    state: absent
    force_detach: true
"""

RETURN = r"""
disk:
  description:
    - The disk as it is, or in check mode would be; null when it is not there.
    - In check mode, and where a create is only started, a new one has only the values that were given.
  returned: success
  type: dict
  contains:
    id:
      description: Its number; null in check mode for a new one.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    size:
      description: Its size in GB.
      type: int
      returned: always
    disk_class:
      description: Its class (tier), number and label from dictionary 17.
      type: dict
      returned: always
    subregion:
      description: Where it is, number and label.
      type: dict
      returned: always
    instances:
      description: Instances that it is attached to, with C(id), C(label), C(controller), C(slot) and C(is_system_disk).
      type: list
      elements: dict
      returned: always
    is_system_disk:
      description: Whether an instance starts from it.
      type: bool
      returned: when it exists
    is_shared:
      description: Whether several instances may have it.
      type: bool
      returned: when it exists
    shared_disk_type:
      description: Kind of a shared disk, number and label from dictionary 162.
      type: dict
      returned: when it exists
    is_locked:
      description: Whether an operation is running on it.
      type: bool
      returned: when it exists
    locking_date:
      description: Since when, in UTC.
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
from ..module_utils._infrastructure.disk import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

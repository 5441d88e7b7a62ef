#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: disk_info
short_description: Read disks
version_added: 0.1.0
description:
  - Reads the disks of the account, those of one instance, or a single one.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - Number of one disk; where there is none, the list is empty.
    type: int
  name:
    description:
      - Name that has to match exactly. Names are not unique, so there may be several.
    type: str
  query:
    description:
      - Text by which the service selects.
    type: str
  instance:
    description:
      - Only those of this instance, given by name or number.
    type: str
    aliases: [instance_id]
  disk_type:
    description:
      - V(system) are disks that instances start from, V(custom) the others.
    type: str
    choices: [all, system, custom]
    default: all
"""

EXAMPLES = r"""
- name: List the disks of an instance
  fcd.cloud.disk_info:
    instance: web
    disk_type: custom
  register: found

- name: Show their sizes
  ansible.builtin.debug:
    msg: "{{ found.disks | map(attribute='size') }}"

- name: Read the disks of that name
  fcd.cloud.disk_info:
    name: data
"""

RETURN = r"""
disks:
  description: The disks.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: Its number.
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
      returned: always
    is_shared:
      description: Whether several instances may have it.
      type: bool
      returned: always
    shared_disk_type:
      description: Kind of a shared disk, number and label from dictionary 162.
      type: dict
      returned: always
    is_locked:
      description: Whether an operation is running on it.
      type: bool
      returned: always
    locking_date:
      description: Since when, in UTC.
      type: str
      returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: always
    isfreemium:
      description: Whether it is part of the freemium plan.
      type: bool
      returned: always
  sample:
    - id: 60011
      name: data
      size: 20
      disk_class: {id: 49, label: Tier 2}
      subregion: {id: 1, label: EU-001}
      instances: []
      is_locked: false
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.disk import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: disk_info
short_description: Read disks
version_added: 1.0.0
description:
  - Reads the disks of the account, those of one instance, or a single disk.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one disk; if it does not exist, it is listed in RV(missing).
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
  disk_type:
    description:
      - V(system) returns disks that instances boot from, V(custom) all others.
    type: str
    choices: [all, system, custom]
    default: all
seealso:
  - module: fcd.cloud.disk
  - module: fcd.cloud.instance_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List the disks of an instance
  fcd.cloud.disk_info:
    instance: web
    disk_type: custom
  register: found

- name: Show the sizes of the disks
  ansible.builtin.debug:
    msg: "{{ found.disks | map(attribute='size') }}"

- name: Read the disks with a certain name
  fcd.cloud.disk_info:
    name: data
"""

RETURN = r"""
disks:
  description: The disks. Each has the keys of RV(fcd.cloud.disk#module:disk).
  returned: success
  type: list
  elements: dict
  sample:
    - id: 60011
      name: data
      size: 20
      disk_class: {id: 49, label: Tier 2}
      subregion: {id: 1, label: EU-001}
      instances: []
      is_locked: false
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.disk import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

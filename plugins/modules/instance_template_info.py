#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_template_info
short_description: Read the templates that instances are created from
version_added: 0.1.0
description:
  - Reads templates of the infrastructure interface, whose numbers and names M(fcd.cloud.instance) takes.
  - The catalogue of the SOAP interface is read by M(fcd.cloud.template_info).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - Numbers of templates. Those that are not there are listed in RV(missing).
      - One is read by itself, several come from the list of all.
    type: list
    elements: int
    aliases: [template_id]
  source:
    description:
      - Where the templates come from. Without it, it is V(all).
    type: str
    choices: [all, standard, own, community_catalogue, marketplace]
  query:
    description:
      - Text that the service searches for. What it searches in is up to the service; the name is part of it.
    type: str
notes:
  - Names are no keys. Several versions of a template may have one name.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.template_info
  - module: fcd.cloud.instance_to_template
"""

EXAMPLES = r"""
- name: Find the standard templates for Debian
  fcd.cloud.instance_template_info:
    source: standard
    query: debian
  register: found

- name: Show the number of the newest version
  ansible.builtin.debug:
    msg: "{{ (found.templates | sort(attribute='version') | last).id }}"

- name: Read one template
  fcd.cloud.instance_template_info:
    id: 624
  register: chosen

- name: Show which type an instance of it needs at least
  ansible.builtin.debug:
    msg: "{{ chosen.templates[0].minimum_instance_type.label }}"
"""

RETURN = r"""
templates:
  description: The templates; with O(id) in that order, else in that of the service.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: Number of the template.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    version:
      description: Its version; null without one.
      type: str
      returned: always
    description:
      description: What it is.
      type: str
      returned: always
    template_type:
      description: Its kind, number and label from dictionary 52.
      type: dict
      returned: always
    system_category:
      description: Family of its operating system, number and label from dictionary 70.
      type: dict
      returned: always
    default_instance_type:
      description: Type of an instance that is created from it without one, number and label.
      type: dict
      returned: always
    minimum_instance_type:
      description: Smallest type for it, number and label.
      type: dict
      returned: always
    disks:
      description: The disks that an instance gets from it.
      type: list
      elements: dict
      returned: always
      contains:
        id:
          description: Number of the disk.
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
          description: Its class, number and label from dictionary 17.
          type: dict
          returned: always
        is_system_disk:
          description: Whether it is the system disk.
          type: bool
          returned: always
        controller:
          description: Number of its controller.
          type: int
          returned: always
        slot:
          description: Its place at the controller.
          type: int
          returned: always
        creation_date:
          description: When it was created, in UTC.
          type: str
          returned: always
    software:
      description: Software in it, number and label of each.
      type: list
      elements: dict
      returned: always
    ethernet_controllers_number:
      description: Number of network controllers.
      type: int
      returned: always
    ethernet_controllers_type:
      description: Their type, number and label from dictionary 167.
      type: dict
      returned: always
    owner_account:
      description: Account whose template it is, number and label; null for those of the service.
      type: dict
      returned: always
    publication_status:
      description: Number and label from dictionary 140; null for those of the service.
      type: dict
      returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    last_change_date:
      description: When it was changed, in UTC; null when never.
      type: str
      returned: always
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: always
  sample:
    - id: 765
      name: Debian 9
      version: '9'
      template_type: {id: 174, label: Instance}
      minimum_instance_type: {id: 1047, label: v1.standard-1.05}
      disks: [{id: 80037, name: System disk, size: 5, is_system_disk: true}]
missing:
  description: Those that are asked for with O(id) and are not there.
  returned: when O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.offers import TEMPLATES as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

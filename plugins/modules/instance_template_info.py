#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_template_info
short_description: Read the templates that instances can be created from
version_added: 1.0.0
description:
  - Reads templates of the infrastructure interface, whose IDs and names M(fcd.cloud.instance) takes.
  - To read the catalogue of the SOAP interface, use M(fcd.cloud.template_info).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - IDs of templates. IDs that do not exist are listed in RV(missing).
      - A single template is requested individually; several are taken from the list of all.
    type: list
    elements: int
    aliases: [template_id]
  source:
    description:
      - The source of the templates. If omitted, it is V(all).
    type: str
    choices: [all, standard, own, community_catalogue, marketplace]
  query:
    description:
      - Text that the service searches for. Which fields it searches depends on the service, but they include the name.
    type: str
notes:
  - Names are not unique. Several versions of a template may share a name.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_type_info
  - module: fcd.cloud.template_info
  - module: fcd.cloud.instance_template
  - module: fcd.cloud.instance_to_template
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Find the standard templates for Debian
  fcd.cloud.instance_template_info:
    source: standard
    query: debian
  register: found

- name: Show the ID of the newest version
  ansible.builtin.debug:
    msg: "{{ (found.templates | sort(attribute='version') | last).id }}"

- name: Read one template
  fcd.cloud.instance_template_info:
    id: 624
  register: chosen

- name: Show the smallest instance type for the template
  ansible.builtin.debug:
    msg: "{{ chosen.templates[0].minimum_instance_type.label }}"
"""

RETURN = r"""
templates:
  description: The templates. With O(id), they are in the order given there; otherwise, in the order of the service.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the template.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    version:
      description: Its version; null if it has none.
      type: str
      returned: always
    description:
      description: Description of the template.
      type: str
      returned: always
    template_type:
      description: Its kind, as an ID and label from dictionary 52.
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
    system_category:
      description:
        - Operating system family, as an ID and label from dictionary 70.
        - Keys as in RV(templates[].template_type).
      type: dict
      returned: always
    default_instance_type:
      description:
        - Default type of an instance created from it, as an ID and label.
        - Keys as in RV(templates[].template_type).
      type: dict
      returned: always
    minimum_instance_type:
      description: Smallest type allowed for it, as an ID and label. Keys as in RV(templates[].template_type).
      type: dict
      returned: always
    disks:
      description: The disks of an instance created from it.
      type: list
      elements: dict
      returned: always
      contains:
        id:
          description: ID of the disk.
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
          description: Its class, as an ID and label from dictionary 17. Keys as in RV(templates[].template_type).
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
          description: Its slot on the controller.
          type: int
          returned: always
        creation_date:
          description: When it was created, in UTC.
          type: str
          returned: always
    software:
      description: Software in it, each with its ID and label. Keys as in RV(templates[].template_type).
      type: list
      elements: dict
      returned: always
    ethernet_controllers_number:
      description: Number of network controllers.
      type: int
      returned: always
    ethernet_controllers_type:
      description:
        - Type of the network controllers, as an ID and label from dictionary 167.
        - Keys as in RV(templates[].template_type).
      type: dict
      returned: always
    owner_account:
      description:
        - Account that owns the template, as an ID and label; null for templates of the service.
        - Keys as in RV(templates[].template_type).
      type: dict
      returned: always
    publication_status:
      description:
        - Publication status, as an ID and label from dictionary 140; null for templates of the service.
        - Keys as in RV(templates[].template_type).
      type: dict
      returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    last_change_date:
      description: When it was last changed, in UTC; null if never.
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
  description: The values of O(id) that do not exist.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.offers import INSTANCE_TEMPLATE_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

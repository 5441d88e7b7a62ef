#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_type_info
short_description: Read types of instances
version_added: 0.1.0
description:
  - Reads the types of instances, which say how many CPUs and how much memory an instance has.
  - It takes one request, and one more for the label of a category.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - Numbers of types. Those that are not there are listed in RV(missing).
    type: list
    elements: int
    aliases: [type_id]
  name:
    description:
      - Names of types, exactly as they are. Those that are not there are listed in RV(missing).
    type: list
    elements: str
  category:
    description:
      - Category of the types, its label or its number from dictionary 141. A wrong label is answered with the nearest.
    type: str
    aliases: [category_id]
  available_for_freemium:
    description:
      - Only those that the freemium plan has, or only those that it does not have.
    type: bool
    aliases: [isfreemium, is_freemium]
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_template_info
"""

EXAMPLES = r"""
- name: Read the types for much memory
  fcd.cloud.instance_type_info:
    category: High memory
  register: found

- name: Show the smallest one with at least 4 CPUs
  ansible.builtin.debug:
    msg: "{{ found.instance_types | selectattr('cpu_number', 'ge', 4) | sort(attribute='ram_mb') | first }}"

- name: Read those that the freemium plan has
  fcd.cloud.instance_type_info:
    available_for_freemium: true
"""

RETURN = r"""
instance_types:
  description: The types; with O(id) or O(name) in that order, else in that of the service.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: Number of the type.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    cpu_number:
      description: Number of CPUs.
      type: int
      returned: always
    ram_mb:
      description: Memory in MB.
      type: int
      returned: always
    available_for_freemium:
      description: Whether the freemium plan has it.
      type: bool
      returned: always
    category:
      description: Its category, number and label from dictionary 141.
      type: dict
      returned: always
  sample:
    - id: 34
      name: v1.standard-2.2
      cpu_number: 2
      ram_mb: 2048
      available_for_freemium: false
      category: {id: 1249, label: Standard}
missing:
  description: Those that are asked for with O(id) or O(name) and are not there.
  returned: when one of these options is given
  type: list
  elements: raw
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.offers import TYPES as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

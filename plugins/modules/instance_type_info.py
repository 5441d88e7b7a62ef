#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_type_info
short_description: Read instance types
version_added: 1.0.0
description:
  - Reads the instance types, which define the number of CPUs and the amount of memory of an instance.
  - This takes one request, plus one for the label of a category.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - IDs of types. IDs that do not exist are listed in RV(missing).
    type: list
    elements: int
    aliases: [type_id]
  name:
    description:
      - Exact names of types, or patterns with C(*), C(?) or C([...]).
      - Names that do not exist, and patterns that no name matches, are listed in RV(missing).
    type: list
    elements: str
  category:
    description:
      - Category of the types, given by label or by ID from dictionary 141. For an unknown label, the error suggests
        similar ones.
    type: str
    aliases: [category_id]
  available_for_freemium:
    description:
      - Whether to return only types that are part of the freemium plan (V(true)) or only those that are not (V(false)).
    type: bool
    aliases: [isfreemium, is_freemium]
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_template_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Read the high-memory types
  fcd.cloud.instance_type_info:
    category: High memory
  register: found

- name: Show the smallest type with at least 4 CPUs
  ansible.builtin.debug:
    msg: "{{ found.instance_types | selectattr('cpu_number', 'ge', 4) | sort(attribute='ram_mb') | first }}"

- name: Read the types of the freemium plan
  fcd.cloud.instance_type_info:
    available_for_freemium: true
"""

RETURN = r"""
instance_types:
  description: >-
    The types. With O(id) or O(name), they are in the order given there; otherwise, in the order of the service.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the type.
      type: int
      returned: always
    name:
      description: The name of the object.
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
      description: Whether it is part of the freemium plan.
      type: bool
      returned: always
    category:
      description: Its category, as an ID and label from dictionary 141.
      type: dict
      returned: always
      contains: &item
        id:
          description: ID.
          type: int
          returned: always
        label:
          description: Label.
          type: str
          returned: always
  sample:
    - id: 34
      name: v1.standard-2.2
      cpu_number: 2
      ram_mb: 2048
      available_for_freemium: false
      category: {id: 1249, label: Standard}
missing:
  description: The values of O(id) or O(name) that do not exist.
  returned: if one of these options is given
  type: list
  elements: raw
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.offers import INSTANCE_TYPE_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

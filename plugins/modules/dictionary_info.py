#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dictionary_info
short_description: Read dictionaries
version_added: 1.0.0
description:
  - Reads all dictionaries of the service, or the items of one.
  - A dictionary is a list of IDs with labels, such as instance types, disk classes or statuses. The IDs are the values
    of options whose names end in C(_id).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  dictionary:
    description:
      - ID or name of a dictionary. If the name is not found, the error suggests similar ones or lists those available.
      - If omitted, all dictionaries are listed.
    type: str
seealso:
  - module: fcd.cloud.catalogue_info
  - plugin: fcd.cloud.dictionary_item
    plugin_type: lookup
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List all dictionaries
  fcd.cloud.dictionary_info:
  register: all

- name: Read the disk classes
  fcd.cloud.dictionary_info:
    dictionary: 17
  register: disk_classes

- name: Show the label of every disk class
  ansible.builtin.debug:
    msg: "{{ disk_classes.dictionary_items | map(attribute='label') }}"
"""

RETURN = r"""
dictionaries:
  description: All dictionaries.
  returned: if O(dictionary) is omitted
  type: list
  elements: dict
  contains:
    id:
      description: ID of the dictionary.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
  sample:
    - {id: 17, name: Disk classes}
    - {id: 27, name: Instance statuses}
dictionary_id:
  description: ID of the dictionary that was read.
  returned: if O(dictionary) is given
  type: int
  sample: 17
dictionary_items:
  description: Items of the dictionary.
  returned: if O(dictionary) is given
  type: list
  elements: dict
  contains:
    id:
      description: ID of the item.
      type: int
      returned: always
    label:
      description: Label of the item.
      type: str
      returned: always
  sample:
    - {id: 48, label: Tier 1}
    - {id: 49, label: Tier 2}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.dictionary import DICTIONARY_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

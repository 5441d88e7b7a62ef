#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dictionary_info
short_description: Read dictionaries
version_added: 0.1.0
description:
  - Reads all dictionaries of the service, or the content of one.
  - A dictionary is a list of numbers with labels, such as instance types, disk classes or statuses. The numbers are
    the values of options whose names end in C(_id).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  dictionary:
    description:
      - Number or name of a dictionary. For a wrong name, the error names similar ones, or those that there are.
      - Without it, all dictionaries are listed.
    type: str
seealso:
  - plugin: fcd.cloud.dictionary_item
    plugin_type: lookup
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
  returned: without O(dictionary)
  type: list
  elements: dict
  contains:
    id:
      description: Number of the dictionary.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
  sample:
    - {id: 17, name: Disk classes}
    - {id: 27, name: Instance statuses}
dictionary_id:
  description: Number of the dictionary that was read.
  returned: with O(dictionary)
  type: int
  sample: 17
dictionary_items:
  description: Content of the dictionary.
  returned: with O(dictionary)
  type: list
  elements: dict
  contains:
    id:
      description: Number of the item.
      type: int
      returned: always
    label:
      description: Its label.
      type: str
      returned: always
  sample:
    - {id: 48, label: Tier 1}
    - {id: 49, label: Tier 2}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.offers import DICTIONARIES as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

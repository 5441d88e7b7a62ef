#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: subregion_info
short_description: Read subregions
version_added: 1.0.0
description:
  - Reads the subregions of the service, which are the places in which instances, disks and addresses are created.
  - This takes one request.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - IDs of subregions. IDs that do not exist are listed in RV(missing).
    type: list
    elements: int
    aliases: [subregion_id]
  name:
    description:
      - Exact names of subregions, or patterns with C(*), C(?) or C([...]).
      - Names that do not exist, and patterns that no name matches, are listed in RV(missing).
    type: list
    elements: str
  is_active:
    description:
      - Whether to return only active subregions (V(true)) or only inactive ones (V(false)), in which nothing can be
        created.
    type: bool
    aliases: [active]
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_type_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Read the active subregions
  fcd.cloud.subregion_info:
    is_active: true
  register: found

- name: Show the names of the subregions
  ansible.builtin.debug:
    msg: "{{ found.subregions | map(attribute='name') }}"

- name: Read a subregion
  fcd.cloud.subregion_info:
    name: EU-001
  register: chosen

- name: Fail if it is not active
  ansible.builtin.assert:
    that: chosen.subregions | map(attribute='is_active') == [true]
"""

RETURN = r"""
subregions:
  description: >-
    The subregions. With O(id) or O(name), they are in the order given there; otherwise, in the order of the service.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the subregion.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    is_active:
      description: Whether objects can be created there.
      type: bool
      returned: always
  sample:
    - {id: 1, name: EU-001, is_active: true}
missing:
  description: The values of O(id) or O(name) that do not exist.
  returned: if one of these options is given
  type: list
  elements: raw
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.offers import SUBREGIONS as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

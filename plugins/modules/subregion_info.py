#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: subregion_info
short_description: Read subregions
version_added: 0.1.0
description:
  - Reads the subregions of the service, in which instances, disks and addresses are created.
  - It takes one request.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - Numbers of subregions. Those that are not there are listed in RV(missing).
    type: list
    elements: int
    aliases: [subregion_id]
  name:
    description:
      - Names of subregions, exactly as they are. Those that are not there are listed in RV(missing).
    type: list
    elements: str
  is_active:
    description:
      - Only those that are active, or only those that are not, in which nothing can be created.
    type: bool
    aliases: [active]
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_type_info
"""

EXAMPLES = r"""
- name: Read the subregions in which objects can be created
  fcd.cloud.subregion_info:
    is_active: true
  register: found

- name: Show their names
  ansible.builtin.debug:
    msg: "{{ found.subregions | map(attribute='name') }}"

- name: Read one
  fcd.cloud.subregion_info:
    name: EU-001
  register: chosen

- name: Stop when it cannot be used
  ansible.builtin.assert:
    that: chosen.subregions | map(attribute='is_active') == [true]
"""

RETURN = r"""
subregions:
  description: The subregions; with O(id) or O(name) in that order, else in that of the service.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: Number of the subregion.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    is_active:
      description: Whether objects can be created there.
      type: bool
      returned: always
  sample:
    - {id: 1, name: EU-001, is_active: true}
missing:
  description: Those that are asked for with O(id) or O(name) and are not there.
  returned: when one of these options is given
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

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_import_info
short_description: Read imports of instances
version_added: 1.0.0
description:
  - Reads all imports from the object storage, or a single one. Removed imports are not returned.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one import; if it does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(web-*). The whole list is then read.
      - Names are not unique, so several objects may be returned.
    type: str
seealso:
  - module: fcd.cloud.instance_import
  - module: fcd.cloud.instance_import_run
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Read all imports
  fcd.cloud.instance_import_info:
  register: found

- name: Show their names
  ansible.builtin.debug:
    msg: "{{ found.instance_imports | map(attribute='name') }}"
"""

RETURN = r"""
instance_imports:
  description: The imports. Each has the keys of RV(fcd.cloud.instance_import#module:instance_import).
  returned: success
  type: list
  elements: dict
  sample:
    - id: 91101
      name: web
      status: {id: 884, label: Ready to run}
      disks_count: 2
      network_interfaces_count: 1
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_import import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

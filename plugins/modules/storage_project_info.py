#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_project_info
short_description: Read the projects of the object storage
version_added: 1.0.0
description:
  - Reads the projects of the object storage that exports, imports and backups of instances use.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - IDs of projects. IDs that do not exist are listed in RV(missing).
    type: list
    elements: str
    aliases: [project_id]
  name:
    description:
      - Exact names of projects, or patterns with C(*), C(?) or C([...]). Names that do not exist are listed in
        RV(missing).
    type: list
    elements: str
seealso:
  - module: fcd.cloud.instance_export
  - module: fcd.cloud.storage_account
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Read the project for backups
  fcd.cloud.storage_project_info:
    name: [backups]
  register: found

- name: Show its ID
  ansible.builtin.debug:
    msg: "{{ found.storage_projects[0].id }}"
"""

RETURN = r"""
storage_projects:
  description: The projects. With O(id) or O(name), they are in the order given there.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The ID, a text.
      type: str
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    description:
      description: Its description; null if it has none.
      type: str
      returned: always
    url:
      description: Its address in the object storage.
      type: str
      returned: always
    authorization_type:
      description: How one logs in to it, as an ID and label; null if the service does not return it.
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
    - id: 0b7f3f64c1d84c6e9d5a
      name: backups
      description: Exports of instances
      url: https://storage.example.com
      authorization_type:
missing:
  description: The values of O(id) or O(name) that do not exist.
  returned: if O(id) or O(name) is given
  type: list
  elements: str
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.storage_project import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

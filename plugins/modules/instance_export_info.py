#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_export_info
short_description: Read exports of instances
version_added: 1.0.0
description:
  - Reads the exports of all instances, those of one instance, or a single export. Backups that schedulers have made are
    among them.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one export; if it does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(web-*). The whole list is then read.
      - Names are not unique, so several objects may be returned.
    type: str
  instance:
    description:
      - Return only exports of the instance with this name or ID. It must exist.
    type: str
    aliases: [instance_id]
  status:
    description:
      - Return only exports with this status, an ID from dictionary 121.
    type: int
    aliases: [status_id]
seealso:
  - module: fcd.cloud.instance_export
  - module: fcd.cloud.dictionary_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List the exports of an instance that have succeeded
  fcd.cloud.instance_export_info:
    instance: web
    status: 876
  register: found

- name: Show their names
  ansible.builtin.debug:
    msg: "{{ found.instance_exports | map(attribute='name') }}"
"""

RETURN = r"""
instance_exports:
  description: The exports.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The ID.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    instance:
      description: The instance that was exported, as an ID and label; it may be gone.
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
    location:
      description: Where in the object storage the export is.
      type: str
      returned: always
    project_id:
      description: ID of the project of the object storage.
      type: str
      returned: always
    status:
      description: How far it is, as an ID and label from dictionary 121. Keys as in RV(instance_exports[].instance).
      type: dict
      returned: always
    origin:
      description:
        - Whether it is an export or a backup, as an ID and label; null if the service does not return it.
        - Keys as in RV(instance_exports[].instance).
      type: dict
      returned: always
    scheduler:
      description:
        - The scheduler that made it, as an ID and label; null if none did. The label is null.
        - Keys as in RV(instance_exports[].instance).
      type: dict
      returned: always
    total_space_capacity:
      description: The size of all its disks.
      type: int
      returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    start_date:
      description: When the service began with it, in UTC; null before that.
      type: str
      returned: always
    end_date:
      description: When it ended, in UTC; null before that.
      type: str
      returned: always
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: always
  sample:
    - id: 81101
      name: web-2026-11
      instance: {id: 250017, label: web}
      location: exports
      project_id: 0b7f3f64c1d84c6e9d5a
      status: {id: 876, label: Success}
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_export import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

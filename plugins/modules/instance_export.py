#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_export
short_description: Export instances to the object storage
version_added: 1.0.0
description:
  - Exports an instance to a container of the object storage, and waits until the export has ended.
  - An export is identified by instance, name, location and project. If there already is one, nothing is done, even if
    the instance is gone by now; if it is still running, the task waits for it.
  - An export that has failed, or whose result was deleted, does not count. The task starts another one.
  - If the export fails while the task waits for it, the task fails and shows its status.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
options:
  name:
    description:
      - The name of the export, 1 to 300 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
    type: str
    required: true
  instance:
    description:
      - Name or ID of the instance.
    type: str
    required: true
    aliases: [instance_id]
  location:
    description:
      - Where the export is written in the object storage, such as the name of a container; up to 100 characters.
    type: str
    required: true
    aliases: [ocs_location]
  project:
    description:
      - Name or ID of the project of the object storage. M(fcd.cloud.storage_project_info) lists them.
    type: str
    required: true
    aliases: [ocs_project_id]
notes:
  - The service cannot change or remove an export. What it has written to the container can be removed there, with
    M(fcd.cloud.storage_object).
seealso:
  - module: fcd.cloud.instance_export_info
  - module: fcd.cloud.storage_project_info
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Export an instance
  fcd.cloud.instance_export:
    name: web-2026-11
    instance: web
    location: exports
    project: backups
    wait_timeout: 3h
"""

RETURN = r"""
instance_export:
  description:
    - The export after the task, or in check mode as it would be.
    - In check mode, a new export has only the values that were given.
  returned: success
  type: dict
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
      returned: when it exists
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
      returned: when it exists
    project_id:
      description: ID of the project of the object storage.
      type: str
      returned: when it exists
    status:
      description: How far it is, as an ID and label from dictionary 121. Keys as in RV(instance_export.instance).
      type: dict
      returned: when it exists
    origin:
      description:
        - Whether it is an export or a backup, as an ID and label; null if the service does not return it.
        - Keys as in RV(instance_export.instance).
      type: dict
      returned: when it exists
    scheduler:
      description:
        - The scheduler that made it, as an ID and label; null if none did. The label is null.
        - Keys as in RV(instance_export.instance).
      type: dict
      returned: when it exists
    total_space_capacity:
      description: The size of all its disks.
      type: int
      returned: when it exists
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: when it exists
    start_date:
      description: When the service began with it, in UTC; null before that.
      type: str
      returned: when it exists
    end_date:
      description: When it ended, in UTC; null before that.
      type: str
      returned: when it exists
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: when it exists
  sample:
    id: 81101
    name: web-2026-11
    instance: {id: 250017, label: web}
    location: exports
    project_id: 0b7f3f64c1d84c6e9d5a
    status: {id: 876, label: Success}
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create) and V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Always null; the status of the export tells how far it is.
  returned: success
  type: int
  sample:
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_export import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_import
short_description: Import instances from the object storage
version_added: 1.0.0
description:
  - Imports a file in the format OVF from the object storage, and waits until the import is ready.
    M(fcd.cloud.instance_import_run) then creates an instance from it.
  - Removes an import. Instances that were created from it stay.
  - An import is identified by its exact name or by O(id). The service does not enforce unique names; if several imports
    share the name, the task fails and lists their IDs.
  - If the import fails while the task waits for it, or has failed before, the task fails and shows its status.
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
  state:
    description:
      - Whether the import should exist.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - The name of the import, 1 to 300 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
      - It cannot be changed. Required unless O(id) is given.
    type: str
  id:
    description:
      - ID of an existing import.
      - With O(name), O(state=absent) removes the import only if it has that name.
    type: int
    aliases: [import_id]
  location:
    description:
      - Container and path of the file, which ends in C(.ovf), such as V(exports/web/web.ovf); up to 1000 characters.
      - Required for a new import. The service does not return it, so it is not compared.
    type: str
    aliases: [ocs_file_location]
  project:
    description:
      - Name or ID of the project of the object storage. M(fcd.cloud.storage_project_info) lists them.
      - Required for a new import. The service does not return it, so it is not compared.
    type: str
    aliases: [ocs_project_id]
seealso:
  - module: fcd.cloud.instance_import_info
  - module: fcd.cloud.instance_import_run
  - module: fcd.cloud.instance_export
  - module: fcd.cloud.storage_project_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Import an instance that was exported
  fcd.cloud.instance_import:
    name: web
    location: exports/web/web.ovf
    project: backups
  register: imported

- name: Create an instance from it
  fcd.cloud.instance_import_run:
    id: "{{ imported.instance_import.id }}"
    instance_name: web
    type: v1.standard-2.2
    disk_class: Tier 1
    networks:
      - public: true

- name: Remove the import
  fcd.cloud.instance_import:
    name: web
    state: absent
"""

RETURN = r"""
instance_import:
  description:
    - The import after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, a new import has only its name.
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
    status:
      description: How far it is, as an ID and label; 884 means that it is ready to be run.
      type: dict
      returned: when it exists
      contains: &item
        id:
          description: ID.
          type: int
          returned: always
        label:
          description: Label.
          type: str
          returned: always
    size:
      description: The size of what was imported; null before that.
      type: int
      returned: when it exists
    disks_count:
      description: Number of its disks; null before it is ready.
      type: int
      returned: when it exists
    network_interfaces_count:
      description: Number of its network interfaces; null before it is ready.
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
    id: 91101
    name: web
    status: {id: 884, label: Ready to run}
    disks_count: 2
    network_interfaces_count: 1
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(delete) and V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Always null; the status of the import tells how far it is.
  returned: success
  type: int
  sample:
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_import import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

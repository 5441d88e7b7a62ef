#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_schedule_info
short_description: Read schedules of instances
version_added: 1.0.0
description:
  - Reads the schedules of all instances, those of one instance, or a single schedule. Deleted ones that the service
    still lists are left out.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one schedule; if it does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(night-*). The whole list is then read.
      - Names are not unique, so several objects may be returned.
    type: str
  instance:
    description:
      - Return only schedules of the instance with this name or ID.
    type: str
    aliases: [instance_id]
seealso:
  - module: fcd.cloud.instance_schedule
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List the schedules of an instance
  fcd.cloud.instance_schedule_info:
    instance: web
  register: found

- name: Show the names of those that run once
  ansible.builtin.debug:
    msg: "{{ found.instance_schedules | selectattr('every', 'equalto', 'once') | map(attribute='name') }}"
"""

RETURN = r"""
instance_schedules:
  description: The schedules.
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
      description: Instance that it belongs to, as an ID and label.
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
    action:
      description: What it does, as in the option O(fcd.cloud.instance_schedule#module:action).
      type: str
      returned: always
    every:
      description: How often it runs, such as V(1 day), V(2 weeks) or V(once).
      type: str
      returned: always
    at:
      description: Date and time of its start, by the clocks of the time zone.
      type: str
      returned: always
    timezone:
      description: Name of the time zone.
      type: str
      returned: always
    start_date:
      description: The start as the service returns it, in UTC.
      type: str
      returned: always
    status:
      description: Its status, as an ID and label. Keys as in RV(instance_schedules[].instance).
      type: dict
      returned: always
    snapshot_name:
      description: Name of the snapshots that it creates.
      type: str
      returned: always
    snapshot_description:
      description: Description of the snapshots that it creates.
      type: str
      returned: always
    snapshot:
      description:
        - Snapshot that it deletes, as an ID and label. The label may be null.
        - Keys as in RV(instance_schedules[].instance).
      type: dict
      returned: always
    clone_name:
      description: Name of the instance that it creates.
      type: str
      returned: always
    instance_type:
      description: Instance type that it changes to, as an ID and label. Keys as in RV(instance_schedules[].instance).
      type: dict
      returned: always
    storage_project:
      description: ID of the storage project of its backups.
      type: str
      returned: always
    storage_path:
      description: Path of its backups in the storage project.
      type: str
      returned: always
    keep_days:
      description: Days for which backups are kept; null if they are kept for ever.
      type: int
      returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    last_change_date:
      description: When it was last changed, in UTC.
      type: str
      returned: always
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: always
  sample:
    - id: 61101
      name: night
      instance: {id: 250017, label: web}
      action: stop
      every: 1 day
      at: 2026-12-24 22:00
      timezone: Europe/Warsaw
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance_schedule import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

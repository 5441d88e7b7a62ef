#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_schedule
short_description: Manage schedules of instances
version_added: 1.0.0
description:
  - Creates, changes and removes schedules of instances, which turn an instance on or off, take or delete a snapshot,
    clone it, change its type or back it up, once or repeatedly.
  - A schedule is identified by its exact name among the schedules of O(instance), or by O(id). The service does not
    enforce unique names; if several schedules share the name, the task fails and lists their IDs.
  - Everything but the instance is changed in place.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
options:
  state:
    description:
      - Whether the schedule should exist.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - The name of the schedule, 1 to 400 characters, without C(/ \ | < > %).
      - If O(id) is given too, this is the name that the schedule should have; it is changed in place.
      - Required unless O(id) is given.
    type: str
  id:
    description:
      - ID of an existing schedule.
      - Required for renaming, and for selecting one of several that share a name.
      - With O(name), O(state=absent) removes the schedule only if it has that name.
    type: int
  instance:
    description:
      - Name or ID of the instance that the schedule belongs to. It cannot be changed.
      - Required to create a schedule. If omitted, the name is searched for among the schedules of all instances.
    type: str
    aliases: [instance_id]
  action:
    description:
      - What the schedule does. V(start) turns the instance on, and V(stop) turns it off.
      - V(create_snapshot), V(delete_snapshot), V(clone), V(change_type) and V(backup) have options of their own. Those
        of another action are refused.
      - Required to create a schedule.
    type: str
    choices: [start, stop, create_snapshot, delete_snapshot, clone, change_type, backup]
  every:
    description:
      - How often the schedule runs. V(1 day), V(3 days), V(1 week), V(2 weeks) and so on, up to 32767, or V(once).
      - Required to create a schedule.
    type: str
  at:
    description:
      - When the schedule runs, by the clocks of O(timezone). Write it in quotes, since YAML reads C(22:00) as a number.
      - With O(every) in days, a time such as V("22:00"). With O(every) in weeks, a day of the week and a time, such as
        V("monday 22:00"). Either may be a date and a time instead, such as V("2026-12-24 22:00"), which is the first
        run. With O(every=once), it has to be a date and a time.
      - If the date has passed, the schedule begins with its next cycle, so the same task can be run again. With
        O(every=once), a schedule whose time has passed is neither created nor changed.
      - Required to create a schedule.
    type: str
  timezone:
    description:
      - Name of the time zone of O(at), such as V(Europe/Warsaw) or V(UTC). The host that runs the module has to know
        it.
      - When the clocks change, some times of day are skipped or occur twice; what the service does then is not known.
        The module refuses such a time for the first run, and warns if a run within a year has one.
      - Required to create a schedule.
    type: str
  snapshot_name:
    description:
      - Name of the snapshots, up to 400 characters. Required if O(action=create_snapshot).
    type: str
  snapshot_description:
    description:
      - Description of the snapshots, up to 2000 characters. Only if O(action=create_snapshot).
    type: str
  snapshot:
    description:
      - Name or ID of the snapshot to delete, which has to exist. Required if O(action=delete_snapshot).
    type: str
  clone_name:
    description:
      - Name of the new instance, without C(/). Required if O(action=clone).
    type: str
  instance_type:
    description:
      - Name or ID of the new instance type. Required if O(action=change_type).
    type: str
  storage_project:
    description:
      - Name or ID of the project of the object storage that takes the backups. Required if O(action=backup).
    type: str
  storage_path:
    description:
      - Path of the backups in O(storage_project), up to 400 characters. Required if O(action=backup).
    type: str
  keep_days:
    description:
      - Days after which backups are removed; V(0) keeps them for ever. Only if O(action=backup).
    type: int
notes:
  - Whether the service repeats a schedule by the clocks of the time zone or every 24 hours is not documented. In the
    second case, the runs are an hour off after clocks are changed. If the service shows that, the next run of the task
    corrects the schedule.
seealso:
  - module: fcd.cloud.instance_schedule_info
  - module: fcd.cloud.instance
  - module: fcd.cloud.snapshot
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Turn an instance off each night
  fcd.cloud.instance_schedule:
    name: night
    instance: web
    action: stop
    every: 1 day
    at: "22:00"
    timezone: Europe/Warsaw

- name: Take a snapshot every second Sunday
  fcd.cloud.instance_schedule:
    name: sunday
    instance: web
    action: create_snapshot
    snapshot_name: sunday
    every: 2 weeks
    at: "sunday 03:30"
    timezone: Europe/Warsaw
  register: sunday

- name: Take it an hour later
  fcd.cloud.instance_schedule:
    id: "{{ sunday.instance_schedule.id }}"
    at: "sunday 04:30"

- name: Change the type once, at a certain time
  fcd.cloud.instance_schedule:
    name: more memory
    instance: web
    action: change_type
    instance_type: v1.standard-4.4
    every: once
    at: "2039-12-24 04:00"
    timezone: Europe/Warsaw

- name: Remove a schedule
  fcd.cloud.instance_schedule:
    name: night
    instance: web
    state: absent
"""

RETURN = r"""
instance_schedule:
  description:
    - The schedule after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, a new object has only the values that were given.
  returned: success
  type: dict
  contains:
    id:
      description: The ID; not known in check mode for a new object.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    instance:
      description: Instance that it belongs to, as an ID and label.
      type: dict
      returned: if known
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
      returned: if known
    every:
      description: How often it runs, such as V(1 day), V(2 weeks) or V(once).
      type: str
      returned: if known
    at:
      description: Date and time of its start, by the clocks of the time zone; in check mode as it was given.
      type: str
      returned: if known
    timezone:
      description: Name of the time zone.
      type: str
      returned: if known
    start_date:
      description: The start as the service returns it, in UTC.
      type: str
      returned: when it exists
    status:
      description: Its status, as an ID and label. Keys as in RV(instance_schedule.instance).
      type: dict
      returned: when it exists
    snapshot_name:
      description: Name of the snapshots that it creates.
      type: str
      returned: if known
    snapshot_description:
      description: Description of the snapshots that it creates.
      type: str
      returned: if known
    snapshot:
      description:
        - Snapshot that it deletes, as an ID and label. The label may be null.
        - Keys as in RV(instance_schedule.instance).
      type: dict
      returned: if known
    clone_name:
      description: Name of the instance that it creates.
      type: str
      returned: if known
    instance_type:
      description: Instance type that it changes to, as an ID and label. Keys as in RV(instance_schedule.instance).
      type: dict
      returned: if known
    storage_project:
      description: ID of the storage project of its backups.
      type: str
      returned: if known
    storage_path:
      description: Path of its backups in the storage project.
      type: str
      returned: if known
    keep_days:
      description: Days for which backups are kept; null if they are kept for ever.
      type: int
      returned: if known
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: when it exists
    last_change_date:
      description: When it was last changed, in UTC.
      type: str
      returned: when it exists
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: when it exists
  sample:
    id: 61101
    name: night
    instance: {id: 250017, label: web}
    action: stop
    every: 1 day
    at: 2026-12-24 22:00
    timezone: Europe/Warsaw
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Always null, since operations on schedules have no tickets.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance_schedule import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

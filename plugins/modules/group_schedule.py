#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: group_schedule
short_description: Manage schedules of groups of instances
version_added: 1.0.0
description:
  - Creates, changes and removes schedules of groups of instances, which turn an instance on or off, put it into the
    group or take it out, once or repeatedly.
  - A schedule is identified by its exact name among the schedules of O(group), or by O(id). The service does not
    enforce unique names; if several schedules share the name, the task fails and lists their IDs.
  - Everything but the group is changed in place.
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
  group:
    description:
      - Name or ID of the group that the schedule belongs to. It cannot be changed.
      - Required to create a schedule. If omitted, the name is searched for among the schedules of all groups, which
        takes a request for each group.
    type: str
    aliases: [group_id, instance_group]
  instance:
    description:
      - Name or ID of the instance that the schedule is for.
      - Required to create a schedule.
    type: str
    aliases: [instance_id]
  action:
    description:
      - What the schedule does with the instance. V(start) turns it on, V(stop) turns it off, V(add) puts it into the
        group, and V(remove) takes it out.
      - Required to create a schedule.
    type: str
    choices: [start, stop, add, remove]
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
notes:
  - Whether the service repeats a schedule by the clocks of the time zone or every 24 hours is not documented. In the
    second case, the runs are an hour off after clocks are changed. If the service shows that, the next run of the task
    corrects the schedule.
seealso:
  - module: fcd.cloud.group_schedule_info
  - module: fcd.cloud.instance_group
  - module: fcd.cloud.instance_schedule
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Turn an instance of a group off each evening
  fcd.cloud.group_schedule:
    name: evening
    group: shop
    instance: web
    action: stop
    every: 1 day
    at: "20:00"
    timezone: Europe/Warsaw

- name: Turn it off an hour later
  fcd.cloud.group_schedule:
    name: evening
    group: shop
    at: "21:00"

- name: Remove the schedule
  fcd.cloud.group_schedule:
    name: evening
    group: shop
    state: absent
"""

RETURN = r"""
group_schedule:
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
    group:
      description: Group that it belongs to, as an ID and label.
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
    instance:
      description: Instance that it is for, as an ID and label. Keys as in RV(group_schedule.group).
      type: dict
      returned: if known
    action:
      description: What it does, as in the option O(fcd.cloud.group_schedule#module:action).
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
      description: Its status, as an ID and label. Keys as in RV(group_schedule.group).
      type: dict
      returned: when it exists
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
    id: 62101
    name: evening
    group: {id: 71101, label: shop}
    instance: {id: 250017, label: web}
    action: stop
    every: 1 day
    at: 2026-12-24 20:00
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
from ..module_utils._infrastructure.group_schedule import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

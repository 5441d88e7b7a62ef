#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: group_schedule_info
short_description: Read schedules of groups of instances
version_added: 1.0.0
description:
  - Reads the schedules of all groups, those of one group, or a single schedule. Deleted ones that the service still
    lists are left out. Reading those of all groups takes a request for each group.
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
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(evening-*).
      - Names are not unique, so several objects may be returned.
    type: str
  group:
    description:
      - Return only schedules of the group with this name or ID.
    type: str
    aliases: [group_id, instance_group]
seealso:
  - module: fcd.cloud.group_schedule
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List the schedules of all groups
  fcd.cloud.group_schedule_info:
  register: found

- name: Show which instances they turn off
  ansible.builtin.debug:
    msg: "{{ found.group_schedules | selectattr('action', 'equalto', 'stop') | map(attribute='instance.label') }}"
"""

RETURN = r"""
group_schedules:
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
    group:
      description: Group that it belongs to, as an ID and label.
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
    instance:
      description: Instance that it is for, as an ID and label. Keys as in RV(group_schedules[].group).
      type: dict
      returned: always
    action:
      description: What it does, as in the option O(fcd.cloud.group_schedule#module:action).
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
      description: Its status, as an ID and label. Keys as in RV(group_schedules[].group).
      type: dict
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
    - id: 62101
      name: evening
      group: {id: 71101, label: shop}
      instance: {id: 250017, label: web}
      action: stop
      every: 1 day
      at: 2026-12-24 20:00
      timezone: Europe/Warsaw
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.group_schedule import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

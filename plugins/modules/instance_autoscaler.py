#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_autoscaler
short_description: Manage the autoscaler of an instance
version_added: 1.0.0
description:
  - Turns the autoscaler of an instance on with its parameters, changes them, and turns it off. It changes the type of
    the instance as its load requires, or only sends notifications.
  - An instance has one autoscaler at most. One that is off counts as missing, whatever parameters it has.
  - To read it, use M(fcd.cloud.instance_info) with O(fcd.cloud.instance_info#module:include=autoscaler).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting
options:
  state:
    description:
      - Whether the autoscaler should be on.
      - Parameters that are not given are empty when it is turned on, and stay as they are when it is changed.
    type: str
    choices: [present, absent]
    default: present
  instance:
    description:
      - Name or ID of the instance.
    type: str
    required: true
    aliases: [instance_id]
  mode:
    description:
      - What it does. V(notify) sends notifications, and V(change_type) changes the type of the instance.
      - Required to turn it on.
    type: str
    choices: [notify, change_type]
  min_ram:
    description:
      - Lower limit of the memory in MB. Requires O(max_ram).
    type: int
  max_ram:
    description:
      - Upper limit of the memory in MB. Requires O(min_ram).
    type: int
  min_cpu:
    description:
      - Lower limit of the number of processors. Requires O(max_cpu).
    type: int
  max_cpu:
    description:
      - Upper limit of the number of processors. Requires O(min_cpu).
    type: int
  increase_type:
    description:
      - Whether it may change to a larger type, which costs more.
    type: bool
  decrease_type:
    description:
      - Whether it may change to a smaller type.
    type: bool
  restart:
    description:
      - Whether it may restart the instance.
    type: bool
  restart_from:
    description:
      - Time of day from which it may restart the instance, by the clocks of O(timezone), such as V("22:00"). Write it
        in quotes, since YAML reads C(22:00) as a number. Requires O(restart_to).
    type: str
  restart_to:
    description:
      - Time of day until which it may restart the instance; it may be on the next day. Requires O(restart_from).
    type: str
  timezone:
    description:
      - Name of the time zone of these times, such as V(Europe/Warsaw). The host that runs the module has to know it.
    type: str
  create_grace:
    description:
      - Time in seconds during which the service may still show the old values.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - If another operation has locked the instance, the module waits for it.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Let an instance grow, with restarts at night only
  fcd.cloud.instance_autoscaler:
    instance: web
    mode: change_type
    min_ram: 1024
    max_ram: 8192
    increase_type: true
    restart: true
    restart_from: "22:00"
    restart_to: "04:30"
    timezone: Europe/Warsaw

- name: Raise the upper limit
  fcd.cloud.instance_autoscaler:
    instance: web
    max_ram: 16384

- name: Turn it off
  fcd.cloud.instance_autoscaler:
    instance: web
    state: absent
"""

RETURN = r"""
instance_autoscaler:
  description: The autoscaler after the task, or in check mode as it would be; null if it is off.
  returned: success
  type: dict
  contains:
    id:
      description: ID of the instance.
      type: int
      returned: always
    name:
      description: Name of the instance.
      type: str
      returned: always
    mode:
      description: What it does, V(notify) or V(change_type).
      type: str
      returned: if known
    min_ram:
      description: Lower limit of the memory in MB.
      type: int
      returned: if known
    max_ram:
      description: Upper limit of the memory in MB.
      type: int
      returned: if known
    min_cpu:
      description: Lower limit of the number of processors.
      type: int
      returned: if known
    max_cpu:
      description: Upper limit of the number of processors.
      type: int
      returned: if known
    increase_type:
      description: Whether it may change to a larger type.
      type: bool
      returned: if known
    decrease_type:
      description: Whether it may change to a smaller type.
      type: bool
      returned: if known
    restart:
      description: Whether it may restart the instance.
      type: bool
      returned: if known
    restart_from:
      description: Time of day from which it may restart the instance.
      type: str
      returned: if known
    restart_to:
      description: Time of day until which it may restart the instance.
      type: str
      returned: if known
    timezone:
      description: Name of the time zone of these times.
      type: str
      returned: if known
    hot_plug:
      description: Whether the service adds memory and processors without a restart.
      type: bool
      returned: when it exists
  sample:
    id: 250017
    name: web
    mode: change_type
    min_ram: 1024
    max_ram: 8192
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: ID of the ticket of the last operation that was started; null if there was none.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance_autoscaler import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

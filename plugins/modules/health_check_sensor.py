#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: health_check_sensor
short_description: Assign sensors of health checks
version_added: 1.0.0
description:
  - Assigns one of the sensors with which the service carries out health checks to the account, and ends the assignment.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
options:
  state:
    description:
      - Whether the sensor should be assigned.
    type: str
    choices: [present, absent]
    default: present
  sensor:
    description:
      - Name or ID of the sensor, as M(fcd.cloud.health_check_sensor_info) lists them.
    type: str
    required: true
    aliases: [sensor_id]
seealso:
  - module: fcd.cloud.health_check_sensor_info
  - module: fcd.cloud.health_check
"""

EXAMPLES = r"""
- name: Have checks carried out from Paris, too
  fcd.cloud.health_check_sensor:
    sensor: Paris 1

- name: And no longer from Frankfurt
  fcd.cloud.health_check_sensor:
    sensor: Frankfurt 1
    state: absent
"""

RETURN = r"""
sensor:
  description: The sensor if it is assigned after the task, or in check mode would be; otherwise null.
  returned: success
  type: dict
  contains:
    id:
      description: The ID of the sensor.
      type: int
      returned: always
    name:
      description: The name.
      type: str
      returned: always
    country:
      description: The country where it is.
      type: str
      returned: always
    city:
      description: The city where it is.
      type: str
      returned: always
    ip_address:
      description: Its address.
      type: str
      returned: always
    is_available:
      description: Whether it is available.
      type: bool
      returned: always
  sample:
    id: 53003
    name: Paris 1
    country: France
    city: Paris
    ip_address: 192.0.2.3
    is_available: true
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(delete) and V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Always null, since these operations have no tickets.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.health_check_sensor import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

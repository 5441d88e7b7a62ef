#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: health_check_sensor_info
short_description: Read the sensors of health checks
version_added: 1.0.0
description:
  - Reads the sensors with which the service carries out health checks, and which of them are assigned to the account.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options: {}
seealso:
  - module: fcd.cloud.health_check_sensor
  - module: fcd.cloud.health_check
"""

EXAMPLES = r"""
- name: List the sensors
  fcd.cloud.health_check_sensor_info:
  register: all

- name: Show the addresses from which checks come
  ansible.builtin.debug:
    msg: "{{ all.sensors | selectattr('is_assigned') | map(attribute='ip_address') }}"
"""

RETURN = r"""
sensors:
  description: The sensors.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The ID.
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
    is_assigned:
      description: Whether it is assigned to the account.
      type: bool
      returned: always
  sample:
    - id: 53001
      name: Warsaw 1
      country: Poland
      city: Warsaw
      ip_address: 192.0.2.1
      is_available: true
      is_assigned: true
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.health_check_sensor import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

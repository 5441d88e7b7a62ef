#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: statistics_info
short_description: Read statistics of an instance or the account
version_added: 1.0.0
description:
  - Reads measured values of an instance or of the account, such as CPU usage; by default those of the last hour.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  instance:
    description:
      - Name or ID of an instance. If omitted, the statistics of the account are returned.
    type: str
    aliases: [instance_id]
  types:
    description:
      - What was measured. V(cpu_usage), V(cpu_average), V(memory_average), V(memory_available), V(memory_allocated),
        V(memory_consumed), V(packets_received), V(packets_sent), V(receive_rate), V(send_rate), V(uptime),
        V(read_latency), V(write_latency), V(heartbeats) or V(power); or any other type by its label or ID from
        dictionary 177.
      - The service does not document units, nor which types the account has.
    type: list
    elements: str
    required: true
  interval:
    description:
      - Time between two values of an instance, V(20s), V(5m) or V(1h); or another one by its label or ID. The default
        is V(5m).
      - Only with O(instance).
    type: str
  date_from:
    description:
      - Start of the time range, in ISO 8601 format. Without a time zone, the time is in UTC.
      - The default is one hour before O(date_to).
    type: str
  date_to:
    description:
      - End of the time range, in the same format. The default is now.
    type: str
seealso:
  - module: fcd.cloud.dictionary_info
  - module: fcd.cloud.instance_autoscaler
"""

EXAMPLES = r"""
- name: Create an instance
  fcd.cloud.instance:
    name: batch
    template: CentOS 7
    subregion: EU-001
    type: v1.standard-2.2

- name: Read its CPU usage and memory of the last hour
  fcd.cloud.statistics_info:
    instance: batch
    types: [cpu_usage, memory_consumed]
  register: measured

- name: Show the highest CPU usage
  ansible.builtin.debug:
    msg: "{{ measured.statistics[0].samples | map(attribute='value') | sort | last | default('no value') }}"

- name: Read values of the account of one day
  fcd.cloud.statistics_info:
    types: [memory_allocated]
    date_from: "2026-11-20"
    date_to: "2026-11-21"
"""

RETURN = r"""
statistics:
  description: The values for each of O(types), in the order given there.
  returned: success
  type: list
  elements: dict
  contains:
    type:
      description: What was measured, as an ID and label from dictionary 177.
      type: dict
      returned: always
      contains: &item
        id:
          description: ID.
          type: int
          returned: always
        label:
          description: Label.
          type: str
          returned: always
    samples:
      description: The values, the oldest first.
      type: list
      elements: dict
      returned: always
      contains:
        time:
          description: When it was measured, in UTC.
          type: str
          returned: always
        value:
          description: The value; the service does not document its unit.
          type: int
          returned: always
        details:
          description: What the service says about it; null for the account, or if it says nothing.
          type: str
          returned: always
  sample:
    - type: {id: 1522, label: CPU usage}
      samples:
        - {time: "2026-11-21T08:30:00Z", value: 12, details: null}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.statistics_info import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

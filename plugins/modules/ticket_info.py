#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ticket_info
short_description: Read tickets, and wait for them
version_added: 0.1.0
description:
  - Reads tickets. A ticket stands for an operation that takes time, such as creating an instance.
  - With O(wait) it waits until tickets have ended, all of them in one loop and under one limit of time.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - Numbers of tickets. Those that are not there are listed in RV(missing).
    type: list
    elements: int
    aliases: [ticket, ticket_id]
  status:
    description:
      - Only tickets with this status, its label or its number from dictionary 40. A wrong label is answered with the
        nearest.
    type: str
    aliases: [status_id]
  creation_date_from:
    description:
      - Only tickets created at this moment or later, in ISO 8601. Without an offset it is UTC.
    type: str
  creation_date_to:
    description:
      - Only tickets created at this moment or earlier, in ISO 8601. Without an offset it is UTC.
    type: str
  wait:
    description:
      - Whether to wait until all tickets in O(id) have ended.
      - The task fails when one of them ends with an error, is not known to the service, or does not end in
        O(wait_timeout); the others are waited for all the same, and RV(tickets) is returned then too.
    type: bool
    default: false
  wait_timeout:
    description:
      - Seconds to wait for all tickets together.
    type: float
    default: 2700.0
notes:
  - A ticket does not say why it failed. The reason is looked for in the events of the instance, which takes a request
    for each failed ticket in O(id); on other objects than instances there are none.
seealso:
  - module: fcd.cloud.instance
"""

EXAMPLES = r"""
- name: Start creating an instance
  fcd.cloud.instance:
    name: batch
    template: CentOS 7
    subregion: EU-001
    type: v1.standard-2.2
    wait: false
  register: batch

- name: Wait until it is created
  fcd.cloud.ticket_info:
    id: "{{ batch.ticket }}"
    wait: true
    wait_timeout: 600

- name: Read what is running
  fcd.cloud.ticket_info:
    status: Running

- name: Read what has failed today
  fcd.cloud.ticket_info:
    status: Error
    creation_date_from: "{{ now(utc=true, fmt='%Y-%m-%d') }}"
"""

RETURN = r"""
tickets:
  description: The tickets; with O(id) in that order, else in that of the service.
  returned: success, and with O(wait) on failure too
  type: list
  elements: dict
  contains:
    id:
      description: Number of the ticket.
      type: int
      returned: always
    status:
      description: Its status, number and label from dictionary 40. With 136 it has succeeded, with 137 failed.
      type: dict
      returned: always
    progress:
      description: Progress in percent.
      type: int
      returned: always
    operation_type:
      description: What is done, number and label from dictionary 41.
      type: dict
      returned: always
    object_type:
      description: Kind of the object, number and label from dictionary 42.
      type: dict
      returned: always
    object_id:
      description: Number of the object; null as long as it is not created.
      type: int
      returned: always
    object_name:
      description: Name of the object.
      type: str
      returned: always
    message:
      description: What the events of the instance say about the failure; null without one.
      type: str
      returned: with O(id)
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    end_date:
      description: When it ended, in UTC; null as long as it has not.
      type: str
      returned: always
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: always
  sample:
    - id: 5000000001
      status: {id: 136, label: Succeed}
      progress: 100
      operation_type: {id: 138, label: Deploying instance}
      object_type: {id: 139, label: Instance}
      object_id: 250017
      object_name: web
      message: null
missing:
  description: Those that are asked for with O(id) and are not there.
  returned: when O(id) is given
  type: list
  elements: int
  sample: []
failures:
  description: What is wrong with each of the tickets.
  returned: with O(wait), when there is trouble with more than one
  type: list
  elements: dict
  contains:
    msg:
      description: What went wrong.
      type: str
      returned: always
    error:
      description: The same as data, for programs, with the kind of the error and the number of the ticket.
      type: dict
      returned: always
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.tickets import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

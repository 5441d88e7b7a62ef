#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: ticket_info
short_description: Read tickets, and wait for them
version_added: 1.0.0
description:
  - Reads tickets. A ticket represents a long-running operation, such as creating an instance.
  - With O(wait), it waits until tickets have completed, all of them in one loop and under one time limit.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - IDs of tickets. IDs that do not exist are listed in RV(missing).
    type: list
    elements: int
    aliases: [ticket, ticket_id]
  status:
    description:
      - Return only tickets with this status, given by label or by ID from dictionary 40. For an unknown label, the
        error suggests similar ones.
    type: str
    aliases: [status_id]
  creation_date_from:
    description:
      - Return only tickets created at this time or later, in ISO 8601 format. Without a time zone, the time is in UTC.
    type: str
  creation_date_to:
    description:
      - Return only tickets created at this time or earlier, in ISO 8601 format. Without a time zone, the time is in
        UTC.
    type: str
  wait:
    description:
      - Whether to wait until all tickets in O(id) have completed.
      - The task fails if a ticket ends with an error, is unknown to the service, or does not complete within
        O(wait_timeout). It still waits for the others first, and returns RV(tickets) in this case too.
    type: bool
    default: false
  wait_timeout:
    description:
      - Maximum time in seconds to wait for all tickets together.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
notes:
  - A ticket does not say why it failed. The module looks for the reason in the events of the instance, which takes one
    request for each failed ticket in O(id); other objects than instances have no events.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
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

- name: Wait until the instance has been created
  fcd.cloud.ticket_info:
    id: "{{ batch.ticket }}"
    wait: true
    wait_timeout: 600

- name: Read the running tickets
  fcd.cloud.ticket_info:
    status: Running

- name: Read the tickets that have failed today
  fcd.cloud.ticket_info:
    status: Error
    creation_date_from: "{{ now(utc=true, fmt='%Y-%m-%d') }}"
"""

RETURN = r"""
tickets:
  description: The tickets. With O(id), they are in the order given there; otherwise, in the order of the service.
  returned: success, and with O(wait) also on failure
  type: list
  elements: dict
  contains:
    id:
      description: ID of the ticket.
      type: int
      returned: always
    status:
      description: >-
        Its status, as an ID and label from dictionary 40. 136 means that it has succeeded, 137 that it has failed.
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
    progress:
      description: Progress in percent.
      type: int
      returned: always
    operation_type:
      description: The operation, as an ID and label from dictionary 41. Keys as in RV(tickets[].status).
      type: dict
      returned: always
    object_type:
      description: Kind of the object, as an ID and label from dictionary 42. Keys as in RV(tickets[].status).
      type: dict
      returned: always
    object_id:
      description: ID of the object; null until it has been created.
      type: int
      returned: always
    object_name:
      description: The name of the object.
      type: str
      returned: always
    message:
      description: What the events of the instance say about the failure; null if there is nothing.
      type: str
      returned: if O(id) is given
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    end_date:
      description: When it ended, in UTC; null if it has not ended.
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
  description: The values of O(id) that do not exist.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
failures:
  description: The error for each failed ticket.
  returned: with O(wait), if more than one ticket has a problem
  type: list
  elements: dict
  contains:
    msg:
      description: The error message.
      type: str
      returned: always
    error:
      description: The error in machine-readable form, with its kind and the ID of the ticket.
      type: dict
      returned: always
      contains:
        kind:
          description: Kind of the error, such as V(InvalidInput).
          type: str
          returned: always
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.tickets import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

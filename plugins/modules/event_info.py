#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: event_info
short_description: Read the events of the account or an instance
version_added: 1.0.0
description:
  - Reads what was done with instances, by whom, and how it ended; by default on the last day.
  - Only IDs are sent to the service as filters. Everything else is compared when the events of the time range have been
    read.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  instance:
    description:
      - Name or ID of an instance. If omitted, the events of all instances are returned.
    type: str
    aliases: [instance_id]
  status:
    description:
      - Return only events with this status, V(success) or V(error), or another one by its label or ID. Letter case does
        not matter.
      - If no event of the time range has it, but one has something similar, the module warns.
    type: str
    aliases: [status_id]
  operation_type:
    description:
      - Return only events of this operation, given by label or ID, as an event shows it. Otherwise as O(status).
    type: str
    aliases: [operation_type_id]
  user:
    description:
      - Return only events of the user with this login. Otherwise as O(status).
    type: str
  date_from:
    description:
      - Start of the time range, in ISO 8601 format. Without a time zone, the time is in UTC.
      - The default is 24 hours before O(date_to).
    type: str
  date_to:
    description:
      - End of the time range, in the same format. The default is now.
    type: str
  limit:
    description:
      - Maximum number of events to return, the newest ones. If omitted, all are returned. All events of the time range
        are read in any case, because the order of the list is not documented.
    type: int
seealso:
  - module: fcd.cloud.instance_info
  - module: fcd.cloud.ticket_info
"""

EXAMPLES = r"""
- name: Read what failed since yesterday
  fcd.cloud.event_info:
    status: error

- name: Create an instance
  fcd.cloud.instance:
    name: batch
    template: CentOS 7
    subregion: EU-001
    type: v1.standard-2.2

- name: Read the last three events of the instance
  fcd.cloud.event_info:
    instance: batch
    limit: 3
  register: history

- name: Show who did what
  ansible.builtin.debug:
    msg: "{{ item.date }} {{ item.operation_type.label }} by {{ item.user }}"
  loop: "{{ history.events }}"
"""

RETURN = r"""
events:
  description: The events, the newest first.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the event.
      type: int
      returned: always
    date:
      description: When it happened, in UTC.
      type: str
      returned: always
    instance:
      description: The instance, as an ID and label.
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
    operation_type:
      description: The operation, as an ID and label. Keys as in RV(events[].instance).
      type: dict
      returned: always
    operation_status:
      description:
        - The status, as an ID and label; null if the service does not return it.
        - Keys as in RV(events[].instance).
      type: dict
      returned: always
    message:
      description: The message, for example why it failed.
      type: str
      returned: always
    user:
      description: Login of the user.
      type: str
      returned: always
  sample:
    - id: 7000000001
      date: "2026-11-21T08:30:00Z"
      instance: {id: 250017, label: batch}
      operation_type: {id: 159, label: Deployed}
      operation_status: {id: 150, label: Success}
      message: The operation ended.
      user: panel.user@example.com
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.event import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: health_check_notification
short_description: Manage whom health checks notify
version_added: 1.0.0
description:
  - Creates, changes and removes the notifications of health checks. Each is an address that the service notifies in one
    way.
  - A notification is identified by its exact address together with its type, or by O(id).
  - If the service does not show the address of a notification of the same type, the task fails and lists its ID, since
    it may be the one.
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
      - Whether the notification should exist.
    type: str
    choices: [present, absent]
    default: present
  address:
    description:
      - The address, such as an e-mail address. Required unless O(id) is given; together with O(id), the new address.
      - Requires O(type).
    type: str
  type:
    description:
      - How to notify it, one of V(email), V(email_short), V(email_extended) and V(sms), or the ID of another type. The
        module M(fcd.cloud.dictionary_info) lists the types of an account in dictionary 178.
      - Requires O(address).
    type: str
  id:
    description:
      - ID of an existing notification.
      - With O(address) and O(type), O(state=absent) removes the notification only if it has these.
    type: int
seealso:
  - module: fcd.cloud.health_check_notification_info
  - module: fcd.cloud.health_check
"""

EXAMPLES = r"""
- name: Notify the operators by e-mail
  fcd.cloud.health_check_notification:
    address: operators@example.com
    type: email
  register: operators

- name: Notify another address instead
  fcd.cloud.health_check_notification:
    id: "{{ operators.health_check_notification.id }}"
    address: on-call@example.com
    type: email

- name: Notify it no more
  fcd.cloud.health_check_notification:
    address: on-call@example.com
    type: email
    state: absent
"""

RETURN = r"""
health_check_notification:
  description:
    - The notification after the task, or in check mode as it would be; null if it does not exist.
  returned: success
  type: dict
  contains:
    id:
      description: The ID; not known in check mode for a new object.
      type: int
      returned: always
    address:
      description: The address.
      type: str
      returned: always
    type:
      description: How the address is notified.
      type: dict
      returned: always
      contains:
        id:
          description: The ID of the value.
          type: int
          returned: always
        label:
          description: The word for it in the options, else its label at the service.
          type: str
          returned: always
  sample:
    id: 52101
    address: operators@example.com
    type: {id: 1539, label: email}
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Always null, since operations on notifications have no tickets.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.health_check_notification import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

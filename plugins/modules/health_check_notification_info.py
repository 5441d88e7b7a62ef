#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: health_check_notification_info
short_description: Read whom health checks notify
version_added: 1.0.0
description:
  - Reads the notifications of the health checks of the account, or a single one.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one notification; if it does not exist, it is listed in RV(missing).
    type: int
  address:
    description:
      - The exact address, or a pattern with C(*), C(?) or C([...]), such as V(*@example.com).
      - An address may be notified in several ways, so several objects may be returned.
    type: str
seealso:
  - module: fcd.cloud.health_check_notification
"""

EXAMPLES = r"""
- name: List all notifications
  fcd.cloud.health_check_notification_info:
  register: all

- name: List those of one domain
  fcd.cloud.health_check_notification_info:
    address: "*@example.com"
"""

RETURN = r"""
health_check_notifications:
  description:
    - The notifications.
    - Each has the keys of RV(fcd.cloud.health_check_notification#module:health_check_notification).
  returned: success
  type: list
  elements: dict
  sample:
    - id: 52101
      address: operators@example.com
      type: {id: 1539, label: email}
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.health_check_notification import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_power
short_description: Restart an instance
version_added: 0.1.0
description:
  - Restarts an instance, and waits until it is powered on and not locked.
  - This is an act, not a declared state; it is done each time that the task runs.
    To ensure that an instance runs or is stopped, use O(fcd.cloud.instance#module:state).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.acting
options:
  name:
    description:
      - Name of the instance, which has to match exactly. Needed unless O(id) is given.
      - Names are not unique at the service; when several instances bear the name, the task ends with an error that
        lists their numbers.
    type: str
    aliases: [instance_name]
  id:
    description:
      - Number of the instance.
    type: int
    aliases: [instance_id]
  action:
    description:
      - With V(reboot) the guest restarts itself, for which the service needs its guest tools.
      - With V(reset) the instance is restarted at once, as with a reset button.
    type: str
    choices: [reboot, reset]
    required: true
  wait:
    description:
      - Whether to wait until the operation has ended and the instance is powered on and not locked.
    type: bool
    default: true
  wait_timeout:
    description:
      - Seconds to wait for everything in this task, the end of other operations on the instance included.
    type: float
    default: 2700.0
notes:
  - It is sent once. After an answer that leaves open whether it has begun, its ticket is looked for, with O(wait) as
    long as the instance is locked; where none is found, the task fails and says so.
  - A locked instance, on which another operation runs, is waited for. One that is powered off is an error.
seealso:
  - module: fcd.cloud.instance
"""

EXAMPLES = r"""
- name: Restart an instance after an update
  fcd.cloud.instance_power:
    name: web
    action: reboot

- name: Restart one that hangs
  fcd.cloud.instance_power:
    name: web
    action: reset
"""

RETURN = r"""
instance:
  description:
    - The instance, with what RV(fcd.cloud.instance#module:instance) has of one; without O(wait), and in check mode, as
      it was before.
  returned: success
  type: dict
  sample:
    id: 250017
    name: web
    status: {id: 86, label: Powered On}
    is_locked: false
action:
  description: What was done, or in check mode would be done.
  returned: success
  type: str
  sample: reboot
ticket:
  description: Number of the ticket that the service gave it; null in check mode.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_power import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

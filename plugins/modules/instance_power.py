#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_power
short_description: Restart an instance
version_added: 1.0.0
description:
  - Restarts an instance, and waits until it is powered on and unlocked.
  - This is a one-off action, not a declared state; it is run each time the task runs. To ensure that an instance is
    running or stopped, use O(fcd.cloud.instance#module:state).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.acting
options:
  name:
    description:
      - The exact name of the instance. Required unless O(id) is given.
      - The service does not enforce unique names; if several instances share the name, the task fails and lists their
        IDs.
    type: str
    aliases: [instance_name]
  id:
    description:
      - ID of the instance.
    type: int
    aliases: [instance_id]
  action:
    description:
      - With V(reboot), the guest restarts itself, which requires its guest tools.
      - With V(reset), the instance is restarted immediately, as with a reset button.
    type: str
    choices: [reboot, reset]
    required: true
  wait:
    description:
      - Whether to wait until the operation has completed and the instance is powered on and unlocked.
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds to wait for everything in this task, including other operations that are already running
        on the instance.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
notes:
  - The request is sent once. After a response that leaves open whether the restart has begun, the module looks for its
    ticket, with O(wait) for as long as the instance is locked. If there is none, the task fails and says so.
  - If another operation has locked the instance, the module waits for it. An instance that is powered off is an error.
seealso:
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Restart an instance after an update
  fcd.cloud.instance_power:
    name: web
    action: reboot

- name: Reset an instance that hangs
  fcd.cloud.instance_power:
    name: web
    action: reset
"""

RETURN = r"""
instance:
  description:
    - The instance, in the form of RV(fcd.cloud.instance#module:instance). Without O(wait), and in check mode, it is as
      it was before.
  returned: success
  type: dict
  sample:
    id: 250017
    name: web
    status: {id: 86, label: Powered On}
    is_locked: false
action:
  description: The action taken, or in check mode the action that would be taken.
  returned: success
  type: str
  sample: reboot
ticket:
  description: ID of the ticket that the service assigned; null in check mode.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_acts import INSTANCE_POWER as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

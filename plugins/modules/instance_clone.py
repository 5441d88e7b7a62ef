#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_clone
short_description: Clone an instance
version_added: 1.0.0
description:
  - Creates a copy of an existing instance under a new name, and waits until it is ready.
  - If an instance with the name of the clone already exists, nothing is done; whether it is a clone is not known.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting.force
options:
  name:
    description:
      - The exact name of the instance to clone. Required unless O(id) is given.
      - The service does not enforce unique names; if several instances share the name, the task fails and lists their
        IDs.
    type: str
    aliases: [instance_name]
  id:
    description:
      - ID of the instance to clone.
    type: int
    aliases: [instance_id]
  clone_name:
    description:
      - The name of the clone, 1 to 40 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
    type: str
    required: true
  clone_type:
    description:
      - Whether the service gives the clone a new configuration or makes it an exact copy of the present one.
    type: str
    choices: [new_configuration, current_configuration]
    required: true
  subregion:
    description:
      - Name or ID of the subregion of the clone, which must be active. If omitted, the request does not specify it.
    type: str
  subregion_id:
    description:
      - ID of the subregion of the clone.
    type: int
  power_on:
    description:
      - Whether the clone should be powered on. If omitted, the request does not specify it.
      - Used only when the clone is created; for an existing clone, use O(fcd.cloud.instance#module:state).
    type: bool
  wait:
    description:
      - Whether to wait until the clone has been created and is unlocked and, with O(power_on), powered on.
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds to wait for everything in this task, including other operations that are already running
        on the instance.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
  create_grace:
    description:
      - Time in seconds during which a new instance may not be listed yet. After a request with an unclear outcome, the
        module looks for the instance for this long before the task fails.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - The service has no idempotency keys. The request is therefore sent only once, under a lock, and recorded in
    O(state_dir) beforehand. If the outcome is unclear, the module looks for the clone, and never requests it a second
    time.
  - The lock covers tasks that share O(state_dir), that is, those of one user on one host. With O(lock_container), it
    covers all controllers.
  - If another operation has locked the instance, the module waits for it before cloning.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_info
  - module: fcd.cloud.snapshot
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Clone an instance for testing
  fcd.cloud.instance_clone:
    name: web
    clone_name: web-trial
    clone_type: current_configuration
    power_on: true
  register: trial

- name: Show the address of the clone
  ansible.builtin.debug:
    var: trial.instance.ip_address
"""

RETURN = r"""
instance:
  description:
    - The clone, in the form of RV(fcd.cloud.instance#module:instance). In check mode, it has only a name, and without
      O(wait), only what is known about it.
  returned: success
  type: dict
  sample:
    id: 250017
    name: web-trial
    status: {id: 86, label: Powered On}
    is_locked: false
action:
  description: The action taken, or in check mode the action that would be taken, V(create) or V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: ID of the ticket of the operation; null if there was none.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_acts import INSTANCE_CLONE as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

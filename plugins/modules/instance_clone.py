#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_clone
short_description: Clone an instance
version_added: 0.1.0
description:
  - Creates a copy of an existing instance under a name of its own, and waits until it is created.
  - When an instance with the name of the clone exists already, nothing is done; whether it is a clone is not known.
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
      - Name of the instance to clone, which has to match exactly. Needed unless O(id) is given.
      - Names are not unique at the service; when several instances bear the name, the task ends with an error that
        lists their numbers.
    type: str
    aliases: [instance_name]
  id:
    description:
      - Number of the instance to clone.
    type: int
    aliases: [instance_id]
  clone_name:
    description:
      - Name of the clone, 1 to 40 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
    type: str
    required: true
  clone_type:
    description:
      - Whether the service gives the clone a new configuration or an absolute copy of the present one.
    type: str
    choices: [new_configuration, current_configuration]
    required: true
  subregion:
    description:
      - Name of the subregion of the clone, or its number. Without it nothing is said about it. It has to be active.
    type: str
  subregion_id:
    description:
      - Number of the subregion of the clone.
    type: int
  power_on:
    description:
      - Whether the clone should be powered on. Without it nothing is said about it.
      - Used at the creation only; for a clone that is there use O(fcd.cloud.instance#module:state).
    type: bool
  wait:
    description:
      - Whether to wait until the clone is created and not locked, and with O(power_on) powered on.
    type: bool
    default: true
  wait_timeout:
    description:
      - Seconds to wait for everything in this task, the end of other operations on the instance included.
    type: float
    default: 2700.0
  create_grace:
    description:
      - Seconds for which a new instance may stay invisible. After a request without a clear answer it is looked for
        so long before the task fails.
    type: float
    default: 30.0
notes:
  - The service has no idempotency key. The request is sent once, under a lock, and noted on disk in O(state_dir)
    before; after an unclear answer the clone is looked for, and never requested a second time.
  - A locked instance, on which another operation runs, is waited for before it is cloned.
seealso:
  - module: fcd.cloud.instance
"""

EXAMPLES = r"""
- name: Create a copy of an instance to try something on
  fcd.cloud.instance_clone:
    name: web
    clone_name: web-trial
    clone_type: current_configuration
    power_on: true
  register: trial

- name: Show its address
  ansible.builtin.debug:
    var: trial.instance.ip_address
"""

RETURN = r"""
instance:
  description:
    - The clone, with what RV(fcd.cloud.instance#module:instance) has of an instance. In check mode it has a name only,
      and without O(wait) what is known of it.
  returned: success
  type: dict
  sample:
    id: 250017
    name: web-trial
    status: {id: 86, label: Powered On}
    is_locked: false
action:
  description: What was done, or in check mode would be done, V(create) or V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Number of the ticket of the operation; null without one.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_clone import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

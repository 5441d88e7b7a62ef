#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_console
short_description: Open or close the remote console of an instance
version_added: 1.0.0
description:
  - Opens the remote console of an instance for one source address and a limited time, changes it, or closes it. An
    instance has at most one remote console.
  - The service closes the console when its time is over. A later task with V(present) then opens it again.
  - If the result contains the password of the console, it is hidden from the output, from every event and from every
    callback at any verbosity, but can still be used if it is registered.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
options:
  state:
    description:
      - Whether the remote console should be open.
    type: str
    choices: [present, absent]
    default: present
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
  source_ip:
    description:
      - The IPv4 address from which the console can be used. It is changed in place, and O(minutes) then start
        again.
      - If omitted when the console is opened, the request does not mention an address, and the service decides from
        where the console can be used. The address of an open console then stays as it is.
    type: str
  minutes:
    description:
      - Time in minutes for which the console is opened, 30 to 360.
      - It is not compared with the time that an open console has left; see O(renew).
    type: int
    default: 60
  renew:
    description:
      - Whether to restart the time of an open console. The task then always changes something.
    type: bool
    default: false
notes:
  - The service may show the password only in the answer to the request that opens the console. It is then V(null) in
    the result of later tasks, and of a task whose answer was lost.
  - Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal the password.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_console_info
  - module: fcd.cloud.instance_screenshot
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Open the remote console for two hours
  fcd.cloud.instance_console:
    name: web
    source_ip: 203.0.113.7
    minutes: 120
  register: web

- name: Show where it is
  ansible.builtin.debug:
    msg: "{{ web.console.address }}:{{ web.console.port }}, until {{ web.console.open_until }}"
  when: web.console.address is defined # not in check mode

- name: Close the remote console
  fcd.cloud.instance_console:
    name: web
    state: absent
"""

RETURN = r"""
console:
  description:
    - The open remote console, V(null) if there is none. In check mode, only what is known before it is opened.
  returned: success
  type: dict
  sample:
    instance: {id: 250017, label: web}
    source_ip: 203.0.113.7
    address: 203.0.113.250
    port: 5917
    password: 0123456789ab
    open_until: "2026-11-21T10:30:00Z"
  contains:
    instance:
      description: The instance.
      type: dict
      contains:
        id:
          description: Its ID.
          type: int
        label:
          description: Its name.
          type: str
    source_ip:
      description: The address from which the console can be used.
      type: str
    address:
      description: The address at which the console is.
      type: str
    port:
      description: The port at which the console is.
      type: int
    password:
      description: The password of the console, V(null) if the service does not show it any more.
      type: str
    open_until:
      description: When the service closes the console.
      type: str
action:
  description:
    - What was done, or in check mode would be done.
  returned: success
  type: str
  sample: create
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_console import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_console_info
short_description: Read the remote console of an instance
version_added: 1.0.0
description:
  - Reads whether the remote console of an instance is open, until when, and for which source address.
  - If the service still shows the password of the console, the result is hidden from the output, from every event and
    from every callback at any verbosity, but can still be used if it is registered.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
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
notes:
  - Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal the password.
seealso:
  - module: fcd.cloud.instance_console
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Read the remote console
  fcd.cloud.instance_console_info:
    name: web
  register: web

- name: Show whether it is open
  ansible.builtin.debug:
    msg: "{{ 'closed' if not web.console else 'open until ' ~ web.console.open_until }}"
"""

RETURN = r"""
console:
  description:
    - The open remote console, V(null) if there is none, or its time is over.
  returned: success
  type: dict
  sample:
    instance: {id: 250017, label: web}
    source_ip: 203.0.113.7
    address: 203.0.113.250
    port: 5917
    password:
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
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_console import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

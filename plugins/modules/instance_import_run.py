#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_import_run
short_description: Create instances from imports
version_added: 1.0.0
description:
  - Creates an instance from an import that M(fcd.cloud.instance_import) has created, and waits until it is ready.
  - If there already is an instance with the name O(instance_name), nothing is done, whether the import exists or not.
  - If the import is not ready yet, the task waits for it.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
options:
  name:
    description:
      - The exact name of the import. Required unless O(id) is given.
    type: str
  id:
    description:
      - ID of the import. With O(name), it must have that name.
    type: int
    aliases: [import_id]
  instance_name:
    description:
      - The name that the new instance is expected to have.
      - The service chooses the name, and the interface does not define how. If the new instance has another one, the
        task fails and shows it; give it here in the next run.
      - This name is all that tells whether the import was run. If you rename the instance, the same task creates
        another one.
    type: str
    required: true
  type:
    description:
      - Type of the instance, as a label or ID. M(fcd.cloud.instance_type_info) lists them.
    type: str
    required: true
    aliases: [type_id]
  disk_class:
    description:
      - Class of all its disks, as a label or ID from dictionary 17.
    type: str
    required: true
    aliases: [tier_id]
  networks:
    description:
      - What its network interfaces are connected to. The import tells how many there are.
    type: list
    elements: dict
    required: true
    suboptions:
      public:
        description:
          - Whether the interface has a public address. If omitted, it has one unless a private network is given.
        type: bool
      ip_address:
        description:
          - The public address, or its ID. If omitted, the service chooses one.
        type: str
        aliases: [public_ip_id]
      private_network:
        description:
          - Name or ID of a private network, for an interface that is not public.
        type: str
        aliases: [opn_id]
  subregion:
    description:
      - Name or ID of the subregion. If omitted, the service chooses one.
    type: str
    aliases: [subregion_id]
seealso:
  - module: fcd.cloud.instance_import
  - module: fcd.cloud.instance_import_info
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Create an instance from an import
  fcd.cloud.instance_import_run:
    name: web
    instance_name: web
    type: v1.standard-2.2
    disk_class: Tier 1
    networks:
      - private_network: backend
  register: web

- name: Show its ID
  ansible.builtin.debug:
    msg: "{{ web.instance.id }}"
"""

RETURN = r"""
instance:
  description:
    - The instance, in the form of RV(fcd.cloud.instance#module:instance). In check mode, it has only a name, and
      without O(wait), only what is known about it.
  returned: success
  type: dict
  sample:
    id: 250017
    name: web
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
from ..module_utils._infrastructure.instance.instance_import_run import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

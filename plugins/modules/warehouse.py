#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: warehouse
short_description: Manage a warehouse
version_added: 1.0.0
description:
  - Creates, changes and deletes warehouses through the SOAP contract.
  - A warehouse is identified by O(partner_id), O(template_id) and O(data_store_number) together, or by O(id).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
  - fcd.cloud._waiting.force
options:
  id:
    description:
      - ID of the warehouse.
      - Required only if O(partner_id), O(template_id) and O(data_store_number) are not all given or match several
        warehouses.
      - An unknown ID is an error with O(state=present).
      - With O(name) or any part of the key, O(state=absent) removes the warehouse only if it has these.
    type: int
    aliases: [warehouse_id]
  name:
    description:
      - The name of the warehouse. Required to create one. Changed in place.
    type: str
    aliases: [warehouse_name]
  partner_id:
    description:
      - ID of the partner. Part of the key. If given together with O(id), it must match the warehouse.
    type: int
  template_id:
    description:
      - ID of the template. Part of the key. If given together with O(id), it must match the warehouse.
    type: int
  data_store_number:
    description:
      - Number of the data store, a string. Part of the key. If given together with O(id), it must match the warehouse.
    type: str
  queue_length:
    description:
      - Length of the queue. Required to create a warehouse. Changed in place.
      - The contract calls this C(queueCapacity) in C(CreateWarehouse) and C(queueLength) in C(UpdateWarehouse).
    type: int
    aliases: [queue_capacity]
  state:
    description:
      - Whether the warehouse should exist.
    type: str
    choices: [present, absent]
    default: present
  create_grace:
    description:
      - Time in seconds during which a new warehouse may not be visible yet. The module looks for it for this long after
        creating it, and after a create with an unclear outcome before the task fails.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - The service has no idempotency keys and C(CreateWarehouse) returns nothing. The create is therefore sent only once,
    under a lock, and recorded on disk beforehand; the new warehouse is then found by its key and returned.
  - The lock covers tasks that share O(state_dir), that is, those of one user on one host. With O(lock_container), it
    covers all controllers.
  - If a search by the key finds nothing, although C(WarehouseExists) says that the key is in use, all warehouses are
    searched. If none of them has the key, nothing is created, and O(state=absent) warns.
  - C(UpdateWarehouse) takes the name and the queue length together. If only one of them is given, the other is sent
    with its current value.
  - >-
    The names of the members of a warehouse are read from the WSDL. If the WSDL has none for O(name) or O(queue_length),
    that option is sent but not compared, with a warning; O(soap_member_map) can name the member, for example
    C({"WarehouseItem.queue_length": "Capacity"}).
seealso:
  - module: fcd.cloud.warehouse_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Create a warehouse
  fcd.cloud.warehouse:
    name: spare
    partner_id: 12
    template_id: 304
    data_store_number: DS-01
    queue_length: 4
  register: spare

- name: Change the queue length, selecting the warehouse by ID
  fcd.cloud.warehouse:
    id: "{{ spare.warehouse.id }}"
    queue_length: 8

- name: Delete the warehouse
  fcd.cloud.warehouse:
    partner_id: 12
    template_id: 304
    data_store_number: DS-01
    state: absent
"""

RETURN = r"""
warehouse:
  description:
    - The warehouse after the task, or in check mode as it would be; null if it does not exist.
    - Values for which the WSDL has no member are null.
    - In addition to the keys listed here, all members of the service's own type are in RV(warehouse.members).
  returned: success
  type: dict
  contains:
    id:
      description: ID of the warehouse; not known in check mode before it is created.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    partner_id:
      description: ID of the partner.
      type: int
      returned: always
    template_id:
      description: ID of the template.
      type: int
      returned: always
    data_store_number:
      description: Number of the data store.
      type: str
      returned: always
    queue_length:
      description: Length of the queue.
      type: int
      returned: always
    members:
      description: All members as the service sent them, in snake_case. A free mapping.
      type: dict
      returned: outside check mode, or if the warehouse exists
  sample:
    id: 7
    name: spare
    partner_id: 12
    template_id: 304
    data_store_number: DS-01
    queue_length: 4
action:
  description: The action taken, or in check mode the action that would be taken.
  returned: success
  type: str
  sample: create
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.warehouse import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

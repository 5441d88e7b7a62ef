#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: warehouse
short_description: Manage a warehouse
version_added: 0.1.0
description:
  - Creates, changes and deletes warehouses through the SOAP contract.
  - A warehouse is found by O(partner_id), O(template_id) and O(data_store_number) together, or by O(id).
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
      - Number of the warehouse.
      - Needed only when O(partner_id), O(template_id) and O(data_store_number) are not all given, or fit several.
      - A number that does not exist is an error with O(state=present).
    type: int
    aliases: [warehouse_id]
  name:
    description:
      - Name of the warehouse. Needed to create one. Changed in place.
    type: str
    aliases: [warehouse_name]
  partner_id:
    description:
      - Number of the partner. Part of the key. Given together with O(id), it must be the one that the warehouse has.
    type: int
  template_id:
    description:
      - Number of the template. Part of the key. Given together with O(id), it must be the one that the warehouse has.
    type: int
  data_store_number:
    description:
      - Number of the data store, a text. Part of the key. Given together with O(id), it must be the one that the
        warehouse has.
    type: str
  queue_length:
    description:
      - Length of its queue. Needed to create one. Changed in place.
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
      - Seconds for which a new warehouse may stay invisible. So long it is looked for after it was created, and after
        a create without a clear answer, before the task fails.
    type: float
    default: 30.0
notes:
  - The service has no idempotency key and C(CreateWarehouse) returns nothing. The create is sent once, under a lock,
    and noted on disk before; the new warehouse is then found again by its key and returned.
  - Where a search by the key shows nothing and C(WarehouseExists) says that the key is in use, all warehouses are
    looked at. When none of them has the key, nothing is created, and O(state=absent) warns.
  - C(UpdateWarehouse) takes name and queue length together. The one that is not given is sent as it is at the service.
  - >-
    The names of the members of a warehouse are read from the WSDL. When it has none for O(name) or O(queue_length),
    that option is sent but not compared, which a warning tells; O(soap_member_map) can name the member, for example
    C({"WarehouseItem.queue_length": "Capacity"}).
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

- name: Change its queue, by its number
  fcd.cloud.warehouse:
    id: "{{ spare.warehouse.id }}"
    queue_length: 8

- name: Remove it
  fcd.cloud.warehouse:
    partner_id: 12
    template_id: 304
    data_store_number: DS-01
    state: absent
"""

RETURN = r"""
warehouse:
  description:
    - The warehouse as it is, or in check mode would be; null when it is not there.
    - What the WSDL has no member for is null.
    - Besides the keys listed here, further members of the service's own type are in RV(warehouse.members).
  returned: success
  type: dict
  contains:
    id:
      description: Number of the warehouse; null in check mode before it is created.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    partner_id:
      description: Number of the partner.
      type: int
      returned: always
    template_id:
      description: Number of the template.
      type: int
      returned: always
    data_store_number:
      description: Number of the data store.
      type: str
      returned: always
    queue_length:
      description: Length of its queue.
      type: int
      returned: always
    members:
      description: All members as the service sent them, in snake_case.
      type: dict
      returned: outside check mode, or when the warehouse exists
  sample:
    id: 7
    name: spare
    partner_id: 12
    template_id: 304
    data_store_number: DS-01
    queue_length: 4
action:
  description: What was done, or in check mode would be done.
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

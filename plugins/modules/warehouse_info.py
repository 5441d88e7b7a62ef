#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: warehouse_info
short_description: Read warehouses
version_added: 0.1.0
description:
  - Finds warehouses, reads one of them, or asks whether one exists.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
  - fcd.cloud._search
options:
  subject:
    description:
      - What to read, V(one) by its number, V(all) that are found, or whether one V(exists). Without it, V(one) is meant
        when O(warehouse_id) is given, else V(all).
    type: str
    choices: [one, all, exists]
  warehouse_id:
    description:
      - Number of the one warehouse to read.
    type: int
    aliases: [id]
  partner_id:
    description:
      - Number of the partner, for V(all) and V(exists).
    type: int
  template_id:
    description:
      - Number of the template, for V(all) and V(exists).
    type: int
  data_store_number:
    description:
      - Number of the data store, a text, for V(all) and V(exists).
    type: str
seealso:
  - module: fcd.cloud.warehouse
"""

EXAMPLES = r"""
- name: Find the warehouses of a partner
  fcd.cloud.warehouse_info:
    partner_id: 12

- name: Check whether there is one
  fcd.cloud.warehouse_info:
    subject: exists
    partner_id: 12
    template_id: 304
    data_store_number: DS-01
  register: asked

- name: Show the answer
  ansible.builtin.debug:
    msg: "{{ 'It exists.' if asked.exists else 'It does not exist.' }}"
"""

RETURN = r"""
warehouses:
  description:
    - The warehouses, as M(fcd.cloud.warehouse) returns them; an empty list when there is none.
    - What the WSDL has no member for is null.
  returned: success, except for the subject V(exists)
  type: list
  elements: dict
  contains:
    id:
      description: Number of the warehouse.
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
      returned: always
  sample:
    - {id: 7, name: spare, partner_id: 12, template_id: 304, data_store_number: DS-01, queue_length: 4, members: {}}
exists:
  description:
    - Whether there is a warehouse with this partner, template and data store.
  returned: success, for the subject V(exists)
  type: bool
  sample: true
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.warehouse_info import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: warehouse_info
short_description: Read warehouses
version_added: 1.0.0
description:
  - Searches warehouses, reads one warehouse, or checks whether one exists.
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
      - What to read, V(one) by its ID, V(all) that are found, or whether one V(exists). If omitted, it is V(one) if
        O(warehouse_id) is given, and V(all) otherwise.
    type: str
    choices: [one, all, exists]
  warehouse_id:
    description:
      - ID of a single warehouse to read.
    type: int
    aliases: [id]
  partner_id:
    description:
      - ID of the partner, for V(all) and V(exists).
    type: int
  template_id:
    description:
      - ID of the template, for V(all) and V(exists).
    type: int
  data_store_number:
    description:
      - Number of the data store, a string, for V(all) and V(exists).
    type: str
seealso:
  - module: fcd.cloud.warehouse
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Find the warehouses of a partner
  fcd.cloud.warehouse_info:
    partner_id: 12

- name: Check whether a warehouse exists
  fcd.cloud.warehouse_info:
    subject: exists
    partner_id: 12
    template_id: 304
    data_store_number: DS-01
  register: asked

- name: Show the result
  ansible.builtin.debug:
    msg: "{{ 'It exists.' if asked.exists else 'It does not exist.' }}"
"""

RETURN = r"""
warehouses:
  description:
    - The warehouses, as M(fcd.cloud.warehouse) returns them; an empty list if there are none.
    - Values for which the WSDL has no member are null.
    - Each has the keys of RV(fcd.cloud.warehouse#module:warehouse).
  returned: success, except for the subject V(exists)
  type: list
  elements: dict
  sample:
    - {id: 7, name: spare, partner_id: 12, template_id: 304, data_store_number: DS-01, queue_length: 4, members: {}}
exists:
  description:
    - Whether there is a warehouse with this partner, template and data store.
  returned: success, for the subject V(exists)
  type: bool
  sample: true
missing:
  description: The value of O(warehouse_id) if it does not exist; otherwise, an empty list.
  returned: success, for the subject V(one)
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import WAREHOUSE_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_fixed_amount_info
short_description: Read the fixed amount of a client
version_added: 1.0.0
description:
  - Reads the current fixed amount of a client, or its history.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
options:
  subject:
    description:
      - What to read, the V(current) amount, which is the default, or the V(history).
    type: str
    choices: [current, history]
  client_id:
    description:
      - ID of the client.
    type: int
    required: true
seealso:
  - module: fcd.cloud.client_fixed_amount
  - module: fcd.cloud.client_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read the fixed amount of a client
  fcd.cloud.client_fixed_amount_info:
    client_id: 100

- name: Read all fixed amounts that the client has had
  fcd.cloud.client_fixed_amount_info:
    client_id: 100
    subject: history
"""

RETURN = r"""
client_fixed_amounts:
  description:
    - The current amount, or the history; an empty list if there is none.
    - In addition to the keys listed here, an entry has all members that the service sends, in snake_case.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the fixed amount.
      type: int
      returned: if the WSDL has a member for it
    client_id:
      description: ID of the client.
      type: int
      returned: if the WSDL has a member for it
    amount:
      description: The exact amount, as a string.
      type: str
      returned: if the WSDL has a member for it
    date_from:
      description: Start of the period.
      type: str
      returned: if the WSDL has a member for it
    date_to:
      description: End of the period.
      type: str
      returned: if the WSDL has a member for it
    description:
      description: Its description.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 1001, client_id: 100, amount: "99.50", date_from: "2026-01-01T00:00:00", date_to: null, description: agreed}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import FIXED_AMOUNT_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

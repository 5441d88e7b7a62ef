#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_fixed_amount
short_description: Manage the fixed amount of a client
version_added: 0.1.0
description:
  - Creates, changes and deletes the fixed amount of a client through the SOAP contract. A client has one or none.
  - An update of the service replaces the whole amount. So the module reads it, merges what is declared, and sends every
    member.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
  - fcd.cloud._waiting.force
options:
  client_id:
    description:
      - Number of the client.
    type: int
    required: true
  amount:
    description:
      - The amount, a decimal number. C(10) and C(10.00) are the same. Needed to create one.
    type: str
  date_from:
    description:
      - When it begins, a date and time such as C(2026-05-01T00:00:00Z) or a date.
    type: str
  date_to:
    description:
      - When it ends.
    type: str
  description:
    description:
      - Text that describes it. An empty one takes it away.
    type: str
  fields:
    description:
      - Whatever else C(ClientFixedAmount) has, by member in any spelling, with the same checks.
        M(fcd.cloud.contract_info) lists its members. A null empties a member.
    type: dict
  state:
    description:
      - Whether the client should have a fixed amount.
    type: str
    choices: [present, absent]
    default: present
  create_grace:
    description:
      - Seconds for which a new amount may stay invisible. So long it is looked for after it was created, and after a
        create without a clear answer, before the task fails.
    type: float
    default: 30.0
notes:
  - The service has no idempotency key and C(CreateClientFixedAmount) returns nothing. The create is sent once, under a
    lock, and noted on disk before; the amount is then read back.
  - The service shows one amount of a client. For ten minutes after a create the history of the amounts is read too, and
    two that were made since are an error with both ids, until O(state=absent) has removed one.
  - The lock holds for tasks with the same O(state_dir), those of one user on one machine. With O(lock_container) it
    holds for all controllers.
  - Only what is given is compared. Numbers and times count as equal however they are written; a time without a zone is
    the one that the service's clock shows.
  - >-
    The names of the members are read from the WSDL. Where none fits an option that is given, the task fails before it
    sends anything, and names those that there are; O(soap_member_map) can name the member, for example
    C({"ClientFixedAmount.amount":"NetValue"}).
seealso:
  - module: fcd.cloud.client_fixed_amount_info
"""

EXAMPLES = r"""
- name: Set a fixed amount for a client
  fcd.cloud.client_fixed_amount:
    client_id: 100
    amount: "120.00"
    date_from: "2026-01-01"
    description: hosting

- name: Raise it
  fcd.cloud.client_fixed_amount:
    client_id: 100
    amount: "135.50"

- name: Remove it
  fcd.cloud.client_fixed_amount:
    client_id: 100
    state: absent
"""

RETURN = r"""
client_fixed_amount:
  description:
    - The fixed amount as it is, or in check mode would be; null when there is none.
    - What the WSDL has no member for is null. Members that were given in O(fields) are there under their own names.
  returned: success
  type: dict
  contains:
    id:
      description: Number of the fixed amount; null in check mode before it is created.
      type: int
      returned: always
    client_id:
      description: Number of the client.
      type: int
      returned: always
    amount:
      description: The amount, the decimal number as text.
      type: str
      returned: always
    date_from:
      description: When it begins.
      type: str
      returned: always
    date_to:
      description: When it ends.
      type: str
      returned: always
    description:
      description: Its description.
      type: str
      returned: always
    members:
      description: What else the service tells of it, in snake_case.
      type: dict
      returned: always
  sample:
    id: 1001
    client_id: 100
    amount: "120.00"
    date_from: "2026-01-01T00:00:00"
    date_to: null
    description: hosting
    members:
      creation_date: "2026-01-03T09:30:00Z"
action:
  description: What was done, or in check mode would be done.
  returned: success
  type: str
  sample: create
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.client_fixed_amount import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

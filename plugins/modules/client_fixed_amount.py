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
  - Creates, changes and deletes the fixed amount of a client through the SOAP contract. A client has at most one.
  - An update replaces the whole amount. The module therefore reads it, merges the declared values, and sends every
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
      - ID of the client.
    type: int
    required: true
  amount:
    description:
      - The amount, a decimal number. C(10) and C(10.00) are equal. Required to create one.
    type: str
  date_from:
    description:
      - Start of the period, as a date and time such as C(2026-05-01T00:00:00Z) or as a date.
    type: str
  date_to:
    description:
      - End of the period.
    type: str
  description:
    description:
      - Text that describes it. An empty string removes it.
    type: str
  fields:
    description:
      - Any other members of C(ClientFixedAmount), a free mapping with names in any spelling and the same checks.
        M(fcd.cloud.contract_info) lists its members. Null clears a member.
    type: dict
  state:
    description:
      - Whether the client should have a fixed amount.
    type: str
    choices: [present, absent]
    default: present
  create_grace:
    description:
      - Time in seconds during which a new amount may not be visible yet. The module looks for it for this long after
        creating it, and after a create with an unclear outcome before the task fails.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - The service has no idempotency keys and C(CreateClientFixedAmount) returns nothing. The create is therefore sent
    only once, under a lock, and recorded on disk beforehand; the amount is then read back.
  - The service shows only one amount of a client. For ten minutes after a create, the history of the amounts is read
    too. If two amounts have been created since, the task fails and shows both IDs, until O(state=absent) has removed
    one.
  - The lock covers tasks that share O(state_dir), that is, those of one user on one host. With O(lock_container), it
    covers all controllers.
  - Only the values that you set are compared. Numbers and times are equal regardless of their notation; a time without
    a time zone is in the time zone of the service's clock.
  - The names of the members are read from the WSDL. If none matches a given option, the task fails before it sends
    anything and lists those that exist; O(soap_member_map) can name the member, for example
    C({"ClientFixedAmount.amount":"NetValue"}).
seealso:
  - module: fcd.cloud.client
  - module: fcd.cloud.client_fixed_amount_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Set a fixed amount for a client
  fcd.cloud.client_fixed_amount:
    client_id: 100
    amount: "120.00"
    date_from: "2026-01-01"
    description: hosting

- name: Raise the fixed amount
  fcd.cloud.client_fixed_amount:
    client_id: 100
    amount: "135.50"

- name: Remove the fixed amount
  fcd.cloud.client_fixed_amount:
    client_id: 100
    state: absent
"""

RETURN = r"""
client_fixed_amount:
  description:
    - The fixed amount after the task, or in check mode as it would be; null if there is none.
    - Values for which the WSDL has no member are null. Members that were given in O(fields) are returned under their
      own names.
  returned: success
  type: dict
  contains:
    id:
      description: ID of the fixed amount; null in check mode before it is created.
      type: int
      returned: always
    client_id:
      description: ID of the client.
      type: int
      returned: always
    amount:
      description: The amount, the decimal number as a string.
      type: str
      returned: always
    date_from:
      description: Start of the period.
      type: str
      returned: always
    date_to:
      description: End of the period.
      type: str
      returned: always
    description:
      description: Its description.
      type: str
      returned: always
    members:
      description: Everything else that the service reports about it, in snake_case. A free mapping.
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
  description: The action taken, or in check mode the action that would be taken.
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

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_info
short_description: Read clients
version_added: 1.0.0
description:
  - Finds clients, reads one client with related data, or reads the history of changes.
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
      - What to read. If omitted, the other options determine it; without any option, it is V(all).
      - V(one) is the client O(client_id), V(all) searches clients, V(history) searches the history of clients.
      - With O(client_id), search options such as O(search_text) imply V(history).
      - V(customer_service_users) are the users who serve clients.
      - V(domain_blocked) shows whether O(domain) is blocked for O(partner_id).
      - V(recommending_exists) shows whether there is a recommending client with the ID O(recommending_id).
    type: str
    choices: [one, all, history, customer_service_users, domain_blocked, recommending_exists]
  client_id:
    description:
      - ID of the client, for V(one) and V(history).
    type: int
    aliases: [id]
  include:
    description:
      - What else to read about the client, for V(one). Each takes a further request; V(all) means each of them.
    type: list
    elements: str
    choices:
      - all
      - billing_users
      - currency_code
      - default_user
      - has_automatic_card_payment
      - has_freemium
      - has_users
      - pit_data
      - referrer_periods
      - referrer_users
      - salesman_name
  include_deleted:
    description:
      - Whether to find the client even if it was deleted, for V(one).
    type: bool
  show_pesel:
    description:
      - Whether to show national identification numbers. Otherwise, V((hidden\)) replaces each of them.
      - The result is shown in the output and in logs of Ansible; set C(no_log) on the task to prevent this.
    type: bool
  status:
    description:
      - Status of the clients, in any spelling, for V(all). If the WSDL does not have the status, the task fails and
        lists those that it has.
    type: str
  vat_id:
    description:
      - VAT number of the clients, for V(all).
    type: str
  date_from:
    description:
      - Start of the period in ISO 8601 format, for V(history).
    type: str
  date_to:
    description:
      - End of the period in ISO 8601 format, for V(history).
    type: str
  partner_id:
    description:
      - ID of the partner, for V(domain_blocked).
    type: int
  domain:
    description:
      - The name of the domain, for V(domain_blocked).
    type: str
  recommending_id:
    description:
      - ID of the recommending client, for V(recommending_exists).
    type: int
seealso:
  - module: fcd.cloud.client
  - module: fcd.cloud.client_user_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Find clients
  fcd.cloud.client_info:
    search: freight
    status: active
  register: found

- name: Read a client with its default user and its currency
  fcd.cloud.client_info:
    client_id: "{{ found.clients[0].id }}"
    include: [default_user, currency_code]

- name: Read a client that may have been deleted
  fcd.cloud.client_info:
    client_id: 102
    include_deleted: true

- name: Read the history of a client for this year
  fcd.cloud.client_info:
    subject: history
    client_id: 100
    date_from: "2026-01-01T00:00:00Z"

- name: Check whether a domain is blocked
  fcd.cloud.client_info:
    partner_id: 100
    domain: blocked.example.com
"""

RETURN = r"""
clients:
  description:
    - The clients; an empty list if there are none.
    - In addition to the keys listed here, a client has all members that the service sends, in snake_case.
  returned: success, for the subjects V(one) and V(all)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the client.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
    status:
      description: Its status, as the WSDL spells it.
      type: str
      returned: if the WSDL has a member for it
    vat_id:
      description: Its VAT number.
      type: str
      returned: if the WSDL has a member for it
    is_deleted:
      description: Whether it was deleted.
      type: bool
      returned: if the WSDL has a member for it
    included:
      description: The data requested with O(include), by these names; null if there is none.
      type: dict
      returned: for the subject V(one)
      contains:
        billing_users:
          description: Users by whom bills can be filtered. A free mapping.
          type: list
          elements: dict
          returned: if requested
        currency_code:
          description: Code of the currency.
          type: str
          returned: if requested
        default_user:
          description: The default user. A free mapping.
          type: dict
          returned: if requested
        has_automatic_card_payment:
          description: Whether the balance is paid by card automatically.
          type: bool
          returned: if requested
        has_freemium:
          description: Whether the free plan is active.
          type: bool
          returned: if requested
        has_users:
          description: Whether it has users.
          type: bool
          returned: if requested
        pit_data:
          description: Income tax data. A free mapping.
          type: dict
          returned: if requested
        referrer_periods:
          description: Periods of the referrer.
          type: list
          elements: str
          returned: if requested
        referrer_users:
          description: Users of the referrer. A free mapping.
          type: list
          elements: dict
          returned: if requested
        salesman_name:
          description: Name of the salesman.
          type: str
          returned: if requested
  sample:
    - {id: 101, status: Active, vat_id: null, is_deleted: false, client_id: 101, included: {currency_code: PLN}}
history:
  description:
    - The entries of the history; an empty list if there are none.
    - In addition to the keys listed here, an entry has all members that the service sends, in snake_case.
  returned: success, for the subject V(history)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the entry.
      type: int
      returned: if the WSDL has a member for it
    client_id:
      description: ID of the client.
      type: int
      returned: if the WSDL has a member for it
  sample:
    - {id: 1001, client_id: 100, operation_type: UpdateClientStatus, comment: paid}
customer_service_users:
  description:
    - The users who serve clients, with all members that the service sends, in snake_case.
    - A free mapping.
  returned: success, for the subject V(customer_service_users)
  type: list
  elements: dict
  sample: [{user_id: 4, full_name: Fourth User, email: fourth.user@example.com}]
domain_blocked:
  description:
    - Whether the domain is blocked.
  returned: success, for the subject V(domain_blocked)
  type: bool
  sample: true
recommending_exists:
  description:
    - Whether there is a recommending client with this ID.
  returned: success, for the subject V(recommending_exists)
  type: bool
  sample: true
missing:
  description: The value of O(client_id) if it does not exist; otherwise, an empty list.
  returned: success, for the subject V(one)
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import CLIENT_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

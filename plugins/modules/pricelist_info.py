#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: pricelist_info
short_description: Read price lists
version_added: 0.1.0
description:
  - Reads price lists, and which clients have them.
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
      - What to read. If omitted, the other options select V(all), V(of_client) or V(clients).
      - V(all) searches price lists.
      - V(of_client) returns all price lists that the client O(client_id) owns, V(of_client_simple) the same as
        C(PricelistSimple), and V(simple) what the service lists for a client with C(GetPricelistsSimple).
      - V(current) returns the current price list of the client O(client_id).
      - V(clients) searches clients with their price lists.
    type: str
    choices: [all, simple, of_client, of_client_simple, current, clients]
  client_id:
    description:
      - ID of the client. Not for V(clients).
    type: int
    aliases: [owner_client_id]
  only_active:
    description:
      - Whether V(all) leaves out inactive price lists.
    type: bool
  pricelist_id:
    description:
      - ID of the price list whose clients are returned, for V(clients).
    type: int
    aliases: [id]
seealso:
  - module: fcd.cloud.pricelist_delete
  - module: fcd.cloud.client_pricelist
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Find price lists by name
  fcd.cloud.pricelist_info:
    search: partner
    only_active: true
  register: found

- name: Read the clients that have the first price list
  fcd.cloud.pricelist_info:
    subject: clients
    pricelist_id: "{{ found.pricelists[0].id }}"

- name: Read the current price list of a client
  fcd.cloud.pricelist_info:
    subject: current
    client_id: 100
"""

RETURN = r"""
pricelists:
  description:
    - The price lists; an empty list if there are none.
    - In addition to the keys listed here, a price list has all members that the service sends, in snake_case.
  returned: success, except for the subject V(clients)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the price list.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
    is_active:
      description: Whether it is active.
      type: bool
      returned: if the WSDL has a member for it
  sample:
    - {id: 2, name: partner, is_active: true, pricelist_id: 2, clients_count: 1}
clients:
  description:
    - The clients with their price lists; an empty list if there are none.
    - In addition to the keys listed here, an entry has all members that the service sends, in snake_case.
  returned: success, for the subject V(clients)
  type: list
  elements: dict
  contains:
    client_id:
      description: ID of the client.
      type: int
      returned: if the WSDL has a member for it
    pricelist_id:
      description: ID of its price list.
      type: int
      returned: if the WSDL has a member for it
  sample:
    - {client_id: 102, pricelist_id: 2, client_name: Fourth User}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import PRICELIST_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

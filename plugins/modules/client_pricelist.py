#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_pricelist
short_description: Assign a price list to clients
version_added: 0.1.0
description:
  - Ensures that clients have a price list, through the SOAP contract. All clients with a different price list are
    changed together, with one C(ChangePricelist).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
options:
  client_ids:
    description:
      - IDs of the clients. There may be thousands.
    type: list
    elements: int
    required: true
  pricelist_id:
    description:
      - ID of the price list.
    type: int
  pricelist:
    description:
      - The name of the price list among those that C(GetPricelists) finds, compared exactly, or else ignoring case.
    type: str
    aliases: [pricelist_name]
  owner_client_id:
    description:
      - ID of the client that owns the price list named by O(pricelist), to search only its price lists.
    type: int
notes:
  - Up to five clients are read one by one, with C(GetClientCurrentPricelist). For more clients, one search with
    C(GetPricelistsClients) returns who has which price list, page by page, so thousands of clients take few requests. A
    client that is listed with several price lists is read individually to find its current one. If the WSDL has no
    members for client and price list in its rows, clients are always read one by one.
  - >-
    The names of the members are read from the WSDL; O(soap_member_map) can name one, for example
    C({"PricelistClientView.pricelist_id":"TariffId"}).
seealso:
  - module: fcd.cloud.pricelist_delete
  - module: fcd.cloud.pricelist_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Assign a price list to two clients
  fcd.cloud.client_pricelist:
    client_ids: [100, 101]
    pricelist: partner

- name: Find all clients
  fcd.cloud.client_info:
  register: found

- name: Assign the price list to all clients
  fcd.cloud.client_pricelist:
    client_ids: "{{ found.clients | map(attribute='id') }}"
    pricelist_id: 1
"""

RETURN = r"""
client_pricelist:
  description: The price list and its clients.
  returned: success
  type: dict
  contains:
    pricelist_id:
      description: ID of the price list.
      type: int
      returned: always
    client_ids:
      description: IDs of the clients, without duplicates.
      type: list
      elements: int
      returned: always
    changed_client_ids:
      description: IDs of the clients that were assigned the price list, or in check mode would be.
      type: list
      elements: int
      returned: always
  sample:
    pricelist_id: 1
    client_ids: [100, 101]
    changed_client_ids: [101]
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.pricelist import CLIENT_PRICELIST as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

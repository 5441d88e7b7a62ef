#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: pricelist_delete
short_description: Delete price lists of a client
version_added: 0.1.0
description:
  - Deletes price lists of a client. Price lists that do not exist are no error.
  - The SOAP contract has no operation for creating or changing price lists, so there is no module that manages them.
  - To assign price lists to clients, use M(fcd.cloud.client_pricelist); to read them, use M(fcd.cloud.pricelist_info).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
options:
  client_id:
    description:
      - ID of the client that owns the price lists.
    type: int
    required: true
  ids:
    description:
      - IDs of the price lists to delete.
    type: list
    elements: int
  names:
    description:
      - Names of the price lists to delete, compared exactly. A name that several price lists share is an error.
    type: list
    elements: str
notes:
  - A price list that C(GetClientPricelistsSimple) does not return for the client counts as deleted. All existing ones
    are deleted with one C(DeletePricelists); whether a price list in use can be deleted depends on the service.
seealso:
  - module: fcd.cloud.pricelist_info
  - module: fcd.cloud.client_pricelist
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Delete an unused price list
  fcd.cloud.pricelist_delete:
    client_id: 101
    names: [old]
"""

RETURN = r"""
deleted:
  description: The price lists that were deleted, or in check mode would be.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the price list.
      type: int
      returned: always
    name:
      description: Name of the price list; null if the WSDL has no member for it.
      type: str
      returned: always
  sample:
    - id: 3
      name: old
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.pricelist import PRICELIST_DELETE as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: pricelist
short_description: Delete price lists of a client
version_added: 0.1.0
description:
  - Deletes price lists of a client through the SOAP contract, which has no operation that creates or changes one.
  - M(fcd.cloud.client_pricelist) gives price lists to clients, M(fcd.cloud.pricelist_info) reads them.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
options:
  client_id:
    description:
      - Number of the client that owns the price lists.
    type: int
    required: true
  ids:
    description:
      - Numbers of the price lists that are not to exist.
    type: list
    elements: int
  names:
    description:
      - Names of price lists that are not to exist, compared exactly. A name that several bear is an error.
    type: list
    elements: str
  state:
    description:
      - The desired state of the price lists.
    type: str
    choices: [absent]
    required: true
notes:
  - What C(GetClientPricelistsSimple) does not show for the client counts as absent. All that are there are deleted with
    one C(DeletePricelists); whether one that clients use can be deleted is up to the service.
seealso:
  - module: fcd.cloud.pricelist_info
  - module: fcd.cloud.client_pricelist
"""

EXAMPLES = r"""
- name: Delete a price list that nobody uses
  fcd.cloud.pricelist:
    client_id: 101
    names: [old]
    state: absent
"""

RETURN = r"""
deleted:
  description: The price lists that were deleted, or in check mode would be.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: Number of the price list.
      type: int
      returned: always
    name:
      description: Its name; null where the WSDL has no member for it.
      type: str
      returned: always
  sample:
    - id: 3
      name: old
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.pricelist import PRICELIST as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

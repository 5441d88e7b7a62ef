#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: invoice_info
short_description: Read an invoice
version_added: 1.0.0
description:
  - Reads one invoice.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
options:
  invoice_id:
    description:
      - ID by which the service knows the invoice. It is not the number printed on it. The contract has no operation
        that lists invoices or finds those of a client.
    type: int
    required: true
    aliases: [id]
  include_document:
    description:
      - Whether the result includes the document itself, Base64-encoded. Otherwise, it includes only its size and
        checksum. M(fcd.cloud.document_download) writes it to a file.
    type: bool
seealso:
  - module: fcd.cloud.document_download
  - module: fcd.cloud.client_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read an invoice
  fcd.cloud.invoice_info:
    invoice_id: 1301

- name: Read an invoice together with its document
  fcd.cloud.invoice_info:
    invoice_id: 1301
    include_document: true
"""

RETURN = r"""
invoices:
  description:
    - The invoice; an empty list if there is none.
    - In addition to the keys listed here, it has all members that the service sends, in snake_case.
    - Instead of a document, it has C(size) and C(sha256), unless O(include_document) is set.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID by which the service knows the invoice.
      type: int
      returned: if the WSDL has a member for it
    number:
      description: The number printed on it.
      type: str
      returned: if the WSDL has a member for it
    client_id:
      description: ID of the client.
      type: int
      returned: if the WSDL has a member for it
  sample:
    - {id: 1301, number: FV/2026/02/17, client_id: 100, gross_value: "1230.00", is_paid: true}
missing:
  description: The value of O(invoice_id) if it does not exist; otherwise, an empty list.
  returned: success
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import INVOICE_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

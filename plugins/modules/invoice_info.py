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
  - Reads one invoice, and optionally writes its document to a file.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._documents
options:
  invoice_id:
    description:
      - ID by which the service knows the invoice. It is not the number printed on it.
    type: int
    required: true
    aliases: [id]
notes:
  - O(dest) requires an invoice that exists and has a document; otherwise, the task fails and no file is changed.
seealso:
  - module: fcd.cloud.client_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read an invoice
  fcd.cloud.invoice_info:
    invoice_id: 1301
  register: read

- name: Save the document of an invoice
  fcd.cloud.invoice_info:
    invoice_id: 1301
    dest: invoice-1301.pdf
    mode: "0640"
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
file:
  description:
    - The file that has the document, or in check mode would have it.
  returned: if O(dest) is given
  type: str
  sample: /srv/invoices/invoice-1301.pdf
size:
  description:
    - Length of the document in bytes.
  returned: if O(dest) is given
  type: int
  sample: 16
sha256:
  description:
    - SHA-256 of the document in hexadecimal.
  returned: if O(dest) is given
  type: str
  sample: 9879a54b23a427f0572f379114a4a2419a93acbda87f7755682b5149174e37eb
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import INVOICE_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

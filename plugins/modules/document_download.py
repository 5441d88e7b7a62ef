#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: document_download
short_description: Download the document of an invoice or the icon of a template
version_added: 1.0.0
description:
  - Ensures that a file on the host on which the module runs has the content of a document.
  - The service sends a document as a part of the record that it belongs to, so the document is read each time the task
    runs. The file is replaced atomically, and only if its content differs.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
options:
  invoice_id:
    description:
      - ID of the invoice to download the document of. Mutually exclusive with O(icon_id).
    type: int
  icon_id:
    description:
      - ID of the icon of a template to download.
    type: int
  dest:
    description:
      - Path of the file to write. If it is an existing folder or ends with a slash, the file is called
        C(invoice-<ID>) or C(icon-<ID>), with the extension of a PDF, PNG, JPEG or GIF file if it is one. The folder is
        not created.
      - Symbolic links are followed, except those of other users.
    type: path
    required: true
  mode:
    description:
      - Permissions of the file in octal, quoted, for example V('0640'). Without quotes, YAML turns V(640) into a
        decimal number, which is rejected. Special bits, as in V('4755'), are rejected too.
      - If omitted, a file that is written gets V('0600'), and a file that already has the right content keeps its
        permissions.
    type: raw
  checksum:
    description:
      - Checksum that the document must have, as C(<algorithm>:<digest>), for example C(sha256:9879a5...). The algorithm
        is C(sha256), C(sha384) or C(sha512).
      - If the document has another one, the task fails and no file is changed.
    type: str
notes:
  - If the invoice or the icon does not exist, or has no document, the task fails and no file is changed.
  - >-
    The document is the member that the WSDL declares as C(base64Binary). If there are several, O(soap_member_map)
    selects one under the name C(document), for example C({"Invoice.document": "Pdf"}).
seealso:
  - module: fcd.cloud.invoice_info
  - module: fcd.cloud.template_info
  - module: fcd.cloud.storage_object_download
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Download an invoice
  fcd.cloud.document_download:
    invoice_id: 1301
    dest: invoice-1301.pdf
    mode: "0640"

- name: Download an icon, only if it is the expected one
  fcd.cloud.document_download:
    icon_id: 801
    dest: linux.png
    checksum: sha256:4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6
"""

RETURN = r"""
file:
  description:
    - The file that has the document, or in check mode would have it.
  returned: success
  type: str
  sample: /srv/invoices/invoice-1301.pdf
size:
  description:
    - Length of the document in bytes.
  returned: success
  type: int
  sample: 16
sha256:
  description:
    - SHA-256 of the document in hexadecimal.
  returned: success
  type: str
  sample: 9879a54b23a427f0572f379114a4a2419a93acbda87f7755682b5149174e37eb
mode:
  description:
    - Permissions of the file, in octal.
  returned: success
  type: str
  sample: "0640"
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.documents import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()

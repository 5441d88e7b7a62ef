# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and attributes of readers that can write a document to a file. Private to the collection."""

from __future__ import annotations


class ModuleDocFragment:
    """C(fcd.cloud._documents), in place of C(fcd.cloud._attributes.reading)."""

    DOCUMENTATION = r"""
options:
  dest:
    description:
      - Path of the file to write the document to, on the host on which the module runs. Its folder must exist.
      - The file is replaced atomically, and only if its content differs.
      - >-
        The document is the member that the WSDL declares as C(base64Binary). If there are several, O(soap_member_map)
        selects one under the name C(document), for example C({"Invoice.document": "Pdf"}).
    type: path
  mode:
    description:
      - Permissions of the file O(dest) in octal, quoted, for example V('0640'). Without quotes, YAML turns V(640) into
        a decimal number, which is rejected.
      - If omitted, a file that is written gets V('0600'), and a file that already has the right content keeps its
        permissions.
    type: raw
  include_document:
    description:
      - Whether the result includes the document itself, Base64-encoded. Otherwise, it includes only its size and
        checksum.
    type: bool
attributes:
  check_mode:
    description: Can run in C(check_mode) and report what would change without changing it.
    support: full
    details: The document is still read from the service, but the file O(dest) is not written.
  diff_mode:
    description: Reports what has changed, or in check mode what would change, in diff mode.
    support: none
    details: Documents are not text.
  idempotent:
    description: When run twice in a row outside check mode with the same options, the second run changes nothing.
    support: full
  action_group:
    description: Use C(group/fcd.cloud.fcd) in C(module_defaults) to set defaults for this module.
    support: full
    membership:
      - fcd.cloud.fcd
"""

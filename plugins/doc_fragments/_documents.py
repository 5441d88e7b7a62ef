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
      - File to write the document to, on the host on which the module runs. Its folder has to exist.
      - It is replaced in one step, and only when its content differs.
      - >-
        The document is the member that the WSDL declares as C(base64Binary); where there are several,
        O(soap_member_map) says under the name C(document) which one, for example C({"Invoice.document": "Pdf"}).
    type: path
  mode:
    description:
      - Permissions of the file O(dest) in octal, quoted, for example V('0640'). Without quotes YAML makes a decimal
        number of V(640), which is refused.
      - Without it, a file that is written gets V('0600'), and one that has the content already keeps its own.
    type: raw
  include_document:
    description:
      - Whether the result holds the document itself, as base64. Otherwise it holds its size and checksum only.
    type: bool
attributes:
  check_mode:
    description: Can run in C(check_mode) and tell what would change without changing it.
    support: full
    details: The service is read all the same; the file O(dest) is not written.
  diff_mode:
    description: Tells what has changed, or would change, in diff mode.
    support: none
    details: Documents are no text.
  idempotent:
    description: When run twice in a row outside check mode with the same options, the second run changes nothing.
    support: full
  action_group:
    description: Use C(group/fcd.cloud.fcd) in C(module_defaults) to set defaults for this module.
    support: full
    membership:
      - fcd.cloud.fcd
"""

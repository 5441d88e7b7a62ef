# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents of invoices and icons: found by the schema, and described in place of shown."""

from __future__ import annotations

import base64
import hashlib
import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._contract import catalogue_readers, documents, readers
from ansible_collections.fcd.cloud.plugins.module_utils._contract.catalogue_readers import list_entry_type
from ansible_collections.fcd.cloud.plugins.module_utils._contract.documents import binary_paths
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

INVOICE = readers.INVOICE_INFO
CONTENT = b"%PDF-1.4 example"
DESCRIBED = {"size": 16, "sha256": hashlib.sha256(CONTENT).hexdigest()}


def test_an_invoice_is_shown_without_its_document(bench: Bench) -> None:
    read = bench.run(INVOICE, invoice_id=1301)
    assert set(read) == {"changed", "invoices", "missing"}
    (invoice,) = read["invoices"]
    assert (invoice["id"], invoice["number"], invoice["client_id"]) == (1301, "FV/2026/02/17", 100)
    assert (invoice["document"], invoice["gross_value"]) == (DESCRIBED, "1230.00")
    (invoice,) = bench.run(INVOICE, invoice_id=1301, include_document=True)["invoices"]
    assert base64.b64decode(invoice["document"]) == CONTENT
    assert bench.run(INVOICE, invoice_id=9) == {"changed": False, "invoices": [], "missing": [9]}


def test_an_icon_is_shown_without_its_content(bench: Bench) -> None:
    (icon,) = bench.run(catalogue_readers.TEMPLATE_INFO, icon_id=801)["icons"]
    assert (icon["file_name"], icon["content"]["size"]) == ("linux.png", 8)


def contract(types: dict[str, t.Any]) -> Contract:
    return Contract({"source": "", "endpoint": None, "envelope": "", "operations": {}, "left_out": {}, "types": types})


def test_documents_are_found_inside_and_never_endlessly() -> None:
    types = {
        "Invoice": "- Pdf Pdf xs:base64Binary 000 File File File 000 Parts Parts ArrayOfFile 000 "
        "Owner Owner Invoice 000",
        "File": "- Name Name xs:string 000 Content Content Blob 000 Any Any xs:anyType 000",
        "ArrayOfFile": "- File File File 010",
        "Blob": {"simple": "base64Binary", "enum": []},
    }
    found = binary_paths(contract(types), "invoice")
    assert found[:2] == [("pdf",), ("file", "content")]
    assert {len(path) for path in found} == {1, 2, 3, 4}
    row = {"pdf": "", "file": {"name": "a", "content": "JVBERi0xLjQgZXhhbXBsZQ=="}, "owner": None}
    told = documents._describe_in(row, found)
    assert told["file"] == {"name": "a", "content": DESCRIBED}
    assert (told["pdf"]["size"], told["owner"]) == (0, None)


def test_what_a_member_holds() -> None:
    made = contract(
        {"A": "- Many Many B 010 List List ListOfB 000 Text Text xs:string 000", "B": "-", "ListOfB": "- B B B 010"}
    )
    assert [list_entry_type(made, "A", key) for key in ("many", "list", "text", "none")] == ["B", "B", None, None]
    assert binary_paths(made, "C") == []

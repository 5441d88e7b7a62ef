# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The WSDL and schema documents as files, and as a client gets them over the net.

The files in ``wsdl/`` are the source: they import each other by file name, so that any reader can load them from the
folder. Over the net they import each other as the provider's kind of service does: ``{address}?xsd=xsdN``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parent / "wsdl"
WSDL_FILE = "CommonFcd.wsdl"

_LOCATION = re.compile(r'schemaLocation="(xsd\d+)\.xsd"')
_IMPORT = re.compile(r'schemaLocation="xsd\d+\.xsd" ')
_ADDRESS = "https://node1.internal.example/CommonFcd.svc"


@lru_cache(maxsize=None)
def text(name: str) -> str:
    """A document as it stands in the folder."""
    return (FOLDER / name).read_text(encoding="utf-8")


def schema_files() -> list[Path]:
    """The schema documents, in the order of their numbers."""
    return sorted(FOLDER.glob("xsd*.xsd"))


def served(query: str, published: str, imports: str, *, bare: bool = False) -> str | None:
    """The document that a query string asks for, or None when there is none.

    Args:
        query: ``wsdl`` or ``xsd=xsdN``, in any case.
        published: address of the service to write into the WSDL.
        imports: address that the documents import each other from.
        bare: leave the addresses of imports between schema documents out (the WSDL of 2013 was seen without them;
            those of the WSDL itself stay).
    """
    desired = query.lower()
    if desired == "wsdl":
        return _moved(text(WSDL_FILE), imports).replace(_ADDRESS, published)
    name = f"{desired[4:]}.xsd"
    if not desired.startswith("xsd=") or FOLDER / name not in schema_files():
        return None
    return _IMPORT.sub("", text(name)) if bare else _moved(text(name), imports)


def _moved(document: str, imports: str) -> str:
    return _LOCATION.sub(lambda match: f'schemaLocation="{imports}?xsd={match.group(1)}"', document)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body that should have been XML is instead, in words."""

from __future__ import annotations

from collections.abc import Mapping

_XML_DECLARATION = b"<?xml"


def asks_for_login(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether a refusal can be one of the SOAP service: it asks for HTTP Basic, or it is XML."""
    challenge = headers.get("www-authenticate", "").lower()
    return "basic" in challenge or describe(body).startswith("XML")


def describe(body: bytes) -> str:
    """Return words such as ``an HTML page`` for an error message; the content itself never shows."""
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        return "nothing"
    if start.startswith((b"<!doctype html", b"<html")) or (start.startswith(_XML_DECLARATION) and b"<html" in start):
        return "an HTML page"
    if start[:1] in (b"{", b"["):
        return "JSON"
    if start.startswith(b"<"):
        return "XML that is broken or cut off"
    return "plain text" if b"\x00" not in start else "binary data"

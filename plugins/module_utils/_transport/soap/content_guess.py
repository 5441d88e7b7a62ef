# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an answer that should have been a SOAP envelope, or a WSDL, is instead, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..._core.names import quoted

OTHER_LOGINS = ("Bearer", "Digest", "Kerberos", "Negotiate", "NTLM")
TEXT_ENCODING = "Its binding has to answer in plain text: text/xml or application/soap+xml, without attachments."
CHECK_LOGIN = (
    "Check username, password and soap_user_prefix; if they are right, check soap_url: it has to be the address of the "
    "SOAP service itself."
)

_XML_DECLARATION = b"<?xml"
_ATTACHED, _BINARY = "a multipart message (MTOM or SOAP with attachments)", "the binary encoding of SOAP"
_PACKED_UP = (("multipart/", _ATTACHED), ("application/soap+msbin", _BINARY), ("application/fastinfoset", _BINARY))


def refused_login(status: int, headers: Mapping[str, str], body: bytes, user: str) -> str:
    """Return words for an answer 401 or 403 without a fault, whatever form it has.

    A service may refuse a wrong password with nothing but the status, and what stands at a wrong address may ask for a
    login of another kind: which of the two it is cannot be told.
    """
    found, challenge = describe(body, headers), headers.get("www-authenticate", "").lower()
    other = [] if "basic" in challenge else [name for name in OTHER_LOGINS if name.lower() in challenge]
    came = "" if found.startswith(("nothing", "XML")) else f", with {found}"
    asked = f" by HTTP Basic, while {' or '.join(other)} is asked for" if other else ""
    return f"the service refused the login (HTTP {status}{came}); it was sent as {quoted(user)}{asked}."


def advice(headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the next step where the form of an answer tells it."""
    return TEXT_ENCODING if describe(body, headers) in (_ATTACHED, _BINARY) else None


def describe(body: bytes, headers: Mapping[str, str] | None = None) -> str:
    """Return words such as ``an HTML page`` for an error message; the content itself never shows."""
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        return "nothing"
    told = (headers or {}).get("content-type", "").strip().lower()
    for kind, words in _PACKED_UP:
        if told.startswith(kind):
            return words
    if start.startswith((b"<!doctype html", b"<html")) or (start.startswith(_XML_DECLARATION) and b"<html" in start):
        return "an HTML page"
    if start[:1] in (b"{", b"["):
        return "JSON"
    if start.startswith(b"<"):
        return "XML that is broken or cut off"
    return "plain text" if b"\x00" not in start else "binary data"

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SOAP faults, of version 1.2 and 1.1 whatever the request was, as errors for the user.

Source: wire-facts 9.3. ``AuthorizationErrorDescription`` is Forbidden, error code 133 is Conflict (locked by a running
operation), other error codes are Rejected. A fault that blames the receiver and has no error code is a ServiceError:
the service broke down while it worked, and nobody knows how far it came.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import Conflict, Forbidden, Rejected, ServiceError, Unauthorized
from ..._core.names import fold
from .answer_tree import Node
from .client import LOCKED
from .contract import local
from .decoder import generic
from .envelope import SOAP_12

DENIED = "AuthorizationErrorDescription"
BAD_LOGIN = ("FailedAuthentication", "InvalidSecurity")
BROKEN = ("Receiver", "Server")

ADVICE = {
    "DestinationUnreachable": "The service knows itself by another address: set soap_to to it.",
    "ActionNotSupported": "The WSDL may have changed: set soap_contract_ttl to 1 once to read it anew.",
}

_LANGUAGE = "http://www.w3.org/XML/1998/namespace}lang"
_LONGEST = 300  # characters of the service's own words that are shown
_MOST_WORDS = 2000


class Fault(t.NamedTuple):
    """What a fault says: local names of the code and its subcodes, the words, the kind of detail, the error code."""

    codes: tuple[str, ...]
    words: str
    detail: str
    error_code: int | None


def read(node: Node) -> Fault:
    """Read a ``Fault`` element."""
    namespace = node.tag[1:].rpartition("}")[0]
    if namespace == SOAP_12:
        codes = tuple(_code(value) for code in _all(node, "Code") for value in _deep(code, "Value"))
        reasons = [text for reason in _all(node, "Reason") for text in _all(reason, "Text")]
        english = [text for text in reasons if text.attributes.get("{" + _LANGUAGE, "").startswith("en")]
        words, details = (english or reasons)[:1], _all(node, "Detail")
    else:
        codes = tuple(_code(value) for value in _all(node, "faultcode"))
        words, details = _all(node, "faultstring"), _all(node, "detail")
    content = [child for detail in details for child in detail.children]
    error_code, error_words = _described(content)
    spoken = error_words or (words[0].text if words else "")
    kinds = [local(child.tag) for child in content]
    return Fault(
        codes, " ".join(_start(spoken)), DENIED if DENIED in kinds else "".join(kinds[:1]), error_code
    )


def as_error(operation: str, fault: Fault, hide: t.Callable[[str], str], **details: t.Any) -> ServiceError:
    """Return the error for a fault; ``hide`` takes secrets out of the service's words."""
    words = hide(fault.words)[:_LONGEST] or "no reason given"  # cut last: half a secret is not known as one
    code = "" if fault.error_code is None else f" (error code {fault.error_code})"
    details.update(operation=operation, service_message=words, error_code=fault.error_code, fault=fault.detail or None)
    kind, what, next_step = _meaning(fault)
    advice = next((ADVICE[name] for name in fault.codes if name in ADVICE), next_step)
    return kind(f"{operation}: {what}: {words.rstrip('.')}{code}.", next_step=advice, **details)


def _meaning(fault: Fault) -> tuple[type[ServiceError], str, str | None]:
    if fault.detail == DENIED:
        return Forbidden, "not allowed", "Check the privileges of the user."
    if any(name in BAD_LOGIN for name in fault.codes):
        return Unauthorized, "the service refused the login", "Check username, password and soap_user_prefix."
    if fault.error_code == LOCKED:
        return Conflict, "the object is locked by a running operation", "Run the task again when that has ended."
    if fault.error_code is None and fault.codes[:1] and fault.codes[0] in BROKEN:
        return ServiceError, "the service failed", None
    return Rejected, "the service refused it", None


def _start(text: str) -> list[str]:
    """Return the first words: enough to show, and no secret cut in two where it shows."""
    return text.split(None, _MOST_WORDS)[:_MOST_WORDS]


def _all(node: Node, name: str) -> list[Node]:
    return [child for child in node.children if local(child.tag) == name]


def _deep(node: Node, name: str) -> t.Iterator[Node]:
    for child in node.children:
        if local(child.tag) == name:
            yield child
        else:
            yield from _deep(child, name)


def _code(node: Node) -> str:
    return node.text.strip().rpartition(":")[2]


def _described(content: t.Sequence[Node]) -> tuple[int | None, str]:
    """Return error code and words of the first detail element that has one of them."""
    for child in content:
        data = generic(child)
        members = {fold(name): value for name, value in data.items()} if isinstance(data, dict) else {}
        code = str(members.get("errorcode") or "").strip()
        words = members.get("errormsg") or members.get("errormessage") or ""
        if code or words:
            return (int(code) if code.lstrip("-").isdecimal() else None), words if isinstance(words, str) else ""
    return None, ""

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a request and checks it against the description of the line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from sandbox.rest.description import LATER, Description, Operation, described
from sandbox.rest.refusal import Refusal
from sandbox.service import Environ

JSON_TYPES = ("application/json", "text/json")
NUMBERS = ("Id", "GroupId")
"""Words of ``orderBy`` that a public plugin sends, also where the description has none of them."""


class Unacceptable(Exception):
    """A request that breaks the description; carries the status and the faults found."""

    def __init__(self, status: int, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.status = status
        self.faults = faults


@dataclass(slots=True)
class Accepted:
    """A request that is served: typed values; ``breaches`` are unknown to the line and were ignored."""

    operation: Operation
    path: dict[str, Any]
    query: dict[str, Any]
    body: dict[str, Any]
    breaches: list[str] = field(default_factory=list)


def accept(environ: Environ, description: Description, settings: Mapping[str, Any]) -> Accepted:
    """Read a request.

    Raises:
        Unacceptable: it breaks the description, in a way that the settings do not pass over.
    """
    operation, texts = _found(environ, description)
    path_values, faults = operation.path_parameters.read(texts)
    given = query_texts(environ, operation.query_parameters.lists)
    query_values, query_faults = operation.query_parameters.read(given)
    plugin_order = query_faults and settings["orders_by_number"] and given.get("orderBy") in NUMBERS
    by_number = given.pop("orderBy") if plugin_order else None
    if by_number:
        query_values, query_faults = operation.query_parameters.read(given)
        query_values["orderBy"] = "Id"
    data = body_data(environ, operation)
    body = {} if data is None else data
    faults += query_faults + (operation.body_faults(body) if data is not None else [])
    parameters = [f"{one}: {operation.id} has no such parameter" for one in operation.query_parameters.unknown(given)]
    members = [f"{one}: {operation.id} has no such member" for one in operation.unknown_members(body)]
    if parameters and settings["unknown_parameters"] == "refused":
        faults += parameters
    if members and settings["unknown_members"] == "refused":
        faults += members
    if faults:
        raise Unacceptable(400, faults)
    unknown = set(operation.unknown_members(body))
    known = {name: value for name, value in body.items() if name not in unknown}
    orders = [f"orderBy: {by_number} is not described"] if by_number else []
    return Accepted(operation, path_values, query_values, known, parameters + members + orders)


def _found(environ: Environ, description: Description) -> tuple[Operation, dict[str, str]]:
    """The operation; a read that only another line has is no breach, because clients detect the line that way."""
    method = environ["REQUEST_METHOD"]
    path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
    found = description.find(method, path)
    if not isinstance(found, int):
        return found
    probed = method == "GET" and not isinstance(described(LATER).find(method, path), int)
    raise Unacceptable(found, [] if probed else [f"{method} {path} is not described"])


def query_texts(environ: Environ, lists: frozenset[str]) -> dict[str, str | list[str]]:
    """The query parameters; each may be given once, but for lists."""
    texts: dict[str, str | list[str]] = {}
    for name, text in parse_qsl(environ.get("QUERY_STRING", ""), keep_blank_values=True, strict_parsing=False):
        if name in texts and name not in lists:
            raise Unacceptable(400, ["a query parameter is given twice"])
        texts[name] = [*texts.get(name, ()), text] if name in lists else text
    return texts


def body_data(environ: Environ, operation: Operation) -> Any:
    """The body as JSON data; None without a body where none is needed."""
    raw = _read(environ)
    if not raw:
        if operation.body_type:
            raise Unacceptable(400, ["a body is required"])
        return None
    if not operation.body_type:
        raise Unacceptable(400, ["this operation takes no body"])
    kind = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().casefold()
    if kind not in JSON_TYPES:
        raise Unacceptable(400, [f"the content type {kind!r} is not {JSON_TYPES[0]}"])
    try:
        data = json.loads(raw)
    except ValueError as error:
        raise Unacceptable(400, [f"the body is not JSON: {error}"]) from None
    if not isinstance(data, dict):
        raise Unacceptable(400, ["the body is not a JSON object"])
    return data


def _read(environ: Environ) -> bytes:
    length = environ.get("CONTENT_LENGTH")
    if length:
        raw = bytes(environ["wsgi.input"].read(int(length)))
        if len(raw) < int(length):
            raise Refusal(400, "The body broke off.")  # the sender died: no breach of the description
        return raw
    if environ.get("HTTP_TRANSFER_ENCODING"):
        return bytes(environ["wsgi.input"].read())
    return b""

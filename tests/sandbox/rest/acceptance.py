# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads query and body of a request, as far as the description's general part goes."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

from sandbox.rest.description import Operation
from sandbox.service import Environ

JSON_TYPES = ("application/json", "text/json")


class Unacceptable(Exception):
    """A request that breaks the description; carries the status and the faults found."""

    def __init__(self, status: int, faults: list[str]) -> None:
        """Keep both."""
        super().__init__("; ".join(faults))
        self.status = status
        self.faults = faults


def query_texts(environ: Environ) -> dict[str, str]:
    """The query parameters; each may be given once."""
    pairs = parse_qsl(environ.get("QUERY_STRING", ""), keep_blank_values=True, strict_parsing=False)
    texts = dict(pairs)
    if len(texts) != len(pairs):
        raise Unacceptable(400, ["a query parameter is given twice"])
    return texts


def body_data(environ: Environ, operation: Operation) -> Any:
    """The body as JSON data; None without a body where none is needed."""
    raw = _read(environ)
    if not raw:
        if operation.body_required:
            raise Unacceptable(400, ["a body is required"])
        return None
    if not operation.takes_body:
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
        return bytes(environ["wsgi.input"].read(int(length)))
    if environ.get("HTTP_TRANSFER_ENCODING"):
        return bytes(environ["wsgi.input"].read())
    return b""

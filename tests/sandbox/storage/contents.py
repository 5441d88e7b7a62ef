# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The truth about what an account holds, read past authentication."""

from __future__ import annotations

import json
from typing import Any

from swift.common.swob import Request, Response
from swift.common.utils import quote

SHOWN = ("content-type", "x-delete-at", "content-encoding", "content-disposition", "cache-control", "x-object-manifest")


def read_account(proxy: Any, account: str) -> dict[str, Any]:
    """All containers of an account with their metadata and objects.

    Returns:
        ``{container: {"metadata": {header: value}, "objects": {name: {"etag", "bytes", "headers", "metadata"}}}}``.
    """
    path = f"/v1/{account}"
    return {name: _container(proxy, f"{path}/{quote(name)}") for name in _names(proxy, path)}


def _container(proxy: Any, path: str) -> dict[str, Any]:
    headers = _ask(proxy, "HEAD", path).headers
    keep = ("x-container-meta-", "x-container-read", "x-container-write")
    objects = {name: _object(proxy, f"{path}/{quote(name)}") for name in _names(proxy, path)}
    return {"metadata": _starting(headers, keep), "objects": objects}


def _object(proxy: Any, path: str) -> dict[str, Any]:
    headers = _ask(proxy, "HEAD", path).headers
    return {
        "etag": headers.get("Etag", "").strip('"'),
        "bytes": int(headers.get("Content-Length", 0)),
        "headers": {name: headers[name] for name in SHOWN if headers.get(name)},
        "metadata": _starting(headers, ("x-object-meta-",)),
    }


def _starting(headers: Any, prefixes: tuple[str, ...]) -> dict[str, str]:
    found = {name.lower(): value for name, value in headers.items() if name.lower().startswith(prefixes)}
    return {name: value.encode("latin-1").decode("utf-8", "replace") for name, value in found.items()}


def _names(proxy: Any, path: str) -> list[str]:
    names: list[str] = []
    while True:
        marker = quote(names[-1]) if names else ""
        response = _ask(proxy, "GET", f"{path}?format=json&marker={marker}")
        page = json.loads(response.body) if response.status_int == 200 else []
        if not page:
            return names
        names += [entry["name"] for entry in page]


def _ask(proxy: Any, method: str, path: str) -> Response:
    return Request.blank(path, method=method, environ={"swift_owner": True}).get_response(proxy)

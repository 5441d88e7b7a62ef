# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The digest of a declaration: the same for the same wish, wherever it is read; no secret is in it."""

from __future__ import annotations

import hashlib
import json
import os
import typing as t

from .entries import Entry, Number
from .shape import words_of

GIVEN = "(given)"
Spec = t.Mapping[str, t.Any]


def digest_of(
    site: str, environment: str | None, registry: t.Mapping[str, str], entries: t.Iterable[Entry], folder: str
) -> str:
    """Return ``sha256:...`` over all that is declared. Paths count from ``folder``, that of the site file."""
    listed = [
        [entry.kind, entry.key, entry.name, _options(entry, folder), sorted(map(list, entry.refs))] for entry in entries
    ]
    place = {name: _path(value, folder) if name == "path" else value for name, value in registry.items()}
    whole = {"format": 1, "site": site, "environment": environment, "registry": place, "entries": listed}
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), default=str)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _options(entry: Entry, folder: str) -> dict[str, t.Any]:
    spec = words_of(entry.of).spec
    return {name: _canonical(spec[name], value, folder) for name, value in entry.given.items()}


def _canonical(spec: Spec, value: t.Any, folder: str) -> t.Any:
    if spec.get("no_log"):
        return GIVEN
    if isinstance(value, Number):
        return f"{value.kind}.{value.name}"
    inside = spec.get("options") or {}
    if isinstance(value, dict):
        return {str(name): _canonical(inside.get(name, {}), entry, folder) for name, entry in value.items()}
    if isinstance(value, list):
        return [_canonical({"options": inside}, entry, folder) for entry in value]
    return _path(value, folder) if spec.get("type") == "path" and isinstance(value, str) else value


def _path(value: str, folder: str) -> str:
    return os.path.relpath(value, folder)

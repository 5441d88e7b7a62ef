# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled contract on disk: ``state_dir/contracts/<digest>.json``, private to the user, replaced in one step.

A file that is too old, broken, of another format or open to other users counts as missing. Parallel tasks with a cold
cache each compile for themselves; the last one's file stays, and all are equal.
"""

from __future__ import annotations

import os
import typing as t

from ..._core.clock import Clock
from ..._core.digests import digest
from ..._core.errors import FcdError
from ..._core.private_files import read_json, write_json
from .contract import FORMAT, Contract

_PARTS: dict[str, t.Any] = {
    "source": str,
    "envelope": str,
    "operations": dict,
    "left_out": dict,
    "types": dict,
    "read_at": (int, float),
}


def cache_file(state_dir: str, wsdl: str) -> str:
    """Return the path of the compiled contract for a WSDL, an address or a file; a changed file is another one."""
    try:
        status = os.stat(os.path.expanduser(wsdl))
        version = f"{os.path.abspath(os.path.expanduser(wsdl))} {status.st_mtime_ns} {status.st_size}"
    except OSError:
        version = wsdl
    return os.path.join(state_dir, "contracts", digest("contract", FORMAT, version) + ".json")


def load(path: str, ttl: float, clock: Clock) -> Contract | None:
    """Return the kept contract when it can be used; ``ttl`` in seconds."""
    data = read_json(path)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return None
    if not all(isinstance(data.get(name), kind) for name, kind in _PARTS.items()):
        return None
    age = clock.now() - data["read_at"]
    return Contract(data) if 0 <= age <= ttl else None


def save(path: str, data: t.Mapping[str, t.Any], warn: t.Callable[[str], None]) -> None:
    """Keep the data of a contract; a cache that cannot be written costs time only."""
    try:
        write_json(path, data)
    except (FcdError, OSError) as exc:
        warn(f"The compiled SOAP contract cannot be kept in {os.path.dirname(path)}: {exc}")

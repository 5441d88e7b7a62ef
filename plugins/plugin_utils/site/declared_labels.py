# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels that nothing has, but that are nearly those of entries of the same site."""

from __future__ import annotations

import typing as t

from ...module_utils._core.errors import FcdError
from ...module_utils._core.text import nearest, shortened
from .model import KINDS, Entry, Place

ASKS = "Did you mean "


def suggest_declared(entry: Entry, error: FcdError, declared: t.Iterable[Place]) -> None:
    """Suggest similar entries in an error about a label, before what the service has."""
    option = error.details.get("option", "")
    target = KINDS[entry.kind].references.get(option)
    if target is None:
        return
    names = [name for kind, name in declared if kind == target.kind]
    told = error.next_step or ""
    new = [repr(name) for name in _similar(entry.params.get(option), error, names) if repr(name) not in told]
    if new:
        rest = f" or {told[len(ASKS) :]}" if told.startswith(ASKS) else f"? {told}".rstrip()
        error.next_step = f"{ASKS}{' or '.join(new)}{rest}"


def _similar(given: t.Any, error: FcdError, names: t.Sequence[str]) -> list[str]:
    """Return the names that are similar to the value that the error is about."""
    labels = [str(one).strip() for one in (given if isinstance(given, list) else [given])]
    wrong = next((one for one in labels if f"there is no {shortened(one)!r} among" in error.message), None)
    return [] if wrong is None else nearest(wrong, names)

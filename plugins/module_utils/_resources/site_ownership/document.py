# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The document that a registry is kept as: JSON with a format number, read with distrust.

Whatever is wrong with it is an error: a registry that were taken for an empty one would have everything made twice.
"""

from __future__ import annotations

import json
import re
import typing as t

from ..._core.errors import InvalidInput
from .owned import ORIGINS, PHASES, Key, Owned

FORMAT = 1
WHAT = "registry of a site"
MARK = re.compile(rb'"what"\s*:\s*"registry of a site"')
"""What is in each such document; a broken one is told by it from a file of somebody else."""

_IS = {"site": str, "serial": int, "entries": list}
_ENTRY_IS = {"kind": str, "name": str, "identity": dict, "serial": int}


class Document(t.NamedTuple):
    """One document. ``part`` is ``part-k-of-n``, or ``whole``; ``entries`` may have removed ones in those of parts."""

    site: str
    part: str
    serial: int
    entries: dict[Key, Owned]


def written(document: Document) -> bytes:
    """Return the document as JSON in ASCII, the same for the same content."""
    head = {"what": WHAT, "format": FORMAT, "site": document.site, "part": document.part, "serial": document.serial}
    rows = [json.dumps(entry._asdict(), sort_keys=True) for _key, entry in sorted(document.entries.items())]
    start = json.dumps(head, separators=(",", ":"))[:-1]
    return f'{start},\n"entries":[\n{",".join(_lines(rows))}\n]}}\n'.encode("ascii")


def _lines(rows: list[str]) -> t.Iterator[str]:
    return (row if not number else f"\n{row}" for number, row in enumerate(rows))


def read(content: bytes, place: str, *, site: str | None = None) -> Document:
    """Return the document in ``content``; with ``site``, it has to be that site's.

    Raises InvalidInput, which names ``place`` and says what to do.
    """
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as exc:
        raise damaged(place, f"it is no complete JSON ({exc})") from None
    head = _checked_head(found, place)
    if site is not None and head["site"] != site:
        raise InvalidInput(
            f"registry: {place} is that of the site {head['site']!r}, not of {site!r}.",
            next_step="Give each site, and each environment of one, a file of its own, or a container, which many can "
            "share. If the site was renamed, rename it in that file too.",
            option="registry",
        )
    entries = [_entry(row, place, number) for number, row in enumerate(head["entries"], 1)]
    by_key = {entry.key: entry for entry in entries}
    if len(by_key) != len(entries):
        raise damaged(place, "it has two entries of one kind and name")
    return Document(head["site"], str(head.get("part")), head["serial"], by_key)


def damaged(place: str, why: str) -> InvalidInput:
    """Return the error for a document that cannot be used."""
    return InvalidInput(
        f"registry: {place} cannot be read: {why}. What the site owns is not known without it; nothing was done.",
        next_step="Put an earlier version of it back. If there is none, remove it: all that the site declares then "
        "counts as found, and with adopt: true as the site's own again.",
        option="registry",
    )


def _checked_head(found: t.Any, place: str) -> dict[str, t.Any]:
    if not isinstance(found, dict) or found.get("what") != WHAT:
        raise damaged(place, "it is something else than the registry of a site")
    number = found.get("format")
    if number != FORMAT:
        raise damaged(place, f"its format is {number!r}, and this version of the collection knows {FORMAT} only")
    _check_types(found, _IS, place, "it")
    return found


def _entry(row: t.Any, place: str, number: int) -> Owned:
    where = f"its entry {number}"
    if not isinstance(row, dict) or set(row) != set(Owned._fields):
        raise damaged(place, f"{where} does not have the fields of one")
    _check_types(row, _ENTRY_IS, place, where)
    if row["origin"] not in ORIGINS or row["phase"] not in PHASES or not _is_number(row["id"]):
        raise damaged(place, f"{where} has an origin, a phase or an id that is none")
    return Owned(**row)


def _is_number(value: t.Any) -> bool:
    return value is None or (isinstance(value, (int, str)) and not isinstance(value, bool))


def _check_types(found: t.Mapping[str, t.Any], types: t.Mapping[str, type], place: str, what: str) -> None:
    for name, wanted in types.items():
        value = found.get(name)
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise damaged(place, f"{what} has no {name}, or one of another type")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands in a file, with the place where it stands, and what is wrong with it, told together."""

from __future__ import annotations

import typing as t

from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.text import visible


class SourceLine(t.NamedTuple):
    """A place in a file: ``label`` is what messages call the file, ``folder`` where its relative paths begin."""

    label: str
    folder: str
    line: int | None = None

    def __str__(self) -> str:
        """Return ``site.yml:12``."""
        return self.label if self.line is None else f"{self.label}:{self.line}"


class Text(str):
    """A text of the file. ``literal`` is one that is no template whatever is in it, ``vaulted`` one still encrypted."""

    __slots__ = ("literal", "source", "vaulted")
    source: SourceLine
    literal: bool
    vaulted: bool


def placed_text(value: str, source: SourceLine, *, literal: bool = False, vaulted: bool = False) -> Text:
    """Return the text with its place."""
    made = Text(value)
    made.source, made.literal, made.vaulted = source, literal, vaulted
    return made


class WrittenInt(int):
    """A whole number that becomes another text than the one in the file: 012, 0x1F, 12:30:45."""

    written = ""

    def __str__(self) -> str:
        """Return it as it was written, so that a name without quotes is what stands there."""
        return self.written


class WrittenFloat(float):
    """The same for 1.10 and 1e3."""

    written = ""

    def __str__(self) -> str:
        """Return it as it was written."""
        return self.written


def number_as_written(value: float, written: str) -> float:
    """Return the number, with its text where that would be another."""
    if isinstance(value, bool) or str(value) == written:
        return value
    made: WrittenInt | WrittenFloat = WrittenInt(value) if isinstance(value, int) else WrittenFloat(value)
    made.written = written
    return made


def plain_numbers(value: t.Any) -> t.Any:
    """Return a value with nothing but plain numbers in it."""
    if isinstance(value, dict):
        return {name: plain_numbers(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [plain_numbers(entry) for entry in value]
    if isinstance(value, WrittenInt):
        return int(value)
    return float(value) if isinstance(value, WrittenFloat) else value


class Table(t.Dict[str, t.Any]):
    """A mapping of the file; ``sources`` has the place of each key. ``index`` is its number in a list, from 0."""

    def __init__(
        self,
        values: t.Mapping[str, t.Any],
        source: SourceLine,
        sources: t.Mapping[str, SourceLine] | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(values)
        self.source = source
        self.sources = dict(sources or {})
        self.index = index

    def source_of(self, key: str) -> SourceLine:
        """Return the place of a key, that of the table when it is not known."""
        return self.sources.get(key, self.source)

    def renamed(self, names: t.Mapping[str, str]) -> Table:
        """Return the table with other keys, where ``names`` has them."""
        values = {names.get(key, key): value for key, value in self.items()}
        sources = {names.get(key, key): source for key, source in self.sources.items()}
        return Table(values, self.source, sources, self.index)

    def without(self, keys: t.Container[str]) -> Table:
        """Return the table without these keys."""
        values = {key: value for key, value in self.items() if key not in keys}
        return Table(values, self.source, self.sources, self.index)


def laid_over(lower: Table, upper: t.Mapping[str, t.Any]) -> Table:
    """Return both tables as one: what is in ``upper`` counts, and tables in the same place become one too."""
    values: dict[str, t.Any] = dict(lower)
    for key, value in upper.items():
        below = values.get(key)
        values[key] = laid_over(below, value) if isinstance(below, Table) and isinstance(value, Table) else value
    sources = {**lower.sources, **(upper.sources if isinstance(upper, Table) else {})}
    return Table(values, lower.source, sources, lower.index)


MOST_TOLD = 100


class Mistake(t.NamedTuple):
    """One thing that is wrong. ``entry`` is such as ``instances[3] (web)``, empty for what concerns no entry."""

    source: SourceLine
    entry: str
    msg: str
    kind: str | None = None
    name: str | None = None

    def __str__(self) -> str:
        """Return the line of the message, whatever is in the names of which it tells."""
        return f"{visible(str(self.source))}: {f'{visible(self.entry)}: ' if self.entry else ''}{visible(self.msg)}"


class Mistakes(t.List[Mistake]):
    """All that is wrong."""

    def note(self, source: SourceLine, msg: str) -> None:
        """Add something that concerns no entry."""
        self.append(Mistake(source, "", msg))

    def told(self) -> None:
        """Raise InvalidInput when there are any; its detail ``errors`` is a list of dictionaries."""
        if not self:
            return
        ordered = sorted(dict.fromkeys(self), key=_place)
        lines = [str(one) for one in ordered]
        more = [f"... and {len(lines) - MOST_TOLD} more."] if len(lines) > MOST_TOLD else []
        whole = "\n".join([*lines[:MOST_TOLD], *more])
        count = "" if len(lines) == 1 else f"{len(lines)} mistakes in what is declared; nothing was sent.\n"
        raise InvalidInput(f"{count}{whole}", errors=[_plain(one) for one in ordered])


def _place(one: Mistake) -> tuple[str, int]:
    """Return file and line, for the order of what is told."""
    label, _colon, line = str(one.source).rpartition(":")
    return (label, int(line)) if line.isdigit() else (str(one.source), 0)


def single_mistake(source: SourceLine, msg: str) -> InvalidInput:
    """Return the error for one thing that ends the reading."""
    alone = Mistake(source, "", msg)
    return InvalidInput(str(alone), errors=[_plain(alone)])


def _plain(one: Mistake) -> dict[str, t.Any]:
    told = {"entry": visible(one.entry), "msg": visible(one.msg)}
    return {"source": str(one.source), "kind": one.kind, "name": one.name, **told}

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Environments: files of the same shape, laid over the site file. Mappings merge, entries merge by key or name."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import did_you_mean
from .kinds import KINDS, Kind
from .mistakes import Mistake, Mistakes
from .shape import KEY, REMOVE, called, check_top, is_template, rough_name, spelled
from .sources import Source, Table, laid_over, text

Resolve = t.Callable[[t.Any], t.Any]
Rows = t.Dict[str, t.List[Table]]
YES = (True, "true", "yes", "on")


class Layer(t.NamedTuple):
    """One file, or several that were laid over one another."""

    top: Table
    defaults: dict[str, Table]
    rows: Rows


def layer_of(document: Table, resolve: Resolve, mistakes: Mistakes) -> Layer:
    """Return the parts of a file, with the usual names of options."""
    document = check_top(document, mistakes)
    rows = {kind.name: _rows(kind, document, resolve, mistakes) for kind in KINDS.values() if kind.name in document}
    top = document.without([*KINDS, "defaults"])
    return Layer(top, _defaults(document, resolve, mistakes), rows)


def combined(layers: t.Sequence[Layer], mistakes: Mistakes) -> Layer:
    """Return the first layer with the others laid over it, one after the other."""
    whole = layers[0]
    for kind, rows in whole.rows.items():
        for row in rows:
            if REMOVE in row:
                msg = "remove: it is for an environment that is laid over this file; here, leave the entry out."
                mistakes.append(_mistake(kind, row, msg))
    for layer in layers[1:]:
        whole = _over(whole, layer, mistakes)
    return whole


def with_defaults(kind: Kind, row: Table, defaults: t.Mapping[str, Table]) -> Table:
    """Return the entry with the defaults of its kind laid under it."""
    below = defaults.get(kind.name)
    if below is None:
        return row
    whole = options_over(kind, below, row)
    return Table(whole, row.source, whole.sources, row.index)


def options_over(kind: Kind, lower: Table, upper: Table) -> Table:
    """Return options laid over others. Of two ways to say one thing the upper makes the lower void."""
    given = {name for name, value in upper.items() if value is not None}
    groups = [set(group) for group in kind.operation().rules.get("mutually_exclusive", ())]
    void = {name for group in groups if group & given for name in group - given}
    return laid_over(lower.without(void), upper)


def _over(lower: Layer, upper: Layer, mistakes: Mistakes) -> Layer:
    registry = ("registry",) if "registry" in upper.top else ()  # a container or a path: it is replaced as a whole
    top = laid_over(lower.top.without(registry), upper.top)
    defaults = dict(lower.defaults)
    for name, table in upper.defaults.items():
        defaults[name] = options_over(KINDS[name], defaults[name], table) if name in defaults else table
    rows = dict(lower.rows)
    for name, more in upper.rows.items():
        rows[name] = _rows_over(KINDS[name], rows.get(name, []), more, defaults, mistakes)
    return Layer(top, defaults, rows)


def _rows_over(
    kind: Kind, lower: list[Table], upper: list[Table], defaults: t.Mapping[str, Table], mistakes: Mistakes
) -> list[Table]:
    whole: list[Table | None] = list(lower)
    places: dict[str, int] = {}
    for number, row in enumerate(lower):
        for label in _labels(kind, row, defaults):
            places.setdefault(label, number)
    touched: set[int] = set()
    for row in upper:
        place = next((places[label] for label in _labels(kind, row, defaults) if label in places), None)
        if place in touched:
            mistakes.append(_mistake(kind.name, row, "this entry stands twice in the environment."))
        elif place is not None:
            touched.add(place)
            whole[place] = None if _is_removed(row) else options_over(kind, lower[place], row.without([REMOVE]))
        elif _is_removed(row):
            label = rough_name(kind, row) or ""
            mistakes.append(_mistake(kind.name, row, f"remove: there is no such entry. {did_you_mean(label, places)}"))
        else:
            whole.append(row.without([REMOVE]))
    return [row for row in whole if row is not None]


def _labels(kind: Kind, row: Table, defaults: t.Mapping[str, Table]) -> list[str]:
    """Return what the entry goes by: its key, its name."""
    name = kind.name_of({**defaults.get(kind.name, {}), **row})
    return [str(label) for label in (row.get(KEY), name) if label not in (None, "")]


def _is_removed(row: Table) -> bool:
    return row.get(REMOVE) in YES


def _mistake(kind: str, row: Table, msg: str) -> Mistake:
    name = rough_name(KINDS[kind], row)
    return Mistake(row.source, called(kind, row, name), msg, kind, name)


def _rows(kind: Kind, document: Table, resolve: Resolve, mistakes: Mistakes) -> list[Table]:
    source = document.source_of(kind.name)
    value = _resolved(document[kind.name], source, kind.name, resolve, mistakes)
    if value is None:
        return []
    if not isinstance(value, list):
        mistakes.note(source, f"{kind.name}: a list of entries is expected, not {described(value)}.")
        return []
    rows = []
    for index, given in enumerate(value):
        place = getattr(given, "source", source)
        entry = _resolved(given, place, f"{kind.name}[{index}]", resolve, mistakes)
        if isinstance(entry, Table):
            entry.index = index
            label = called(kind.name, entry, rough_name(kind, entry))
            rows.append(_with_flag(kind, spelled(kind, entry, label, mistakes), mistakes))
        elif entry is not None or given is None:
            msg = f"an entry is a mapping of options, not {described(entry)}."
            mistakes.append(Mistake(place, f"{kind.name}[{index}]", msg, kind.name))
    return rows


def _with_flag(kind: Kind, row: Table, mistakes: Mistakes) -> Table:
    """Check ``remove``: a misunderstanding would leave or drop an entry."""
    if REMOVE in row and row[REMOVE] not in (*YES, False, "false", "no", "off"):
        mistakes.append(_mistake(kind.name, row, "remove: true or false is expected."))
        return row.without([REMOVE])
    return row if REMOVE not in row or _is_removed(row) else row.without([REMOVE])


def _defaults(document: Table, resolve: Resolve, mistakes: Mistakes) -> dict[str, Table]:
    source = document.source_of("defaults")
    value = _resolved(document.get("defaults"), source, "defaults", resolve, mistakes)
    if value is None:
        return {}
    if not isinstance(value, Table):
        mistakes.note(source, f"defaults: a mapping of kinds is expected, not {described(value)}.")
        return {}
    found = {}
    for name, given in value.items():
        place = value.source_of(name)
        entry = _resolved(given, place, f"defaults.{name}", resolve, mistakes)
        if name not in KINDS:
            mistakes.note(place, f"defaults: there is no kind {name!r}. {did_you_mean(name, KINDS)}")
        elif isinstance(entry, Table):
            found[name] = spelled(KINDS[name], entry, f"defaults.{name}", mistakes, labels=False)
        elif entry is not None:
            mistakes.note(place, f"defaults.{name}: a mapping of options is expected, not {described(entry)}.")
    return found


def _resolved(value: t.Any, source: Source, where: str, resolve: Resolve, mistakes: Mistakes) -> t.Any:
    """Return what a template stands for, as if it stood in the file; None when it cannot be resolved."""
    if not is_template(value):
        return value
    try:
        return placed(resolve(value), source)
    except InvalidInput as error:
        mistakes.note(source, f"{where}: {error}")
        return None


def placed(value: t.Any, source: Source) -> t.Any:
    """Return plain data as what stands in a file; its texts are no templates any more."""
    if isinstance(value, dict):
        return Table({str(key): placed(entry, source) for key, entry in value.items()}, source)
    if isinstance(value, list):
        return [placed(entry, source) for entry in value]
    return text(value, source, literal=True) if isinstance(value, str) else value


def described(value: t.Any) -> str:
    """Return what a value is, without the value."""
    names = {
        dict: "a mapping",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return next((name for kind, name in names.items() if isinstance(value, kind)), "nothing")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries on their way: templates resolved, defaults merged in, names and keys known, options not checked yet."""

from __future__ import annotations

import math
import os
import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import shortened
from ..instance.instance_options import COUNT
from .entries import Number
from .kinds import KINDS, Kind
from .mistakes import Mistake, Mistakes
from .overlays import Layer, described, with_defaults
from .references import REF, Links, Register
from .shape import KEY, called, rough_name, words_of
from .sources import Source, Table

Params = t.Dict[str, t.Any]


class Omitted:
    """The value of an option that a template leaves out."""


OMITTED = Omitted()
CONCEALED = "the template cannot be resolved. Why is not told here, for its value is secret."


class Reader(t.Protocol):
    """What only a controller can do: resolve templates, and check options as Ansible does it."""

    secrets: bool
    """Whether values of secret options are looked at."""

    def value(self, text: t.Any) -> t.Any:
        """Return what a text stands for, OMITTED for nothing.

        Raises InvalidInput; ``quotes`` in its details says that a part of the template may be in the message.
        """

    def whole(self, value: t.Any) -> t.Any:
        """Return a value with all texts in it resolved. Raises InvalidInput."""

    def validated(self, kind: Kind, options: Params) -> tuple[Params, list[str]]:
        """Return the options of an entry complete and converted, and what is wrong with them."""


class Draft(t.NamedTuple):
    """An entry that is not checked yet; ``right`` tells whether nothing was wrong so far."""

    kind: str
    key: str
    name: str
    options: Params
    table: Table
    right: bool

    @property
    def of(self) -> Kind:
        """The kind itself."""
        return KINDS[self.kind]

    @property
    def source(self) -> Source:
        """Where the entry stands."""
        return self.table.source

    @property
    def place(self) -> tuple[str, str]:
        """Kind and name."""
        return self.kind, self.name

    def mistake(self, msg: str, option: str | None = None) -> Mistake:
        """Return what is wrong with the entry, or with one of its options."""
        source = self.table.source_of(option) if option else self.source
        return Mistake(source, called(self.kind, self.table, self.name), msg, self.kind, self.name or None)


def drafts_of(whole: Layer, reader: Reader, mistakes: Mistakes) -> list[Draft]:
    """Return the entries of all kinds in the order of making."""
    found: list[Draft] = []
    for kind in KINDS.values():
        register = Register(found)
        for row in whole.rows.get(kind.name, ()):
            found.extend(_drafts(kind, with_defaults(kind, row, whole.defaults), register, reader, mistakes))
    _check_single(found, mistakes)
    return found


def _drafts(kind: Kind, table: Table, register: Register, reader: Reader, mistakes: Mistakes) -> t.Iterator[Draft]:
    """Yield the entry, or those that ``instances_count`` makes of it."""
    label = called(kind.name, table, rough_name(kind, table))
    wrong: list[Mistake] = []
    options = _options(kind, table, label, reader, wrong)
    _name_known_by(kind, table, options, register, label, wrong)
    key = _resolved(table, KEY, table.get(KEY), reader, wrong, label, kind)
    mistakes.extend(wrong)
    name = kind.name_of(options)
    if name is None and not wrong:
        ways = " or ".join(", ".join(way) for way in kind.identity)
        msg = f"which one is meant is not said: give {ways}."
        mistakes.append(Mistake(table.source, label, msg, kind.name, None))
    if key is not None and (isinstance(key, bool) or not isinstance(key, (str, int)) or not str(key).strip()):
        found = "an empty one" if isinstance(key, str) else described(key)
        mistakes.append(Mistake(table.source_of(KEY), label, f"key: a text is expected, not {found}.", kind.name))
        key = None
    right = not wrong and name is not None
    draft = Draft(kind.name, str(name or "") if key is None else str(key), name or "", options, table, right)
    count = options.get("instances_count")
    number = _whole_number(count)
    if not right or number == 1 or not COUNT[0] <= number <= COUNT[1] or "name" not in options:
        yield draft
        return
    alone = {name: value for name, value in options.items() if name != "instances_count"}
    for one in range(1, number + 1):
        called_so = f"{options['name']}-{one}"
        yield draft._replace(key=f"{draft.key}-{one}", name=called_so, options={**alone, "name": called_so})


def _whole_number(value: t.Any) -> int:
    """Return the number that Ansible takes a value for, 1 where it takes it for none."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return 1
    return int(number) if math.isfinite(number) and number == int(number) else 1


def _options(kind: Kind, table: Table, label: str, reader: Reader, wrong: list[Mistake]) -> Params:
    spec = words_of(kind).spec
    found = {}
    for name, given in table.items():
        if name not in spec:
            continue
        option = spec[name]
        if option.get("no_log") and not reader.secrets:
            value = _unseen(given)
        else:
            value = _resolved(table, name, given, reader, wrong, label, kind)
        problem = _misfit(option, value)
        if problem:
            wrong.append(
                Mistake(table.source_of(name), label, f"{name}: {problem}", kind.name, rough_name(kind, table))
            )
        elif value is not None:
            found[name] = _in_form(option, value, table.source_of(name))
    return found


def _name_known_by(
    kind: Kind, table: Table, options: Params, register: Register, label: str, wrong: list[Mistake]
) -> None:
    """Resolve the references in what an entry is known by; they lead to kinds that are made before."""
    spec = words_of(kind).spec
    for name in dict.fromkeys(name for way in kind.identity for name in way):
        if not isinstance(options.get(name), dict):
            continue
        try:
            value = Links(kind, register).option(name, spec[name], options[name])
            problem = "this number is known only later; write a number." if isinstance(value, Number) else None
        except InvalidInput as error:
            value, problem = None, _made_later(kind, options[name][REF]) or str(error)
        options[name] = value
        if problem:
            wrong.append(
                Mistake(table.source_of(name), label, f"{name}: {problem}", kind.name, rough_name(kind, table))
            )
            del options[name]


def _made_later(kind: Kind, reference: t.Any) -> str | None:
    """Return what is wrong with a reference to a kind that is made when the name has to be known already."""
    order = [*KINDS]
    other = str(reference).partition(".")[0]
    if other not in KINDS or order.index(other) < order.index(kind.name):
        return None
    return f"it says which one is meant, so it cannot come from {other}. Write it out."


def _unseen(value: t.Any) -> t.Any:
    """Return a secret as it stands in the file; templates in it are not resolved, and nothing is decrypted."""
    if isinstance(value, dict):
        return {name: _unseen(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_unseen(entry) for entry in value]
    return str(value) if isinstance(value, str) else value


def _resolved(
    table: Table, name: str, value: t.Any, reader: Reader, wrong: list[Mistake], label: str, kind: Kind
) -> t.Any:
    """Return the value of an option; None for one that is left out, or cannot be resolved."""
    try:
        value = reader.whole(value)
    except InvalidInput as error:
        secret = words_of(kind).spec.get(name, {}).get("no_log")
        told = CONCEALED if secret and error.details.get("quotes") else str(error)
        wrong.append(Mistake(table.source_of(name), label, f"{name}: {told}", kind.name, rough_name(kind, table)))
        return None
    return None if value is OMITTED else value


def _misfit(spec: t.Mapping[str, t.Any], value: t.Any) -> str | None:
    """Return what is wrong where Ansible would make a text of anything; the value itself is not shown."""
    kind = spec.get("type", "str")
    if kind in _EXPECTED:
        return _misfit_single(kind, value)
    if kind == "list" and isinstance(value, dict):
        return "a list is expected, not a mapping."
    if kind == "list" and isinstance(value, list):
        inside = {"type": spec.get("elements", "raw")}
        problems = [_misfit(inside, one) for one in value]
        return next((f"[{index}]: {problem}" for index, problem in enumerate(problems) if problem), None)
    if kind == "dict" and value is not None and not isinstance(value, dict):
        return f"a mapping is expected, not {described(value)}."
    return None


def _misfit_single(kind: str, value: t.Any) -> str | None:
    reference = kind in ("str", "int") and isinstance(value, dict) and set(value) == {REF}
    if isinstance(value, (dict, list)) and not reference:
        return f"{_EXPECTED[kind]} is expected, not {described(value)}."
    if kind == "str" and isinstance(value, bool):
        return "a text is expected, not true or false. Put it in quotes."
    if isinstance(value, float) and not math.isfinite(value):
        return f"{_EXPECTED[kind]} is expected, not {value}.{' Put it in quotes.' if kind == 'str' else ''}"
    return None


_EXPECTED = {"str": "a text", "path": "a path", "int": "a number", "bool": "true or false", "float": "a number"}


def _in_form(spec: t.Mapping[str, t.Any], value: t.Any, source: Source) -> t.Any:
    """Return a value in the form that the rest is written for: absolute paths, and lists where one entry stands."""
    kind = spec.get("type")
    if kind == "path":
        return _as_path(value, source)
    if kind == "list" and isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value).split(",")  # as Ansible takes it
    return value


def _as_path(value: t.Any, source: Source) -> t.Any:
    """Return a path as the module gets it: relative ones begin at the folder of the file that names them."""
    if not isinstance(value, str) or not value:
        return value
    return os.path.normpath(os.path.join(source.folder, os.path.expanduser(os.path.expandvars(value))))


def _check_single(drafts: t.Iterable[Draft], mistakes: Mistakes) -> None:
    """Note entries that have a name or a key of another."""
    names: dict[tuple[str, str], Draft] = {}
    keys: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        if not draft.name:
            continue
        first = names.setdefault(draft.place, draft)
        if first is not draft:
            msg = f"{shortened(draft.name)} is declared at {first.source} already. Leave one of them out."
            mistakes.append(draft.mistake(msg))
            continue
        other = keys.setdefault((draft.kind, draft.key), draft)
        if other is not draft:
            msg = f"the key {shortened(draft.key)!r} is that of {shortened(other.name)} at {other.source} already."
            mistakes.append(draft.mistake(f"{msg} Give another key.", KEY))

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries on their way: templates resolved, defaults merged in, references to other entries followed.

Options are not checked yet. A number that only the service knows has a stand-in while they are.
"""

from __future__ import annotations

import math
import os
import typing as t

from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.names import did_you_mean, shortened
from ...module_utils._infrastructure.instance.instance_options import COUNT
from .model import KINDS, NAME, EntryKind, Number, Place, Target, is_reference
from .overlays import KEY, Layer, called, rough_name, value_kind, with_defaults, words_of
from .site_yaml import Mistake, Mistakes, SourceLine, Table

REF = "ref"
Spec = t.Mapping[str, t.Any]
_SINGLE = ("int", "str")


class Named(t.Protocol):
    """What can be referred to: a declared entry with its options, not checked yet."""

    @property
    def kind(self) -> str:
        """Name of its kind."""

    @property
    def key(self) -> str:
        """Its label."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def options(self) -> dict[str, t.Any]:
        """What is declared of it."""

    @property
    def place(self) -> Place:
        """Kind and name."""


class Register:
    """All declared entries, by key and by name."""

    def __init__(self, entries: t.Iterable[Named]) -> None:
        self._keys: dict[str, dict[str, Named]] = {name: {} for name in KINDS}
        self._names: dict[str, dict[str, Named]] = {name: {} for name in KINDS}
        for entry in entries:
            self._keys[entry.kind].setdefault(entry.key, entry)
            self._names[entry.kind].setdefault(entry.name, entry)

    def called(self, kind: str, label: str) -> Named | None:
        """Return the entry that has the name or else the key."""
        return self._names[kind].get(label) or self._keys[kind].get(label)

    def meant(self, reference: t.Any) -> Named:
        """Return the entry behind the value of ``ref``. Raises InvalidInput."""
        kind, _dot, key = str(reference).partition(".")
        if not isinstance(reference, str) or not key:
            raise InvalidInput("ref: write it as kind.key, such as ip_addresses.web.")
        if kind not in KINDS:
            raise InvalidInput(f"ref: there is no kind {kind!r}. {did_you_mean(kind, KINDS)}")
        found = self._keys[kind].get(key) or self._names[kind].get(key)
        if found is None:
            raise InvalidInput(f"ref: there is no {key!r} in {kind}. {did_you_mean(key, self._keys[kind])}")
        return found


class Links:
    """Resolves the references of one entry and collects what it refers to."""

    def __init__(self, kind: EntryKind, register: Register) -> None:
        self._kind = kind
        self._register = register
        self.refs: dict[Place, None] = {}

    def option(self, name: str, spec: Spec, value: t.Any) -> t.Any:
        """Return the value of an option, references resolved. Raises InvalidInput."""
        return self._value(spec, value, self._kind.references.get(name))

    def _value(self, spec: Spec, value: t.Any, target: Target | None) -> t.Any:
        kind = spec.get("type", "str")
        if kind in _SINGLE and is_reference(value):
            return self._of(self._referred(value[REF], target), kind, target)
        if kind == "list" and isinstance(value, list):
            inside = {"type": spec.get("elements", "raw"), "options": spec.get("options")}
            return [self._value(inside, entry, target) for entry in value]
        if kind == "dict" and isinstance(value, dict):
            return self._suboptions(spec.get("options"), value)
        if target is not None and _is_label(value):
            return self._labelled(value, kind, target)
        return value

    def _referred(self, reference: t.Any, target: Target | None) -> Named:
        """Return the entry behind a reference, which has to be of the kind of the target."""
        found = self._register.meant(reference)
        if target is not None and found.kind != target.kind:
            raise InvalidInput(f"ref: this is one of {found.kind}; one of {target.kind} belongs here.")
        return found

    def _suboptions(self, specs: t.Mapping[str, Spec] | None, value: dict[str, t.Any]) -> dict[str, t.Any]:
        if not specs:
            return value
        return {name: self._value(specs.get(name, {"type": "raw"}), entry, None) for name, entry in value.items()}

    def _labelled(self, value: str | int, kind: str, target: Target) -> t.Any:
        """Return what the module takes for a label that may be that of an entry; others are at the service already."""
        found = self._register.called(target.kind, str(value).strip())
        if found is None:
            return value
        if kind == "int":  # a number that is declared as such
            self.refs[found.place] = None
            return value
        return self._of(found, kind, target)

    def _of(self, found: Named, kind: str, target: Target | None) -> t.Any:
        self.refs[found.place] = None
        as_text = kind == "str"
        identity = KINDS[found.kind].identity_of(found.options) if as_text and target is not None else {}
        if target is not None and target.by == NAME and "name" in identity:
            return identity["name"]
        number = found.options.get("id")
        if number is not None:
            return str(number) if as_text else number
        if "address" in identity:
            return identity["address"]
        if "id" not in KINDS[found.kind].options():
            raise InvalidInput(f"ref: {found.kind} have no number that could stand here. Write the name.")
        return Number(found.kind, found.name, as_text)


def _is_label(value: t.Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def cycles(refs: t.Mapping[Place, t.Sequence[Place]]) -> list[list[Place]]:
    """Return the circles in which entries refer to one another, each once and beginning with its first by name."""
    done: set[Place] = set()
    found: dict[tuple[Place, ...], None] = {}
    for start in refs:
        stack: list[tuple[Place, t.Iterator[Place]]] = [] if start in done else [(start, iter(refs[start]))]
        way = [place for place, _rest in stack]
        while stack:
            following = next(stack[-1][1], None)
            if following is None:
                done.add(stack.pop()[0])
                way.pop()
            elif following in way:
                circle = way[way.index(following) :]
                first = circle.index(min(circle))
                found[tuple(circle[first:] + circle[:first])] = None
            elif following not in done:
                stack.append((following, iter(refs.get(following, ()))))
                way.append(following)
    return [list(circle) for circle in found]


Path = t.Tuple[t.Union[str, int], ...]
STAND_IN = 1


def stand_ins(options: dict[str, t.Any]) -> tuple[dict[str, t.Any], dict[Path, Number]]:
    """Return the options with a number in each such place, and what belongs there."""
    places: dict[Path, Number] = {}
    return {name: _plain(value, (name,), places) for name, value in options.items()}, places


def put_back(params: dict[str, t.Any], places: t.Mapping[Path, Number]) -> dict[str, t.Any]:
    """Return the checked options with the numbers in their places again."""
    for path, number in places.items():
        inside: t.Any = params
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = number
    return params


def _plain(value: t.Any, path: Path, places: dict[Path, Number]) -> t.Any:
    if isinstance(value, Number):
        places[path] = value
        return str(STAND_IN) if value.as_text else STAND_IN
    if isinstance(value, dict):
        return {name: _plain(entry, (*path, name), places) for name, entry in value.items()}
    if isinstance(value, list):
        return [_plain(entry, (*path, index), places) for index, entry in enumerate(value)]
    return value


Params = t.Dict[str, t.Any]


class Omitted:
    """The value of an option that a template leaves out."""


OMITTED = Omitted()
CONCEALED = "the template cannot be resolved. Why is not told here, for its value is secret."


class OptionReader(t.Protocol):
    """What only a controller can do: resolve templates, and check options as Ansible does it."""

    secrets: bool
    """Whether values of secret options are looked at."""

    def value(self, text: t.Any) -> t.Any:
        """Return what a text stands for, OMITTED for nothing.

        Raises InvalidInput; ``quotes`` in its details says that a part of the template may be in the message.
        """

    def whole(self, value: t.Any) -> t.Any:
        """Return a value with all texts in it resolved. Raises InvalidInput."""

    def validated(self, kind: EntryKind, options: Params) -> tuple[Params, list[str]]:
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
    def of(self) -> EntryKind:
        """The kind itself."""
        return KINDS[self.kind]

    @property
    def source(self) -> SourceLine:
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


def drafts_of(whole: Layer, reader: OptionReader, mistakes: Mistakes) -> list[Draft]:
    """Return the entries of all kinds in the order of making."""
    found: list[Draft] = []
    for kind in KINDS.values():
        register = Register(found)
        for row in whole.rows.get(kind.name, ()):
            found.extend(_drafts(kind, with_defaults(kind, row, whole.defaults), register, reader, mistakes))
    _check_single(found, mistakes)
    return found


def _drafts(
    kind: EntryKind, table: Table, register: Register, reader: OptionReader, mistakes: Mistakes
) -> t.Iterator[Draft]:
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
    if key is not None and not _is_key(key):
        mistakes.append(Mistake(table.source_of(KEY), label, _KEY_EXPECTED.format(_blank_or_kind(key)), kind.name))
        key = None
    right = not wrong and name is not None
    yield from _counted(
        Draft(kind.name, str(name or "") if key is None else str(key), name or "", options, table, right)
    )


_KEY_EXPECTED = "key: a text is expected, not {}."


def _blank_or_kind(value: t.Any) -> str:
    return "an empty one" if isinstance(value, str) else value_kind(value)


def _is_key(value: t.Any) -> bool:
    """Whether a value can be the label of an entry: a text, or a number, that is not blank."""
    return _is_label(value) and bool(str(value).strip())


def _counted(draft: Draft) -> t.Iterator[Draft]:
    """Yield the draft, or one for each of the instances that it counts."""
    number = _whole_number(draft.options.get("instances_count"))
    if not draft.right or number == 1 or not COUNT[0] <= number <= COUNT[1] or "name" not in draft.options:
        yield draft
        return
    alone = {name: value for name, value in draft.options.items() if name != "instances_count"}
    for one in range(1, number + 1):
        called_so = f"{draft.options['name']}-{one}"
        yield draft._replace(key=f"{draft.key}-{one}", name=called_so, options={**alone, "name": called_so})


def _whole_number(value: t.Any) -> int:
    """Return the number that Ansible takes a value for, 1 where it takes it for none."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return 1
    return int(number) if math.isfinite(number) and number == int(number) else 1


def _options(kind: EntryKind, table: Table, label: str, reader: OptionReader, wrong: list[Mistake]) -> Params:
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
    kind: EntryKind, table: Table, options: Params, register: Register, label: str, wrong: list[Mistake]
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


def _made_later(kind: EntryKind, reference: t.Any) -> str | None:
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
    table: Table, name: str, value: t.Any, reader: OptionReader, wrong: list[Mistake], label: str, kind: EntryKind
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
        return _misfit_inside({"type": spec.get("elements", "raw")}, value)
    if kind == "dict" and value is not None and not isinstance(value, dict):
        return f"a mapping is expected, not {value_kind(value)}."
    return None


def _misfit_inside(spec: t.Mapping[str, t.Any], values: list[t.Any]) -> str | None:
    """Return what is wrong with the first entry of a list that is wrong."""
    problems = [_misfit(spec, one) for one in values]
    return next((f"[{index}]: {problem}" for index, problem in enumerate(problems) if problem), None)


def _misfit_single(kind: str, value: t.Any) -> str | None:
    reference = kind in _SINGLE and is_reference(value)
    if isinstance(value, (dict, list)) and not reference:
        return f"{_EXPECTED[kind]} is expected, not {value_kind(value)}."
    if kind == "str" and isinstance(value, bool):
        return "a text is expected, not true or false. Put it in quotes."
    if isinstance(value, float) and not math.isfinite(value):
        return f"{_EXPECTED[kind]} is expected, not {value}.{' Put it in quotes.' if kind == 'str' else ''}"
    return None


_EXPECTED = {"str": "a text", "path": "a path", "int": "a number", "bool": "true or false", "float": "a number"}


def _in_form(spec: t.Mapping[str, t.Any], value: t.Any, source: SourceLine) -> t.Any:
    """Return a value in the form that the rest is written for: absolute paths, and lists where one entry stands."""
    kind = spec.get("type")
    if kind == "path":
        return _as_path(value, source)
    if kind == "list" and isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value).split(",")  # as Ansible takes it
    return value


def _as_path(value: t.Any, source: SourceLine) -> t.Any:
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

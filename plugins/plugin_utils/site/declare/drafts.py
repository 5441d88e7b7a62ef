# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries on their way: templates resolved, defaults merged in, references to other entries followed.

Options are not checked yet. A number that only the service knows has a stand-in while they are.
"""

from __future__ import annotations

import math
import os
import re
import typing as t

from ....module_utils._connection.options import OptionType, Seconds, Size
from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.home import expand_home
from ....module_utils._core.text import Redactor, did_you_mean, either, leaf_texts, secret_option_values, shortened
from ....module_utils._core.type_aliases import JsonObject
from ....module_utils._infrastructure.instance.instance_options import COUNT
from ..model import KINDS, NAME, EntryKind, NumberReference, Place, Spec, Target, is_reference
from ..read.site_reader import NOT_REVEALED, OMITTED, SiteReader
from ..read.site_yaml import Mistake, SourceLine, Table
from .overlays import KEY, Layer, entry_label, kind_options, raw_name, value_kind, with_defaults

HIDDEN_MISFIT = "the value does not fit here. It is not shown, because it is secret."
_EXPECTED = {"str": "a text", "path": "a path", "int": "a number", "bool": "true or false", "float": "a number"}


class Draft(t.NamedTuple):
    """An entry that is not checked yet; ``right`` tells whether nothing was wrong so far.

    ``secrets`` are the options with secret values, ``skipped`` those that were not looked at, and have a stand-in.
    ``plain`` are texts beside what is secret.
    """

    kind: str
    key: str
    name: str
    options: JsonObject
    table: Table
    right: bool
    secrets: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()

    @property
    def of(self) -> EntryKind:
        """The kind itself."""
        return KINDS[self.kind]

    @property
    def place(self) -> Place:
        """Kind and name."""
        return self.kind, self.name

    def mistake(self, msg: str, option: str | None = None) -> Mistake:
        """Return what is wrong with the entry, or with one of its options."""
        source = self.table.source_of(option) if option else self.table.source
        return Mistake(source, entry_label(self.kind, self.table, self.name), msg, self.kind, self.name or None)

    def without_guesses(self, problems: list[str]) -> list[str]:
        """Return the problems that have nothing to do with a stand-in for what was not looked at."""
        return [one for one in problems if self.skipped.isdisjoint(re.findall(r"\w+", one))]

    def concealed(self, problem: str, option: str | None, redactor: Redactor) -> str:
        """Return what is wrong with an option, without the value if it is secret."""
        if option not in self.secrets:
            return problem
        shown = redactor.text(problem)
        shows_value = any(text in shown for text in leaf_texts(self.options.get(option)))
        return f"{option}: {HIDDEN_MISFIT}" if shows_value else shown


class Register:
    """All declared entries, by key and by name."""

    def __init__(self, entries: t.Iterable[Draft]) -> None:
        self._missing: set[str] = set()
        self._keys: dict[str, dict[str, Draft]] = {name: {} for name in KINDS}
        self._names: dict[str, dict[str, Draft]] = {name: {} for name in KINDS}
        for entry in entries:
            self._keys[entry.kind].setdefault(entry.key, entry)
            self._names[entry.kind].setdefault(entry.name, entry)

    def by_name(self, kind: str, label: str) -> Draft | None:
        """Return the entry that has the name or else the key."""
        return self._names[kind].get(label) or self._keys[kind].get(label)

    def by_key(self, kind: str, label: str) -> Draft | None:
        """Return the entry that has the key or else the name."""
        return self._keys[kind].get(label) or self._names[kind].get(label)

    def resolve(self, reference: object) -> Draft:
        """Return the entry behind ``kind.key``. Raises InvalidInput."""
        kind, key = kind_and_label(reference)
        found = self.by_key(kind.name, key)
        if found is None:
            raise InvalidInput(self.missing_entry(kind.name, key))
        return found

    def missing_entry(self, kind: str, label: str) -> str:
        """Return what is wrong with a label that no entry has."""
        shown = f"there is no {label!r} in {kind}. {did_you_mean(label, self._keys[kind])}"
        self._missing.add(shown)
        return shown

    def is_about_missing(self, problem: str) -> bool:
        """Whether what is wrong is only that an entry is not there."""
        return any(shown in problem for shown in self._missing)


def kind_and_label(reference: object) -> tuple[EntryKind, str]:
    """Return both parts of ``kind.key``, whether such an entry is declared or not. Raises InvalidInput."""
    kind, _dot, label = str(reference).partition(".")
    if not isinstance(reference, str) or not label:
        raise InvalidInput("write it as kind.key, such as ip_addresses.web.")
    if kind not in KINDS:
        raise InvalidInput(f"there is no kind {kind!r}. {did_you_mean(kind, KINDS)}")
    return KINDS[kind], label


class ReferenceLinks:
    """Resolves the references of one entry and collects what it refers to."""

    def __init__(self, kind: EntryKind, register: Register) -> None:
        self.register = register
        self._kind = kind
        self.refs: dict[Place, None] = {}

    def option(self, name: str, spec: Spec, value: object) -> t.Any:
        """Return the value of an option, references resolved. Raises InvalidInput."""
        return self._value(spec, value, self._kind.references.get(name))

    def _value(self, spec: Spec, value: t.Any, target: Target | None) -> t.Any:
        kind = spec.get("type", "str")
        if kind in ("int", "str") and is_reference(value):
            return self._referred(value["ref"], kind, target)
        if kind == "raw" and is_reference(value):
            raise InvalidInput("ref: this option takes no reference. Write data with this one key as JSON, in quotes.")
        if kind == "list" and isinstance(value, list):
            inside = {"type": spec.get("elements", "raw"), "options": spec.get("options")}
            return [self._value(inside, entry, target) for entry in value]
        specs = spec.get("options")
        if kind == "dict" and isinstance(value, dict) and specs:
            return {name: self._value(specs.get(name, {"type": "raw"}), entry, None) for name, entry in value.items()}
        return self._labelled(value, kind, target)

    def _referred(self, reference: object, kind: str, target: Target | None) -> object:
        """Return what the module takes for a reference, which has to be of the kind of the target."""
        try:
            found = self.register.resolve(reference)
        except InvalidInput as error:
            raise InvalidInput(f"ref: {error}") from None
        if target is not None and found.kind != target.kind:
            raise InvalidInput(f"ref: this refers to {found.kind}; an entry of {target.kind} is expected.")
        return self._of(found, kind, target)

    def _labelled(self, value: object, kind: str, target: Target | None) -> t.Any:
        """Return what the module takes for a label that may be that of an entry; others are at the service already."""
        if target is None or not _is_label(value):
            return value
        found = self.register.by_name(target.kind, str(value).strip())
        if found is None:
            return value
        if kind == "int":  # a number that is declared as such
            self.refs[found.place] = None
            return value
        return self._of(found, kind, target)

    def _of(self, found: Draft, kind: str, target: Target | None) -> object:
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
            raise InvalidInput(f"ref: {found.kind} have no ID. Write the name.")
        return NumberReference(found.kind, found.name, as_text)


def _is_label(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def drafts_of(whole: Layer, reader: SiteReader) -> list[Draft]:
    """Return the entries of all kinds in the order of making."""
    found: list[Draft] = []
    for kind in KINDS.values():
        register = Register(found)
        for row in whole.rows.get(kind.name, ()):
            found += _TableRow(kind, with_defaults(kind, row, whole.defaults), register, reader).drafts()
    _check_single(found, reader)
    return found


class _TableRow:
    """One row of the file, of which one entry is made, or as many as ``instances_count`` says."""

    def __init__(self, kind: EntryKind, table: Table, register: Register, reader: SiteReader) -> None:
        self._kind = kind
        self._table = table
        self._register = register
        self._reader = reader
        self._spec = kind_options(kind).spec
        self._raw_name = raw_name(kind, table)
        self._label = entry_label(kind.name, table, self._raw_name)
        self._wrong: list[Mistake] = []
        self._secrets: set[str] = set()
        self._skipped: set[str] = set()
        self._plain: set[str] = set()
        self._identity = {KEY, *(name for way in kind.identity for name in way)}

    def drafts(self) -> list[Draft]:
        """Return the entries, and add to the reader's mistakes what is wrong with them."""
        mistakes = self._reader.mistakes
        options = self._options()
        self._resolve_identity(options)
        key = self._read(KEY, self._table.get(KEY), {})
        mistakes.extend(self._wrong)
        kind, name = self._kind, self._kind.name_of(options)
        if name is None and not self._wrong:
            ways = " or ".join(", ".join(way) for way in kind.identity)
            msg = f"it does not say which object it describes: give {ways}."
            mistakes.append(Mistake(self._table.source, self._label, msg, kind.name))
        right = not self._wrong and name is not None
        if key is not None and not (_is_label(key) and str(key).strip()):
            shown = "an empty one" if isinstance(key, str) else value_kind(key)
            msg = f"key: write a text, not {shown}."
            mistakes.append(Mistake(self._table.source_of(KEY), self._label, msg, kind.name))
            key = None
        name = name or ""
        key = name if key is None else str(key)
        known = frozenset(self._secrets), frozenset(self._skipped), frozenset(self._plain)
        return _counted(Draft(kind.name, key, name, options, self._table, right, *known))

    def _note(self, name: str, problem: str) -> None:
        source = self._table.source_of(name)
        self._wrong.append(Mistake(source, self._label, f"{name}: {problem}", self._kind.name, self._raw_name))

    def _options(self) -> JsonObject:
        found: JsonObject = {}
        for name, given in self._table.items():
            option = self._spec.get(name)
            if option is None:
                continue
            value = self._read(name, given, option)
            problem = _misfit(option, value)
            if problem:
                self._note(name, problem)
            elif value is not None:
                found[name] = _in_form(option, value, self._table.source_of(name))
        return found

    def _read(self, name: str, given: object, option: Spec) -> t.Any:
        """Return the value of an option, a stand-in for one that is not looked at, None for one that is left out."""
        known_by = name in self._identity
        always_secret = bool([*secret_option_values({"it": option}, {"it": given})])
        secret = always_secret or self._reader.is_secret(given)
        if secret and known_by:
            self._note(name, NOT_REVEALED)
            return None
        if secret:
            self._secrets.add(name)
        if not self._reader.is_skipped(given) and (self._reader.secrets or not secret):
            value = self._resolved(name, given, secret=secret)
            if secret and not always_secret and value is not None:
                self._plain.update(self._reader.plain_texts(given))
            return value
        self._skipped.add(name)
        self._reader.guesses = self._reader.guesses or known_by
        return _as_in_file(given) if known_by else _stand_in(option, given)

    def _resolved(self, name: str, given: object, *, secret: bool) -> object:
        """Return the value of an option; None for one that is left out, or cannot be resolved."""
        try:
            value = self._reader.resolve(given, secret=secret)
        except InvalidInput as error:
            self._note(name, error.details.get("concealed", str(error)) if secret else str(error))
            return None
        return None if value is OMITTED else value

    def _resolve_identity(self, options: JsonObject) -> None:
        """Resolve the references in what an entry is known by; they lead to kinds that are made before."""
        for name in dict.fromkeys(name for way in self._kind.identity for name in way):
            if not isinstance(options.get(name), dict):
                continue
            try:
                value = ReferenceLinks(self._kind, self._register).option(name, self._spec[name], options[name])
                problem = (
                    "this number is known only after the apply; write a number."
                    if isinstance(value, NumberReference)
                    else None
                )
            except InvalidInput as error:
                value, problem = None, self._made_later(options[name]["ref"]) or str(error)
            options[name] = value
            if problem:
                self._note(name, problem)
                del options[name]

    def _made_later(self, reference: object) -> str | None:
        """Return what is wrong with a reference to a kind that is made when the name has to be known already."""
        order = [*KINDS]
        other = str(reference).partition(".")[0]
        if other not in KINDS or order.index(other) < order.index(self._kind.name):
            return None
        return f"it identifies the entry, so it cannot come from {other}. Write the value."


def _counted(draft: Draft) -> list[Draft]:
    """Return the draft, or one for each of the instances that it counts.

    A single one is numbered too: the count may shrink to it.
    """
    count = draft.options.get("instances_count")
    if count is None or not draft.right or "name" not in draft.options:
        return [draft]

    try:  # as Ansible takes it
        number = float(count)
    except (TypeError, ValueError, OverflowError):
        return [draft]
    if not number.is_integer() or not COUNT[0] <= number <= COUNT[1]:
        return [draft]
    drafts = []
    for one in range(1, int(number) + 1):
        options = {**draft.options, "name": f"{draft.options['name']}-{one}"}
        del options["instances_count"]
        drafts.append(draft._replace(key=f"{draft.key}-{one}", name=options["name"], options=options))
    return drafts


def _stand_in(option: Spec, given: object) -> object:
    """Return a value that fits the option in place of one that is not looked at."""
    if not isinstance(given, str):
        return _as_in_file(given)
    fitting = {"int": 1, "float": 1.0, "bool": True, "dict": {}, "list": []}
    kind = option.get("type", "str")
    text = "1" if isinstance(kind, OptionType) else str(given)
    return next(iter(option.get("choices", ())), None) or fitting.get(kind, text)


def _as_in_file(value: object) -> object:
    """Return a secret as it stands in the file; templates in it are not resolved, and nothing is decrypted."""
    if isinstance(value, dict):
        return {name: _as_in_file(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_as_in_file(entry) for entry in value]
    return str(value) if isinstance(value, str) else value


def _misfit(spec: Spec, value: object) -> str | None:
    """Return what is wrong where Ansible would make a text of anything; the value itself is not shown."""
    kind = spec.get("type", "str")
    if isinstance(kind, (Seconds, Size)):
        return "write a number, not true or false." if isinstance(value, bool) else _misfit_single("int", value)
    if kind == "path" and "\0" in str(value):
        return "a path cannot contain a null byte."
    if kind in _EXPECTED:
        return _misfit_single(kind, value, spec.get("choices", ()))
    if kind == "list":
        return _misfit_list(spec.get("elements", "raw"), value)
    if kind == "dict" and value is not None and not isinstance(value, dict):
        return f"write a mapping, not {value_kind(value)}."
    return None


def _misfit_list(kind: str, value: object) -> str | None:
    if isinstance(value, dict):
        return "write a list, not a mapping."
    problems = [_misfit({"type": kind}, one) for one in value] if isinstance(value, list) else []
    return next((f"[{index}]: {problem}" for index, problem in enumerate(problems) if problem), None)


def _misfit_single(kind: str, value: object, choices: t.Sequence[str] = ()) -> str | None:
    reference = kind in ("int", "str") and is_reference(value)
    if isinstance(value, (dict, list)) and not reference:
        return f"write {_EXPECTED[kind]}, not {value_kind(value)}."
    if kind == "str" and isinstance(value, bool):
        return f"write {either(choices) or 'a text'}, not true or false. Put it in quotes."
    if isinstance(value, float) and not math.isfinite(value):
        return f"write {_EXPECTED[kind]}, not {value}.{' Put it in quotes.' if kind == 'str' else ''}"
    return None


def _in_form(spec: Spec, value: object, source: SourceLine) -> object:
    """Return a value in the form that the rest is written for: lists where one entry stands, and absolute paths."""
    kind = spec.get("type")
    if kind == "path" and isinstance(value, str) and value:
        return absolute_path(value, source)
    if kind == "list" and isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value).split(",")  # as Ansible takes it
    return value


def is_path(value: object) -> bool:
    """Whether a value can be a path."""
    return isinstance(value, str) and bool(value) and "\0" not in value


def absolute_path(path: str, source: SourceLine) -> str:
    """Return a path of the file, which begins at the folder of the file if it is relative."""
    return os.path.normpath(os.path.join(source.folder, expand_home(os.path.expandvars(path))))


def _check_single(drafts: t.Iterable[Draft], reader: SiteReader) -> None:
    """Note entries that have a name or a key of another."""
    names: dict[tuple[str, str], Draft] = {}
    keys: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        if not draft.name:
            continue
        first = names.setdefault(draft.place, draft)
        if first is not draft:
            msg = f"{shortened(draft.name)} is already declared at {first.table.source}. Remove one of them."
            reader.mistakes.append(draft.mistake(msg))
            continue
        other = keys.setdefault((draft.kind, draft.key), draft)
        if other is not draft:
            msg = (
                f"the key {shortened(draft.key)!r} is already that of {shortened(other.name)} at {other.table.source}."
            )
            reader.mistakes.append(draft.mistake(f"{msg} Give another key.", KEY))


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


def restore_references(given: object, checked: object) -> t.Any:
    """Return checked options with the numbers of others, which had stand-ins while they were checked."""
    if isinstance(given, NumberReference):
        return given
    if isinstance(given, dict) and isinstance(checked, dict):
        return {**checked, **{name: restore_references(value, checked.get(name)) for name, value in given.items()}}
    if isinstance(given, list) and isinstance(checked, list):
        return [restore_references(*pair) for pair in zip(given, checked)]
    return checked

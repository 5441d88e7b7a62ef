# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site file says besides options: how an entry may change, what has moved or is released, outputs, policies.

All of it is checked as far as that needs no service. What a site owns, and whether a thing can get another name, is
known only when a plan is made.
"""

from __future__ import annotations

import keyword
import os
import re
import typing as t

from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.text import did_you_mean, join_names
from ..model import EntryKind, Lifecycle, Moved, Output, Place, Released
from ..read.site_reader import OMITTED, SiteReader
from ..read.site_yaml import Mistake, SourceLine, Table
from .drafts import Draft, Register, absolute_path, is_path, kind_and_label
from .overlays import ADOPT, LIFECYCLE, NO, OUTPUTS, YES, Layer, ListItem, data_at, kind_options, value_kind
from .returned_fields import check_output_path

PREVENT_DESTROY, IGNORE_CHANGES, CREATE_FIRST = Lifecycle._fields
VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
EXAMPLE_PATH = "instances.web.ip_address"


class SiteDirectives(t.NamedTuple):
    """What the file says beside its entries, as ``Declaration`` has it."""

    moved: tuple[Moved, ...]
    removed: tuple[Released, ...]
    outputs: tuple[Output, ...]
    policies: tuple[str, ...]


def statements_of(whole: Layer, register: Register, reader: SiteReader) -> SiteDirectives:
    """Return what stands in the file beside its entries; what is wrong with it goes to the reader's mistakes."""
    moves = [move for item in whole.lists["moved"] for move in _move(item, reader)]
    return SiteDirectives(
        _Moves(moves, register).checked(),
        _removed(whole.lists["removed"], moves, register, reader),
        _outputs(whole.top[OUTPUTS], register, reader),
        _policies(whole.lists["policies"], reader),
    )


Note = t.Callable[[SourceLine, str], None]


class _Members:
    """The members of one mapping, templates resolved. ``right`` tells whether nothing was wrong so far."""

    def __init__(self, table: Table, known: t.Sequence[str], reader: SiteReader, note: Note) -> None:
        self.right = True
        self._table = table
        self._note = note
        self._found: dict[str, t.Any] = {}
        for name, given in table.items():
            if name not in known:
                self.wrong(name, f"there is no such member. {did_you_mean(name, known)}")
                continue
            try:
                value = reader.resolve(given)
            except InvalidInput as error:
                self.wrong(name, str(error))
                continue
            if value is not None and value is not OMITTED:
                self._found[name] = value
            elif reader.is_skipped(given):
                self.right = False  # so that nothing is said to be missing

    def wrong(self, name: str, problem: str) -> None:
        """Note what is wrong with a member."""
        self.right = False
        self._note(self._table.source_of(name), f"{name}: {problem}")

    def given(self, name: str) -> t.Any:
        """Return the value of a member, None when it has none."""
        return self._found.get(name)

    def expect(self, name: str, hint: str) -> None:
        """Note that a member is missing, unless something else is wrong."""
        if self.right and name not in self._found:
            self.wrong(name, f"it is missing. {hint}")

    def truth(self, name: str) -> bool:
        """Return true or false; false for what is neither, and without the member."""
        try:
            return _truth(self._found.get(name, False))
        except InvalidInput as error:
            self.wrong(name, str(error))
            return False

    def label(self, name: str) -> tuple[EntryKind, str] | None:
        """Return kind and key or name of what a site may own; None when the member is none."""
        self.expect(name, "Give a kind and a key, such as instances.web.")
        if name not in self._found:
            return None
        try:
            kind, label = kind_and_label(self._found[name])
        except InvalidInput as error:
            self.wrong(name, str(error))
            return None
        if not kind.can_be_owned:
            self.wrong(name, f"a site never owns {kind.name}. Remove this item.")
        return kind, label


def _truth(value: object) -> bool:
    if value not in (*YES, *NO):
        raise InvalidInput(f"write true or false, not {value_kind(value)}.")
    return value in YES


def _members_of(item: ListItem, known: t.Sequence[str], reader: SiteReader) -> t.Iterator[_Members]:
    """Yield the members of what stands in a list, nothing when it is no mapping."""

    def note(source: SourceLine, msg: str) -> None:
        reader.mistakes.append(Mistake(source, item.where, msg))

    if isinstance(item.value, Table):
        yield _Members(item.value, known, reader, note)
    else:
        note(item.source, f"write a mapping of {join_names(known)}, not {value_kind(item.value)}.")


def adopts(draft: Draft, reader: SiteReader) -> bool:
    """Return whether the entry makes what exists the site's own."""
    try:
        value = reader.resolve(draft.table.get(ADOPT))
        adopt = None if value is OMITTED or value is None else _truth(value)
    except InvalidInput as error:
        reader.mistakes.append(draft.mistake(f"{ADOPT}: {error}", ADOPT))
        return False
    if adopt is not None and not draft.of.can_be_owned:
        reader.mistakes.append(draft.mistake(f"{ADOPT}: a site never owns {draft.kind}. Remove it.", ADOPT))
    return bool(adopt)


def lifecycle_of(draft: Draft, reader: SiteReader) -> Lifecycle:
    """Return how the entry may change."""
    source, given = draft.table.source_of(LIFECYCLE), draft.table.get(LIFECYCLE)

    def note(place: SourceLine, msg: str) -> None:
        reader.mistakes.append(draft.mistake(f"{LIFECYCLE}: {msg}")._replace(source=place))

    try:
        table = given if isinstance(given, Table) else data_at(reader.resolve(given), source)
    except InvalidInput as error:
        note(source, str(error))
        return Lifecycle()
    if isinstance(table, Table):
        return _lifecycle(draft, _Members(table, Lifecycle._fields, reader, note))
    if table is not None and table is not OMITTED:
        note(source, f"write a mapping of {join_names(Lifecycle._fields)}, not {value_kind(table)}.")
    return Lifecycle()


def _lifecycle(draft: Draft, members: _Members) -> Lifecycle:
    prevent = members.truth(PREVENT_DESTROY)
    if prevent and draft.options.get("state") == "absent":
        members.wrong(
            PREVENT_DESTROY,
            "state: absent would remove the object that this protects. Give false here, or another state.",
        )
    if members.given(CREATE_FIRST) is not None and not draft.of.creates_first:
        members.wrong(CREATE_FIRST, f"only instances can be replaced this way, not {draft.kind}. Remove it.")
    ignored = members.given(IGNORE_CHANGES)
    if isinstance(ignored, str):
        ignored = ignored.split(",")
    if not isinstance(ignored, (list, type(None))):
        members.wrong(IGNORE_CHANGES, f"write a list of options, not {value_kind(ignored)}.")
        ignored = None
    names = {name for one in ignored or () for name in _ignored(draft, one, members)}
    return Lifecycle(prevent, tuple(sorted(names)), members.truth(CREATE_FIRST))


def _ignored(draft: Draft, given: object, members: _Members) -> t.Iterator[str]:
    """Yield the option whose changes do not matter, by the name that the module's documentation has first."""
    words = kind_options(draft.of)
    label = str(given).strip()
    name = words.aliases.get(label, label)
    if not isinstance(given, str):
        members.wrong(IGNORE_CHANGES, f"write an option, not {value_kind(given)}.")
    elif name not in words.spec:
        hint = did_you_mean(label, [*words.spec, *words.aliases])
        members.wrong(IGNORE_CHANGES, f"{draft.kind} have no option {label!r}. {hint}")
    elif name in draft.of.identity_of(draft.options):
        members.wrong(IGNORE_CHANGES, f"{label} identifies the entry, so it cannot be ignored.")
    else:
        yield name


class _Move(t.NamedTuple):
    """One line of ``moved``, as it stands there; ``members`` take what is wrong with it."""

    kind: EntryKind
    old: str
    new: str
    source: SourceLine
    members: _Members

    @property
    def shown(self) -> str:
        return f"{self.kind.name}.{self.old}"


def _move(item: ListItem, reader: SiteReader) -> t.Iterator[_Move]:
    for members in _members_of(item, ("from", "to"), reader):
        old, new = members.label("from"), members.label("to")
        if old and new and old[0] is not new[0]:
            members.wrong("to", f"one of {old[0].name} cannot become one of {new[0].name}.")
        elif old and new and members.right:
            yield _Move(old[0], old[1], new[1], item.source, members)


class _Moves:
    """All that has moved, checked together.

    ``from`` is not declared any more, or something else moves to its place: ``a`` to ``b`` with ``b`` to ``a`` is a
    swap. ``to`` is declared, or has moved on: ``a`` to ``b`` with ``b`` to ``c`` is the history of what is ``c`` now.
    """

    def __init__(self, moves: t.Sequence[_Move], register: Register) -> None:
        self._moves = moves
        self._register = register
        self._next = {(move.kind.name, move.old): move for move in reversed(moves)}
        self._onto = {self._target(move): move for move in reversed(moves)}

    def checked(self) -> tuple[Moved, ...]:
        """Return the moves that are right."""
        found = []
        for move in self._moves:
            end, last = self._end(move)
            if end is None:
                last.members.wrong("to", self._register.missing_entry(move.kind.name, last.new))
            else:
                found.append(Moved(move.kind.name, move.old, end.place, str(move.source)))
            problem = self._problem_of_old(move)
            other = self._onto[self._target(move)]
            if problem:
                move.members.wrong("from", problem)
            elif other is not move:
                move.members.wrong("to", f"{other.shown} already moves here at {other.source}.")
        return tuple(found)

    def _target(self, move: _Move) -> Place:
        entry = self._register.by_key(move.kind.name, move.new)
        return (move.kind.name, move.new) if entry is None else entry.place

    def _end(self, move: _Move) -> tuple[Draft | None, _Move]:
        """Return the entry that is now what has moved, None when there is none, and the move that leads there."""
        seen: set[str] = set()
        while True:
            entry = self._register.by_key(move.kind.name, move.new)
            following = self._next.get((move.kind.name, move.new))
            if entry is not None or following is None or following.new in seen:
                return entry, move
            seen.add(following.new)
            move = following

    def _problem_of_old(self, move: _Move) -> str | None:
        first = self._next[move.kind.name, move.old]
        if first is not move:
            return f"{move.shown} already moves at {first.source}."
        entry = self._register.by_name(move.kind.name, move.old)
        if entry is None:
            return None
        if entry.place == self._target(move):  # one that has kept its key may have another name now
            return "this is already its current name." if entry.name == move.old else None
        msg = f"{move.shown} is still declared, at {entry.table.source}. Remove that entry."
        return None if entry.place in self._onto else msg


def _removed(
    items: t.Iterable[ListItem], moves: t.Sequence[_Move], register: Register, reader: SiteReader
) -> tuple[Released, ...]:
    found: dict[Place, Released] = {}
    moved = {(move.kind.name, move.old): move for move in moves}
    for item in items:
        for members in _members_of(item, ("what", "destroy"), reader):
            named = members.label("what")
            members.expect(
                "destroy", "With true, the object is removed. With false, it stays and the site no longer owns it."
            )
            destroy = members.truth("destroy")
            if named is None or not members.right:
                continue
            place = (named[0].name, named[1])
            shown, entry = ".".join(place), register.by_name(*place)
            if entry is not None:
                members.wrong("what", f"{shown} is still declared, at {entry.table.source}.")
            elif place in moved:
                members.wrong("what", f"{shown} moves to another place at {moved[place].source}.")
            elif place in found:
                members.wrong("what", f"{shown} is already listed at {found[place].source}.")
            found.setdefault(place, Released(*place, destroy, str(item.source)))
    return tuple(found.values())


def _outputs(table: Table, register: Register, reader: SiteReader) -> tuple[Output, ...]:
    found = []
    for name, given in table.items():
        source = table.source_of(name)
        try:
            path = reader.resolve(given)
            if path is not None and path is not OMITTED:
                _check_variable(name)
                entry, members = _value_of(path, register)
                found.append(Output(name, entry.place, members, str(source)))
        except InvalidInput as error:
            reader.mistakes.append(Mistake(source, f"{OUTPUTS}.{name}", str(error)))
    return tuple(found)


def _check_variable(name: str) -> None:
    if not VARIABLE_NAME.fullmatch(name) or keyword.iskeyword(name):
        raise InvalidInput(
            "the name must be one for a variable: letters, digits and underscores, not beginning with a digit."
        )


def _value_of(path: object, register: Register) -> tuple[Draft, tuple[str, ...]]:
    """Return the entry and the way to the value in its result: of labels with dots in them the longest counts."""
    if not isinstance(path, str):
        raise InvalidInput(f"write a path such as {EXAMPLE_PATH}, not {value_kind(path)}.")
    kind, rest = kind_and_label(path)
    parts = rest.split(".")
    lengths = [*range(len(parts) - 1, 0, -1), len(parts)]
    entries = {length: register.by_key(kind.name, ".".join(parts[:length])) for length in lengths}
    entry, length = next(((entry, length) for length, entry in entries.items() if entry), (None, 0))
    if entry is None:
        raise InvalidInput(register.missing_entry(kind.name, ".".join(parts[:-1]) or rest))
    if not all(parts[length:]) or length == len(parts):
        raise InvalidInput(f"the path names no value of the entry: write a path such as {EXAMPLE_PATH}.")
    if entry.options.get("state") == "absent":
        raise InvalidInput(f"{kind.name}.{entry.key} has state absent, so it has no values.")
    check_output_path(kind, f"{kind.name}.{entry.key}", parts[length:])
    return entry, tuple(parts[length:])


def _policies(items: t.Iterable[ListItem], reader: SiteReader) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for item in items:
        try:
            path = reader.resolve(item.value)
            if path is not OMITTED:
                found[_policy(path, item.source)] = None
        except InvalidInput as error:
            reader.mistakes.append(Mistake(item.source, item.where, str(error)))
    return tuple(found)


def _policy(given: t.Any, source: SourceLine) -> str:
    if not is_path(given):
        raise InvalidInput("the path of a file or folder is expected.")
    path = absolute_path(given, source)
    if not os.path.exists(path):
        raise InvalidInput(f"there is no file or folder {given}.")
    return path

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account that is read, and what the export of one kind finds in it.

An entry identifies an object by its name if that is unique, otherwise by its number.
"""

from __future__ import annotations

import typing as t
from collections import Counter
from fnmatch import fnmatchcase

from .._connection.task import Params, Task
from .._core.errors import InvalidInput
from .._core.text import MIN_SECRET_LENGTH, number_in
from .._core.type_aliases import JsonObject
from .._engine.scheduler import map_in_threads

_Item = t.TypeVar("_Item")
_Value = t.TypeVar("_Value")
NO_OPTIONS: t.Mapping[str, str] = {}

IN_IT = "a secret of this task is in it"
NOT_REPORTED = "the service does not report it"
HIDDEN_REASON = "it is a secret"
ONLY_AT_CREATION = "it matters only when the object is created"


class ExportTable(t.NamedTuple):
    """The options of a kind's module that describe an object, not how a task works.

    ``identity`` are those that identify the object, ``exported`` the others that are exported, both in the order in
    which they are written. ``withheld`` has the options that are left out, with the reason for the user.
    """

    kind: str
    identity: tuple[str, ...]
    exported: tuple[str, ...]
    withheld: t.Mapping[str, str] = NO_OPTIONS


class LeftOut(t.NamedTuple):
    """What is not in the export: without a name, all objects of the kind; without an option, the whole object."""

    kind: str
    name: str | None
    option: str | None
    reason: str


class ExportedKind:
    """The entries of one kind, and what was left out of them."""

    def __init__(self, table: ExportTable) -> None:
        self.table = table
        self.entries: list[JsonObject] = []
        self.left_out: list[LeftOut] = []
        self.changed = False

    def add(self, values: JsonObject) -> None:
        """Take in an entry, with its options in the order of the table; what is None is left out."""
        names = ("key", *self.table.identity, *self.table.exported)
        self.entries.append({name: values[name] for name in names if values.get(name) is not None})

    def leave(self, name: object, reason: str, option: str | None = None) -> None:
        """Note that an object, or one option of it, is left out."""
        self.left_out.append(LeftOut(self.table.kind, str(name), option, reason))

    def conceal(self, secret: t.Callable[[object], bool]) -> None:
        """Leave out values with a secret of the task, which would become asterisks; ``secret`` recognizes them."""
        entries, self.entries = self.entries, []
        for entry in entries:
            exported = {name: value for name, value in entry.items() if not secret(value)}
            said = "/".join(str(exported[name]) for name in self.table.identity if name in exported)
            is_known = set(self.table.identity).isdisjoint(entry.keys() - exported.keys())
            for name in entry:
                if name not in exported:
                    self.leave(said, IN_IT, name if is_known else None)
            if is_known:  # otherwise nothing would identify the object
                self.entries.append(exported)

    def leave_withheld(self) -> None:
        """Note the options that no entry of the kind has, if there are entries."""
        if self.entries:
            exported = [LeftOut(self.table.kind, None, name, reason) for name, reason in self.table.withheld.items()]
            self.left_out[:0] = exported


class UniqueLabels:
    """The labels that stand for one number only, among the ``(number, label)`` of a list."""

    def __init__(self, items: t.Iterable[tuple[int, str | None]]) -> None:
        pairs = {(number, label) for number, label in items if label}
        counts = Counter(label for _number, label in pairs)
        self._labels: dict[int, list[str]] = {}
        for number, label in sorted(pairs):
            if counts[label] == 1 and label == label.strip() and number_in(label) is None:
                self._labels.setdefault(number, []).append(label)

    def of(self, number: int) -> str | None:
        """Return the shortest label that stands for the number and nothing else, None if there is none."""
        return min(self._labels.get(number, ()), key=len, default=None)

    def said(self, number: int) -> str:
        """Return the label, or the number as text if no label is unique."""
        return self.of(number) or str(number)


class ExportedAccount:
    """The account that the settings of a task lead to; ``params`` are the options of site_export."""

    def __init__(self, task: Task, params: Params) -> None:
        self.task = task
        self.params = params
        self._secrets = [secret for secret in task.settings.secrets() if len(secret) >= MIN_SECRET_LENGTH]

    def is_selected(self, kind: str, name: object) -> bool:
        """Whether the option ``names`` selects an object of this name."""
        patterns = (self.params["names"] or {}).get(kind)
        return patterns is None or any(fnmatchcase(str(name), pattern) for pattern in patterns)

    def holds_secret(self, value: object) -> bool:
        """Whether a value contains a secret of this task: masked, it would say something else."""
        if isinstance(value, dict):
            return any(self.holds_secret(one) for pair in value.items() for one in pair)
        if isinstance(value, list):
            return any(map(self.holds_secret, value))
        return isinstance(value, str) and any(secret in value for secret in self._secrets)

    def identified(
        self,
        found: ExportedKind,
        records: t.Iterable[JsonObject],
        check: t.Callable[[str], object] = lambda _name: None,
        key: str = "name",
        numbered: str = "id",
    ) -> t.Iterator[tuple[JsonObject, JsonObject]]:
        """Yield each selected record with the options that identify it, in the order of their names.

        ``check`` raises InvalidInput for a name that the module does not take. ``key`` is the attribute and option of
        the name, ``numbered`` those of an identifier that is always unique.
        """
        every = list(records)
        counts = Counter(record.get(key) for record in every)
        for record in sorted(every, key=lambda one: (str(one.get(key) or ""), str(one[numbered]))):
            name = record.get(key)
            if not self.is_selected(found.table.kind, name or ""):
                continue
            why = self._why_unfit(name, check, counts[name])
            if why is None:
                yield record, {key: name}
                continue
            if name:
                found.leave(name, f"{why}; it is declared by {numbered} {record[numbered]}", key)
            yield record, {numbered: record[numbered]}

    def _why_unfit(self, name: str | None, check: t.Callable[[str], object], count: int) -> str | None:
        """Return why an object cannot be declared by its name, which ``count`` objects have."""
        if not name:
            return "there is none"
        if self.holds_secret(name):
            return IN_IT
        try:
            check(name)
        except InvalidInput as wrong:
            return f"the module does not take it ({wrong.message.rstrip('.')})"
        return "others have the same" if count > 1 else None

    def each(self, items: t.Iterable[_Item], work: t.Callable[[_Item], _Value]) -> list[_Value]:
        """Return what ``work`` returns for each item, in order; several requests are made at a time."""
        return map_in_threads(list(items), work, deadline=self.task.deadline, most=self.params["concurrency"])

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the export of one kind says of the options of its module, and what it finds."""

from __future__ import annotations

import typing as t

Values = t.Dict[str, t.Any]
NO_OPTIONS: t.Mapping[str, str] = {}
IN_IT = "a secret of this task is in it"


class Table(t.NamedTuple):
    """Every option of a kind's module is in one of these.

    ``identity`` are those that say which object is meant, ``told`` the others that are exported, both in the order in
    which they are written. ``withheld`` has for what the account has, and the export leaves out, the reason; it is told
    to the user. ``of_tasks`` has the reason for what says how a task works and not what there is.
    """

    kind: str
    identity: tuple[str, ...]
    told: tuple[str, ...]
    withheld: t.Mapping[str, str] = NO_OPTIONS
    of_tasks: t.Mapping[str, str] = NO_OPTIONS

    def ordered(self, values: Values) -> Values:
        """Return an entry with its options in their order; what is None is left out."""
        names = ("key", *self.identity, *self.told)
        return {name: values[name] for name in names if values.get(name) is not None}


class LeftOut(t.NamedTuple):
    """What is not in the export: without a name said of all of the kind, without an option of all of the object."""

    kind: str
    name: str | None
    option: str | None
    reason: str


class Found:
    """The entries of one kind, and what was left out of them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.entries: list[Values] = []
        self.left_out: list[LeftOut] = []
        self.changed = False

    def add(self, values: Values) -> None:
        """Take in an entry."""
        self.entries.append(self.table.ordered(values))

    def leave(self, name: t.Any, reason: str, option: str | None = None) -> None:
        """Note that an object, or one option of it, is left out."""
        self.left_out.append(LeftOut(self.table.kind, str(name), option, reason))

    def conceal(self, secret: t.Callable[[t.Any], bool]) -> None:
        """Leave out what has a secret of the task in it, which would be told as asterisks; ``secret`` says so."""
        kept: list[Values] = []
        for entry in self.entries:
            hidden = [name for name, value in entry.items() if secret(value)]
            of_all = any(name in self.table.identity for name in hidden)
            said = "/".join(str(entry[name]) for name in self.table.identity if name in entry and name not in hidden)
            for name in hidden:
                self.leave(said, IN_IT, None if of_all else name)
            if not of_all:
                kept.append({name: value for name, value in entry.items() if name not in hidden})
        self.entries = kept

    def leave_withheld(self) -> None:
        """Note what no entry of the kind tells, if there are entries."""
        if self.entries:
            told = [LeftOut(self.table.kind, None, name, reason) for name, reason in self.table.withheld.items()]
            self.left_out[:0] = told


NOT_READABLE = "the service does not tell it"
CONCEALED = "it is a secret"
ONCE = "it matters only when the object is made"
HOW = "it says how a task works, not what there is"
NOT_DECLARED = "what is not declared stays as it is"
WAITING = dict.fromkeys(("wait", "wait_timeout", "create_grace"), HOW)

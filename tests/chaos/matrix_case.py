# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a case of the matrix is: a task that changes something, and how that is counted at the service."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

from chaos.workplace import Workplace

State = t.Mapping[str, t.Any]
Args = t.Dict[str, t.Any]
There = t.Callable[[Workplace, str], None]
OTHER = "someone-else"
"""The name of what somebody else has."""
FILES = "CHAOS_FILES"
"""Variable with the folder for what tasks upload and download."""


class Case(t.NamedTuple):
    """``write`` selects the requests that change something. ``found`` counts what is desired; 1 is right.

    ``there`` makes without faults what must be there before. ``creates``: something new is made, which might be made
    twice. ``act``: nothing is declared, so each run does it again. ``traits`` say which faults can strike: lists that
    can be late, names, many writes, tickets, long lists (pages), an object that is removable while it is changed.
    ``only`` names the faults where others would strike what is not of the collection. ``left`` counts what a create
    that was not completed leaves.
    """

    name: str
    module: str
    write: t.Mapping[str, t.Any]
    args: t.Callable[[str], Args]
    found: t.Callable[[State, str], int]
    there: There = lambda _place, _name: None
    creates: bool = False
    act: bool = False
    traits: frozenset[str] = frozenset()
    only: str = ""
    left: t.Callable[[State], int] = lambda _state: 0

    @property
    def all_traits(self) -> frozenset[str]:
        """The traits, and what follows from the rest."""
        more = traits(*["state"] * (not self.act), *["creates"] * self.creates)
        return self.traits | more

    def begun(self, state: State, name: str) -> int:
        """Count what is desired, or what is left of its create: whoever looks sees that, and forces nothing."""
        return self.found(state, name) or self.left(state)


def traits(*words: str) -> frozenset[str]:
    """Return traits."""
    return frozenset(words)


def having(module: str, **args: t.Any) -> There:
    """Return what runs a task before, with the name of the cell for NAME in its options."""

    def there(place: Workplace, name: str) -> None:
        own = {key: value.replace("NAME", name) if isinstance(value, str) else value for key, value in args.items()}
        place.run(module, own).succeeded()

    return there


def first(*steps: There) -> There:
    """Return what does one after the other."""

    def there(place: Workplace, name: str) -> None:
        for step in steps:
            step(place, name)

    return there


def files(name: str) -> Path:
    """Return the folder of a cell for files, which is made."""
    folder = Path(os.environ[FILES]) / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder

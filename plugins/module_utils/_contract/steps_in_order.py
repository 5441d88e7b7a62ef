# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A change that takes several requests: one after the other, and an error in the middle tells what was done."""

from __future__ import annotations

import typing as t

from .._core.errors import FcdError
from .._engine.change_tracking import note_change
from .._engine.create_once import NO_EFFECT
from .confirmation import confirmed


class Step(t.NamedTuple):
    """One request: the options that it sets, how it is sent, and whether it was done, as far as reading tells."""

    names: tuple[str, ...]
    send: t.Callable[[], None]
    done: t.Callable[[], bool]


def carry_out(steps: t.Sequence[Step], who: str) -> None:
    """Take the steps. ``who`` begins the sentence that an error tells."""
    for index, step in enumerate(steps):
        try:
            confirmed(step.send, step.done)
        except FcdError as problem:
            if len(steps) == 1:
                raise
            finished = [name for earlier in steps[:index] for name in earlier.names]
            left = [name for later in steps[index:] for name in later.names]
            told = _told(problem, who, finished, left)
            if finished:
                note_change(told)
            raise told from problem


def _told(problem: FcdError, who: str, done: list[str], left: list[str]) -> FcdError:
    """Return the error with what is known in front of it."""
    finished = f"{', '.join(done)} set" if done else "nothing set"
    certain = "" if isinstance(problem, NO_EFFECT) else "certainly "
    return type(problem)(
        f"{who}: {finished}, not {certain}set: {', '.join(left)}. {problem.message}",
        next_step=problem.next_step or "Run the task again; it sets what is missing.",
        **{**problem.details, "done": done, "left": left},
    )

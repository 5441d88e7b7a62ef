# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules with an option ``act``: which options each act takes, and acts that are done at most once."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput, Rejected, ServiceError, Unclear
from .._session.operation import Params

Done = t.TypeVar("Done")


class Act(t.NamedTuple):
    """Options that have to be given, of which one has to be, and which else have a meaning."""

    needs: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """All options that have a meaning for it."""
        return (*self.one_of, *self.needs, *self.takes)


def options(acts: t.Mapping[str, Act], own: t.Mapping[str, dict[str, t.Any]]) -> dict[str, dict[str, t.Any]]:
    """Return the options of a module with these acts."""
    return {"act": {"type": "str", "required": True, "choices": list(acts)}, **own}


def check_act(acts: t.Mapping[str, Act], params: Params) -> str:
    """Return the name of the act. Raises InvalidInput for options that are missing, empty or without a meaning."""
    name: str = params["act"]
    act = acts[name]
    known = dict.fromkeys(option for each in acts.values() for option in each.options)
    given = [option for option in known if params[option] is not None and params[option] is not False]
    chosen = [option for option in act.one_of if option in given]
    missing = [option for option in act.needs if option not in given]
    if act.one_of and not chosen:
        missing.insert(0, " or ".join(act.one_of))
    if missing:
        raise InvalidInput(f"act: {name} needs {', '.join(missing)}.", option=missing[0].partition(" ")[0])
    if len(chosen) > 1:
        raise InvalidInput(f"act: {name} takes one of {' and '.join(chosen)}, not several.", option=chosen[1])
    foreign = [option for option in given if option not in act.options]
    if foreign:
        raise _foreign(acts, name, foreign[0])
    empty = [option for option in given if params[option] == ""]
    if empty:
        raise InvalidInput(
            f"{empty[0]} is empty.",
            next_step="If it comes from a variable of the environment, check that the variable is set.",
            option=empty[0],
        )
    return name


def _foreign(acts: t.Mapping[str, Act], name: str, option: str) -> InvalidInput:
    others = [other for other, act in acts.items() if option in act.options]
    return InvalidInput(
        f"{option} has no meaning for act: {name}, which takes {', '.join(acts[name].options)}.",
        next_step=f"Leave it out, or take act: {' or '.join(others)}.",
        option=option,
    )


def once(send: t.Callable[[], Done], find_out: str) -> Done:
    """Do something that is never repeated; where nobody knows whether it was done, ``find_out`` is the next step."""
    try:
        return send()
    except (Unclear, ServiceError) as problem:
        if not isinstance(problem, Rejected) and not problem.details.get("redirect"):
            problem.next_step = find_out
        raise

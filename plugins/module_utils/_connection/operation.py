# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An operation: what a module does, as plain data and one function. The module and its twin share it."""

from __future__ import annotations

import typing as t

from .task import Task

if t.TYPE_CHECKING:
    from .._engine.converge import Outcome

Params = t.Mapping[str, t.Any]
Result = t.Dict[str, t.Any]


NO_RULES: t.Mapping[str, t.Any] = {}


class Operation(t.NamedTuple):
    """``options`` is the argument specification of the module's own options; connection options come from ``services``.

    ``run`` gets the task and the validated options and returns a result of plain data with ``changed`` in it; it raises
    FcdError. ``rules`` are the further conditions of an argument specification (``required_if``,
    ``mutually_exclusive``, ``required_together``, ``required_one_of``, ``required_by``). ``returns_secrets`` says that
    the result itself is secret, or tells by looking at it: the twin hides such a result from every event, and it stays
    usable when registered.
    """

    name: str
    services: tuple[str, ...]
    options: t.Mapping[str, dict[str, t.Any]]
    run: t.Callable[[Task, Params], Result]
    rules: t.Mapping[str, t.Any] = NO_RULES
    returns_secrets: bool | t.Callable[[Result], bool] = False


STATE: dict[str, dict[str, t.Any]] = {"state": {"type": "str", "choices": ["present", "absent"], "default": "present"}}
WAIT: dict[str, dict[str, t.Any]] = {
    "wait": {"type": "bool", "default": True},
    "wait_timeout": {"type": "float", "default": 2700.0},
}


def given(params: Params, names: t.Iterable[str]) -> dict[str, t.Any]:
    """Return the options that the user gave, by name."""
    return {name: params[name] for name in names if params.get(name) is not None}


def result_of(key: str, outcome: Outcome) -> Result:
    """Return the result of a module that brought one object to its state."""
    return {"changed": outcome.changed, key: outcome.record, "action": outcome.action or "none", "diff": outcome.diff}

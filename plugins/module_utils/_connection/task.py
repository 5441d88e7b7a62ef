# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The task at hand: its settings, its clock and what it may say while it runs.

An operation: what a module does, as plain data and one function. The module and its twin share it.
"""

from __future__ import annotations

import os
import typing as t

from .._core.clock import Clock, Deadline
from .._core.redaction import Redactor
from .settings import Settings

if t.TYPE_CHECKING:
    from .._engine.create_once import Once
    from .._engine.reconcile import Outcome
    from .clients import SharedClients


def _silent(text: str) -> None:
    del text


class Task:
    """One run of an operation. ``warn`` shows a warning, ``tell`` shows progress where Ansible allows it.

    ``way`` is ``module``, ``worker`` or ``lookup`` and becomes part of the User-Agent. ``clients`` are those that the
    operations of a task with many of them share; None where each makes its own.
    """

    clients: SharedClients | None = None

    def __init__(
        self,
        settings: Settings,
        *,
        check_mode: bool = False,
        clock: Clock | None = None,
        warn: t.Callable[[str], None] = _silent,
        tell: t.Callable[[str], None] = _silent,
        way: str = "module",
    ) -> None:
        self.settings = settings
        self.check_mode = check_mode
        self.clock = clock or Clock()
        self.warn = warn
        self.tell = tell
        self.way = way
        self.redactor = Redactor(settings.secrets())
        self.deadline = Deadline(self.clock, settings["task_timeout"], "task")

    @property
    def state_dir(self) -> str:
        """The user's own folder for tokens, locks, intents and compiled contracts."""
        folder: str = self.settings["state_dir"]
        return os.path.expanduser(folder)

    def once(self, grace: float) -> Once:
        """Return what create_once needs; ``grace`` in seconds."""
        from .._engine.create_once import Once  # readers need not pay for it

        return Once(os.path.join(self.state_dir, "creates"), self.clock, self.deadline, grace)


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

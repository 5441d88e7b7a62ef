# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose the tasks that a later run of a target runs as ordinary modules, and note what was tried both ways.

The start of a module costs ten times what a task in the worker costs, so not every task of a later run is one. The
first run records what comes of each task, and of each item of a loop; of each module, a later one runs one task or item
as a module for every outcome: each action, nothing to do, each kind of error, all of them in check mode too. What
another target tried is not tried again. All results are compared all the same, since the tasks between them run in the
worker again. Where the option ``extent`` is ``all``, every task is a module.
"""

from __future__ import annotations

import contextlib
import json
import os
import typing as t
from collections import Counter

from ansible import constants
from ansible.plugins.callback import CallbackBase
from ansible.plugins.loader import filter_loader, test_loader
from ansible.release import __version__

try:
    from ansible.template import trust_as_template as trusted
except ImportError:  # ansible-core 2.18 trusts every text

    def trusted(text: str) -> str:
        return text


DOCUMENTATION = """
name: both_ways
type: aggregate
short_description: Chooses what runs as an ordinary module
description: Puts a variable into the environment of the chosen tasks, which makes modules of them.
options:
  extent:
    description: What a later run runs as modules.
    choices: [all, outcomes]
    default: outcomes
    ini: [{section: both_ways, key: extent}]
"""

RECORDS = os.path.expanduser("~/both_ways")
NOTES = os.path.join(RECORDS, "tried.json")
"""The outcomes that were tried both ways, by module; of all targets of a run."""

ONE_WAY = ("lookup_", "role_")
"""Targets of which not every outcome is tried again: the modules of roles have targets of their own."""

OWN, TRIAL = "fcd.cloud.", "ansible.builtin.shell"
"""Actions that are chosen from: the modules of the collection, and what the target two_ways tries this with."""

INDEX = "both_ways_index"
"""The variable that holds the number of an item."""

MODULE = {"FCD_TEST_WAY": "module"}
"""What makes a module of a task."""

SKIPPED = ""
"""The outcome of an item that was skipped."""

Place = t.Tuple[str, int]
"""A task in its file, and how many times it has been started there."""


class Started(t.NamedTuple):
    """A task, and what came of it: an outcome for each item of its loop."""

    module: str
    compared: bool
    outcomes: t.List[str]


class CallbackModule(CallbackBase):
    """The callback both_ways."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "both_ways"
    CALLBACK_NEEDS_ENABLED = False  # ansible-test enables another one, and by that only that one

    def __init__(self, *args: t.Any, **more: t.Any) -> None:
        super().__init__(*args, **more)
        _share_packed_modules()
        self._tried: dict[str, set[str]] = {}
        self._starts: Counter[str] = Counter()
        self._record = ""
        self._first: dict[Place, Started] = {}
        self._chosen: dict[Place, list[int]] | None = None
        self._modules: list[int] = []
        self._now: Started | None = None

    def v2_playbook_on_play_start(self, play: t.Any) -> None:
        """Choose from the record of the target, if there is one."""
        target = "".join(role.get_name() for role in play.get_roles())
        self._record = os.path.join(RECORDS, f"{target}.tasks")
        self._tried = {module: set(outcomes) for module, outcomes in _read(NOTES, {}).items()}
        recorded = _read(self._record, None)
        if recorded is not None:
            first = {(path, number): Started(*started) for path, number, *started in recorded}
            self._chosen = {} if target.startswith(ONE_WAY) else self._choice(first)

    def v2_playbook_on_task_start(self, task: t.Any, is_conditional: bool) -> None:
        """Remember the task in the first run, choose it or not in a later one."""
        _load_filters()
        self._now = None
        if "way" not in task.get_vars() or not str(task.action).startswith((OWN, TRIAL)):
            return
        path = task.get_path().rpartition("/targets/")[2]  # the part before it differs from run to run
        self._starts[path] += 1
        started = Started(str(task.action), _is_compared(task), [])
        if self._chosen is None:
            self._first[path, self._starts[path]] = self._now = started
        elif self.get_option("extent") == "all":
            task.environment = [*(task.environment or []), MODULE]
        else:
            self._modules = self._chosen.get((path, self._starts[path]), [])
            if self._modules:
                _make_modules(task, self._modules)
                self._now = started

    def v2_runner_on_ok(self, result: t.Any) -> None:
        self._end_of_task(result, failed=False)

    def v2_runner_on_failed(self, result: t.Any, ignore_errors: bool = False) -> None:
        self._end_of_task(result, failed=True)

    def v2_runner_item_on_ok(self, result: t.Any) -> None:
        self._note(result, failed=False)

    def v2_runner_item_on_failed(self, result: t.Any) -> None:
        self._note(result, failed=True)

    def v2_runner_item_on_skipped(self, result: t.Any) -> None:
        if self._now:
            self._now.outcomes.append(SKIPPED)

    def v2_playbook_on_stats(self, stats: t.Any) -> None:
        """Keep the record for a later run; or the notes for the next target, and for who looks what is missing."""
        if self._first:
            _write(self._record, [(*place, *started) for place, started in self._first.items()])
        elif self._chosen:
            _write(NOTES, {module: sorted(outcomes) for module, outcomes in self._tried.items()})

    def _end_of_task(self, result: t.Any, *, failed: bool) -> None:
        if not result._task.loop:  # of a loop the items were told one by one
            self._note(result, failed=failed)

    def _note(self, result: t.Any, *, failed: bool) -> None:
        if self._now is None:
            return
        outcome = _outcome(result._result, failed=failed, check_mode=bool(result._task.check_mode))
        self._now.outcomes.append(outcome)
        was_module = self._chosen is not None and len(self._now.outcomes) - 1 in self._modules
        if was_module and self._now.module.startswith(OWN):
            self._tried.setdefault(self._now.module, set()).add(outcome)

    def _choice(self, first: dict[Place, Started]) -> dict[Place, list[int]]:
        """Return the items that have what was not tried yet, by preference of compared results; 0 where no loop is."""
        chosen: dict[Place, list[int]] = {}
        known = {(module, outcome) for module, outcomes in self._tried.items() for outcome in outcomes}
        for place, started in sorted(first.items(), key=lambda one: not one[1].compared):
            for number, outcome in enumerate(started.outcomes):
                if outcome != SKIPPED and (started.module, outcome) not in known:
                    known.add((started.module, outcome))
                    chosen.setdefault(place, []).append(number)
        return chosen


def _share_packed_modules() -> None:
    """Keep what is packed of each module for the other targets of the run: it takes longer than to run the module."""
    packed = os.path.join(RECORDS, f"packed-{__version__}")
    os.makedirs(packed, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.symlink(packed, os.path.join(constants.DEFAULT_LOCAL_TMP, "ansiballz_cache"))


def _load_filters() -> None:
    """Load what templates use, unless it is loaded: each task's worker, a fork, would do so, in a tenth of its time."""
    filter_loader.get("default")
    test_loader.get("defined")


def _make_modules(task: t.Any, items: list[int]) -> None:
    """Let these items of a task be ordinary modules; where it has no loop, the task."""
    desired: t.Any = MODULE
    if task.loop:
        index = task.loop_control.index_var or INDEX
        task.loop_control.index_var = index
        desired = trusted("{{ %s if %s in %s else {} }}" % (desired, index, items))
    task.environment = [*(task.environment or []), desired]


def _read(file: str, otherwise: t.Any) -> t.Any:
    try:
        with open(file, encoding="utf-8") as opened:
            return json.load(opened)
    except FileNotFoundError:
        return otherwise


def _write(file: str, content: object) -> None:
    os.makedirs(RECORDS, exist_ok=True)
    with open(file, "w", encoding="utf-8") as opened:
        json.dump(content, opened, indent=2)


def _is_compared(task: t.Any) -> bool:
    """Whether setup_both_ways compares the result: it is registered under a name that begins with the target's."""
    role = task._role.get_name() if task._role else ""
    names = task.register or ()  # a mapping from ansible-core 2.21 on
    return any(name.startswith(f"{role}_") for name in ([names] if isinstance(names, str) else names))


def _outcome(told: dict[str, t.Any], *, failed: bool, check_mode: bool) -> str:
    """Return what came of a task in a few words; those of a hidden result are fewer."""
    if failed:
        kind = f"failed: {told.get('error', {}).get('kind', 'options')}"
    elif told.get("changed"):
        kind = str(told.get("action") or "changed")
    else:
        kind = "unchanged"
    return f"{kind}, in check mode" if check_mode else kind

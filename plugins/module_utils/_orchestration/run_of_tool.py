# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of the orchestration tool: configure, prepare, plan, refuse what is protected, apply."""

from __future__ import annotations

import os
import typing as t

from .._core.errors import FcdError, has_changed, note_change
from . import recorded_state
from .engine import EngineFailed
from .plan_result import (
    Action,
    actions_of,
    attributes_before,
    diff_of,
    drift_of,
    planned_machines,
    refuse_protected,
    refuse_renaming,
)
from .preparation import Preparation
from .rendering import configuration
from .working_folder import NOT_STORED

if t.TYPE_CHECKING:
    from .._connection.task import Params, Result, Task
    from .connection import Orchestration
    from .engine import Engine
    from .local_state import LocalState
    from .state_object import StateObject
    from .working_folder import WorkingFolder

    State = t.Union[LocalState, StateObject]

Machines = t.Mapping[str, t.Mapping[str, t.Any]]
Adoption = t.Callable[[Machines], t.Dict[str, str]]


class Place(t.NamedTuple):
    """Where a run takes place: a folder, which is a private copy in check mode, its state, and the plugin.

    ``private`` is a folder for what nobody else may see, ``variables`` are what the tool finds the state by.
    """

    folder: WorkingFolder
    state: State
    plugin: str | None
    private: str
    variables: t.Mapping[str, str]


class RunOfTool:
    """A run at its place."""

    def __init__(self, task: Task, params: Params, place: Place, orchestration: Orchestration) -> None:
        self._task, self._params, self._place, self._orchestration = task, params, place, orchestration
        self._folder, self._state = place.folder, place.state
        self._plan = os.path.join(place.private, "plan")
        self._preparation = Preparation(place.folder, place.plugin, orchestration, params, place.private)
        self._engine = self._new_engine()
        self._before: dict[str, t.Any] = {}

    def _new_engine(self) -> Engine:
        return self._orchestration.engine(self._folder.path, self._preparation.cli, self._place.variables)

    def carried_out(self, machines: Machines, adoption: Adoption) -> Result:
        """Do it, but for changes in check mode. Raises EngineFailed, InvalidInput for what is protected."""
        adopted = adoption(recorded_state.machines(self._state.read()))
        try:
            result = self._done(machines, adopted)
        except EngineFailed as failed:
            if has_changed(failed) or failed.cancelled or not self._orchestration.has_new_token():
                raise
            self._engine = self._new_engine()
            result = self._done(machines, adopted)
        if adopted and not self._task.check_mode:
            self._folder.write_configuration(self._text(machines, {}))
        if self._params["state"] == "absent":
            self._preparation.forget_place()
        version = self._preparation.version
        tool = {"engine": version.tool, "engine_version": ".".join(map(str, version.number))}
        whole: Result = self._task.redactor.value({**result, **tool})
        return whole

    def _done(self, machines: Machines, adopted: t.Mapping[str, str]) -> Result:
        """Do it; the configuration stays as it was unless there is a plan to go by."""
        self._folder.make()
        try:
            with self._folder.configured(self._text(machines, adopted)) as configured:
                self._preparation.prepare(self._engine, self._state.backend, self._state.place)
                self._store_what_was_not()
                is_planned, result = self._planned()
                refuse_protected(result["actions"], self._params["protect"])
            if is_planned and not self._task.check_mode:
                result["instances"] = self._applied()
        except EngineFailed as failed:
            self._explain(failed)
            raise
        return {**result, "config_changed": configured}

    def _explain(self, failed: EngineFailed) -> None:
        """Say in the error what to do."""
        steps = [self._state.explain(failed.summaries), failed.next_step]
        if failed.is_about_plugins:
            steps.append("Check plugin_path, and provider_source if it is set.")
        failed.next_step = " ".join(step for step in steps if step) or None

    def _text(self, machines: Machines, adopted: t.Mapping[str, str]) -> str:
        return configuration(
            self._params["api_url"] or self._task.settings["base_url"],
            machines,
            ephemeral=self._preparation.ephemeral,
            backend=self._state.backend,
            source=self._params["provider_source"],
            adopted=adopted,
        )

    def _store_what_was_not(self) -> None:
        path = self._folder.file(NOT_STORED)
        if not self._task.check_mode and os.path.exists(path):
            self._engine.push_state(path, *self._locking())
            os.unlink(path)
            self._task.warn(f"The state that an earlier run could not store was stored now; {path} is gone.")

    def _planned(self) -> tuple[bool, Result]:
        """Return whether there is a plan to carry out, and the result that it would have."""
        flags = [self._parallelism(), *self._locking(), *(["-destroy"] if self._params["state"] == "absent" else [])]
        if not self._engine.plan(self._plan, *flags):
            machines = recorded_state.machines(self._state.read())
            return False, _result([], {"before": {}, "after": {}}, machines, [])
        shown = self._engine.show(self._plan)
        refuse_renaming(shown, self._params["protect"])
        self._before = attributes_before(shown)
        return True, _result(actions_of(shown), diff_of(shown), planned_machines(shown), drift_of(shown))

    def _applied(self) -> dict[str, dict[str, t.Any]]:
        """Do what was planned and return the machines as they are then."""
        try:
            self._engine.apply(self._plan, *self._locking(), self._parallelism())
        except EngineFailed as failed:
            self._tell_what_was_done(failed)
            raise
        return recorded_state.machines(self._state.read())

    def _tell_what_was_done(self, failed: EngineFailed) -> None:
        done: list[Action] = failed.details.get("applied") or []
        begun: list[str] = failed.details.get("begun") or []
        if done or self._state_differs() or (failed.is_unclear and begun):
            note_change(failed)
        words = ", ".join(f"{one['address']} ({one['action']})" for one in done) or "nothing"
        steps = [f"Done before: {words}."]
        if begun:
            steps.append(
                f"Not ended: {', '.join(begun)}; an instance that was made all the same is not made twice with adopt."
            )
        failed.next_step = " ".join([*steps, "Run the task again once the cause is away."])

    def _state_differs(self) -> bool:
        """Whether a machine was made or changed and then failed."""
        try:
            return recorded_state.attributes(self._state.read()) != self._before
        except FcdError:  # the first failure is the one to tell
            return False

    def _parallelism(self) -> str:
        return f"-parallelism={self._params['parallelism']}"

    def _locking(self) -> list[str]:
        return ["-lock=false"] if self._task.check_mode else [f"-lock-timeout={self._params['lock_timeout']}s"]


def _result(actions: list[Action], diff: dict[str, t.Any], machines: dict[str, t.Any], drift: list[str]) -> Result:
    return {"changed": bool(actions), "actions": actions, "instances": machines, "drift": drift, "diff": diff}

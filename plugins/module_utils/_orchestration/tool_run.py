# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of the orchestration tool: prepare the folder, configure, plan, refuse what is protected, apply.

``init`` is only run if something that it depends on has changed. The version of the tool, the checksum of the plugin,
its full address and its schema are noted in the folder; each is determined again if its file has changed.
"""

from __future__ import annotations

import json
import os
import typing as t

from .._connection.task import Params, Result, Task
from .._core.errors import FcdError, InvalidInput, OperationFailed, has_changed, mark_changed_on_error, note_change
from .._core.private_files import make_private, remove
from .._core.type_aliases import JsonObject
from .declared_instances import adopted_numbers, labels_of_gone
from .hcl_configuration import bare_configuration, configuration
from .plans_and_states import (
    PlannedCreate,
    actions_of,
    attributes_before,
    creates_of,
    diff_of,
    drift_of,
    not_as_planned,
    planned_instances,
    recorded_attributes,
    recorded_instances,
    recorded_types,
    refuse_protected,
    refuse_renaming,
)
from .plugin_schema import PluginSchema
from .state_places import StatePlace
from .tool_commands import Engine, EngineFailed, Orchestration, Version, has_own_settings
from .tool_creates import ToolCreates, ids_of
from .working_folder import CLI, LOCK, MAIN, NOT_STORED, PREPARED, STAMP, STATE, WorkingFolder, checksum

OLDEST = {"Terraform": (1, 5), "OpenTofu": (1, 6)}
"""The first version with import blocks."""

EPHEMERAL = {"Terraform": (1, 10), "OpenTofu": (1, 11)}
"""The first version in which variables can be kept out of plans."""

InstanceAttributes = t.Mapping[str, JsonObject]


class RunPlace(t.NamedTuple):
    """Where a run takes place: a folder, which is a private copy in check mode, its state, and the plugin.

    ``private`` is a folder for what nobody else may see, ``variables`` tell the tool where the state is.
    """

    folder: WorkingFolder
    state: StatePlace
    plugin: str | None
    private: str
    variables: t.Mapping[str, str]


class Preparation:
    """What is known about tool and plugin, and the preparation of the folder for them."""

    def __init__(self, place: RunPlace, orchestration: Orchestration, params: Params) -> None:
        self._place, self._orchestration, self._params = place, orchestration, params
        self._scratch = WorkingFolder(os.path.join(place.private, "scratch"))
        make_private(self._scratch.path)
        self._stamp = place.folder.stamp()
        if place.plugin is None and not has_own_settings():
            raise InvalidInput(
                "plugin_path: there is no plugin: the folder contains no executable file terraform-provider-service.",
                next_step="Put the plugin of the service there, or set plugin_path to its path.",
                option="plugin_path",
            )
        self.version = self._version()
        self.ephemeral = self.version.number[:2] >= EPHEMERAL[self.version.tool]
        """Return whether the tool supports variables that it does not write into plans."""

    def _version(self) -> Version:
        """Return which tool it is, and its version. Raises InvalidInput if it is not one, or too old."""
        path = self._orchestration.executable
        mark = _mark(path)
        known = self._stamp.get("executable") or []
        if known[:3] == mark:
            return Version(known[3], tuple(known[4]))
        version = self._orchestration.engine_without_token(self._scratch.path).version()
        oldest = OLDEST[version.tool]
        if version.number[:2] < oldest:
            raise InvalidInput(
                f"executable: {path} is {version}; at least {oldest[0]}.{oldest[1]} is needed.", option="executable"
            )
        self._stamp["executable"] = [*mark, version.tool, list(version.number)]
        return version

    def prepare(self, engine: Engine) -> PluginSchema:
        """Prepare the folder if something that this depends on has changed, note what it is, and ask the plugin."""
        folder, plugin, backend = self._place.folder, self._place.plugin, self._place.state.backend
        now = {**self._of_plugin(), "tool": self.version.tool, "number": list(self.version.number), "backend": backend}
        if self._stamp.get("prepared_for") != now or not folder.is_prepared or "schema" not in self._stamp:
            earlier = self._stamp.get("prepared_for") or {}
            if plugin is not None:
                if earlier.get("digest") != now["digest"]:  # the tool would reject the new one because of it
                    remove(folder.file(LOCK))
                folder.lay_out_plugin(plugin, now["source"], self._params["plugin_version"])
            if earlier.get("backend") != backend:  # the tool would not forget it by itself
                remove(folder.file(os.path.join(PREPARED, STATE)))
            self.note(prepared_for=None)
            with folder.configured(bare_configuration(backend, self._params["provider_source"]), keep=False):
                engine.init()
                self._stamp["schema"] = [*engine.schema()]
            folder.close()
        self.note(prepared_for=now, state=self._place.state.place)
        return PluginSchema(*self._stamp["schema"])

    def _of_plugin(self) -> dict[str, t.Any]:
        """Return the facts about the plugin that the preparation depends on, if there is a plugin."""
        plugin = self._place.plugin
        if plugin is None:
            return {}
        mark = _mark(plugin)
        if (self._stamp.get("plugin") or [])[:3] != mark:
            self._stamp["plugin"] = [*mark, checksum(plugin)]
        return {
            "plugin": plugin,
            "plugin_version": self._params["plugin_version"],
            "digest": self._stamp["plugin"][3],
            "source": self._params["provider_source"] or self._source(),
        }

    def _source(self) -> str:
        """Return the full address that this tool derives from the plugin's name, as the tool itself reports it."""
        known: list[str] = self._stamp.get("source") or [""]
        if known[0] != self.version.tool:
            self._scratch.write(MAIN, bare_configuration())
            known = [self.version.tool, self._orchestration.engine_without_token(self._scratch.path).provider_source()]
            self._stamp["source"] = known
        return known[1]

    def note(self, **values: object) -> None:
        """Note values in the folder, along with everything determined so far."""
        self._stamp = {**self._stamp, **values}
        self._place.folder.write(STAMP, json.dumps(self._stamp, indent=1, sort_keys=True) + "\n")


class ToolRun:
    """A run at its place."""

    def __init__(
        self, task: Task, params: Params, place: RunPlace, orchestration: Orchestration, creates: ToolCreates
    ) -> None:
        self._task, self._params, self._place, self._orchestration = task, params, place, orchestration
        self._creates = creates
        self._folder, self._state = place.folder, place.state
        self._plan = os.path.join(place.private, "plan")
        self._locking = "-lock=false" if task.check_mode else f"-lock-timeout={params['lock_timeout']}s"
        self._parallelism = f"-parallelism={params['parallelism']}"
        self._preparation = Preparation(place, orchestration, params)
        self._schema: PluginSchema
        self._before: dict[str, JsonObject | None] = {}
        self._managed: InstanceAttributes = {}
        self._planned_creates: list[PlannedCreate] = []
        self._instances: dict[str, JsonObject] = {}
        self._adopted: dict[str, str] = {}
        self._gone: list[str] = []
        self._left_undone: FcdError | None = None

    def _new_engine(self) -> Engine:
        cli = self._folder.file(CLI) if self._place.plugin else None  # else the user has settings of their own
        return self._orchestration.engine(self._folder.path, cli, self._place.variables)

    def carried_out(self, instances: InstanceAttributes) -> Result:
        """Carry it out, except for changes in check mode. Raises EngineFailed, InvalidInput for what is protected."""
        self._managed = recorded_instances(self._state.read())
        self._adopted = self._taken_over(instances)
        for error in dict.fromkeys(self._creates.unclear.values()):
            error.message += " Everything else was done."
            self._leave_undone(error)
        self._instances = {label: one for label, one in instances.items() if label not in self._creates.unclear}
        self._engine = self._new_engine()  # only now: what was read may have renewed the token
        result = self._done_after_remedies()
        if not self._task.check_mode:
            if self._adopted:
                self._managed, self._adopted = result["instances"], {}
                self._folder.write(MAIN, self._text())
            with mark_changed_on_error(result["changed"]):
                self._creates.seen_once(result["instances"])
        if self._params["state"] == "absent":
            self._preparation.note(state=None)  # nothing is left in it
        if self._left_undone is not None:
            with mark_changed_on_error(result["changed"]):
                raise self._left_undone
        version = self._preparation.version
        tool = {"engine": version.tool, "engine_version": ".".join(map(str, version.number))}
        whole: Result = self._task.redactor.value({**result, **tool})
        return whole

    def _done_after_remedies(self) -> Result:
        """Carry it out; after a failure that has changed nothing, remove the causes that are known, one by one."""
        remedies = iter((self._renew_token, self._forget_gone, self._omit_imports))
        while True:
            try:
                return self._done()
            except EngineFailed as failed:
                if has_changed(failed) or failed.cancelled or not any(remedy(failed) for remedy in remedies):
                    raise

    def _renew_token(self, _failed: EngineFailed) -> bool:
        """Return whether the token had expired and the tool has a new one now."""
        if not self._orchestration.has_new_token():
            return False
        self._engine = self._new_engine()
        return True

    def _forget_gone(self, failed: EngineFailed) -> bool:
        """Return whether instances were removed by others and the state has forgotten them now.

        The plugin takes only 404 for this, and the service answers 403.
        """
        if not (failed.in_plan and self._is_own_service):
            return False
        numbers = ids_of(self._managed)
        try:
            gone = labels_of_gone(self._creates.infrastructure(), numbers)
        except FcdError:  # the error of the tool is reported
            return False
        if not gone:
            return False
        self._gone = [f"{self._schema.resource}.{label}" for label in gone]
        backup = os.path.join(self._place.private, "before")
        self._engine.forget(self._gone, self._locking, f"-backup={backup}")
        self._managed = {label: entry for label, entry in self._managed.items() if label not in gone}
        found = ", ".join(f"{label} (instance {numbers[label]})" for label in gone)
        self._task.warn(f"These instances no longer exist, and the state has forgotten them: {found}.")
        return True

    def _omit_imports(self, failed: EngineFailed) -> bool:
        """Return whether something was to be imported, which is left out now: not every plugin can import."""
        if not (self._adopted and failed.in_plan):
            return False
        resource = self._schema.resource
        found = ", ".join(f"{resource}.{label} (instance {number})" for label, number in sorted(self._adopted.items()))
        done = "planned" if self._task.check_mode else "done"
        error = OperationFailed(
            f"Not imported: {found}. {failed.message} Everything else was {done}.",
            next_step="Plugins can import as of version 1.0. With an older one, remove the instance or its entry.",
            not_imported=self._adopted,
        )
        self._leave_undone(error)
        self._instances = {label: entry for label, entry in self._instances.items() if label not in self._adopted}
        self._adopted = {}
        return True

    def _taken_over(self, instances: InstanceAttributes) -> dict[str, str]:
        """Return the IDs, as text, of what is to be adopted, by label: earlier creates and, with adopt, others."""
        sent = {} if self._task.check_mode else self._creates.found(instances, self._managed)
        if not self._params["adopt"]:
            return sent
        others = {label: one for label, one in instances.items() if label not in (*sent, *self._creates.unclear)}
        return {**sent, **adopted_numbers(self._creates.infrastructure, others, self._managed)}

    def _done(self) -> Result:
        """Carry it out; the configuration stays as it was unless there is a plan."""
        self._folder.make()
        try:
            self._schema = self._preparation.prepare(self._engine)
            self._refuse_other_plugin()
            with self._folder.configured(self._text()) as configured:
                path = self._folder.file(NOT_STORED)
                if not self._task.check_mode and os.path.exists(path):
                    self._engine.push_state(path, self._locking)
                    os.unlink(path)
                    self._task.warn(
                        f"The state that an earlier run could not store has been stored now; {path} was removed."
                    )
                is_planned, result = self._planned()
            if is_planned and not self._task.check_mode:
                planned, result["instances"] = result["instances"], self._applied()
                with mark_changed_on_error(result["changed"]):
                    self._check_outcome(planned, result)
        except EngineFailed as failed:
            steps = [self._state.explain(failed.summaries), failed.next_step]
            if failed.is_about_plugins:
                steps.append("Check plugin_path, and provider_source if it is set.")
            failed.next_step = " ".join(step for step in steps if step) or None
            raise
        return {**result, "config_changed": configured}

    def _refuse_other_plugin(self) -> None:
        """Raise InvalidInput if the state has instances that only an older or a newer plugin knows."""
        others = recorded_types(self._state.read()) - {self._schema.resource}
        if others:
            raise InvalidInput(
                f"plugin_path: the instances in {self._folder.path} are of the type {', '.join(others)}, and this "
                f"version of the plugin has {self._schema.resource} instead.",
                next_step="Use the version that created them, or import them into a new folder with adopt.",
                option="plugin_path",
            )

    def _api_url(self) -> str:
        return str(self._params["api_url"] or self._task.settings["base_url"])

    @property
    def _is_own_service(self) -> bool:
        """Return whether the plugin sends to the service that this task reads."""
        return self._api_url() == str(self._task.settings["base_url"])

    def _text(self) -> str:
        known = {*self._managed, *self._adopted}
        return configuration(
            self._schema,
            self._api_url(),
            {
                label: self._schema.attributes_of(label, options, is_new=label not in known)
                for label, options in self._instances.items()
            },
            ephemeral=self._preparation.ephemeral,
            backend=self._state.backend,
            source=self._params["provider_source"],
            adopted=self._adopted,
        )

    def _planned(self) -> tuple[bool, Result]:
        """Return whether there is a plan to carry out, and the result that it would have.

        Raises InvalidInput if it would do what is protected.
        """
        protect = self._params["protect"]
        destroy = ["-destroy"] if self._params["state"] == "absent" else []
        if not self._engine.plan(self._plan, self._parallelism, self._locking, *destroy):
            instances = recorded_instances(self._state.read())
            diff = diff_of({})
            return False, {"changed": False, "actions": [], "instances": instances, "drift": self._gone, "diff": diff}
        shown = self._engine.show(self._plan)
        refuse_renaming(shown, protect)
        self._before = attributes_before(shown)
        self._planned_creates = creates_of(shown)
        actions = actions_of(shown)
        refuse_protected(actions, protect)
        return True, {
            "changed": bool(actions),
            "actions": actions,
            "instances": planned_instances(shown),
            "drift": [*self._gone, *drift_of(shown)],
            "diff": diff_of(shown),
        }

    def _applied(self) -> dict[str, JsonObject]:
        """Carry out the plan and return the instances as they are then."""
        self._creates.begin(self._planned_creates, self._managed)
        self._task.begun.add("apply")
        try:
            self._engine.apply(self._plan, self._locking, self._parallelism)
        except EngineFailed as failed:
            applied = {one["address"]: one for one in failed.details["applied"] if one["action"] == "create"}
            others = {one.address for one in self._planned_creates}.difference(applied)
            self._creates.ended(applied, others if failed.goes_on else failed.unclear)
            self._tell_what_was_done(failed)
            raise
        except InvalidInput:  # it was not started
            self._creates.ended({}, ())
            raise
        recorded = recorded_instances(self._state.read())
        self._creates.ended({one.address: recorded.get(one.label, {}) for one in self._planned_creates}, ())
        return recorded

    def _check_outcome(self, planned: InstanceAttributes, result: Result) -> None:
        """Observe what was done: a plugin may report as done what it cannot do."""
        actions = result["actions"]
        removed = ids_of({one["address"]: one for one in actions if one["action"] in ("delete", "replace")})
        there = self._creates.still_there(removed) if self._is_own_service else {}
        if there:
            named = ", ".join(f"{address} (instance {number})" for address, number in there.items())
            error = OperationFailed(
                f"The plugin reports that it has removed {named}, but the service still has it. The state of the tool "
                "has forgotten it.",
                next_step="Remove it with the module instance: give its ID in id, with state: absent.",
                ids=sorted(there.values()),
            )
            self._leave_undone(error)
        ignored = not_as_planned(planned, result["instances"])
        if ignored:
            result["changed"] = self._state_differs()
            error = OperationFailed(
                f"The plugin has ignored what it cannot change: {'; '.join(ignored)}.",
                next_step="Give the current value, or remove the instance and run the task again.",
            )
            self._leave_undone(error)
        elif any(one["action"] == "update" for one in actions):
            self._warn_of_rest(result)

    def _warn_of_rest(self, result: Result) -> None:
        """Warn of what a second plan would change again."""
        try:
            if not self._engine.plan(self._plan, self._parallelism, self._locking):
                return
            shown = self._engine.show(self._plan)
        except EngineFailed as failed:
            self._task.warn(f"It could not be checked whether anything is left to change: {failed.message}")
            return
        before = attributes_before(shown)
        left = not_as_planned(planned_instances(shown), before) or [one["address"] for one in actions_of(shown)]
        self._task.warn(f"The plugin reports as changed what the service shows unchanged: {'; '.join(left)}.")
        if before == self._before and all(one["action"] == "update" for one in result["actions"]):
            result["changed"] = False

    def _leave_undone(self, error: FcdError) -> None:
        """Raise the error when everything else is done."""
        if self._left_undone is None:
            self._left_undone = error
        else:
            self._left_undone.message += f" {error.message}"

    def _tell_what_was_done(self, failed: EngineFailed) -> None:
        applied, begun = failed.details["applied"], failed.details["begun"]
        if applied or self._state_differs() or failed.unclear:
            note_change(failed)
        words = ", ".join(f"{one['address']} ({one['action']})" for one in applied) or "nothing"
        steps = [f"Done before the failure: {words}."]
        if begun:
            steps.append(f"Not finished: {', '.join(begun)}; if it is created after all, the next run finds it.")
        failed.next_step = " ".join([*steps, "Run the task again once the cause is fixed."])

    def _state_differs(self) -> bool:
        """Return whether an instance was created or changed and then failed."""
        try:
            return recorded_attributes(self._state.read()) != self._before
        except FcdError:  # the first failure is the one to report
            return False


def _mark(path: str) -> list[str | int]:
    """Return values that differ once a file was replaced."""
    status = os.stat(path)
    return [os.path.realpath(path), status.st_size, status.st_mtime_ns]

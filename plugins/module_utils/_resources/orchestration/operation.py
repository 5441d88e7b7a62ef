# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring machines to their state with the orchestration tool, by a configuration that is written here."""

from __future__ import annotations

import os
import shutil
import tempfile
import typing as t

from ..._api.orchestration_engine import Engine, EngineFailed, Version
from ..._core.errors import InvalidInput
from ..._session.identity import Account
from ..._session.infrastructure import infrastructure
from ..._session.operation import STATE, Operation, Params, Result
from ..._session.options import REST
from ..._session.task import Task
from ..._transport.programs import Program
from .machines import EXCLUSIVE, machines_of
from .machines import OPTIONS as OF_A_MACHINE
from .plan_result import Action, actions_of, diff_of, planned_instances, refuse_protected
from .rendering import OUTPUT, configuration
from .working_folder import CLI, PREPARED, WorkingFolder, checksum

if t.TYPE_CHECKING:
    from ..instance.labels import Labels

EXECUTABLES = ("tofu", "terraform")
OLDEST = (1, 5)
EPHEMERAL = {"Terraform": (1, 10), "OpenTofu": (1, 11)}
"""Since when variables can be kept out of plans."""

PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "SSL_CERT_FILE", "SSL_CERT_DIR", "TF_REATTACH_PROVIDERS")
PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
OWN = {"CHECKPOINT_DISABLE": "1", "TF_INPUT": "0", "TF_IN_AUTOMATION": "1", "NO_COLOR": "1"}

OPTIONS: dict[str, dict[str, t.Any]] = {
    "path": {"type": "path", "required": True},
    "instances": {
        "type": "list",
        "elements": "dict",
        "default": [],
        "options": OF_A_MACHINE,
        "mutually_exclusive": EXCLUSIVE,
    },
    "api_url": {"type": "str"},
    "executable": {"type": "path"},
    "plugin_path": {"type": "path"},
    "plugin_version": {"type": "str", "default": "1.0.0"},
    "provider_source": {"type": "str"},
    "protect": {"type": "list", "elements": "str", "choices": ["delete", "replace"], "default": ["replace"]},
    "adopt": {"type": "dict"},
    "overwrite": {"type": "bool", "default": False},
    "lock_timeout": {"type": "int", "default": 60},
    "parallelism": {"type": "int", "default": 10},
    **STATE,
}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    task.settings.require((REST,))
    folder = WorkingFolder(params["path"])
    folder.check(overwrite=params["overwrite"])
    absent = params["state"] == "absent"
    if absent and not folder.has_state:
        return {"changed": False, "actions": [], "instances": {}, "diff": {"before": {}, "after": {}}}
    executable = _executable(params["executable"])
    machines = {} if absent else machines_of(params["instances"], _late_labels(task))
    private = tempfile.mkdtemp(prefix="fcd-orchestration-")
    try:
        if task.check_mode:
            folder = folder.copied_to(_made(private, "copy"))
        folder.make()
        tool = Tool(task, params, folder, executable)
        tool.configure(machines, destroy=absent)
        return tool.carried_out(os.path.join(private, "plan"), destroy=absent)
    finally:
        shutil.rmtree(private, ignore_errors=True)


class Tool:
    """The tool at work in a folder."""

    def __init__(self, task: Task, params: Params, folder: WorkingFolder, executable: str) -> None:
        self._task = task
        self._params = params
        self._folder = folder
        self._plugin = folder.plugin(params["plugin_path"])
        environment = _environment(_token(task), folder.file(CLI) if self._plugin else None)
        self.engine = Engine(Program(executable, folder.path, environment, task.deadline), task.tell)
        self._executable = executable
        self._stamp = folder.stamp()
        self._configured = False
        self.version = self._known_version()

    def configure(self, machines: t.Mapping[str, t.Any], *, destroy: bool) -> None:
        """Write the configuration, and prepare the folder where something has changed that this depends on.

        What is to be destroyed is in the state; the configuration stays as it is.
        """
        if not destroy:
            text = configuration(
                self._params["api_url"] or self._task.settings["base_url"],
                machines,
                ephemeral=self.version.number[:2] >= EPHEMERAL[self.version.tool],
                adopted={label: str(number) for label, number in (self._params["adopt"] or {}).items()},
            )
            self._configured = self._folder.write_configuration(text)
        now = self._prepared_for()
        if self._stamp.get("prepared_for") == now and os.path.isdir(self._folder.file(PREPARED)):
            return
        if self._plugin is not None:
            if self._stamp.get("prepared_for", {}).get("plugin") != now["plugin"]:
                self._folder.forget_plugin()
            self._folder.lay_out_plugin(self._plugin, now["source"], self._params["plugin_version"])
        self.engine.init()
        self._note(prepared_for=now)

    def carried_out(self, plan: str, *, destroy: bool) -> Result:
        """Plan, do what the plan says unless in check mode, and return the result."""
        actions: list[Action] = []
        diff: dict[str, t.Any] = {"before": {}, "after": {}}
        instances = self._instances()
        if self.engine.plan(plan, *self._flags(destroy=destroy)):
            shown = self.engine.show(plan)
            actions, diff = actions_of(shown), diff_of(shown)
            refuse_protected(actions, self._params["protect"])
            instances = planned_instances(shown)
            if not self._task.check_mode:
                self._apply(plan)
                instances = self._instances()
        return {
            "changed": bool(actions),
            "actions": actions,
            "instances": instances,
            "config_changed": self._configured,
            "engine": self.version.tool,
            "engine_version": ".".join(map(str, self.version.number)),
            "diff": diff,
        }

    def _apply(self, plan: str) -> None:
        try:
            self.engine.apply(plan, *self._locking(), f"-parallelism={self._params['parallelism']}")
        except EngineFailed as failed:
            done = failed.details.get("applied") or []
            failed.next_step = (
                f"{len(done)} changes were made before ({', '.join(str(one['address']) for one in done)}); "
                "run the task again once the cause is away."
                if done
                else "Nothing was changed before; run the task again once the cause is away."
            )
            raise

    def _flags(self, *, destroy: bool) -> list[str]:
        flags = [f"-parallelism={self._params['parallelism']}", *self._locking()]
        return [*flags, "-destroy"] if destroy else flags

    def _locking(self) -> list[str]:
        return ["-lock=false"] if self._task.check_mode else [f"-lock-timeout={self._params['lock_timeout']}s"]

    def _instances(self) -> dict[str, t.Any]:
        outputs = self._folder.outputs() or {}
        return t.cast("dict[str, t.Any]", (outputs.get(OUTPUT) or {}).get("value") or {})

    def _known_version(self) -> Version:
        """Return the version of the tool, which is asked for once for each executable."""
        status = os.stat(self._executable)
        mark = [os.path.realpath(self._executable), status.st_size, status.st_mtime_ns]
        known = self._stamp.get("executable")
        if known and known[:3] == mark:
            return Version(known[3], tuple(known[4]))
        self._folder_needed()
        version = self.engine.version()
        if version.number[:2] < OLDEST:
            raise InvalidInput(
                f"executable: {self._executable} is {version}; at least {OLDEST[0]}.{OLDEST[1]} is needed.",
                option="executable",
            )
        self._note(executable=[*mark, version.tool, list(version.number)])
        return version

    def _folder_needed(self) -> None:
        self._folder.make()

    def _prepared_for(self) -> dict[str, t.Any]:
        """Return what the preparation of the folder depends on."""
        plugin = self._plugin
        earlier = self._stamp.get("prepared_for") or {}
        source = self._params["provider_source"]
        if plugin is not None and source is None:
            source = earlier.get("source") if earlier.get("tool") == self.version.tool else None
            source = source or self.engine.provider_source()
        return {
            "tool": self.version.tool,
            "number": list(self.version.number),
            "source": source,
            "plugin": None if plugin is None else [plugin, checksum(plugin)],
            "plugin_version": self._params["plugin_version"],
        }

    def _note(self, **values: t.Any) -> None:
        self._stamp = {**self._stamp, **values}
        self._folder.set_stamp(self._stamp)


def _environment(token: str, cli: str | None) -> dict[str, str]:
    """Return the whole environment of the tool: nothing of ours that would change what it does."""
    passed = {name: os.environ[name] for name in (*PASSED_ON, *PROXIES) if name in os.environ}
    own = {**OWN, "TF_VAR_access_token": token}
    return {**passed, **own, **({"TF_CLI_CONFIG_FILE": cli} if cli else {})}


def _token(task: Task) -> str:
    given: str | None = task.settings["access_token"]
    token = given or Account(task).token()["token"]
    task.redactor.add(token)
    return token


def _executable(given: str | None) -> str:
    if given is not None:
        found = shutil.which(os.path.expanduser(given))
        if found is None:
            raise InvalidInput(f"executable: {given} is no executable file.", option="executable")
        return os.path.abspath(found)
    for name in EXECUTABLES:
        found = shutil.which(name)
        if found:
            return os.path.abspath(found)
    raise InvalidInput(
        f"No orchestration tool is found: there is no {' and no '.join(EXECUTABLES)} in PATH.",
        next_step="Install one of them, or set executable to its path.",
        option="executable",
    )


def _late_labels(task: Task) -> t.Callable[[], Labels]:
    made: list[Labels] = []

    def labels() -> Labels:
        from ..instance.labels import Labels

        if not made:
            made.append(Labels(infrastructure(task)))
        return made[0]

    return labels


def _made(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    os.mkdir(path, 0o700)
    return path


OPERATION = Operation(name="orchestration", services=("rest",), options=OPTIONS, run=run)

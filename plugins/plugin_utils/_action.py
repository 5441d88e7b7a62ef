# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The action plugin of a module: runs the same operation inside the task worker where that means the same.

An ordinary module costs the start of a process and the compiling of its payload, about ten times what the operation
costs. The action plugin saves that when the connection is local, and nothing asks for another user, another
interpreter, another environment or for async; in every other case it hands over to the module.

While the operation runs, its progress is shown: what it does, after some seconds, and again after pauses that grow with
the time the task takes. A thread shows it, so that silence of the service stops nothing.
"""

from __future__ import annotations

import abc
import functools
import os
import sys
import threading
import time
import typing as t

from ansible import constants, context
from ansible.errors import AnsibleActionFail, AnsibleError
from ansible.plugins.action import ActionBase

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import (
    Execution,
    argument_spec,
    check_shapes,
    execute,
)
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import (
    ALWAYS,
    NEVER,
    OPTIONS,
    STORAGE,
    OptionSpecs,
    environment_name,
    own_options,
)
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import (
    PLAY_VARIABLE,
    Operation,
    Params,
    Result,
    Task,
    preload_client,
    this_run,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import (
    name_in_line,
    plain_data,
    secret_option_values,
    visible,
    with_short_values,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils._check_mode_run import CheckModeRun, forget_planned_objects
from ansible_collections.fcd.cloud.plugins.plugin_utils._screen import display, show, show_detail

Args = t.Dict[str, t.Any]
FIRST_REPORT, MAX_REPORT_PAUSE = 5.0, 30.0  # seconds before the first line, and the longest pause between two
MAX_PROGRESS_LINE = 300  # characters
FOR_PROGRAMS = ("json", "jsonl", "null", "oneline")  # callbacks whose output programs read, perhaps line by line
FOR_JOBS = ("awx_display",)  # keeps each line as an event of the job
# Options that name the object of a task; the first that is given does.
NAMING_OPTIONS = ("name", "user_name", "container", "fleet", "instance", "id", "client_id", "path", "operation", "src")


ActionArgumentError = InvalidInput
"""For an argument that ``prepare`` can do nothing with; told like an error of the operation."""


class InProcessAction(ActionBase):
    """Base of the action plugins; a subclass names its ``operation``."""

    _requires_connection = False
    _supports_async = True
    _supports_check_mode = True
    operation: Operation
    progress: TaskProgress
    reads_directly: t.ClassVar[bool] = False
    """Whether a task that changes nothing sends all its requests the cheaper way, without a library."""
    shares_plans: t.ClassVar[bool] = True
    """Whether in check mode later tasks of the run know what a task would do, and it knows that of earlier ones."""
    _run: CheckModeRun | None = None

    def __init_subclass__(cls, **more: object) -> None:
        """Get ready to send: the controller makes the class once; each worker is a fork of it."""
        super().__init_subclass__(**more)
        preload_client(library=not cls.reads_directly and {*cls.operation.services} != {STORAGE})

    def run(self, tmp: str | None = None, task_vars: Args | None = None) -> Args:
        """Run the operation here, or the module where that could make a difference."""
        result: Args = super().run(tmp, task_vars)
        variables, given = task_vars or {}, self._task.args
        host = str(variables.get("inventory_hostname"))
        self.progress = TaskProgress(host, no_log=bool(self._task.no_log), label=self._loop_label(variables))
        worker = self.same_as_module(variables)
        self._run = CheckModeRun() if self.shares_plans and self._task.check_mode else None
        try:
            self._refuse_async(given)
            args = self.prepare(dict(given), variables, in_worker=worker)
            result.update(self._run_once(args, variables, in_worker=worker))
        except ActionArgumentError as wrong:
            result.update({"failed": True, "changed": False, **wrong.as_result(), "msg": visible(str(wrong))})
        finally:
            self._task.args = given  # the next try of until begins with them, not with files that are gone by then
            self.finish()
        if result.get("failed"):
            result["msg"] = with_short_values(str(result.get("msg", "")), given)
        if not self._task.check_mode and (result.get("changed") or self._task.async_val):
            forget_planned_objects()
        secret = self.operation.returns_secrets
        if not result.get("failed") and (secret(result) if callable(secret) else secret):
            result["_ansible_no_log"] = True  # hidden in every event and callback, still there when registered
        return result

    def _loop_label(self, variables: Args) -> str | None:
        """Return what the loop shows instead of its item: None without a label, "" if nobody can know it yet."""
        control = self._task.loop_control if "ansible_loop_var" in variables else None
        if not control or not control.label:
            return None
        try:
            return str(self._templar.template(control.label))
        except AnsibleError:  # it may name the result
            return ""

    def _run_once(self, args: Args, variables: Args, *, in_worker: bool) -> Args:
        if self._run is not None:
            args = self._run.with_numbers(args)
        result = self._in_worker(args) if in_worker else self._in_module(args, variables)
        return result if self._run is None else self._run.keep(result)

    def _in_module(self, args: Args, variables: Args) -> Args:
        """Run the module, which cannot see by itself which play it belongs to."""
        environment = self._task.environment
        known = environment if isinstance(environment, list) else [environment or {}]
        self._task.environment = [*known, {PLAY_VARIABLE: this_run()}]
        if self._run is not None:
            args = self._run.for_module(args)
        try:
            how = {"task_vars": variables, "wrap_async": self._task.async_val}
            return t.cast("Args", self._execute_module(module_args=args, **how))
        finally:
            self._task.environment = environment

    def _refuse_async(self, args: Args) -> None:
        """Raise ActionArgumentError where async_status would show a result that is, or may be, secret."""
        if self._task.async_val and self.asks_for_secrets(args):
            raise ActionArgumentError(
                f"async: the result of {self.operation.name} would be shown by async_status. Leave async out."
            )

    def asks_for_secrets(self, args: Args) -> bool:
        """Whether the result may be secret; a subclass whose arguments tell it beforehand looks at them."""
        del args
        return bool(self.operation.returns_secrets)

    def prepare(self, args: Args, variables: Args, *, in_worker: bool) -> Args:
        """Return the arguments to run with; a subclass that works with controller files does so here.

        Raises ActionArgumentError.
        """
        del variables, in_worker
        return args

    def finish(self) -> None:
        """Clean up what ``prepare`` made."""

    def same_as_module(self, variables: Args) -> bool:
        """Whether running the operation in this process means the same as running the module."""
        return bool(
            self._connection.transport == "local"
            and not self._task.async_val
            and not self._play_context.become
            and not self._task_environment()
            and self._own_interpreter(variables)
        )

    def _task_environment(self) -> Args:
        environment: Args = {}
        self._compute_environment_string(environment)
        return environment

    def _own_interpreter(self, variables: Args) -> bool:
        """Whether modules are to run under the controller's Python; where nothing is said, they may."""
        if self._task.delegate_to:
            variables = variables.get("ansible_delegated_vars", {}).get(self._task.delegate_to, variables)
        desired = constants.config.get_config_value("INTERPRETER_PYTHON", variables=variables)
        desired = str(self._templar.template(desired))
        return desired.startswith("auto") or _same_interpreter(desired, sys.executable)

    def _in_worker(self, args: Args) -> Args:
        spec = argument_spec(self.operation)
        self._task.args = t.cast("Args", plain_data(args))
        try:
            check_shapes(spec, self._task.args)
            validation, params = self.validate_argument_spec(argument_spec=spec, **self.operation.rules)
        except (AnsibleActionFail, InvalidInput) as wrong:
            # for mistakes only
            from ansible_collections.fcd.cloud.plugins.module_utils._ansible import option_suggestions

            named = f"fcd.cloud.{self.operation.name}"  # what a module calls itself; here it would be a dotted path
            text = str(wrong.message).replace(str(self._load_name), named)
            text = option_suggestions.with_unknown_options(text, self.operation.name, spec, self._task.args)
            failure = {"failed": True, "changed": False, "msg": text}
            return Execution(failure, _secrets(spec, self._task.args)).shown()
        warnings: list[str] = []
        done = self.execution(self._absolute_paths(spec, params), warnings.append)
        result = {**done.result, "invocation": {"module_args": params}}
        if warnings:
            result["warnings"] = warnings
        hidden = validation._no_log_values  # noqa: SLF001 - there is no public way to ask
        return done._replace(result=result).shown(hidden)

    def execution(self, params: Args, warn: t.Callable[[str], None]) -> Execution:
        """Run the operation with validated options."""
        return execute(
            self.operation._replace(run=functools.partial(self.progress.watch, self.operation)),
            params,
            check_mode=self._task.check_mode,
            diff_mode=self._task.diff,
            warn=warn,
            tell=self.progress.tell,
            runner="worker",
            planned_objects=None if self._run is None else self._run.planned_objects,
        )

    def _absolute_paths(self, spec: OptionSpecs, params: Args) -> Args:
        """Make relative paths start at the playbook's folder, where modules on a local connection run.

        That for state must not depend on a folder.
        """
        base = self._loader.get_basedir()
        paths = {name for name, option in spec.items() if option.get("type") == "path" and params.get(name)}
        paths.discard("state_dir")
        return {name: os.path.join(base, value) if name in paths else value for name, value in params.items()}


class ControllerAction(InProcessAction):
    """Base of actions that run in the task worker and nowhere else, for they need what only the controller has.

    They read files of the controller, decrypt them, and resolve templates with the variables of the task. So the
    connection of the host is never opened, and another user (``become``) or another interpreter makes no difference.

    A subclass names its ``operation``, whose ``run`` only says where it belongs, and does the work in ``work``.
    """

    _supports_async = False
    reads_directly = True
    shares_plans = False
    reaches_services: t.ClassVar[bool] = True
    """Whether credentials are needed; without, neither the profile file nor the environment is read."""

    @abc.abstractmethod
    def work(self, task: Task | None, params: Args) -> Result:
        """Do the work with validated options; ``task`` is None where no service is reached. Raises FcdError."""

    def same_as_module(self, variables: Args) -> bool:
        """Say that it always runs here."""
        del variables
        return True

    def prepare(self, args: Args, variables: Args, *, in_worker: bool) -> Args:
        """Put the work into the operation. Raises ActionArgumentError."""
        del variables, in_worker
        self.check_environment()
        self.operation = self.operation._replace(run=t.cast("t.Any", self.work))
        return args

    def finish(self) -> None:
        """Remove what was decrypted to disk for this task."""
        self._loader.cleanup_all_tmp_files()

    def check_environment(self) -> None:
        """Raise ActionArgumentError for an ``environment``, which no other process would get."""
        if self.reaches_services and self._task_environment():
            raise ActionArgumentError(
                f"environment: {self.operation.name} runs inside ansible-playbook, which the environment of a task "
                "does not reach. Set the variables for ansible-playbook itself, or give the options."
            )

    def execution(self, params: Args, warn: t.Callable[[str], None]) -> Execution:
        """Run the operation, without any settings where no service is reached."""
        if self.reaches_services:
            return super().execution(params, warn)
        try:
            return Execution(self.work(None, own_options(self.operation.options, params)), set())
        except FcdError as error:
            failure = {"failed": True, "changed": False, **error.as_result()}
            failure["errors"] = failure["error"].pop("errors", [])
            return Execution(failure, set(), error.has_lines)

    def _absolute_paths(self, spec: OptionSpecs, params: Args) -> Args:
        """Make relative paths start at the current folder, as those on the command line of ansible-playbook do.

        Paths to reach a service start where they do for all modules.
        """
        whole = super()._absolute_paths(spec, params)
        for name, option in spec.items():
            value = params.get(name)
            if name in OPTIONS or not value:
                continue
            if option.get("type") == "path":
                whole[name] = os.path.abspath(value)
            elif option.get("elements") == "path":
                whole[name] = [os.path.abspath(one) for one in value]
        return whole


def _same_interpreter(desired: str, own: str) -> bool:
    """Whether both are names in one folder for one file, like python and python3 of a virtual environment.

    Which environment a Python belongs to depends on the folder, so another one is never the same.
    """
    places = [os.path.abspath(path) for path in (desired, own)]
    folders = {os.path.dirname(place) for place in places}
    return len(folders) == 1 and len({os.path.realpath(place) for place in places}) == 1


def _secrets(spec: OptionSpecs, args: Args) -> set[str]:
    """Return the secret arguments of a task whose arguments are not valid, so that nothing else knows them yet."""
    elsewhere = [os.environ.get(environment_name(name)) for name, option in spec.items() if option.get("no_log")]
    return {*secret_option_values(spec, args), *filter(None, elsewhere)}


# ---------------------------------------------------------------- progress


class TaskProgress:
    """The progress of one task on one host.

    ``label`` is what a loop shows instead of its item. Unless it has the name of the object, texts that may have parts
    of the item are not shown.
    """

    def __init__(self, host: str, *, no_log: bool, label: str | None = None) -> None:
        self.readable = not no_log and _callback() not in FOR_PROGRAMS  # whether anybody may and can read lines
        self._host = name_in_line(host)
        self._no_log, self._label, self._hides_item = no_log, label, False
        self._operation = self._object = self._state = self._latest = ""
        self._redacted: t.Callable[[str], str] = str
        self._lock = threading.Lock()
        self._pending: list[str] | None = None  # until the first line is due; None when nothing is kept any more
        self._watched = False

    def tell(self, text: str) -> None:
        """Take what the task does now; with ``-v`` it is shown at once."""
        self._latest = text
        if not self._no_log:
            show_detail(text, self._host)

    def announce(self, text: str, state: str) -> None:
        """Show a line that is shown once, though not before the first line is due; ``state`` sums up how far it is."""
        if not self._watched or self._hides_item:
            self.tell(self._redacted(text))
            return
        with self._lock:
            self._state, self._latest = state, ""
            if self._pending is None or display.verbosity:
                self._show(text)
            else:
                self._pending.append(text)

    def watch(self, operation: Operation, task: Task, params: Params) -> Result:
        """Run the operation, and show its progress meanwhile, if the setting ``progress`` allows it."""
        self._redacted, desired = task.redactor.text, task.settings["progress"]
        if not self.readable or desired == NEVER or (desired != ALWAYS and _callback() in FOR_JOBS):
            return operation.run(task, params)
        self._operation = operation.name
        self._object = next(
            (str(params[name]) for name in NAMING_OPTIONS if isinstance(params.get(name), (str, int))), ""
        )
        if self._label is not None and self._object not in (self._label, *self._label.split()):
            self._object, self._hides_item = self._label, True
        self._pending, self._watched = [], True
        ended = threading.Event()
        showing = threading.Thread(target=self._show_until, args=(ended,), name="fcd-cloud-progress", daemon=True)
        showing.start()
        try:
            return operation.run(task, params)
        finally:
            ended.set()
            showing.join()  # a worker that ended now could take the lock of the display with it

    def _show_until(self, ended: threading.Event) -> None:
        begun, pause = time.monotonic(), FIRST_REPORT
        while not ended.wait(pause):
            passed = time.monotonic() - begun
            with self._lock:
                for line in self._pending or ():
                    self._show(line)
                self._pending = None
                now = "" if self._hides_item else "; ".join(filter(None, (self._state, self._latest)))
                self._show(now.rstrip(".") or "still running", f" ({_duration(passed)} so far)")
            pause = min(MAX_REPORT_PAUSE, max(FIRST_REPORT, passed / 2))

    def _show(self, text: str, passed: str = "") -> None:
        named = not self._object or repr(self._object) in text
        label = self._operation if named else f"{self._operation} {self._object}"
        line = text if text.startswith(f"{self._operation} ") else f"{label}: {text}"
        show(f"[{self._host}] {name_in_line(self._redacted(line), MAX_PROGRESS_LINE)}{passed}")


def _callback() -> str:
    """Return the name of the callback that writes the output, without its collection."""
    if context.CLIARGS.get("one_line"):
        return "oneline"
    return str(constants.config.get_config_value("DEFAULT_STDOUT_CALLBACK")).rpartition(".")[2]


def _duration(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60} min {whole % 60} s"

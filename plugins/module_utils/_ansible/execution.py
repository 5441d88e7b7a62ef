# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations as Ansible knows them: their argument specification, the module that runs one, and its result.

A module and its action plugin share all of this but the face of the module. The action plugin of a module that works on
the controller alone does the work itself.
"""

from __future__ import annotations

import contextlib
import os
import stat
import typing as t

from ansible.module_utils import basic
from ansible.module_utils.common.parameters import env_fallback, remove_values
from ansible.module_utils.common.validation import check_type_dict

from .._connection.check_mode_state import PlannedObjects
from .._connection.options import (
    REST,
    SECONDS,
    SITE,
    SOAP,
    STORAGE,
    Option,
    OptionSpec,
    OptionSpecs,
    OptionType,
    connection_options,
    environment_name,
    own_options,
)
from .._connection.task import NO_RULES, Operation, Params, Result, Settings, Task
from .._core.errors import FcdError, InvalidInput
from .._core.files import group_id, user_id
from .._core.text import (
    Redactor,
    fit_for_json,
    passwords_in_addresses,
    secret_option_values,
    visible,
    visible_text,
    visible_value,
    with_short_values,
)

TIME_OPTION = SECONDS  # the type of times, for faces that have options of their own
PLANNED_OBJECTS = "check_mode_plans"  # in arguments and results: exchanges them with the action plugin
COLLECTION = "/ansible_collections/fcd/cloud/"  # stands before the path of our files, packed or not


class Execution(t.NamedTuple):
    """The result and the secrets that must not show in it, wherever they came from (options, environment, profile).

    ``has_lines`` says that a line feed in the message ends a line.
    """

    result: Result
    secrets: set[str]
    has_lines: bool = False

    def shown(self, secrets: t.Iterable[str] = ()) -> Result:
        """Return the result without these secrets either, and what Ansible prints as it is made fit for a terminal.

        Names and words of the service are in messages and differences; the rest of a result is for programs, and any
        of them can read it.
        """
        result: Result = fit_for_json(remove_values(self.result, {*self.secrets, *secrets}))
        if isinstance(result.get("msg"), str):
            result["msg"] = visible_text(result["msg"]) if self.has_lines else visible(result["msg"])
        if isinstance(result.get("diff"), list):
            result["diff"] = [_visible_diff(one) for one in result["diff"]]
        elif "diff" in result:
            result["diff"] = _visible_diff(result["diff"])
        return result


def run_on_planned(planned_objects: PlannedObjects, task: Task, operation: Operation, params: Params) -> Result:
    """Run an operation in check mode on what is planned, and record what it would do. Raises FcdError."""
    task.planned_objects = planned_objects
    planned_objects.refuse_foreign(task, params)
    result = operation.run(task, params)
    if operation.manages is not None and result.get("changed"):
        kind, member = operation.manages
        records = filter(None, _all(result.get(member)))
        planned_objects.add_outcome(task, kind, operation.members, _all(result.get("diff")), records)
    return result


def _all(value: object) -> list[t.Any]:
    return value if isinstance(value, list) else [value or {}]


def _visible_diff(diff: t.Mapping[str, object]) -> dict[str, t.Any]:
    """Return a difference for a terminal: ``before`` and ``after`` may be texts of several lines."""
    return {
        name: visible_text(side) if isinstance(side, str) and name in ("before", "after") else visible_value(side)
        for name, side in diff.items()
    }


def execute(
    operation: Operation,
    params: Params,
    *,
    check_mode: bool,
    diff_mode: bool,
    warn: t.Callable[[str], None],
    tell: t.Callable[[str], None],
    runner: str,
    planned_objects: PlannedObjects | None = None,
) -> Execution:
    """Run ``operation`` with validated options. Never raises for a mistake of the user or the service.

    ``planned_objects`` are those of a run in check mode, to which this task, in check mode too, adds its own.
    """
    given = {*secret_option_values(operation.options, params)}
    redactor = Redactor(given)
    secrets: set[str] = set()
    task: Task | None = None
    try:
        params = own_options(operation.options, params)
        settings = Settings.resolve(params, operation.services)
        secrets = set(settings.secrets())
        task = Task(
            settings,
            check_mode=check_mode,
            warn=lambda text: warn(redactor.text(text)),
            tell=lambda text: tell(redactor.text(text)),
            runner=runner,
        )
        redactor = task.redactor
        for secret in given:
            redactor.add(secret)
        if settings["lock_container"] and not check_mode:
            secrets |= _share_lock(task, params)
        if planned_objects is None:
            result = operation.run(task, params)
        else:
            result = run_on_planned(planned_objects, task, operation, params)
    except FcdError as exc:
        changed = bool(exc.details.pop("changed", False))  # before it failed, see _core.errors
        why = exc.as_result()
        failure = redactor.members({"failed": True, "changed": changed, **why})
        failure["error"] = redactor.members(why["error"])
        misplaced = passwords_in_addresses(params.values())  # refused, but all options are shown with the error
        return Execution(failure, secrets | redactor.secrets | misplaced, exc.has_lines)
    except Exception as exc:  # noqa: BLE001 - a defect of ours must not show a bare traceback with secrets in it
        changed = task is not None and not check_mode and bool(task.begun)
        return Execution(redactor.value({**_defect(operation, exc), "changed": changed}), secrets)
    return Execution(_shown(operation, result, redactor, diff_mode=diff_mode), secrets)


def _shown(operation: Operation, result: dict[str, t.Any], redactor: Redactor, *, diff_mode: bool) -> dict[str, t.Any]:
    """Return the result as it is given to Ansible: its difference only where it is asked for, and no secrets."""
    if not diff_mode:
        result.pop("diff", None)
    elif result.get("diff"):
        result["diff"] = _short(result["diff"])
    returned = operation.returns_secrets
    if returned(result) if callable(returned) else returned:
        return result
    return t.cast("dict[str, t.Any]", redactor.value(result))


def _short(diff: t.Any) -> object:
    """Return a difference in which an object that is created or removed has no members without a value."""
    if isinstance(diff, list):
        return [_short(one) for one in diff]
    sides = {side: diff.get(side) for side in ("before", "after")}
    if all(sides.values()) or not all(isinstance(value, dict) for value in sides.values()):
        return diff
    for side, values in sides.items():
        sides[side] = {name: value for name, value in values.items() if value not in (None, "", [], {})}
    return {**diff, **sides}


def _share_lock(task: Task, params: Params) -> set[str]:
    """Give the task the lock that controllers share; returns the secrets of the storage in which it is."""
    from .._object_storage.create_locks import CreateLocks  # a quarter of what most modules would load

    storage = Settings.resolve(params, (STORAGE,))
    for secret in storage.secrets():
        task.redactor.add(secret)
    task.shared_lock = CreateLocks(task, task.settings["lock_container"], storage).hold
    return set(storage.secrets())


def _defect(operation: Operation, exc: Exception) -> Result:
    import traceback  # only a defect needs it

    frames = traceback.extract_tb(exc.__traceback__)
    last = next((frame for frame in reversed(frames) if COLLECTION in frame.filename), frames[-1])
    place = f"{last.filename.rpartition(COLLECTION)[2]}:{last.lineno}"
    return {
        "failed": True,
        "msg": f"fcd.cloud.{operation.name} has a defect: {type(exc).__name__}: {exc} ({place}). "
        "Please report it with the output of the task at -vvv.",
        "error": {"kind": "Defect", "type": type(exc).__name__, "place": place},
        "exception": "".join(traceback.format_exception(type(exc), exc, exc.__traceback__)),
    }


def argument_spec(operation: Operation) -> OptionSpecs:
    """Return what AnsibleModule and the action plugin validate the task's arguments with."""
    connection = {name: _connection(name, option) for name, option in connection_options(operation.services).items()}
    return {**connection, **operation.options}


def check_shapes(spec: OptionSpecs, args: t.Mapping[str, object], above: str = "") -> None:
    """Raise InvalidInput for what is given instead of a dictionary or a text.

    For some of the former, Ansible fails with an exception; and it turns anything into text, such as ``['a', 'b']``.
    """
    for name, option in spec.items():
        for value in (args[one] for one in (name, *option.get("aliases", ())) if one in args):
            _check_shape(option, value, f"{above}{name}")


def _check_shape(option: OptionSpec, value: t.Any, name: str) -> None:
    elements = option.get("elements")
    kind = elements or option.get("type", "str")
    is_text = kind in TEXT_TYPES and not (isinstance(kind, OptionType) or option.get("choices"))
    if elements and isinstance(value, t.Mapping):
        shape = "a list of dictionaries" if kind == "dict" else "a list"
        raise _not_a(shape, option, name, value)
    entries = value if elements and isinstance(value, list) else [value]
    for entry in () if value is None else entries:
        if isinstance(entry, str) and "{{" in entry:
            continue  # ansible-lint checks templates as they are written, and expects Ansible's own error for them
        if kind == "dict":
            _require_dictionary(option, entry, name, is_list=elements is not None)
        elif is_text:
            require_text(entry, name, is_list=elements is not None)


def _require_dictionary(option: OptionSpec, value: t.Any, name: str, *, is_list: bool) -> None:
    inside = option.get("options", {})
    try:
        found = {} if value is None else check_type_dict(value)
    except (TypeError, ValueError):
        raise _not_a("a list of dictionaries" if is_list else "a dictionary", option, name, value) from None
    check_shapes(inside, found, f"{name}.")


def _not_a(shape: str, option: OptionSpec, name: str, value: object) -> InvalidInput:
    """Return the error for a value that is not of the right shape."""
    keys = f" ({', '.join(option['options'])})" if option.get("options") else ""
    return InvalidInput(f"{name}: write {shape}{keys}, not {_shape(value)}.", option=name)


def require_text(value: object, name: str, *, is_list: bool) -> None:
    """Raise InvalidInput for what is neither a text nor a number: ``name`` itself, or in its list."""
    if value is None or isinstance(value, (bool, list, t.Mapping)):
        shape = "a text for each entry of the list" if is_list else "a text"
        advice = "Put it in quotes." if isinstance(value, bool) else None
        raise InvalidInput(f"{name}: write {shape}, not {_shape(value)}.", next_step=advice, option=name)


def _shape(value: object) -> str:
    """Return what sort of value it is; the value itself may be secret."""
    return next((words for kind, words in _SHAPES if isinstance(value, kind)), type(value).__name__)


TEXT_TYPES = ("str", "path")
_SHAPES: tuple[tuple[t.Any, str], ...] = (
    (bool, "true or false"),
    (str, "a text"),
    ((int, float), "a number"),
    ((list, tuple), "a list"),
    (t.Mapping, "a dictionary"),
    (type(None), "null"),
)


def _connection(name: str, option: Option) -> OptionSpec:
    """Defaults are not stated here: a value in the profile file comes before them.

    Nor are variables that can hold a wrong value: Settings looks into them, and names the variable in its error.
    """
    spec: OptionSpec = {"type": "str" if option.type == "seconds" else option.type}
    if option.type in ("str", "path") and not option.choices:
        spec["fallback"] = (env_fallback, [environment_name(name)])
    if option.secret:
        spec["no_log"] = True
    elif name in ("token_cache", "api_client_id", "storage_token_lifetime"):
        spec["no_log"] = False  # named like a secret, but none
    if option.choices:
        spec["choices"] = list(option.choices)
    return spec


def apply_file_arguments(module: basic.AnsibleModule, result: Result) -> None:
    """Apply the options to the file that ``result`` names under ``file``; the result says what that changed."""
    path = result["file"]
    change: dict[str, dict[str, t.Any]] = {}
    arguments = module.load_file_common_arguments(module.params, path=path)
    result["changed"] = module.set_fs_attributes_if_different(arguments, result["changed"], change)
    if not module.check_mode:
        result["mode"] = f"{stat.S_IMODE(os.lstat(path).st_mode):04o}"
    diff = result.get("diff")
    if diff is not None and module.check_mode and not os.path.lexists(path):
        diff["after"].update(_foreseen_owners(module.params, os.path.dirname(path) or "."))
    for name, value in change.get("after", {}).items():
        if diff is not None and change["before"].get(name) != value:
            if diff["before"]:
                diff["before"].setdefault(name, change["before"].get(name))
            diff["after"][name] = value


def _foreseen_owners(params: t.Mapping[str, t.Any], folder: str) -> dict[str, int]:
    """Return owner and group for the diff of a new file, if the options change those that it is created with."""
    above = os.stat(folder)
    first = {"owner": os.geteuid(), "group": above.st_gid if above.st_mode & stat.S_ISGID else os.getegid()}
    find = {"owner": user_id, "group": group_id}
    desired = {option: find[option](params[option]) for option in find if params[option] is not None}
    return {option: number for option, number in desired.items() if number != first[option]}


if t.TYPE_CHECKING:
    _Module = basic.AnsibleModule
else:
    _Module = object  # the class comes in when a module starts


class ModuleErrors(_Module):
    """What an AnsibleModule of ours does in its own way; it suggests the nearest option name for a typo.

    ``planned`` is what the action plugin gave it in check mode, else None.
    ``has_changed`` says whether anything had been changed when an error ends it.
    """

    planned: list[t.Any] | None = None
    has_changed = False

    def __init__(self, operation: Operation) -> None:
        self._own_name = operation.name
        super().__init__(argument_spec=argument_spec(operation), supports_check_mode=True, **operation.rules)

    def _load_params(self) -> None:
        """Read the arguments; the planned objects are not one of them."""
        super()._load_params()
        self.planned = self.params.pop(PLANNED_OBJECTS, None)

    def _set_internal_properties(self, *more: object) -> None:
        """Take Ansible's own members, and check the shape of the rest before Ansible does."""
        super()._set_internal_properties(*more)
        try:
            check_shapes(self.argument_spec, self.params)
        except InvalidInput as wrong:
            self.fail_json(str(wrong))

    def _log_invocation(self) -> None:
        """Log the arguments, unless the log cannot hold one: a path may have bytes that are not UTF-8."""
        with contextlib.suppress(UnicodeEncodeError):
            super()._log_invocation()

    def _return_formatted(self, kwargs: Result) -> None:
        """Add the arguments as Ansible does, as all programs can read them."""
        shown = fit_for_json(remove_values(self.params, self.no_log_values))  # in this order: a secret may not fit
        super()._return_formatted({"invocation": {"module_args": shown}, **kwargs})

    def fail_json(self, msg: str, **result: t.Any) -> t.NoReturn:
        """End with an error; what is given to secret options is not in it, whatever its type."""
        from .option_suggestions import with_unknown_options  # for mistakes only

        self.no_log_values.update(secret_option_values(self.argument_spec, self.params))
        text = with_unknown_options(msg, self._own_name, self.argument_spec, self.params)
        shown = visible(remove_values(text, self.no_log_values))  # before it is cut: a part of a secret would stay
        super().fail_json(with_short_values(shown, self.params), **{"changed": self.has_changed, **result})


def _module(operation: Operation) -> ModuleErrors:
    """Return a module of the class that Ansible has now: ansible-lint puts one there that checks options and ends."""
    kind = type("Module", (ModuleErrors, basic.AnsibleModule), {})
    return t.cast("ModuleErrors", kind(operation))


def run_module(operation: Operation, finish: t.Callable[[basic.AnsibleModule, Result], None] | None = None) -> None:
    """Run ``operation`` as the module; ``finish`` then does what only a module can, and adds to the result."""
    module = _module(operation)
    planned_objects = None
    if module.planned is not None:
        planned_objects = PlannedObjects(module.planned)
    done = execute(
        operation,
        module.params,
        check_mode=module.check_mode,
        diff_mode=module._diff,  # noqa: SLF001 - there is no public way to ask
        warn=module.warn,
        tell=module.debug,
        runner="module",
        planned_objects=planned_objects,
    )
    if planned_objects is not None:
        done.result[PLANNED_OBJECTS] = planned_objects.new  # for the action plugin to keep
    module.no_log_values.update(done.secrets)
    failed = done.result.pop("failed", False)
    if finish is not None and not failed:
        module.has_changed = bool(done.result["changed"])
        finish(module, done.result)
    result = done.shown(module.no_log_values)
    if failed:
        module.fail_json(**result)
    module.exit_json(**result)


def controller_operation(
    name: str,
    options: OptionSpecs,
    rules: t.Mapping[str, object] | None = None,
    *,
    reaches_services: bool = False,
) -> Operation:
    """Return an operation whose ``run`` says where it belongs; the action plugin takes its options and rules."""

    def run(task: Task, params: Params) -> Result:
        del task, params
        raise FcdError(
            f"fcd.cloud.{name} runs on the controller, as an action plugin only.",
            next_step="Use it as a task of a play, without async.",
        )

    return Operation(name, (REST, SOAP, STORAGE, SITE) if reaches_services else (), options, run, rules or NO_RULES)

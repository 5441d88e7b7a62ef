# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring machines to their state with the orchestration tool, by a configuration that is written here.

Source: contract infrastructure-rest.md, "Instance resource in the orchestration configuration" and "Tool commands".
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import typing as t

from .._connection.options import REST, STORAGE
from .._connection.task import STATE, Operation, Params, Result, Task
from .._core.errors import InvalidInput
from .._infrastructure.connection import infrastructure
from .connection import Orchestration, check_api_url
from .local_state import LocalState, local_state
from .machines import EXCLUSIVE, machines_of
from .machines import OPTIONS as OF_A_MEMBER
from .private_place import private_place
from .run_of_tool import Place, RunOfTool
from .working_folder import NOT_STORED, WorkingFolder

if t.TYPE_CHECKING:
    from .._infrastructure.instance.instance_options import Labels
    from .state_object import StateObject

    State = t.Union[LocalState, StateObject]

OPTIONS: dict[str, dict[str, t.Any]] = {
    "path": {"type": "path", "required": True},
    "instances": {
        "type": "list",
        "elements": "dict",
        "options": OF_A_MEMBER,
        "mutually_exclusive": EXCLUSIVE,
    },
    "api_url": {"type": "str"},
    "executable": {"type": "str"},
    "plugin_path": {"type": "path"},
    "plugin_version": {"type": "str", "default": "1.0.0"},
    "provider_source": {"type": "str"},
    "protect": {"type": "list", "elements": "str", "choices": ["delete", "replace"], "default": ["replace"]},
    "adopt": {"type": "bool", "default": False},
    "overwrite": {"type": "bool", "default": False},
    "state_container": {"type": "str"},
    "state_object": {"type": "str"},
    "lock_timeout": {"type": "int", "default": 60},
    "parallelism": {"type": "int", "default": 10},
    **STATE,
}
FORMS = {
    "plugin_version": (r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?", "1.0.0"),
    "provider_source": (
        r"[0-9A-Za-z][\w.-]*(:[0-9]+)?/[0-9A-Za-z][\w-]*/[0-9A-Za-z][\w-]*",
        "plugins.example.com/fcd/service",
    ),
}
"""What becomes part of a path in the folder, so that it cannot lead out of it."""

RULES = {"required_if": [("state", "present", ("instances",))], "required_by": {"state_object": ("state_container",)}}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    task.settings.require((REST,))
    _check(params)
    check_api_url(task, params["api_url"])
    folder = WorkingFolder(params["path"])
    folder.check_place()
    state = _state(task, params, folder)
    absent = params["state"] == "absent"
    if absent and state.is_gone() and not os.path.exists(folder.file(NOT_STORED)):
        return {"changed": False, "actions": [], "instances": {}, "diff": {"before": {}, "after": {}}}
    folder.check_owner(overwrite=params["overwrite"])
    orchestration = Orchestration(task, params["executable"])
    machines = {} if absent else machines_of(params["instances"], _late_labels(task), task.warn)
    plugin = folder.plugin(params["plugin_path"])
    with contextlib.ExitStack() as stack:
        private = stack.enter_context(private_place())
        if task.check_mode:
            folder = _copy(task, folder, private)
            state = state.of(folder)
        else:
            stack.enter_context(_alone(task, params, folder))
        place = Place(folder, state, plugin, private, stack.enter_context(state.at_hand()))
        return RunOfTool(task, params, place, orchestration).carried_out(
            machines, _late_adoption(task, params, machines)
        )


def _check(params: Params) -> None:
    for option, least in (("lock_timeout", 0), ("parallelism", 1)):
        if params[option] < least:
            raise InvalidInput(f"{option}: {params[option]} is less than {least}.", option=option)
    for option, (pattern, like) in FORMS.items():
        if params[option] is not None and not re.fullmatch(pattern, params[option]):
            raise InvalidInput(f"{option}: {params[option]!r} is none; it looks like {like}.", option=option)
    container = params["state_container"]
    if container is not None and (container in ("", ".", "..") or "/" in container):
        raise InvalidInput(
            f"state_container: {container!r} cannot be the name of a container.",
            next_step="Give the name of one container; the name of the object in it goes to state_object.",
            option="state_container",
        )


def _state(task: Task, params: Params, folder: WorkingFolder) -> State:
    container = params["state_container"]
    noted = folder.stamp().get("state")
    if container is None:
        if noted:
            raise InvalidInput(
                f"state_container: the state of {folder.path} was kept in {noted} so far; without it the tool would "
                "make every machine once more.",
                next_step="Give state_container again, or download that object as terraform.tfstate into the folder "
                "and remove .fcd-orchestration.json from it.",
                option="state_container",
            )
        return LocalState(folder)
    from .state_object import StateObject, refuse_local_state

    task.settings.require((STORAGE,))
    state = StateObject(task, container, params["state_object"] or f"{os.path.basename(folder.path)}.tfstate")
    refuse_local_state(folder, state.place)
    if noted and noted != state.place:
        raise InvalidInput(
            f"state_container: the state of {folder.path} was kept in {noted} so far, not in {state.place}.",
            next_step="Copy the object there and remove .fcd-orchestration.json from the folder.",
            option="state_container",
        )
    return state


def _copy(task: Task, folder: WorkingFolder, private: str) -> WorkingFolder:
    """Return a private copy of the folder, so that check mode leaves no trace."""
    if os.path.exists(folder.file(NOT_STORED)):
        task.warn(f"{folder.file(NOT_STORED)} holds a state that could not be stored; check mode does not look at it.")
    local_state(folder)  # an error is about the file there
    path = os.path.join(private, "copy")
    os.mkdir(path, 0o700)
    return folder.copied_to(path)


def _alone(task: Task, params: Params, folder: WorkingFolder) -> contextlib.AbstractContextManager[None]:
    """Let no other task work with the folder meanwhile."""
    from .._engine.locks import file_lock

    key = hashlib.sha256(os.path.realpath(folder.path).encode("utf-8", "surrogateescape")).hexdigest()
    deadline = task.deadline.within(params["lock_timeout"], "lock")
    return file_lock(task.state_dir, f"orchestration-{key[:32]}", deadline, what=folder.path)


def _late_labels(task: Task) -> t.Callable[[], Labels]:
    made: list[Labels] = []

    def labels() -> Labels:
        from .._infrastructure.instance.instance_options import Labels

        if not made:
            made.append(Labels(infrastructure(task)))
        return made[0]

    return labels


def _late_adoption(
    task: Task, params: Params, machines: t.Mapping[str, t.Any]
) -> t.Callable[[t.Mapping[str, t.Any]], dict[str, str]]:
    def adoption(managed: t.Mapping[str, t.Any]) -> dict[str, str]:
        if not params["adopt"]:
            return {}
        from .adoption import adopted

        return adopted(lambda: infrastructure(task), machines, managed)

    return adoption


OPERATION = Operation(name="orchestration", services=("rest", "storage"), options=OPTIONS, run=run, rules=RULES)

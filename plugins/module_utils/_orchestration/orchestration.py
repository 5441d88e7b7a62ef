# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compute instances brought to their state by the orchestration tool and the provider plugin of the service.

Source: docs/service/infrastructure.md, "Orchestration plugin".
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import typing as t

from .._connection.options import REST, STORAGE, WHOLE_SECONDS, OptionSpecs, check_least
from .._connection.task import CREATE_OPTIONS, STATE, Operation, Params, Result, Task
from .._core.errors import InvalidInput
from .._core.private_files import file_lock
from .._http.messages import check_address
from .._infrastructure.api import infrastructure
from .._infrastructure.instance.instance_options import Labels
from .._object_storage.features import Features
from .._object_storage.properties import check_container
from .declared_instances import DECLARED_OPTIONS as OF_A_MEMBER
from .declared_instances import INSTANCE_EXCLUSIVE, declared_instances
from .plans_and_states import is_empty_state
from .state_places import LocalState, StateObject, StatePlace
from .tool_commands import Orchestration
from .tool_creates import ToolCreates
from .tool_run import RunPlace, ToolRun
from .working_folder import NOT_STORED, WorkingFolder, private_folder_of_run

ORCHESTRATION_OPTIONS: OptionSpecs = {
    "path": {"type": "path", "required": True},
    "instances": {"type": "list", "elements": "dict", "options": OF_A_MEMBER, "mutually_exclusive": INSTANCE_EXCLUSIVE},
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
    "lock_timeout": {"type": WHOLE_SECONDS, "default": 60},
    "parallelism": {"type": "int", "default": 10},
    **CREATE_OPTIONS,
    **STATE,
}
FORMS = {
    "plugin_version": (r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?", "1.0.0"),
    "provider_source": (
        r"[0-9A-Za-z][\w.-]*(:[0-9]+)?/[0-9A-Za-z][\w-]*/[0-9A-Za-z][\w-]*",
        "plugins.example.com/fcd/service",
    ),
}
"""The form of whatever becomes part of a path in the folder, so that no path leads out of it."""

ORCHESTRATION_RULES = {
    "required_if": [("state", "present", ("instances",))],
    "required_by": {"state_object": ("state_container",)},
}


def run(task: Task, params: Params) -> Result:
    task.settings.require((REST,))
    _check(task, params)
    folder = WorkingFolder(params["path"])
    folder.names()  # an error if it is not a folder
    state = _state(task, params, folder)
    absent = params["state"] == "absent"
    if absent and is_empty_state(state.read()) and not os.path.exists(folder.file(NOT_STORED)):
        return {"changed": False, "actions": [], "instances": {}, "diff": {"before": {}, "after": {}}}
    folder.check_owner(overwrite=params["overwrite"])
    orchestration = Orchestration(task, params["executable"])
    instances = {} if absent else declared_instances(params["instances"], _late_labels(task), task.warn)
    plugin = folder.plugin(params["plugin_path"])
    with contextlib.ExitStack() as stack:
        private = stack.enter_context(private_folder_of_run())
        if task.check_mode:
            folder = _copy(task, folder, private)
            state = LocalState(folder) if isinstance(state, LocalState) else state
        else:
            stack.enter_context(_alone(task, params, folder))
        place = RunPlace(folder, state, plugin, private, stack.enter_context(state.at_hand()))
        locks = stack.enter_context(contextlib.ExitStack())
        creates = ToolCreates(task, params, params["path"], functools.partial(infrastructure, task), locks)
        return ToolRun(task, params, place, orchestration, creates).carried_out(instances)


def _check(task: Task, params: Params) -> None:
    check_least(params, lock_timeout=0, parallelism=1)
    for option, (pattern, like) in FORMS.items():
        if params[option] is not None and not re.fullmatch(pattern, params[option]):
            raise InvalidInput(f"{option}: {params[option]!r} is not valid; it looks like {like}.", option=option)
    if params["state_container"] is not None:
        check_container(params["state_container"], Features(), "state_container")
    if params["api_url"]:  # the plugin sends the token there
        check_address(params["api_url"], "api_url", allow_plain_http=task.settings["allow_plain_http"])


def _state(task: Task, params: Params, folder: WorkingFolder) -> StatePlace:
    """Return where the state is kept. Raises InvalidInput if it has been kept somewhere else so far."""
    container = params["state_container"]
    noted = folder.stamp().get("state")
    if container is None:
        if noted:
            raise InvalidInput(
                f"state_container: the state of {folder.path} has been kept in {noted} so far; without it, the tool "
                "would create every instance again.",
                next_step="Set state_container again, or download that object as terraform.tfstate into the folder "
                "and remove .fcd-orchestration.json from it.",
                option="state_container",
            )
        return LocalState(folder)
    task.settings.require((STORAGE,))
    state = StateObject(task, container, params["state_object"] or f"{os.path.basename(folder.path)}.tfstate")
    state.refuse_local(folder)
    if noted and noted != state.place:
        raise InvalidInput(
            f"state_container: the state of {folder.path} has been kept in {noted} so far, not in {state.place}.",
            next_step="Copy the object there and remove .fcd-orchestration.json from the folder.",
            option="state_container",
        )
    return state


def _copy(task: Task, folder: WorkingFolder, private: str) -> WorkingFolder:
    """Return a private copy of the folder, so that check mode leaves no trace."""
    if os.path.exists(folder.file(NOT_STORED)):
        task.warn(f"{folder.file(NOT_STORED)} contains a state that could not be stored; check mode ignores it.")
    LocalState(folder).read()  # errors should name the original file
    return folder.copied_to(os.path.join(private, "copy"))


def _alone(task: Task, params: Params, folder: WorkingFolder) -> contextlib.AbstractContextManager[None]:
    """Keep other tasks out of the folder."""
    key = hashlib.sha256(os.path.realpath(folder.path).encode("utf-8", "surrogateescape")).hexdigest()
    deadline = task.deadline.within(params["lock_timeout"], "lock")
    return file_lock(task.state_dir, f"orchestration-{key[:32]}", deadline, what=folder.path)


def _late_labels(task: Task) -> t.Callable[[], Labels]:
    """Return a function for the labels of the service, which are only read if an entry has one."""

    @functools.lru_cache(maxsize=None)
    def labels() -> Labels:
        return Labels(infrastructure(task))

    return labels


OPERATION = Operation(
    name="orchestration",
    services=("rest", "storage"),
    options=ORCHESTRATION_OPTIONS,
    run=run,
    rules=ORCHESTRATION_RULES,
)

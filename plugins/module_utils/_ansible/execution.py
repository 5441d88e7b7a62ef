# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run an operation and turn whatever happens into an Ansible result; the module and its twin share this."""

from __future__ import annotations

import typing as t

from .._connection.operation import Operation, Params, Result
from .._connection.options import check_own_options
from .._connection.settings import Settings
from .._connection.task import Task
from .._core.errors import FcdError
from .._core.redaction import Redactor, passwords_in_addresses

COLLECTION = "/ansible_collections/fcd/cloud/"  # what the path of a file of ours has before it, packed or not


class Execution(t.NamedTuple):
    """The result and the secrets that must not show in it, wherever they came from (options, environment, profile)."""

    result: Result
    secrets: set[str]


def execute(
    operation: Operation,
    params: Params,
    *,
    check_mode: bool,
    diff_mode: bool,
    warn: t.Callable[[str], None],
    tell: t.Callable[[str], None],
    way: str,
) -> Execution:
    """Run ``operation`` with validated options. Never raises for what the service or the user did wrong."""
    redactor = Redactor()
    secrets: set[str] = set()
    try:
        check_own_options(operation.options, params)
        settings = Settings.resolve(params, operation.services)
        secrets = set(settings.secrets())
        task = Task(settings, check_mode=check_mode, warn=warn, tell=tell, way=way)
        redactor = task.redactor
        result = operation.run(task, params)
    except FcdError as exc:
        changed = bool(exc.details.pop("changed", False))  # before it failed, see _engine.change_tracking
        told = redactor.value({"failed": True, "changed": changed, **exc.as_result()})
        misplaced = passwords_in_addresses(params.values())  # refused, and all options are shown beside the error
        return Execution(told, secrets | redactor.secrets | misplaced)
    except Exception as exc:  # noqa: BLE001 - a defect of ours must not show a bare traceback with secrets in it
        return Execution(redactor.value(_defect(operation, exc)), secrets)
    if not diff_mode:
        result.pop("diff", None)
    return Execution(result, secrets)


def _defect(operation: Operation, exc: Exception) -> Result:
    import traceback  # only a defect needs it

    frames = traceback.extract_tb(exc.__traceback__)
    last = next((frame for frame in reversed(frames) if COLLECTION in frame.filename), frames[-1])
    place = f"{last.filename.rpartition(COLLECTION)[2]}:{last.lineno}"
    return {
        "failed": True,
        "changed": False,
        "msg": f"fcd.cloud.{operation.name} has a defect: {type(exc).__name__}: {exc} ({place}). "
        "Please report it with the output of the task at -vvv.",
        "error": {"kind": "Defect", "type": type(exc).__name__, "place": place},
        "exception": "".join(traceback.format_exception(type(exc), exc, exc.__traceback__)),
    }

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tasks of a run in check mode plan: a note in the temporary folder of ansible-playbook, gone with it.

Workers are forks that end with their tasks, so the note is a file. It is encrypted: a run that is killed leaves it
behind, and checksums of contents are in it, by which a short secret could be found out.

Every task imports this, few are in check mode: what Ansible itself has not imported yet is imported by these.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import multiprocessing
import os
import typing as t

from ansible import constants, context
from ansible.utils.display import Display

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import PLANNED_OBJECTS
from ansible_collections.fcd.cloud.plugins.module_utils._connection import check_mode_state
from ansible_collections.fcd.cloud.plugins.module_utils._connection.check_mode_state import PlannedEntry
from ansible_collections.fcd.cloud.plugins.module_utils._core.private_files import open_regular
from ansible_collections.fcd.cloud.plugins.module_utils._core.type_aliases import JsonObject

if t.TYPE_CHECKING:
    from cryptography.fernet import Fernet

NOTE = "fcd_cloud_check_mode"
NOTE_KEY = base64.urlsafe_b64encode(os.urandom(32))  # the controller imports this once; all workers are forks of it


def check_mode_run_of_task() -> CheckModeRun | None:
    """Return what is planned for the task whose templates a worker resolves; None where that is not certain.

    A worker is a process that has its task. A ``check_mode`` that is still a template itself is not certain.
    """
    task = getattr(multiprocessing.current_process(), "_task", None)
    return CheckModeRun() if getattr(task, "check_mode", None) is True else None


def forget_planned_objects() -> None:
    """Forget what earlier tasks in check mode would do: one that really runs has changed what they had found.

    In a run with --check, such a task is the exception, and what is checked is the playbook as a whole.
    """
    if not context.CLIARGS.get("check"):
        with contextlib.suppress(OSError):
            os.unlink(_note())


class CheckModeRun:
    """The planned objects of the run, for one task of it."""

    def __init__(self) -> None:
        self._known = check_mode_state
        self._path = _note()
        self._earlier = self._read()
        self.planned_objects = check_mode_state.PlannedObjects(self._earlier)

    def with_numbers(self, args: object) -> t.Any:
        """Return arguments with the numbers of what is planned in place of the text that stands for them."""
        return self._known.with_planned_numbers(args, self._known.placeholders(self._earlier))

    def with_placeholders(self, value: object) -> object:
        """Return the reverse for a result."""
        return self._known.with_placeholders(value, self._known.placeholders(self._earlier))

    def for_module(self, args: JsonObject) -> JsonObject:
        """Return the arguments for a module in a process of its own, with the planned objects among them."""
        return {**args, PLANNED_OBJECTS: self._earlier}

    def keep(self, result: JsonObject) -> JsonObject:
        """Note what this task has planned; returns the result as it is shown."""
        new = [*self.planned_objects.new, *(result.pop(PLANNED_OBJECTS, None) or ())]
        if new and not result.get("failed"):
            self._append(new)
        return t.cast("JsonObject", self.with_placeholders(result))

    def _read(self) -> list[PlannedEntry]:
        try:
            with open_regular(self._path) as handle:
                fcntl.flock(handle, fcntl.LOCK_SH)
                return _entries(handle)
        except FileNotFoundError:
            return []
        except OSError as error:
            _warn(error.strerror)
            return []

    def _append(self, entries: t.Sequence[PlannedEntry]) -> None:
        """Add to the note, and learn what other workers have added: the order decides what each number is shown as."""
        earlier = self._earlier
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "r+b") as handle:
                fcntl.flock(handle, fcntl.LOCK_EX)
                earlier = _entries(handle)
                cipher = _cipher()
                handle.writelines(cipher.encrypt(json.dumps(entry).encode()) + b"\n" for entry in entries)
        except OSError as error:
            _warn(error.strerror)
        self._earlier = [*earlier, *entries]


def _note() -> str:
    return os.path.join(vars(constants)["DEFAULT_LOCAL_TMP"], NOTE)


def _warn(why: str | None) -> None:
    Display().warning(
        f"Later tasks in check mode may not know what earlier tasks would do: the note about these has a fault ({why})."
    )


def _entries(handle: t.Iterable[bytes]) -> list[PlannedEntry]:
    """Return what is in the note; what is damaged is left out with a warning."""
    from cryptography.fernet import InvalidToken

    found, damaged, cipher = [], 0, _cipher()
    for line in handle:
        try:
            found.append(json.loads(cipher.decrypt(line.strip())))
        except InvalidToken:
            damaged += 1
    if damaged:
        _warn("a part of it cannot be read")
    return found


def _cipher() -> Fernet:
    """Return what encrypts the note, of the library that Ansible itself needs for its vault."""
    from cryptography.fernet import Fernet

    return Fernet(NOTE_KEY)

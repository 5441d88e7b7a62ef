# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The promises of a run of ansible-playbook in check mode: a note in the temporary folder of that run, gone with it.

Workers are forks that end with their tasks, so the note is a file. Nothing secret is in it.
"""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import typing as t

from ansible import constants as C  # noqa: N812 - the name Ansible itself uses
from ansible import context

from ansible_collections.fcd.cloud.plugins.module_utils._connection import check_mode_promises as known

NOTE = "fcd_cloud_promises.jsonl"
LONGEST = 96 * 1024  # characters of a variable: a shell takes 128 KiB
Args = t.Dict[str, t.Any]


def promises_for(task: t.Any) -> RunPromises | None:
    """Return the promises for a task of Ansible; None for one that is not in check mode, or is so by itself."""
    return RunPromises() if task.check_mode and in_check_mode() else None


def promises_for_lookup() -> RunPromises | None:
    """Return the promises for the task whose templates a worker resolves; None where that is not known for certain.

    A worker is a process that has its task. A ``check_mode`` that is still a template itself is not certain.
    """
    task = getattr(multiprocessing.current_process(), "_task", None)
    return promises_for(task) if getattr(task, "check_mode", None) is True else None


def in_check_mode() -> bool:
    """Return whether the whole run is in check mode; in any other, a task in check mode promises nothing."""
    return bool(context.CLIARGS.get("check"))


class RunPromises:
    """The promises of the run, for one task of it."""

    def __init__(self) -> None:
        self._path = os.path.join(vars(C)["DEFAULT_LOCAL_TMP"], NOTE)
        self._earlier = self._read()
        self.promises = known.Promises(self._earlier)

    def accepted(self, operation: str, args: Args) -> Args:
        """Return arguments that pass the validation though they are known after apply."""
        return t.cast("Args", known.accepted(operation, args))

    def environment(self) -> dict[str, str]:
        """Return what tells a module in a process of its own the promises."""
        text = known.packed_promises(self._earlier)
        return {known.VARIABLE: text} if len(text) <= LONGEST else {}

    def kept(self, result: Args) -> Args:
        """Note what this task has promised; returns the result as it is shown."""
        new = [*self.promises.new, *(result.pop(known.MEMBER, None) or ())]
        if new and not result.get("failed"):
            self._append(new)
        return t.cast("Args", known.masked(result, [*self._earlier, *new]))

    def _read(self) -> list[known.Entry]:
        try:
            with open(self._path, encoding="utf-8") as handle:
                fcntl.flock(handle, fcntl.LOCK_SH)
                return [json.loads(line) for line in handle]
        except FileNotFoundError:
            return []

    def _append(self, entries: t.Sequence[known.Entry]) -> None:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            handle.writelines(json.dumps(entry) + "\n" for entry in entries)

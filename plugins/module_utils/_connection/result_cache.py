# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of reading operations that lookups keep for a while: private files, as each task is a separate process.

A result is kept for one run of a playbook: the process that forks the tasks is part of its name. If tasks of one run
ask the same at the same time, one asks the service and the others wait for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import typing as t

from .._core.errors import FcdError
from .._core.private_files import file_lock, read_json, remove_older, write_json
from .._core.text import digest, fold
from .task import Task, this_run

_Result = t.TypeVar("_Result")


class ResultCache:
    """The results for the identity of one task; ``seconds`` is how long one is kept, 0 for not at all.

    ``identity`` names the settings that say who asks whom.
    """

    def __init__(self, task: Task, seconds: float, identity: t.Sequence[str]) -> None:
        self._task = task
        self._seconds = seconds if task.planned_objects is None else 0  # every task of a run in check mode adds to it
        self._who = [task.settings[name] for name in identity]
        self._folder = os.path.join(task.state_dir, "lookups")

    def path(self, operation: str, question: t.Mapping[str, object]) -> str:
        """Return the file for a question; its name reveals nothing."""
        asked = json.dumps(question, sort_keys=True, default=str)
        return os.path.join(self._folder, digest("result", this_run(), *self._who, fold(operation), asked) + ".json")

    def answer(self, path: str, ask: t.Callable[[], _Result], fit: t.Callable[[_Result], bool]) -> _Result:
        """Return the kept result, else what ``ask`` returns, which is kept if it is ``fit`` to be."""
        if self._seconds <= 0:
            return ask()
        kept = self.get(path)
        if kept is None:
            with self._turn(path):
                kept = self.get(path)
                if kept is None:
                    kept = {"result": ask()}
                    if fit(kept["result"]):
                        self.put(path, kept["result"])
        return t.cast("_Result", kept["result"])

    def _turn(self, path: str) -> contextlib.ExitStack:
        """Wait while another process asks; if that is not possible, both ask, which only costs a request.

        There are few locks for all questions: the file of a lock is never removed.
        """
        stack, task = contextlib.ExitStack(), self._task
        limit = task.deadline.within(task.settings["timeout"], "lookup")
        try:
            stack.enter_context(
                file_lock(task.state_dir, f"lookup-{os.path.basename(path)[:2]}", limit, what="this result")
            )
        except (FcdError, OSError):
            pass
        return stack

    def get(self, path: str) -> dict[str, t.Any] | None:
        """Return ``{"result": ...}`` if it is kept and not too old."""
        kept = read_json(path) if self._seconds > 0 else None
        if not isinstance(kept, dict) or not {"result", "at"} <= set(kept):
            return None
        age = self._task.clock.now() - kept["at"]
        return kept if 0 <= age <= self._seconds else None

    def put(self, path: str, result: object) -> None:
        """Keep a result, and remove outdated ones. A failure only costs time."""
        if self._seconds <= 0:
            return
        now = self._task.clock.now()
        try:
            write_json(path, {"at": now, "result": result})
            os.utime(path, (now, now + self._seconds))  # until when it counts, for whatever cleans up
            remove_older(self._folder, now)
        except (FcdError, OSError) as problem:
            self._task.warn(f"The result of a lookup cannot be kept in {self._folder}: {problem}")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows that a long task is alive: the one place that decides what is shown of its progress, and shows it.

A task reports what it is doing as often as it likes. The latest report is shown after some seconds, and again after
pauses that grow with the time the task takes. It is shown by a thread, so that silence of the service stops nothing.
"""

from __future__ import annotations

import threading
import time
import typing as t

from ansible import constants, context
from ansible.utils.display import Display

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import ALWAYS, NEVER
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation, Params, Result, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import name_in_line

FIRST, LONGEST = 5.0, 30.0  # seconds before the first line, and the longest pause between two
LONGEST_LINE = 300  # characters
FOR_PROGRAMS = ("json", "jsonl", "null", "oneline")  # callbacks whose output programs read, perhaps line by line
FOR_JOBS = ("awx_display",)  # keeps each line as an event of the job
# Options that name the object of a task; the first that is given does.
OBJECTS = ("name", "user_name", "container", "fleet", "instance", "id", "client_id", "path", "operation", "src")

display = Display()


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
            display.v(text, host=self._host)

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
        self._object = next((str(params[name]) for name in OBJECTS if isinstance(params.get(name), (str, int))), "")
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
        begun, pause = time.monotonic(), FIRST
        while not ended.wait(pause):
            passed = time.monotonic() - begun
            with self._lock:
                for line in self._pending or ():
                    self._show(line)
                self._pending = None
                now = "" if self._hides_item else "; ".join(filter(None, (self._state, self._latest)))
                self._show(now.rstrip(".") or "still running", f" ({_duration(passed)} so far)")
            pause = min(LONGEST, max(FIRST, passed / 2))

    def _show(self, text: str, passed: str = "") -> None:
        named = not self._object or repr(self._object) in text
        label = self._operation if named else f"{self._operation} {self._object}"
        line = text if text.startswith(f"{self._operation} ") else f"{label}: {text}"
        display.display(f"[{self._host}] {name_in_line(self._redacted(line), LONGEST_LINE)}{passed}")


def _callback() -> str:
    """Return the name of the callback that writes the output, without its collection."""
    if context.CLIARGS.get("one_line"):
        return "oneline"
    return str(constants.config.get_config_value("DEFAULT_STDOUT_CALLBACK")).rpartition(".")[2]


def _duration(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60} min {whole % 60} s"

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of a sync: what was done with each name, and how far it is."""

from __future__ import annotations

import operator
import typing as t

from .._connection.task import Result
from .._core.clock import Clock
from .._core.errors import CHANGED, FcdError, OperationFailed
from .._core.text import quoted
from .._core.type_aliases import Warn
from .._http.messages import MEBIBYTE
from .checksum_cache import NO_DIGESTS, KnownDigests

UPLOAD, DOWNLOAD, COPY, UPDATE, DELETE = "upload", "download", "copy", "update", "delete"
COUNTERS = {UPLOAD: "uploaded", DOWNLOAD: "downloaded", COPY: "copied", UPDATE: "updated", DELETE: "deleted"}
FAILURES_IN_MESSAGE = 5  # all are in the result
MAX_WARNINGS = 20  # that are shown
REPORT_PAUSE = 2.0  # seconds between two reports of progress


class ItemResult(t.NamedTuple):
    """What was done, or would be in check mode, with one name. Without an action, it was as desired.

    ``size`` in bytes; ``before`` and ``after`` describe it in a diff, None: it is missing. ``known`` is the result of
    reading the file, which began at ``read_at`` (ns since 1970).
    """

    action: str | None
    reason: str = ""
    size: int = 0
    before: str | None = None
    after: str | None = None
    known: KnownDigests = NO_DIGESTS
    read_at: int = 0


class SyncReport:
    """Counts everything, and lists the first ``limit`` changes."""

    def __init__(self, limit: int, clock: Clock, tell: t.Callable[[str], None]) -> None:
        self._limit = limit
        self._clock = clock
        self._tell = tell
        self._changes: list[tuple[str, ItemResult]] = []
        self.counts = dict.fromkeys((*COUNTERS.values(), "unchanged", "failed", "not_tried"), 0)
        self.size = 0
        self.stopped: FcdError | None = None
        self.failures: list[tuple[str, FcdError]] = []
        self.unconfirmed: dict[str, ItemResult] = {}  # what the service has accepted
        self._has_changed_something = False
        self.begin("names compared")

    @property
    def failed(self) -> bool:
        return bool(self.failures or self.counts["not_tried"] or self.stopped)

    def add(self, name: str, done: ItemResult, *, confirmed: bool = False) -> None:
        """Note the result of a name; ``confirmed``: the service shows it already."""
        if done.action is None:
            self.counts["unchanged"] += 1
            return
        self.counts[COUNTERS[done.action]] += 1
        if done.action in (UPLOAD, DOWNLOAD, COPY):
            self.size += done.size
        if len(self._changes) < self._limit:
            self._changes.append((name, done))
        if done.action in (UPLOAD, COPY, DELETE) and not confirmed:
            self.unconfirmed[name] = done

    def note_change(self) -> None:
        """Note that something may have been changed, whatever becomes of each name."""
        self._has_changed_something = True

    def take_back(self, name: str) -> None:
        """Note that the service has accepted something, and not done it."""
        done = self.unconfirmed[name]
        self.counts[COUNTERS[str(done.action)]] -= 1
        self.size -= 0 if done.action == DELETE else done.size
        self._changes = [one for one in self._changes if one[0] != name]
        what = "removal, but it is still there" if done.action == DELETE else "content, but does not have it"
        text = f"The service has accepted the {what}."
        self.fail(name, OperationFailed(text, next_step="Run the task again.", changed=True))

    def fail(self, name: str, error: FcdError) -> None:
        """Note the failure of a name; the rest goes on."""
        self.counts["failed"] += 1
        self._has_changed_something |= bool(error.details.pop(CHANGED, False))
        self.failures.append((name, error))

    def begin(self, what: str, whole: int | None = None) -> None:
        """Start counting ``what``, for so many names if that is known."""
        self._done, self._size_before, self._whole, self._what = 0, self.size, whole, what
        self._started_at = self._reported_at = self._clock.monotonic()
        if whole:
            self._tell(f"0 of {whole:,} {what}")

    def progress(self, number: int = 1) -> None:
        """Count more names, and report the progress every few seconds."""
        self._done += number
        now = self._clock.monotonic()
        if now - self._reported_at < REPORT_PAUSE:
            return
        self._reported_at = now
        whole = "" if self._whole is None else f" of {self._whole:,}"
        size = (self.size - self._size_before) // MEBIBYTE
        sent = f", {size:,} MiB" if size else ""
        failed = f", {self.counts['failed']:,} failed" if self.counts["failed"] else ""
        self._tell(f"{self._done:,}{whole} {self._what}{sent}, {self._done / (now - self._started_at):,.0f}/s{failed}")

    def result(self, target: str) -> Result:
        """Return the result; after failures it says ``failed``, and is complete otherwise."""
        changes = sum(self.counts[word] for word in COUNTERS.values())
        self._changes.sort(key=operator.itemgetter(0))  # they ended in arbitrary order
        self.failures.sort(key=operator.itemgetter(0))
        return {
            "changed": self._has_changed_something or changes > 0,
            "counts": self.counts,
            "bytes": self.size,
            "objects": [
                {"name": name, "action": done.action, "reason": done.reason, "size": done.size}
                for name, done in self._changes
            ],
            "truncated": changes > len(self._changes),
            "failures": [{"name": name, **error.as_result()} for name, error in self.failures],
            "diff": self._diff(target, changes - len(self._changes)),
            **(self._failure() if self.failed else {}),
        }

    def _diff(self, target: str, more: int) -> dict[str, str]:
        diff = {"before": "", "after": "", "before_header": target, "after_header": target}
        for name, done in self._changes:
            for side, text in (("before", done.before), ("after", done.after)):
                if text is not None:
                    diff[side] += f"{quoted(name)}: {text}\n"
        if more:
            diff["after"] += f"... and {more} more changes\n"
        return diff

    def _failure(self) -> Result:
        counts = ", ".join(f"{number} {word}" for word, number in self.counts.items() if number) or "nothing to do"
        causes = [f"{quoted(name)}: {error}" for name, error in self.failures[:FAILURES_IN_MESSAGE]]
        if self.stopped is not None:
            causes.append(str(self.stopped))
        left_out = len(self.failures) - FAILURES_IN_MESSAGE
        more = f"; and {left_out} more, see failures" if left_out > 0 else ""
        failure: Result = {"failed": True, "msg": f"Not everything is in sync ({counts}): {'; '.join(causes)}{more}"}
        first = self.stopped or next((error for _name, error in self.failures), None)
        return failure if first is None else {**failure, "error": first.as_result()["error"]}


class WarningLimit:
    """Passes on the first warnings, and then the number of the others."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._count = 0

    def add(self, text: str) -> None:
        """Pass it on, unless there were too many before."""
        self._count += 1
        if self._count <= MAX_WARNINGS:
            self._warn(text)

    def end(self) -> None:
        """Warn of how many were left out."""
        if self._count > MAX_WARNINGS:
            self._warn(f"There were {self._count - MAX_WARNINGS} more warnings of this kind.")

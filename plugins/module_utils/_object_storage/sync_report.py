# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of each name of a sync, and the result of it all."""

from __future__ import annotations

import operator
import typing as t

from .._connection.task import Result
from .._core.clock import Clock
from .._core.errors import CHANGED, FcdError
from .checksum_cache import NO_DIGESTS, KnownDigests
from .local_tree import Warn

UPLOAD, DOWNLOAD, COPY, UPDATE, DELETE = "upload", "download", "copy", "update", "delete"
COUNTED = {UPLOAD: "uploaded", DOWNLOAD: "downloaded", COPY: "copied", UPDATE: "updated", DELETE: "deleted"}
TOLD = 5  # failures that the message tells; all are in the result
MOST_WARNINGS = 20  # that are shown
EVERY = 2.0  # seconds between two reports of progress
MEBIBYTE = 1 << 20


class ItemResult(t.NamedTuple):
    """What was done, or in check mode would be, with one name. Without an action it was as it is to be.

    ``size`` in bytes; ``before`` and ``after`` describe it in a diff, None: it is not there. ``known`` is what reading
    the file has shown, which began at ``read_at`` (ns since 1970).
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
        self.counts = dict.fromkeys((*COUNTED.values(), "unchanged", "failed", "not_tried"), 0)
        self.size = 0
        self.stopped: FcdError | None = None
        self.failures: list[tuple[str, FcdError]] = []
        self._changed_in_vain = False
        self.begin("names compared")

    @property
    def failed(self) -> bool:
        """Whether not all went well."""
        return bool(self.failures or self.counts["not_tried"] or self.stopped)

    @property
    def changed(self) -> bool:
        """Whether anything was, or would be, changed."""
        return self._changed_in_vain or any(self.counts[word] for word in COUNTED.values())

    def add(self, name: str, done: ItemResult) -> None:
        """Note what came of a name."""
        if done.action is None:
            self.counts["unchanged"] += 1
            return
        self.counts[COUNTED[done.action]] += 1
        if done.action in (UPLOAD, DOWNLOAD, COPY):
            self.size += done.size
        if len(self._changes) < self._limit:
            self._changes.append((name, done))

    def fail(self, name: str, error: FcdError) -> None:
        """Note that something went wrong with a name; the rest goes on."""
        self.counts["failed"] += 1
        self._changed_in_vain = bool(error.details.pop(CHANGED, False)) or self._changed_in_vain
        self.failures.append((name, error))

    def begin(self, what: str, whole: int | None = None) -> None:
        """Begin to count anew: what is done now, and for how many names if that is known."""
        self._done, self._size_before, self._whole, self._what = 0, self.size, whole, what
        self._begun_at = self._told_at = self._clock.monotonic()
        if whole:
            self._tell(f"0 of {whole:,} {what}")

    def progress(self, number: int = 1) -> None:
        """Count so many names more, and report every few seconds how far it is."""
        self._done += number
        now = self._clock.monotonic()
        if now - self._told_at >= EVERY:
            self._told_at = now
            self._tell(self._reached(now - self._begun_at))

    def _reached(self, seconds: float) -> str:
        whole = "" if self._whole is None else f" of {self._whole:,}"
        size = (self.size - self._size_before) // MEBIBYTE
        sent = f", {size:,} MiB" if size else ""
        failed = f", {self.counts['failed']:,} failed" if self.counts["failed"] else ""
        return f"{self._done:,}{whole} {self._what}{sent}, {self._done / seconds:,.0f}/s{failed}"

    def _summary(self) -> str:
        return ", ".join(f"{number} {word}" for word, number in self.counts.items() if number) or "nothing to do"

    def result(self, target: str) -> Result:
        """Return the result; with a failure it says ``failed``, and the rest is finished."""
        listed = sum(self.counts[word] for word in COUNTED.values())
        self._changes.sort(key=operator.itemgetter(0))  # they ended in any order
        self.failures.sort(key=operator.itemgetter(0))
        told: Result = {
            "changed": self.changed,
            "counts": self.counts,
            "bytes": self.size,
            "objects": [
                {"name": name, "action": done.action, "reason": done.reason, "size": done.size}
                for name, done in self._changes
            ],
            "truncated": listed > len(self._changes),
            "failures": [{"name": name, **error.as_result()} for name, error in self.failures],
            "diff": self._diff(target, listed - len(self._changes)),
        }
        return {**told, **self._failure()} if self.failed else told

    def _diff(self, target: str, more: int) -> dict[str, str]:
        sides: dict[str, list[str]] = {"before": [], "after": []}
        for name, done in self._changes:
            for side, lines in sides.items():
                text = getattr(done, side)
                if text is not None:
                    lines.append(f"{name!r}: {text}\n")
        if more:
            sides["after"].append(f"... and {more} more changes\n")
        return {
            **{side: "".join(lines) for side, lines in sides.items()},
            "before_header": target,
            "after_header": target,
        }

    def _failure(self) -> Result:
        causes = [f"{name!r}: {error}" for name, error in self.failures[:TOLD]]
        listed = "; ".join(causes if self.stopped is None else [*causes, str(self.stopped)])
        more = f"; and {len(self.failures) - TOLD} more, see failures" if len(self.failures) > TOLD else ""
        first = [*filter(None, [self.stopped]), *(error for _name, error in self.failures)][:1]
        kind = dict.fromkeys(["error"], first[0].as_result()["error"]) if first else {}
        return {"failed": True, "msg": f"Not everything is in sync ({self._summary()}): {listed}{more}", **kind}


class WarningLimit:
    """Shows the first ones, and how many more there were."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._count = 0

    def add(self, text: str) -> None:
        """Show it, unless there were many before it."""
        self._count += 1
        if self._count <= MOST_WARNINGS:
            self._warn(text)

    def end(self) -> None:
        """Tell what was not shown."""
        if self._count > MOST_WARNINGS:
            self._warn(f"There were {self._count - MOST_WARNINGS} more warnings of this kind.")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""MD5 of contents, which is what the service compares them by; it protects nothing here."""

from __future__ import annotations

import hashlib
import queue
import threading
import typing as t

BLOCK = 1 << 20  # bytes read at a time
MUCH = 8 << 20  # bytes; from here on a thread of its own hashes while others are sent or received
BACKLOG = 4  # pieces that may wait for that thread


def md5(data: bytes = b"") -> hashlib._Hash:
    """Return an MD5 object."""
    return hashlib.md5(data, usedforsecurity=False)


def large_etag(etags: t.Iterable[str]) -> str:
    """Return the ETag (hex) of a large object whose segments have these. Source: wire-facts 10.7."""
    return md5("".join(etags).encode("ascii")).hexdigest()


class Digester:
    """The MD5 of ``expected`` bytes that pass by. Much of it is hashed in a thread of its own."""

    def __init__(self, expected: int) -> None:
        self._md5 = md5()
        self._pieces: list[bytes] = []
        self._waiting = 0
        self._thread: threading.Thread | None = None
        if expected >= MUCH:
            self._queue: queue.Queue[bytes | None] = queue.Queue(BACKLOG)
            self._thread = threading.Thread(target=self._run, name="fcd-cloud-md5", daemon=True)
            self._thread.start()

    def update(self, piece: bytes) -> None:
        """Take the next piece."""
        if self._thread is None:
            self._md5.update(piece)
            return
        self._pieces.append(piece)
        self._waiting += len(piece)
        if self._waiting >= BLOCK:
            self._hand_over()

    def hexdigest(self) -> str:
        """Return the MD5 of all that came; nothing may come after that."""
        self.close()
        return self._md5.hexdigest()

    def close(self) -> None:
        """End the thread when it has done its work."""
        if self._thread is not None:
            self._hand_over()
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _hand_over(self) -> None:
        block = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces, self._waiting = [], 0
        self._queue.put(block)

    def _run(self) -> None:
        while True:
            block = self._queue.get()
            if block is None:
                return
            self._md5.update(block)

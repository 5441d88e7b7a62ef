# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Databases of accounts and containers that stay open: Swift opens them in each request, a fifth of its work."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any

from swift.common import db

MOST = 2
"""How many connections to one database stay open: Swift has two at a time when it lists a container."""


class OpenDatabases:
    """Connections to the database files that nobody uses, for whoever asks next; whoever finds none opens another."""

    def __init__(self) -> None:
        """Start without any."""
        self._idle: dict[tuple[str, int], list[Any]] = defaultdict(list)

    def install(self) -> None:
        """Have Swift take its connections from here, and give them back."""
        opened = db.get_db_connection

        def connection(path: str, *arguments: Any, **options: Any) -> Any:
            idle = self._idle_of(path)
            return idle.pop() if idle else opened(path, *arguments, **options)

        def leave(broker: Any, *_error: Any) -> None:
            left, broker.conn = broker.conn, None
            if left is None:
                return
            idle = self._idle_of(broker.db_file)
            if len(idle) < MOST:
                idle.append(left)
            else:
                left.close()

        db.get_db_connection = connection
        db.DatabaseBroker.__exit__ = db.DatabaseBroker.__del__ = leave

    def clear(self) -> None:
        """Close all of them."""
        for idle in self._idle.values():
            for connection in idle:
                connection.close()
        self._idle.clear()

    def _idle_of(self, path: str) -> list[Any]:
        """Those to the file that is there now; of a file that is gone none is kept."""
        try:
            return self._idle[path, os.stat(path).st_ino]
        except FileNotFoundError:
            return []

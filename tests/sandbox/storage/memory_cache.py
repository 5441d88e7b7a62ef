# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache in this process where Swift expects memcached."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Iterable, Mapping
from typing import Any

from sandbox.service import App, Environ, StartResponse


class MemoryCache:
    """The part of ``swift.common.memcached.MemcacheRing`` that Swift uses; values pass through JSON as there."""

    def __init__(self) -> None:
        self._items: dict[str, tuple[float, str]] = {}

    def get(self, key: str, raise_on_error: bool = False) -> Any:
        """Value of a live key, else None."""
        ends, text = self._items.get(key, (0.0, "null"))
        if ends and ends < clock.time():
            del self._items[key]
            return None
        return json.loads(text)

    def set(self, key: str, value: Any, time: float = 0, **_options: Any) -> None:
        """Keep a value for ``time`` seconds, 0 means for ever."""
        self._items[key] = (clock.time() + float(time) if time else 0.0, json.dumps(value))

    def incr(self, key: str, delta: int = 1, time: float = 0) -> int:
        """Add to a counter that never goes below 0."""
        value = max(int(self.get(key) or 0) + int(delta), 0)
        self.set(key, value, time=time)
        return value

    def decr(self, key: str, delta: int = 1, time: float = 0) -> int:
        """Take from a counter."""
        return self.incr(key, -int(delta), time)

    def delete(self, key: str, server_key: str | None = None) -> None:
        self._items.pop(key, None)

    def set_multi(self, mapping: Mapping[str, Any], server_key: str, time: float = 0, **_options: Any) -> None:
        """Keep several values."""
        for key, value in mapping.items():
            self.set(key, value, time=time)

    def get_multi(self, keys: Iterable[str], server_key: str) -> list[Any]:
        """Values of several keys."""
        return [self.get(key) for key in keys]

    def delete_prefix(self, prefix: str) -> None:
        """Forget all keys with this prefix."""
        for key in [key for key in self._items if key.startswith(prefix)]:
            del self._items[key]

    def clear(self) -> None:
        self._items.clear()


CACHE = MemoryCache()


class CacheFilter:
    """Puts the cache where Swift looks for it; an object, since Swift sets attributes on each filter."""

    def __init__(self, app: App) -> None:
        """Wrap the next application."""
        self.app = app

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Hand on with the cache in the environ."""
        environ["swift.cache"] = CACHE
        return self.app(environ, start_response)


def filter_factory(global_conf: dict[str, str], **local_conf: str) -> type[CacheFilter]:
    """For the Swift pipeline (paste)."""
    return CacheFilter

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records kept between runs in the cache plugin that the user has chosen for inventories.

They are kept longer than they count as fresh: when the service does not answer, old ones are better than none. In the
cache they are one text, for core copies, tags and encodes every value that it keeps; it is compressed, for core makes
three copies of it in memory.
"""

from __future__ import annotations

import base64
import json
import typing as t
import zlib

from ansible.errors import AnsibleError

Records = t.List[t.Dict[str, t.Any]]
BROKEN = (KeyError, TypeError, ValueError, RecursionError, zlib.error, AnsibleError)
QUICK = 1  # of the levels of compression


class KeptRecords:
    """The records under one key; times in seconds, ``fresh_for`` 0 means for ever.

    ``members`` are those that each record has: another version of the collection may have kept others.
    """

    def __init__(
        self,
        cache: t.MutableMapping[str, t.Any],
        key: str,
        fresh_for: float,
        stale_for: float,
        members: t.Collection[str],
    ) -> None:
        self._cache = cache
        self._key = key
        self._members = frozenset(members)
        self._fresh_for = fresh_for
        self._longest = fresh_for + stale_for

    def fresh(self, now: float) -> Records | None:
        """Return the records if they are fresh."""
        found = self._kept(now)
        return found[1] if found and (not self._fresh_for or found[0] <= self._fresh_for) else None

    def stale(self, now: float) -> tuple[float, Records] | None:
        """Return how old the records are, and the records, if they may still serve."""
        found = self._kept(now)
        return found if found and (not self._fresh_for or found[0] <= self._longest) else None

    def keep(self, records: Records, now: float) -> None:
        """Keep the records."""
        text = json.dumps(records, separators=(",", ":"))
        self._cache[self._key] = {"read": now, "records": packed(text)}

    def _kept(self, now: float) -> tuple[float, Records] | None:
        try:
            entry = self._cache[self._key]
            age, records = now - float(entry["read"]), json.loads(unpacked(entry["records"]))
        except BROKEN:  # or missing: it is read anew
            return None
        return (age, records) if age >= 0 and self._are_records(records) else None

    def _are_records(self, found: t.Any) -> bool:
        if not isinstance(found, list):
            return False
        return all(isinstance(record, dict) and record.keys() == self._members for record in found)


def packed(text: str) -> str:
    """Return a long text as a short one without meaning."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), QUICK)).decode("ascii")


def unpacked(text: str) -> str:
    """Return the long text again. Raises one of BROKEN."""
    return zlib.decompress(base64.b64decode(text, validate=True)).decode("utf-8")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two sites that mean the same object: what one of them owns, no other may declare."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import listed
from .document import Document, read
from .entry_changes import merged
from .owned import Key, shown
from .places import Place

SHOWN = 5


class OtherSites:
    """The registries of other sites in the same place; read again only where they have changed."""

    def __init__(self, place: Place, site: str) -> None:
        self._place = place
        self._site = site
        self._read: dict[str, tuple[str, Document]] = {}

    def check(self, keys: t.Iterable[Key]) -> None:
        """Raise InvalidInput when another site owns one of these."""
        self._refresh()
        owners = self._owners()
        wanted = dict.fromkeys(keys)
        taken = [(key, *owners[key]) for key in wanted if key in owners]
        if taken:
            raise self._conflict(taken)

    def _refresh(self) -> None:
        known, self._read = self._read, {}
        for text, tag in self._place.others().items():
            if text in known and known[text][0] == tag:
                self._read[text] = known[text]
                continue
            content = self._place.read_other(text)
            if content is not None:
                self._read[text] = (tag, read(content, text, site=self._place.site_of(text)))

    def _owners(self) -> dict[Key, tuple[str, str]]:
        """Return for all objects that other sites own the site and its document."""
        by_site: dict[str, dict[str, Document]] = {}
        for text, (_tag, document) in self._read.items():
            by_site.setdefault(document.site, {})[text] = document
        by_site.pop(self._site, None)
        owners = {}
        for site, documents in sorted(by_site.items()):
            for key, entry in merged(documents.values()).items():
                if entry.prunable:
                    owners[key] = (site, next(text for text, one in documents.items() if key in one.entries))
        return owners

    def _conflict(self, taken: list[tuple[Key, str, str]]) -> InvalidInput:
        named = listed([f"{shown(key)} (of {site})" for key, site, _text in taken], SHOWN)
        _key, other, text = taken[0]
        return InvalidInput(
            f"The sites {self._site!r} and {other!r} mean the same: {named} cannot be in the site {self._site!r}, for "
            f"another site owns it. Nothing was sent.",
            next_step=f"Declare it in one of the two only; {text} says what {other!r} owns.",
            sites=sorted({self._site, *(site for _key, site, _text in taken)}),
        )

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of which a listing of their container tells all that is declared: content and type.

A listing may lag behind the objects by some seconds (wire-facts 10.3). What it shows to be different, or does not show,
is read by itself.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError
from ..._core.once_each import OnceEach
from ..._object_storage.connection import object_storage
from ..._object_storage.content import ObjectContent, of_file, of_text
from ..._session.operation import Params
from ..._session.task import Task
from .wishes import Outcome, Wish

KIND = "storage_objects"
ENOUGH = 3  # objects of one container for which a listing is less than asking for each
TELLING = {"container", "name", "content", "src", "content_type", "state"}
"""Options that a listing can answer; all others have to stand at their defaults."""

Listing = t.Mapping[str, t.Mapping[str, t.Any]]
Objects = t.Sequence[t.Tuple[Wish, Params]]


class ListedObjects:
    """The listings of the containers of one run, each read when it is asked for first."""

    def __init__(self, task: Task, objects: Objects) -> None:
        self._task = task
        self._read = OnceEach()
        self._names: dict[str, list[str]] = {}
        for wish, params in objects:
            if _can_be_told(wish, params):
                self._names.setdefault(params["container"], []).append(params["name"])

    def outcome(self, wish: Wish, params: Params) -> Outcome | None:
        """Return that nothing is to be done, None where the object has to be looked at by itself."""
        names = self._names.get(params["container"], ())
        if len(names) < ENOUGH or not _can_be_told(wish, params):
            return None
        try:
            listing = self._read.answer(params["container"], lambda: self._listing(params["container"], names))
            listed = listing.get(params["name"])
            return Outcome(None, {}, {}) if listed is not None and _same(params, listed) else None
        except FcdError:
            return None  # whoever looks at the object itself tells what is wrong

    def _listing(self, container: str, names: t.Sequence[str]) -> Listing:
        """Return a page of what begins as all these names do; what comes behind it is asked for one by one."""
        storage = object_storage(self._task)
        first, last = min(names), max(names)
        length = next((at for at, letter in enumerate(first) if last[at : at + 1] != letter), len(first))
        found = storage.list_objects(container, prefix=first[:length])
        return {str(entry["name"]): entry for entry in found}


def _can_be_told(wish: Wish, params: Params) -> bool:
    if params["state"] != "present" or (params["content"] is None and params["src"] is None):
        return False
    options = wish.entry.of.operation().options
    return all(
        value is None or value == options[name].get("default")
        for name, value in params.items()
        if name in options and name not in TELLING
    )


def _same(params: Params, listed: t.Mapping[str, t.Any]) -> bool:
    """Return whether a listed object is as declared. An empty one may be the manifest of a large object."""
    content = _content(params)
    kind = params["content_type"]
    same_kind = kind is None or kind == listed.get("content_type")
    return bool(same_kind and content.size and content.size == listed.get("bytes") and content.etag == listed["hash"])


def _content(params: Params) -> ObjectContent:
    return of_text(params["content"]) if params["content"] is not None else of_file(params["src"])

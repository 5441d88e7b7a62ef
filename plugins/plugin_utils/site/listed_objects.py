# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of which a listing of their container tells all that is declared: they are not asked for one by one.

A listing may lag behind by some seconds (wire-facts 10.3), so what it shows to be different, or does not show, is read
by itself.
"""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Params, Task
from ...module_utils._core.clock import Memory
from ...module_utils._core.errors import FcdError
from ...module_utils._core.text import common_prefix
from .entry_plan import EntryPlan, EntryResult, Options
from .model import OBJECTS

ENOUGH = 3  # objects of one container for which a listing is less than asking for each
TELLING = {"container", "name", "content", "src", "content_type", "state"}
"""Options that a listing can answer; all others have to stand at their defaults."""

Listing = t.Mapping[str, t.Mapping[str, t.Any]]


class ListedObjects:
    """The listings of the containers of one run, each read when it is asked for first.

    ``prefixes`` has for each container that is listed what the names of its objects begin with.
    """

    def __init__(self, task: Task, objects: t.Iterable[tuple[EntryPlan, Options]]) -> None:
        self._task = task
        self._read = Memory()
        names: dict[str, list[str]] = {}
        for plan, params in objects:
            if _can_be_told(plan, params):
                names.setdefault(params["container"], []).append(params["name"])
        self.prefixes = {place: common_prefix(found) for place, found in names.items() if len(found) >= ENOUGH}

    def outcome(self, plan: EntryPlan, params: Options) -> EntryResult | None:
        """Return that nothing is to be done, None where the thing has to be looked at by itself."""
        if plan.entry.kind != OBJECTS:
            return None
        container = params["container"]
        if container not in self.prefixes or not _can_be_told(plan, params):
            return None
        try:
            listing: Listing = self._read.answer(container, lambda: self._listing(container))
            found = listing.get(params["name"])
            if found is None or not _same(params, found):
                return None
            return EntryResult(None, {}, {}, record=_record(container, found))
        except FcdError:
            return None  # whoever looks at the object itself tells what is wrong

    def _listing(self, container: str) -> Listing:
        """Return a page of what begins as all these names do; what comes behind it is asked for one by one."""
        from ...module_utils._object_storage.connection import object_storage

        found = object_storage(self._task).list_objects(container, prefix=self.prefixes[container])
        return {str(entry["name"]): entry for entry in found}


def _record(container: str, found: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return what a listing has of what the module tells of an object."""
    of_listing = {"etag": found["hash"], "size": found.get("bytes"), "content_type": found.get("content_type")}
    return {"container": container, "name": found["name"], **of_listing}


def _can_be_told(plan: EntryPlan, params: Options) -> bool:
    if params["state"] != "present" or (params["content"] is None and params["src"] is None):
        return False
    options = plan.entry.of.operation().options
    others = {name: value for name, value in params.items() if name in options and name not in TELLING}
    return all(value is None or value == options[name].get("default") for name, value in others.items())


def _same(params: Params, found: t.Mapping[str, t.Any]) -> bool:
    """Return whether a listed object is as declared. An empty one may be the manifest of a large object."""
    from ...module_utils._object_storage.content import file_content, text_content

    content = text_content(params["content"]) if params["content"] is not None else file_content(params["src"])
    same_kind = params["content_type"] in (None, found.get("content_type"))
    return bool(same_kind and content.size and content.size == found.get("bytes") and content.etag == found["hash"])

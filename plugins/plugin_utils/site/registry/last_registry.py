# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry that a site had in its last run on this controller: an empty one in its place stops the next run.

With another registry, a site would own nothing of what it has made, and no plan could tell.
"""

from __future__ import annotations

import os

from ....module_utils._connection.options import ADDRESS_OPTIONS
from ....module_utils._connection.task import Task
from ....module_utils._core.errors import FcdError, InvalidInput
from ....module_utils._core.private_files import read_json, write_json
from ....module_utils._core.text import digest
from .registry_document import merged_entries, read_document
from .registry_places import WHOLE_SITE, Registry, registry_path, registry_place

ACCOUNT_SETTINGS = (*ADDRESS_OPTIONS, "api_client_id", "username", "storage_user")
"""Connection options that say whose things a run works on."""


def check_last_registry(task: Task, owner: str, registry: Registry) -> None:
    """Raise InvalidInput where the registry is empty and that of the last run is not; outside check mode, note it."""
    account = [str(task.settings[name]) for name in ACCOUNT_SETTINGS]
    path = os.path.join(task.state_dir, "registries", f"{digest(owner, *account)}.json")
    now = {"container" if "container" in registry else "path": registry_path(task, owner, registry)}
    last = read_json(path)
    if last == now:
        return
    if isinstance(last, dict) and not _owned(task, owner, registry):
        _refuse_loss(task, owner, last, now)
    if not task.check_mode:
        write_json(path, now)


def _owned(task: Task, owner: str, registry: Registry) -> int:
    """Return how many objects the site owns by a registry, whoever has signed it."""
    place = registry_place(task, owner, registry)
    found = [(place.text(name), place.read(name)) for name in place.documents()]
    documents = [read_document(one.content, text, site=owner) for text, one in found if one is not None]
    return sum(entry.prunable for entry in merged_entries(documents).values())


def _refuse_loss(task: Task, owner: str, last: Registry, now: Registry) -> None:
    try:
        number = _owned(task, owner, last)
    except FcdError:
        return  # it is gone, or no longer that of this site
    if number:
        former, new = (registry_place(task, owner, one).text(WHOLE_SITE) for one in (last, now))
        objects = "one object" if number == 1 else f"{number} objects"
        raise InvalidInput(
            f"registry: until now it was {former}, by which the site {owner!r} owns {objects}. {new} is empty, so the "
            "site would own nothing. Nothing was done.",
            next_step="To keep what it owns, copy the documents of the former registry to the new place, and sign them "
            "if there is a site_key. To begin anew, remove those documents.",
            option="registry",
        )

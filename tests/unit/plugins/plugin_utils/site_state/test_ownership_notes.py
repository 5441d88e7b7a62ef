# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is noted at the end of a run that adopts, releases and protects."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.entry_plan import EntryPlan, EntryResult
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Entry, Lifecycle
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state.applied_notes import AppliedNote, noted_secrets
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state.ownership_notes import OwnershipNotes
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state.registry_document import Owned

from .conftest import MemoryPlace, known

CREATE = "create"


def plan(name: str, number: int, action: str | None = None, **more: t.Any) -> EntryPlan:
    entry = Entry("disks", f"key-{name}", name, {"name": name}, {"name": name, "state": "present"}, "site.yml:1")
    made = EntryPlan(entry._replace(**more))
    made.planned = EntryResult(action, {}, {}, number)
    made.done = made.planned if action else None
    return made


def noted(*plans: EntryPlan, origin: str = "created") -> dict[str, tuple[str, t.Any, str]]:
    """Return what the registry has in the end, when it had disk a with number 1 and disk b with number 2."""
    place = MemoryPlace()
    own = Ownership(place, "shop", "whole", None, check_mode=False)
    own.settle(**t.cast("t.Any", {origin: [known(("disks", name), number) for name, number in (("a", 1), ("b", 2))]}))
    notes = OwnershipNotes(own, Clock(), ("storage_containers", "None"), ())
    for one in plans:
        notes.ended(one)
    notes.end(plans, {one.place for one in plans})
    again = Ownership(place, "shop", "whole", None, check_mode=False).owned()
    return {name: (one.key, one.id, one.origin) for (_kind, name), one in again.items()}


def test_what_is_released_or_adopted() -> None:
    released, adopted = plan("a", 1), plan("b", 2)
    released.released = adopted.adopts = True
    assert noted(released, adopted, origin="found") == {"b": ("key-b", 2, "adopted")}


def test_protection_is_noted() -> None:
    own = Ownership(MemoryPlace(), "shop", "whole", None, check_mode=False)
    one = plan("a", 1, CREATE, lifecycle=Lifecycle(prevent_destroy=True))
    notes = OwnershipNotes(own, Clock(), ("storage_containers", "None"), ())
    notes.begin([one])
    assert own.owned()[one.place].protected
    notes.end([one], {one.place})
    assert own.owned()[one.place].protected


def test_a_note_keeps_the_names_of_what_was_secret() -> None:
    note = AppliedNote("salt", "declared", {"size": "1a"}, frozenset(["metadata", "content"]))
    assert AppliedNote.read(str(note)) == note
    assert AppliedNote.read("salt declared size=1a") == note._replace(secrets=frozenset())
    assert noted_secrets(Owned("disks", "d", applied=str(note))) == {"metadata", "content"}
    assert noted_secrets(Owned("disks", "d")) == noted_secrets(None) == set()

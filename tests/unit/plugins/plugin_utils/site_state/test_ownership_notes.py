# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is noted at the end of a run that adopts, releases and protects."""

from __future__ import annotations

import types
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Entry, Lifecycle
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.ownership_notes import (
    DeclaredDigests,
    OwnershipNotes,
    noted_secrets,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.applied_note import AppliedNote
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import Owned
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.site_key import OWN_KEY
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.stages import Done, EntryResult

from .conftest import MemoryPlace, known

CREATE = "create"


def disk(name: str, number: int, action: str | None = None, **more: t.Any) -> Done:
    entry = Entry("disks", f"key-{name}", name, {"name": name}, {"name": name, "state": "present"}, "site.yml:1")
    result = EntryResult(action, {}, {}, number)
    plain = Done(entry, expected=result, verdict=action or "unchanged", actual=result if action else None)
    return plain.with_fields(**more)


def noted(*plans: Done, origin: str = "created") -> dict[str, tuple[str, t.Any, str]]:
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
    released, adopted = disk("a", 1, verdict="release"), disk("b", 2, adopts=True)
    assert noted(released, adopted, origin="found") == {"b": ("key-b", 2, "adopted")}


@pytest.mark.parametrize(
    ("action", "half_done", "changed"), [(CREATE, False, True), (None, False, False), (None, True, True)]
)
def test_a_try_that_was_repeated_may_have_changed_something(action: str | None, half_done: bool, changed: bool) -> None:
    one = disk("a", 7, half_done=half_done, expected=EntryResult(CREATE, {}, {}), verdict=CREATE)
    one = one.with_fields(actual=EntryResult(action, {}, {}, 7))
    assert (one.changed_something, one.was_done_by_others) == (changed, not changed)


def noted_after_meeting(before: list[str], *, half_done: bool = False) -> list[str]:
    """Return the origin, after one run and after the next, of a disk that was to be made and was met; and what is met.

    ``before`` is what an earlier run noted and did not settle.
    """
    place = MemoryPlace()
    Ownership(place, "shop", "whole", None, check_mode=False).intend([known(("disks", name)) for name in before])
    origins = []
    for planned in (CREATE, None):
        own = Ownership(place, "shop", "whole", None, check_mode=False)
        one = disk("a", 7, half_done=half_done)
        if planned:
            new = EntryResult(planned, {}, {})
            one = one.with_fields(expected=new, verdict=planned, actual=EntryResult(None, {}, {}, 7))
        notes = OwnershipNotes(own, Clock(), ("storage_containers", "None"), ())
        if planned:
            notes.begin([one])
        notes.ended(one)
        notes.end([one], {one.place})
        origins += [own.owned()[one.place].origin, *(["met"] if notes.is_met(one) else [])]
    return origins


def test_what_somebody_else_made_after_it_was_planned_is_found() -> None:
    assert noted_after_meeting([]) == ["found", "met", "found"]
    assert noted_after_meeting(["b"]) == ["found", "met", "found"]


def test_what_this_site_may_have_made_is_its_own() -> None:
    assert noted_after_meeting(["a"]) == ["created", "created"], "an earlier run died"
    assert noted_after_meeting([], half_done=True) == ["created", "created"], "a try was repeated"


def test_protection_is_noted() -> None:
    own = Ownership(MemoryPlace(), "shop", "whole", None, check_mode=False)
    one = disk("a", 1, CREATE)
    one = one.with_fields(entry=one.entry._replace(lifecycle=Lifecycle(prevent_destroy=True)))
    notes = OwnershipNotes(own, Clock(), ("storage_containers", "None"), ())
    notes.begin([one])
    assert own.owned()[one.place].protected
    notes.end([one], {one.place})
    assert own.owned()[one.place].protected


def test_a_note_keeps_the_names_of_what_was_secret() -> None:
    declared = {"size": "0c", "content": "key.0d"}
    parts = {"headers": frozenset(["2b", "3c"])}
    note = AppliedNote("salt", declared, {"size": "1a"}, frozenset(["metadata", "content"]), parts)
    assert AppliedNote.read(str(note)) == note
    assert noted_secrets(Owned("disks", "d", applied=str(note))) == {"metadata", "content"}
    assert noted_secrets(Owned("disks", "d")) == noted_secrets(None) == set()


@pytest.mark.parametrize(
    ("check_mode", "known", "is_slow"),
    [(True, None, False), (True, "salt user_password:k.2", True), (False, None, True)],
)
def test_slow_digests_are_made_where_they_count(
    tmp_path: Path, check_mode: bool, known: str | None, is_slow: bool
) -> None:
    """A plan of thousands of new users would take a twentieth of a second for each of them."""
    task: t.Any = types.SimpleNamespace(check_mode=check_mode, settings={}, state_dir=str(tmp_path / "state"))
    given = {"user_name": "u", "user_password": "p"}
    user = Entry("client_users", "u", "u", given, {**given, "state": "present"}, "site.yml:1")
    digest = DeclaredDigests(task).note(user, AppliedNote.read(known)).declared["user_password"]
    assert ("." in digest, (tmp_path / "state" / OWN_KEY).exists()) == (is_slow, is_slow)


@pytest.mark.parametrize(
    ("noted", "edited", "unknown"),
    [
        ("salt size:1 password:k.2", set(), set()),
        ("salt size:2 password:k.2", {"size"}, set()),
        ("salt size:1 password:k.3", {"password"}, set()),
        ("salt size:1", {"password"}, set()),
        ("salt size:1 password:k.2 gone:3", {"gone"}, set()),
        ("salt size:2 password:other.2", {"size"}, {"password"}),
        ("salt size:1 password:2", set(), {"password"}),
        ("salt 0123456789abcdef size=1 !password", None, {"size", "password"}),
    ],
    ids=["same", "edited", "secret", "added", "removed", "other-key", "made-secret", "no-digests"],
)
def test_what_was_edited_since_a_note(noted: str, edited: set[str] | None, unknown: set[str]) -> None:
    now, then = AppliedNote("salt", {"size": "1", "password": "k.2"}), AppliedNote.read(noted)
    assert then is not None
    assert (then.edited(now), then.unknown(now)) == (edited, unknown)

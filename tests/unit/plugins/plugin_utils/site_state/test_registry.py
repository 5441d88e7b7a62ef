# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of one site through its life, in memory and in files."""

from __future__ import annotations

import json
import os
import stat
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Busy, InvalidInput, Unreachable
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.leases import HeldLock
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Place
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import (
    Owned,
    RegistryDocument,
    written_document,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_places import (
    object_name,
    owner_name,
    site_and_document,
)

from .conftest import Bench, MemoryPlace, known

WEB, DB, NET = ("instances", "web"), ("disks", "db"), ("private_networks", "backend")
HOSTILE = [
    "a/../b",
    "\u017c\u00f3\u0142w \U0001f600",
    'it\'s "quoted"',
    "two\nlines\r\n",
    "x" * 1000,
    "\ud800",
    "",
    "{{ 7 * 7 }}",
]


class Lost(HeldLock):
    why_lost = "it was broken."  # type: ignore[assignment]


def opened(place: MemoryPlace, name: str = "whole", **more: t.Any) -> Ownership:
    return Ownership(place, "web-shop", name, more.pop("lock", None), check_mode=more.pop("check_mode", False))


def origins(ownership: Ownership) -> dict[Place, tuple[str, str]]:
    return {place: (entry.origin, entry.phase) for place, entry in ownership.owned().items()}


def entries_of(place: MemoryPlace, name: str = "whole") -> dict[str, str]:
    return {row["name"]: row["origin"] for row in json.loads(place.stored[name])["entries"]}


def test_entries_from_creation_to_removal() -> None:
    place = MemoryPlace()
    own = opened(place)
    assert own.owned() == {}
    own.settle(found=[known(NET, 5)])
    own.intend([known(WEB), known(DB)])
    assert origins(opened(place)) == {
        NET: ("found", "there"),
        WEB: ("created", "creating"),
        DB: ("created", "creating"),
    }
    own.settle(created=[known(WEB, 7)], not_made=[DB])
    assert origins(opened(place)) == {NET: ("found", "there"), WEB: ("created", "there")}
    assert opened(place).orphans([]) == [Owned("instances", "web", 7, {"name": "web"}, serial=1, key="web")]
    assert opened(place).orphans([WEB]) == []
    own = opened(place)
    own.settle(adopted=[known(NET, 5)])
    assert [entry.place for entry in own.orphans([])] == [WEB, NET]
    own.settle(removed=[WEB, NET])
    assert place.stored == {}


def test_orphans_are_what_the_site_made_or_took_over() -> None:
    own = opened(MemoryPlace())
    own.settle(created=[known(("disks", str(number)), number) for number in range(4)], found=[known(NET, 1)])
    own.settle(adopted=[known(WEB, 9)])
    assert [entry.place for entry in own.orphans([("disks", "2"), DB])] == [
        ("disks", "0"),
        ("disks", "1"),
        ("disks", "3"),
        WEB,
    ]


def test_what_says_nothing_new_is_not_written() -> None:
    place = MemoryPlace()
    opened(place).settle(found=[known(NET, 5)], created=[known(WEB, 7)])
    place.writes.clear()
    opened(place).settle(found=[known(NET, "5"), known(WEB, 7)], removed=[DB], not_made=[DB])
    opened(place).settle()
    assert place.writes == []


def test_an_intent_of_a_run_that_died_is_ours() -> None:
    place = MemoryPlace()
    opened(place).intend([known(WEB)])
    again = opened(place)
    again.settle(found=[known(WEB, 7)])
    assert again.owned()[WEB] == Owned("instances", "web", 7, {"name": "web"}, "web", serial=2)


def test_another_object_of_the_name_is_not_ours() -> None:
    place = MemoryPlace()
    opened(place).settle(created=[known(WEB, 7)])
    again = opened(place)
    again.settle(found=[known(WEB, 8)])
    assert again.orphans([]) == []
    assert origins(opened(place)) == {WEB: ("found", "there")}


def test_nothing_is_written_in_check_mode(bench: Bench) -> None:
    place = MemoryPlace()
    own = opened(place, check_mode=True)
    own.intend([known(WEB)])
    own.settle(created=[known(WEB, 1)], found=[known(NET, 2)])
    assert [entry.place for entry in own.orphans([])] == [WEB]
    assert place.writes == []
    task = bench.task(check_mode=True)
    Ownership.opened(task, "web-shop", None).intend([known(WEB)])
    assert not bench.state_dir.exists()


def test_nothing_is_written_without_the_lock() -> None:
    place = MemoryPlace()
    with pytest.raises(Busy, match="it was broken"):
        opened(place, lock=Lost()).intend([known(WEB)])
    assert place.writes == []


def test_a_registry_that_somebody_else_writes() -> None:
    place = MemoryPlace()
    one, other = opened(place), opened(place)
    one.intend([known(WEB)])
    with pytest.raises(Busy, match="memory/whole was changed by another process"):
        other.intend([known(DB)])
    assert origins(other) == {}
    one.settle(created=[known(WEB, 1)])
    assert origins(opened(place)) == {WEB: ("created", "there")}


@pytest.mark.parametrize("fails", ["before", "after"])
def test_what_could_not_be_written_is_written_by_the_next(fails: str) -> None:
    place = MemoryPlace()
    own = opened(place)
    own.intend([known(WEB)])
    place.fails = fails
    with pytest.raises(Unreachable):
        own.settle(created=[known(WEB, 7)])
    own.settle()
    assert opened(place).owned()[WEB].id == 7
    place.fails = fails
    with pytest.raises(Unreachable):
        own.intend([known(DB)])  # so it is not created
    own.settle()
    assert DB not in opened(place).owned()


# What is known of each, new names and releases


def numbers(own: Ownership) -> dict[str, object]:
    return {entry.name: entry.id for entry in own.owned().values()}


def of_disks(count: int = 3) -> MemoryPlace:
    place = MemoryPlace()
    opened(place).settle(created=[known(("disks", name), number) for number, name in enumerate("abcde"[:count], 1)])
    return place


def pair(old: str, new: str, number: int | None = None) -> tuple[Place, t.Any]:
    return ("disks", old), known(("disks", new), number)


def test_label_and_protection_are_noted_and_what_was_applied_stays() -> None:
    place = MemoryPlace()
    opened(place).settle(created=[known(WEB, 7).with_fields(key="front", protected=True, applied="x")])
    opened(place).settle(found=[known(WEB, 7).with_fields(key="front", protected=True)])
    first = opened(place).owned()[WEB]
    assert (first.key, first.protected, first.applied) == ("front", True, "x")
    opened(place).intend([known(WEB, 7)])
    second = opened(place).owned()[WEB]
    assert (second.key, second.protected, second.applied) == ("web", False, "x")
    opened(place).settle(found=[known(WEB, 7).with_fields(applied="y")])
    assert opened(place).owned()[WEB].applied == "y"
    opened(place).settle(created=[known(WEB, 8)])
    assert opened(place).owned()[WEB].applied is None


def test_found_by_key_or_name() -> None:
    own = opened(MemoryPlace())
    own.settle(created=[known(WEB, 7).with_fields(key="front"), known(("instances", "front"), 8).with_fields(key="f")])
    own.settle(created=[known(("disks", str(number)), number).with_fields(key="d") for number in range(2)])
    found = {label: own.find("instances", label) for label in ("front", "web", "f", "x")}
    assert {label: one and one.id for label, one in found.items()} == {"front": 7, "web": 7, "f": 8, "x": None}
    assert own.find("disks", "front") is None
    with pytest.raises(InvalidInput, match="several objects with this key: '0', '1'"):
        own.find("disks", "d")


def test_new_names_in_one_write() -> None:
    for document in ["whole", "part-1-of-2"]:
        for pairs, after in [
            ([pair("a", "x", 1)], {"x": 1, "b": 2, "c": 3}),
            ([pair("a", "b"), pair("b", "c"), pair("c", "x")], {"b": 1, "c": 2, "x": 3}),
            ([pair("a", "b"), pair("b", "a")], {"b": 1, "a": 2, "c": 3}),
            ([pair("gone", "a")], {"a": 1, "b": 2, "c": 3}),
            ([pair("a", "a")], {"a": 1, "b": 2, "c": 3}),
        ]:
            place = of_disks()
            place.writes.clear()
            own = opened(place, document)
            own.renamed(pairs)
            assert len(place.writes) <= 1
            assert numbers(own) == numbers(opened(place)) == after
            assert all(entry.identity == {"name": entry.name} for entry in own.owned().values())
            opened(place).settle()
            assert list(place.stored) == ["whole"]
            assert numbers(opened(place)) == after


def test_a_new_name_that_is_another_thing() -> None:
    for pairs in [
        [pair("a", "b")],
        [pair("a", "x", 7)],
        [pair("a", "x"), pair("b", "x")],
        [(("disks", "a"), known(WEB))],
    ]:
        place = of_disks()
        place.writes.clear()
        own = opened(place)
        with pytest.raises(InvalidInput, match=r"'a' cannot become|'b' cannot become"):
            own.renamed(pairs)
        assert numbers(own) == {"a": 1, "b": 2, "c": 3}
        assert place.writes == []


def test_one_thing_under_two_names_becomes_one() -> None:
    place = of_disks(1)
    own = opened(place)
    own.settle(found=[known(("disks", "x"), "1")])
    own.renamed([pair("a", "x")])
    assert origins(opened(place)) == {("disks", "x"): ("created", "there")}


def test_released() -> None:
    place = of_disks()
    own = opened(place, "part-1-of-2")
    assert [entry.id for entry in own.released([("disks", "a"), ("disks", "a"), ("disks", "gone")])] == [1]
    assert numbers(opened(place)) == {"b": 2, "c": 3}
    place.writes.clear()
    assert own.released([("disks", "a")]) == []
    dry = opened(place, check_mode=True)
    dry.released([("disks", "b")])
    dry.renamed([pair("c", "x")])
    assert numbers(dry) == {"x": 3}
    assert place.writes == []


def test_names_and_releases_need_the_lock_and_the_document_as_it_was() -> None:
    place = of_disks()
    acts: list[t.Callable[[Ownership], object]] = [
        lambda own: own.renamed([pair("a", "x")]),
        lambda own: own.released([("disks", "a")]),
    ]
    for act in acts:
        with pytest.raises(Busy, match="it was broken"):
            act(opened(place, lock=Lost()))
        late = opened(place)
        opened(place).settle(created=[known(("disks", f"e{len(place.writes)}"), 9)])
        with pytest.raises(Busy, match="was changed by another process"):
            act(late)


# Parts


def test_parts_and_a_whole_run_that_folds_them() -> None:
    place = MemoryPlace()
    opened(place).settle(created=[known(WEB, 1), known(DB, 2)])
    one, two = opened(place, "part-1-of-2"), opened(place, "part-2-of-2")
    one.settle(removed=[WEB], found=[known(NET, 3)])
    two.settle(created=[known(("disks", "new"), 4)])
    assert sorted(place.stored) == ["part-1-of-2", "part-2-of-2", "whole"]
    assert entries_of(place, "part-1-of-2") == {"backend": "found", "web": "removed"}
    assert sorted(opened(place).owned()) == [DB, ("disks", "new"), NET]
    opened(place).settle()
    assert list(place.stored) == ["whole"]
    assert entries_of(place) == {"db": "created", "new": "created", "backend": "found"}


def test_the_later_division_is_right() -> None:
    place = MemoryPlace()
    opened(place, "part-1-of-2").settle(created=[known(WEB, 1), known(DB, 2)])
    opened(place, "part-3-of-3").settle(removed=[WEB], found=[known(DB, 9)])
    assert origins(opened(place)) == {DB: ("found", "there")}
    opened(place, "part-2-of-2").settle(created=[known(WEB, 5)])
    assert opened(place).owned()[WEB].id == 5


@pytest.mark.parametrize("number", range(4))
def test_a_fold_that_breaks_off_forgets_and_revives_nothing(number: int) -> None:
    place = MemoryPlace()
    opened(place).settle(created=[known(WEB, 1)])
    opened(place, "part-1-of-2").settle(removed=[WEB], created=[known(DB, 2)])
    opened(place, "part-2-of-2").settle(created=[known(NET, 3)])
    left = [number]

    def break_off() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Unreachable("killed")

    place.on_write = break_off
    with pytest.raises(Unreachable):
        opened(place).settle(removed=[DB])
    place.on_write = lambda: None
    again = opened(place)
    assert sorted(again.owned()) in ([NET], [DB, NET])  # as before, or as desired
    again.settle(removed=[DB])
    assert sorted(opened(place).owned()) == [NET]
    assert list(place.stored) == ["whole"]


def test_a_part_that_owns_nothing_leaves_nothing() -> None:
    place = MemoryPlace()
    opened(place, "part-1-of-2").settle(created=[known(WEB, 1)])
    opened(place, "part-1-of-2").settle(removed=[WEB])
    assert place.stored == {}


# Other sites


def beside(site: str, *entries: Owned) -> bytes:
    return written_document(RegistryDocument(site, "whole", 1, {entry.place: entry for entry in entries}))


def test_an_object_of_another_site() -> None:
    place = MemoryPlace()
    place.beside["states/blog.json"] = beside("blog", Owned(*WEB), Owned(*NET, origin="found"))
    own = opened(place)
    own.check_conflicts([NET, DB])
    for act in (lambda: own.check_conflicts([DB, WEB]), lambda: own.intend([known(WEB)])):
        with pytest.raises(InvalidInput) as told:
            act()
        assert (
            "The sites 'web-shop' and 'blog' declare the same object: instances 'web' (of blog)" in told.value.message
        )
        assert "states/blog.json lists what 'blog' owns" in str(told.value.next_step)
        assert "removed: [{what: instances.web, destroy: false}]" in str(told.value.next_step)
        assert "adopt: true in the entry here, and apply." in str(told.value.next_step)
    assert place.writes == []


def test_another_site_at_the_same_moment() -> None:
    place = MemoryPlace()
    own = opened(place)
    place.on_write = lambda: place.beside.update({"blog.json": beside("blog", Owned(*WEB, phase="creating"))})
    with pytest.raises(InvalidInput, match="'web-shop' and 'blog'"):
        own.intend([known(WEB)])
    assert own.owned() == {}
    assert place.stored == {}


def test_a_broken_registry_of_another_site() -> None:
    place = MemoryPlace()
    place.beside["states/blog.json"] = b"{"
    with pytest.raises(InvalidInput, match=r"states/blog\.json cannot be read"):
        opened(place).check_conflicts([])


def test_what_another_site_has_let_go() -> None:
    place = MemoryPlace()
    place.beside["blog.json"] = beside("blog", Owned(*WEB))
    place.beside["blog.part.json"] = beside("blog", Owned(*WEB, origin="removed", serial=2))
    opened(place).check_conflicts([WEB])


# Files


def test_registry_file_is_private(bench: Bench) -> None:
    own = Ownership.opened(bench.task(), "web-shop", None)
    own.intend([known(WEB)])
    path = bench.state_dir / "sites" / "web-shop.json"
    assert own.place == str(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    Ownership.opened(bench.task(), "web-shop", {}, "2/2").settle(created=[known(DB, 1)])
    assert sorted(os.listdir(path.parent)) == ["web-shop.json", "web-shop.part-2-of-2.json"]
    assert sorted(Ownership.opened(bench.task(), "web-shop", None).owned()) == [DB, WEB]
    with pytest.raises(InvalidInput, match=r"'blog' and 'web-shop' declare the same object: disks 'db'.* web-shop"):
        Ownership.opened(bench.task(), "blog", None).intend([known(DB)])


def test_a_file_beside_the_site_file(bench: Bench, tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    folder.mkdir(mode=0o755)
    (folder / "package.json").write_text("{ broken", encoding="utf-8")
    (folder / "pipe.json").symlink_to(folder / "nowhere")
    registry = {"path": str(folder / "owned.json")}
    Ownership.opened(bench.task(), "web-shop", registry).settle(created=[known(WEB, 1)])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    Ownership.opened(bench.task(), "web-shop", registry, "1/2").settle(created=[known(DB, 1)])
    assert sorted(Ownership.opened(bench.task(), "web-shop", registry).owned()) == [DB, WEB]
    other = {"path": str(folder / "blog.json")}
    with pytest.raises(InvalidInput, match="'blog' and 'web-shop'"):
        Ownership.opened(bench.task(), "blog", other).intend([known(DB)])
    with pytest.raises(InvalidInput, match="belongs to the site 'web-shop', not to 'blog'"):
        Ownership.opened(bench.task(), "blog", registry)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(bench: Bench, name: str) -> None:
    key = (name, name)
    Ownership.opened(bench.task(), "web-shop", None).settle(created=[known(key, name)])
    again = Ownership.opened(bench.task(), "web-shop", None)
    assert again.owned()[key] == Owned(name, name, name, {"name": name}, name, serial=1)
    with pytest.raises(InvalidInput) as told:
        Ownership.opened(bench.task(), "blog", None).intend([known(key)])
    assert str(told.value).isprintable()


@pytest.mark.parametrize("content", [b"", b"{", b"[]"])
def test_a_damaged_file_is_not_an_empty_one(bench: Bench, content: bytes) -> None:
    Ownership.opened(bench.task(), "web-shop", None).settle(created=[known(WEB, 1)])
    path = bench.state_dir / "sites" / "web-shop.json"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=str(path)):
        Ownership.opened(bench.task(), "web-shop", None)
    assert path.read_bytes() == content


def test_registry_must_be_a_regular_file(bench: Bench, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "owned.json")
    with pytest.raises(InvalidInput, match="not a regular file"):
        Ownership.opened(bench.task(), "web-shop", {"path": str(tmp_path / "owned.json")})


WRONG = [
    ({"site": "../x"}, "cannot be the name of a site"),
    ({"site": "Shop"}, "cannot be the name of a site"),
    ({"site": "a" * 64}, "cannot be the name of a site"),
    ({"part": "0/2"}, "not a part"),
    ({"part": "3/2"}, "not a part"),
    ({"part": "1/1001"}, "not a part"),
    ({"part": "1/2/3"}, "not a part"),
    ({"registry": {"container": "a", "path": "b"}}, "give either container or path"),
    ({"registry": {"path": ""}}, "give either container or path"),
    (
        {"registry": {"path": "/nowhere/a.json"}},
        "registry: /nowhere/a.json cannot be used: there is no folder /nowhere",
    ),
    ({"registry": {"file": "b"}}, "give either container or path"),
    ({"registry": {"container": "a/b"}}, "cannot be the name of a container"),
]


def test_an_environment_is_a_part_of_who_owns() -> None:
    for environment, owner in [
        (None, "shop"),
        ("", "shop"),
        ("production", "shop.production"),
        ("Test_1.eu-2", "shop.Test_1.eu-2"),
    ]:
        assert owner_name("shop", environment) == owner
        assert site_and_document(object_name(owner, "whole")) == (owner, "whole")


def test_no_name_of_an_environment() -> None:
    for environment in ["a/b", "..", ".x", "a b", "\u0142", "x" * 64, "part-1-of-2", "eu.part-1-of-2", "whole", "a\n"]:
        with pytest.raises(InvalidInput, match="cannot be the name of an environment"):
            owner_name("shop", environment)


def test_impossible_settings_are_refused(bench: Bench) -> None:
    for wrong, why in WRONG:
        with pytest.raises(InvalidInput, match=why):
            Ownership.opened(bench.task(), **{"site": "web-shop", "registry": None, **wrong})

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of entries, what is left out of their options while something is missing, and which may be removed."""

from __future__ import annotations

import re
import types
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redacted, Redactor
from ansible_collections.fcd.cloud.plugins.modules.site import OPERATION
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.entry_operations import (
    action_of,
    outcome_of,
    run_operation,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import (
    KINDS,
    Declaration,
    Entry,
    Place,
    levels,
    with_refs,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_document import redacted_item
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_rules import (
    over_removal_limit,
    over_replacement_limit,
    settle,
    warn_of_counted,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.planning import with_later, without_coming
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.applied_note import AppliedNote
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import FOUND, Owned
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_places import part_of
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.selection import check_site_options, select
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.stages import Desired, EntryResult, Planned, Read

LATER = "(known after apply)"


def entry(kind: str, called: str, refs: t.Iterable[Place] = (), **params: t.Any) -> Entry:
    """Return an entry."""
    return Entry(kind, called, called, params, params, f"site.yml:{called}", tuple(refs), KINDS[kind].stage)


@given(some.lists(some.sets(some.integers(0, 9)), min_size=1, max_size=10))
def test_each_entry_comes_after_what_it_refers_to(refs: list[set[int]]) -> None:
    """Whatever order they are in; circles are refused elsewhere, and end here all the same."""
    entries = [
        entry("instances", str(number), [("instances", str(one)) for one in ones if one > number])
        for number, ones in enumerate(refs)
    ]
    found = levels(entries)
    assert sorted(one.name for level in found for one in level) == sorted(one.name for one in entries)
    depth = {one.place: number for number, level in enumerate(found) for one in level}
    assert all(depth[ref] < depth[one.place] for one in entries for ref in one.refs if ref in depth)


def test_a_circle_ends() -> None:
    ring = [entry("instances", "a", [("instances", "b")]), entry("instances", "b", [("instances", "a")])]
    assert sum(map(len, levels(ring))) == 2


def test_what_the_chosen_refer_to_is_found_through_others() -> None:
    net, web = entry("private_networks", "inner"), entry("instances", "web", [("private_networks", "inner")])
    disk = entry("disks", "data", [("instances", "web"), ("instances", "elsewhere")])
    whole = {one.place: one for one in (net, web, disk)}
    assert with_refs([disk], whole) == [web, net]
    assert with_refs([disk, web, net], whole) == []


def test_what_is_not_there_yet_is_left_out() -> None:
    for params, coming, kept, lost in [
        ({"private_networks": ["inner"]}, [], {"private_networks": ["inner"]}, {}),
        ({"private_networks": ["inner"]}, ["inner"], {"private_networks": []}, {"private_networks": LATER}),
        ({"private_networks": ["a", "b"]}, ["b"], {"private_networks": ["a"]}, {"private_networks": LATER}),
        (
            {"private_networks": ["inner"], "without_public_ip": True},
            ["inner"],
            {"private_networks": [], "without_public_ip": None},
            {"private_networks": LATER, "without_public_ip": True},
        ),
        (
            {"private_networks": ["a", "inner"], "without_public_ip": True},
            ["inner"],
            {"private_networks": ["a"], "without_public_ip": True},
            {"private_networks": LATER},
        ),
    ]:
        places = [("private_networks", name) for name in coming]
        assert without_coming(entry("instances", "web", **params), params, places) == (kept, lost)


def test_the_name_of_a_container_stays() -> None:
    params = {"container": "assets", "name": "a"}
    one = entry("storage_objects", "assets/a", **params)
    assert without_coming(one, params, [("storage_containers", "assets")]) == (params, {})


def test_what_identifies_an_entry_stays_and_shows() -> None:
    params = {"instance": "web", "name": "night"}
    one = entry("instance_schedules", "web/night", **params)
    assert without_coming(one, params, [("instances", "web")]) == (params, {"instance": "web"})


def test_what_is_left_out_shows_as_known_later() -> None:
    same = EntryResult(None, {"name": "web"}, {"name": "web", "private_networks": ["a"]}, 7)
    told = with_later(same, "instances", {"private_networks": LATER, "ip_addresses": LATER})
    assert told.action == "update"
    follows = dict.fromkeys(("private_ip_address", "ip_address", "dns_address"), LATER)
    assert told.after == {"name": "web", "private_networks": ["a", LATER], "ip_addresses": LATER, **follows}
    assert with_later(same, "instances", {}) is same


def test_what_matters_only_for_a_new_thing_changes_none_that_is_there() -> None:
    lost = {"ssh_keys": LATER, "authorization_method": "SSH keys"}
    same = EntryResult(None, {"name": "web"}, {"name": "web"}, 7)
    assert with_later(same, "instances", lost) is same
    new = EntryResult("replace", {"id": 7}, {"name": "web"}, None, ("template",))
    assert with_later(new, "instances", lost).after == {"name": "web", **lost}


def test_what_is_replaced_is_left_for_what_comes() -> None:
    data = EntryResult(None, {"instances": [{"id": 7}, {"id": 8}]}, {"instances": [{"id": 7}, {"id": 8}]}, 3)
    told = with_later(data, "disks", {"instances": LATER}, {7})
    assert (told.action, told.after) == ("update", {"instances": [{"id": 8}, LATER]})
    assert with_later(data, "disks", {"instances": LATER}, {7, 8}).after == {"instances": LATER}


def test_what_cannot_change_in_place_is_replaced_for_what_comes() -> None:
    there = {"group": "tier", "instances": [{"id": 7}]}
    same = EntryResult(None, there, there, 3)
    told = with_later(same, "group_autoscalers", {"instances": LATER}, {7})
    assert (told.action, told.forced_by, told.after["instances"]) == ("replace", ("instances",), LATER)
    new = EntryResult("create", {}, {"instances": [{"id": 8}]})
    assert with_later(new, "group_autoscalers", {"instances": LATER}).action == "create"


def test_every_module_has_one_of_four_actions() -> None:
    for result, action in [
        ({"changed": False, "action": "none"}, None),
        ({"changed": True, "action": "create"}, "create"),
        ({"changed": True, "action": "delete"}, "delete"),
        ({"changed": True, "action": "replace"}, "replace"),
        ({"changed": True, "action": "convert"}, "update"),
        ({"changed": True}, "update"),
    ]:
        assert action_of(result) == action


def test_the_number_is_that_of_the_record() -> None:
    result = {"changed": True, "disk": {"id": 7}, "ticket": 5, "diff": {"before": {"id": 1}, "after": {"a": 1}}}
    assert outcome_of(result) == EntryResult("update", {"id": 1}, {"a": 1}, 7, record={"id": 7})
    assert outcome_of({"changed": False, "object": {"name": "a"}}) == EntryResult(
        None, None, None, record={"name": "a"}
    )


NEW = entry("disks", "data", name="data")
NET, CLIENT, STATE = ("private_networks", "inner"), ("clients", "100"), ("storage_containers", "state")


def site(*entries: Entry) -> Declaration:
    """Return a declaration with its registry in a container."""
    return Declaration("shop", None, {"container": "state"}, entries, "sha256:1")


def options(**given: t.Any) -> dict[str, t.Any]:
    """Return all options of a task."""
    return {**{name: spec.get("default") for name, spec in OPERATION.options.items()}, **given}


def chosen(params: dict[str, t.Any], declaration: Declaration, *owned: Owned) -> dict[str, str]:
    """Return what is desired of each entry, in one word."""
    known = {one.place: one for one in owned}
    declared = {one.place for one in declaration.entries}
    orphans = [one for one in owned if one.place not in declared and one.prunable]
    digests: t.Any = types.SimpleNamespace(note=lambda _entry, _known: AppliedNote("", {}))
    return {str(one): one.desired.name.lower() for one in select(params, declaration, known, orphans, digests)}


def test_who_goes_with_the_site() -> None:
    declared = site(
        entry(*NET, name="inner"),
        entry("private_networks", "found", name="found"),
        entry("private_networks", "unknown", name="unknown"),
        entry(*CLIENT, id=100),
        entry(*STATE, name="state"),
    )
    owned = (Owned(*NET), Owned("private_networks", "found", origin=FOUND), Owned(*CLIENT), Owned(*STATE))
    orphan = Owned("disks", "old", 5, {"name": "old"})
    assert chosen(options(state="absent"), declared, *owned, orphan) == {
        "private_networks inner": "absent",
        "private_networks found": "spared",
        "private_networks unknown": "spared",
        "disks old": "absent",
    }
    assert set(chosen(options(state="absent", adopt=True), declared, *owned).values()) == {"absent"}
    user = entry("client_users", "clerk", [CLIENT], user_name="clerk")
    assert chosen(options(state="absent"), site(user, declared.entries[3]), Owned(*user.place)) == {
        "client_users clerk": "absent",
        "clients 100": "context",
    }
    assert chosen(options(prune=True), declared, *owned, orphan) == {"disks old": "absent"}
    assert chosen(options(), declared, *owned, orphan)["disks old"] == "spared"


def test_a_stage_looks_at_what_it_refers_to() -> None:
    declared = site(entry(*NET, name="inner"), entry("instances", "web", [NET], name="web"))
    assert chosen(options(stage="rest"), declared) == {"instances web": "present", "private_networks inner": "context"}
    assert chosen(options(kinds=["private_networks"]), declared) == {"private_networks inner": "present"}


def test_pruning_has_a_limit() -> None:
    gone = EntryResult("delete", {}, {})
    removal = Planned(entry("disks", "d"), desired=Desired.ABSENT, orphan=True, expected=gone, verdict="delete")
    plans = [removal.with_fields(entry=entry("disks", f"d{n}", name=f"d{n}")) for n in range(7)]
    owned = {("disks", f"d{n}"): Owned("disks", f"d{n}") for n in range(20)}

    def told(**given: t.Any) -> str:
        return str(over_removal_limit(options(**given), plans, owned) or "")

    assert told(prune=True) == told(prune=True, max_delete="35%") == ""
    assert re.match(
        r"7 of the 20 objects .* removed \(disks d0, .* max_delete allows 6\.", told(prune=True, max_delete="30%")
    )
    assert told(state="absent", max_delete="6").startswith("7 of the 20 objects")
    assert told(max_delete="6").startswith("7 of the 20 objects"), "removed, by what the file says"
    plans[0] = plans[0].with_fields(expected=FcdError("It cannot be read."))
    assert told(prune=True, max_delete="6").startswith("7 of the 20 objects"), "what cannot be planned counts"
    plans[0] = plans[0].with_fields(desired=Desired.SPARED)
    assert told(prune=True, max_delete="6") == ""
    plans = [plan.with_fields(orphan=False) for plan in plans]
    assert told(max_delete="6") == "", "what the file declares absent was said to go"


def test_replacing_has_limits() -> None:
    replaced = EntryResult("replace", {"id": 7}, {"id": LATER}, None, ("template",))
    for kinds, limits, told in [
        (["instances"], {}, "with everything in them (instances 0). max_replace allows 0."),
        (["disks"], {"max_replace": "0"}, "max_replace allows 0."),
        (["instances", "disks"], {"max_replace": "1"}, "provision_max_replace) to 2"),
        (["ssh_keys", "instances"], {"max_replace": "1"}, "provision_max_replace) to 2"),
        (["ssh_keys"] * 3, {"max_delete": "2"}, "provision_max_delete) to 3"),
        (["instances"] * 3, {"max_replace": "3", "max_delete": "2"}, "provision_max_delete) to 3"),
        (["ssh_keys"] * 3, {}, None),
        (["instances", "disks"], {"max_replace": "2"}, None),
        (["instances", "disks"], {"max_replace": "10%"}, None),
    ]:
        plans = [
            Planned(entry(kind, str(place), name=str(place)), expected=replaced, verdict="replace")
            for place, kind in enumerate(kinds)
        ]
        owned = {("disks", f"d{n}"): Owned("disks", f"d{n}") for n in range(20)}
        error = over_replacement_limit(options(**limits), plans, owned)
        assert (error is None) if told is None else (told in str(error))


@pytest.mark.parametrize(
    ("there", "new", "hint"),
    [
        ("web", "web-1", "moved: [{from: instances.web, to: instances.web-1}]"),
        ("web-1", "web", "moved: [{from: instances.web-1, to: instances.web}]"),
        ("web", "db-1", None),
        ("web-2", "web", None),
    ],
)
def test_counting_an_instance_is_no_reason_to_create_it_anew(there: str, new: str, hint: str | None) -> None:
    gone = Planned(
        entry("instances", there),
        desired=Desired.SPARED,
        orphan=True,
        expected=EntryResult("delete", {}, {}),
        verdict="orphan",
    )
    made = Planned(entry("instances", new), expected=EntryResult("create", {}, {}), verdict="create")
    told: list[str] = []
    warn_of_counted([gone, made], told.append)
    assert [hint in text for text in told] == ([] if hint is None else [True])
    warn_of_counted([gone], told.append)
    warn_of_counted([made], told.append)
    assert len(told) == (hint is not None)


def test_how_an_entry_counts() -> None:
    """By what is desired of it and what its module would do; nothing changes that later."""
    here, gone = EntryResult(None, {"id": 7}, {"id": 7}, 7), EntryResult("delete", {"id": 7}, {}, 7)
    failed = InvalidInput("It is wrong.")
    cases: list[tuple[dict[str, t.Any], str]] = [
        ({"expected": here}, "unchanged"),
        ({"expected": here, "moved_from": "old"}, "move"),
        ({"expected": here._replace(action="update"), "moved_from": "old"}, "update"),
        ({"expected": here, "entry": NEW._replace(adopt=True)}, "adopt"),
        ({"expected": here._replace(action="update"), "entry": NEW._replace(adopt=True)}, "update"),
        ({"expected": failed}, "error"),
        ({"expected": failed, "desired": Desired.CONTEXT}, "unchanged"),
        ({"expected": here._replace(action="update"), "desired": Desired.CONTEXT}, "unchanged"),
        ({"expected": gone, "desired": Desired.ABSENT}, "delete"),
        ({"expected": gone, "desired": Desired.SPARED}, "unchanged"),
        ({"expected": gone, "desired": Desired.SPARED, "orphan": True}, "orphan"),
        ({"expected": failed, "desired": Desired.SPARED, "orphan": True}, "orphan"),
        ({"expected": here, "desired": Desired.RELEASED, "orphan": True}, "release"),
    ]
    for fields, verdict in cases:
        (plan,) = settle([Read(**{"entry": NEW, **fields})], options(), {}, STATE)
        assert plan.verdict == verdict, fields
        with pytest.raises(AttributeError):
            plan.verdict = "create"  # type: ignore[misc]


def test_options_that_cannot_be_meant_are_refused() -> None:
    for wrong, told in [
        ({"part": "0/4"}, "part: '0/4' is not a part"),
        ({"part": "5/4"}, "part: '5/4' is not a part"),
        ({"part": "half"}, "part: 'half' is not a part"),
        ({"part": "1/4"}, "part: only the rest of a site has parts"),
        ({"part": "1/4", "stage": "foundations"}, "part: only the rest of a site has parts"),
        ({"concurrency": 0}, "concurrency: 0 is not between 1 and 100"),
        ({"max_delete": "some"}, "max_delete: 'some' is neither"),
        ({"prune": True, "state": "absent"}, "prune: with state=absent"),
        ({"kinds": []}, "kinds: the list is empty"),
        ({"drift": True}, "drift: it only compares, in check mode"),
    ]:
        with pytest.raises(InvalidInput, match=told):
            check_site_options(options(**wrong), check_mode=False)


def test_a_part_is_two_numbers() -> None:
    assert [part_of(text) for text in ("2/4", "", None)] == [(2, 4), None, None]


def test_secrets_are_hidden_wherever_they_stand() -> None:
    redactor = Redactor(['quoted "word"', "pass/word", *(f"other-{number}" for number in range(2000))])
    value = [{"a": 'x quoted "word" y', "b": ["pass%2Fword", 5, None]}, {"pass/word": "other"}]
    assert redactor.value(value) == [
        {"a": "x ******** y", "b": ["********", 5, None]},
        {"********": "other"},
    ]
    assert redactor.value(["nothing"]) == ["nothing"]


def test_the_module_offers_all_kinds() -> None:
    """Its options are literals, for it may not import what works on the controller only."""
    assert OPERATION.options["kinds"]["choices"] == list(KINDS)


def test_an_operation_that_failed_in_part_keeps_the_kind_of_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"failed": True, "changed": True, "msg": "Not all.", "error": {"kind": "Rejected", "status": 413}}
    operation = Operation("storage_sync", (), {}, lambda _task, _params: told)
    of = types.SimpleNamespace(operation=lambda: operation)
    plan = types.SimpleNamespace(entry=types.SimpleNamespace(of=of))
    with pytest.raises(FcdError, match="Not all") as caught:
        run_operation(t.cast("t.Any", None), t.cast("t.Any", plan), {})
    assert caught.value.as_result()["error"] == {"kind": "Rejected", "status": 413, "changed": True}


def test_a_target_may_be_all_instances_of_one_count() -> None:
    webs = [entry("instances", f"web-{one}", name=f"web-{one}")._replace(source="site.yml:7") for one in (1, 2, 10)]
    single = [entry("instances", name, name=name) for name in ("web-3", "db-1")]
    declared = site(*webs, *single)
    assert chosen(options(targets=["instances.web"]), declared) == {
        f"instances web-{one}": "present" for one in (1, 2, 10)
    }
    named = entry("instances", "web", name="web")
    assert set(chosen(options(targets=["instances.web"]), site(*webs, named))) == {"instances web"}
    with pytest.raises(InvalidInput, match=r"nothing is declared as 'instances\.db'"):
        chosen(options(targets=["instances.db"]), declared)


def test_our_words_stay_when_a_secret_is_one_of_them() -> None:
    redactor = Redactor(["kind", "name", "error", "create", "known"])
    item = {"kind": "kind", "action": "create", "after": {"name": "name", "metadata": {"name": 1}, "id": LATER}}
    shown = {
        "kind": "kind",
        "action": "create",
        "after": {"name": "********", "metadata": {"********": 1}, "id": LATER},
    }
    assert redacted_item(redactor, item) == shown
    assert redactor.value(Redacted(shown)) == shown
    assert redacted_item(redactor, {"error": {"kind": "error", "x": {"name": "name"}}}) == {
        "error": {"kind": "error", "x": {"********": "********"}}
    }

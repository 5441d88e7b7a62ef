# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables for the comparison and the plan."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import ImmutableChange
from ansible_collections.fcd.cloud.plugins.module_utils._core.later import LATER
from ansible_collections.fcd.cloud.plugins.module_utils._engine.plan import (
    Field,
    Plan,
    in_words,
    make_plan,
    same,
    same_elements,
    same_text,
    write_only,
)

FIELDS = (
    Field("name"),
    Field("size"),
    Field("zone", on_update=False),
    Field(
        "tags",
        compare=lambda desired, current: desired.items() <= (current or {}).items(),
        merge=lambda current, desired: {**(current or {}), **desired},
    ),
    Field("groups", compare=same_elements),
    Field("key", compare=write_only),
    Field("password", compare=lambda desired, current: False, secret=True),
    Field("template", on_create=False),
)
HAVE = {"id": 7, "name": "spare", "size": 4, "zone": "a", "tags": {"x": "1", "y": "2"}, "groups": [1, 2], "flag": None}


PLANS: list[tuple[t.Any, ...]] = [
    ({"name": "spare", "size": 4}, None, "present", "create", {"name": "spare", "size": 4}),
    ({"name": "spare", "template": 3}, None, "present", "create", {"name": "spare"}),
    ({"name": "spare", "size": 4}, HAVE, "present", None, {}),
    ({"name": "spare", "size": 5}, HAVE, "present", "update", {"size": 5}),
    ({"size": None}, HAVE, "present", "update", {"size": None}),
    ({}, HAVE, "present", None, {}),
    ({"tags": {"x": "1"}}, HAVE, "present", None, {}),
    ({"tags": {"x": "3"}}, HAVE, "present", "update", {"tags": {"x": "3"}}),
    ({"tags": {"z": "1"}}, {**HAVE, "tags": None}, "present", "update", {"tags": {"z": "1"}}),
    ({"groups": [2, 1]}, HAVE, "present", None, {}),
    ({"groups": [2]}, HAVE, "present", "update", {"groups": [2]}),
    ({"key": "other"}, HAVE, "present", None, {}),
    ({"zone": "a"}, HAVE, "present", None, {}),
    ({"name": "spare"}, HAVE, "absent", "delete", {}),
    ({"name": "spare"}, None, "absent", None, {}),
]


def test_make_plan(subtests: pytest.Subtests) -> None:
    for desired, current, state, action, values in PLANS:
        with subtests.test(desired=desired, current=current):
            plan = make_plan(FIELDS, desired, current, state)
            assert (plan.action, plan.values, plan.changed) == (action, values, action is not None)


def test_an_immutable_difference_names_every_field_and_both_values() -> None:
    with pytest.raises(ImmutableChange) as raised:
        make_plan(FIELDS, {"zone": "b", "size": 9}, HAVE, "present", kind="disk")
    assert "zone is 'a', wanted 'b'" in str(raised.value)
    assert "existing disk" in str(raised.value)
    assert raised.value.details["fields"] == ["zone"]


def test_the_diff_of_an_update_shows_what_will_be_and_no_secret() -> None:
    plan = make_plan(FIELDS, {"tags": {"z": "9"}, "password": "canary-1"}, {**HAVE, "password": "canary-0"}, "present")
    assert plan.before["tags"] == {"x": "1", "y": "2"}
    assert plan.after["tags"] == {"x": "1", "y": "2", "z": "9"}
    assert plan.before["password"] != plan.after["password"]
    assert "canary" not in repr((plan.before, plan.after))


def test_the_diff_of_a_create_says_what_is_known_later() -> None:
    plan = make_plan(FIELDS, {"name": "new", "password": "canary-1"}, None, "present")
    assert plan.before == {}
    assert plan.after["id"] == LATER
    assert plan.after["name"] == "new"
    assert "canary" not in repr(plan.after)


def test_the_diff_of_a_delete_ends_with_nothing() -> None:
    assert make_plan(FIELDS, {}, HAVE, "absent").after == {}
    assert make_plan(FIELDS, {}, None, "absent") == Plan(None)


VALUES: list[tuple[t.Any, ...]] = [
    ({"id": 1, "label": "EU-001"}, "EU-001 (1)"),
    ({"id": 1, "label": None}, "1"),
    ({"id": 1, "label": "EU-001", "more": 2}, "EU-001 (1)"),
    ({"made": {"id": 1, "label": "EU-001"}, "by": None}, "made: EU-001 (1), by: nothing"),
    ({}, "nothing"),
    ([], "nothing"),
    ([1, "a"], "1, 'a'"),
    ("API\\jan", "'API\\jan'"),
    ("", "''"),
    (None, "nothing"),
    (True, "true"),
    (False, "false"),
    (0, "0"),
    (1.5, "1.5"),
]


def test_values_in_words(subtests: pytest.Subtests) -> None:
    for value, words in VALUES:
        with subtests.test(value=value, words=words):
            assert in_words(value) == words


SAME: list[tuple[t.Any, ...]] = [
    (1, 1, True),
    (True, 1, False),
    (1, True, False),
    (True, True, True),
    ("a", "a", True),
    (None, None, True),
    (None, 0, False),
]


def test_same(subtests: pytest.Subtests) -> None:
    for desired, current, equal in SAME:
        with subtests.test(desired=desired, current=current):
            assert same(desired, current) is equal


NO_TEXT: list[tuple[t.Any, ...]] = [
    ("a", "a", True),
    ("a", "b", False),
    ("b", "a", False),
    ("", None, True),
    (None, "", True),
    (None, None, True),
    ("a", None, False),
    (None, "a", False),
]


def test_no_text_is_as_good_as_an_empty_one(subtests: pytest.Subtests) -> None:
    for desired, current, equal in NO_TEXT:
        with subtests.test(desired=desired, current=current):
            assert same_text(desired, current) is equal


def test_unordered(subtests: pytest.Subtests) -> None:
    for desired, current, equal in (
        ([1, 2], [2, 1], True),
        ([], None, True),
        (None, [], True),
        ([1], [1, 2], False),
        ([1, 2], [1], False),
    ):
        with subtests.test(desired=desired, current=current):
            assert same_elements(desired, current) is equal


def test_what_the_service_does_not_tell_is_no_difference(subtests: pytest.Subtests) -> None:
    for desired, current, equal in ((1, None, True), (1, 1, True), (1, 2, False), (None, 2, False)):
        with subtests.test(desired=desired, current=current):
            assert Field("size", may_be_unknown=True).differs(desired, current) is not equal


def test_a_replacement_names_what_forces_it_and_has_all_that_a_create_needs() -> None:
    plan = make_plan(FIELDS, {"zone": "b", "size": 9}, HAVE, "present", may_replace=True)
    assert (plan.action, plan.forced_by, plan.changed) == ("replace", ("zone",), True)
    assert plan.values == {"name": "spare", "size": 9, "zone": "b", "tags": {"x": "1", "y": "2"}, "groups": [1, 2]}
    assert plan.before["id"] == 7
    assert plan.after["id"] == LATER


def test_what_can_be_changed_in_place_forces_nothing() -> None:
    assert make_plan(FIELDS, {"zone": "a", "size": 9}, HAVE, "present", may_replace=True).action == "update"


def test_a_field_may_be_changed_in_place_to_some_values_only() -> None:
    fields = (Field("size", on_update=lambda desired, current: desired >= current, why="it can only grow"),)
    assert make_plan(fields, {"size": 5}, HAVE, "present").action == "update"
    with pytest.raises(ImmutableChange, match="size is 4, wanted 3, and it can only grow"):
        make_plan(fields, {"size": 3}, HAVE, "present")
    assert make_plan(fields, {"size": 3}, HAVE, "present", may_replace=True).forced_by == ("size",)


def test_what_cannot_be_read_back_counts_when_an_object_is_created() -> None:
    assert [one.name for one in FIELDS if one.only_new] == ["key"]

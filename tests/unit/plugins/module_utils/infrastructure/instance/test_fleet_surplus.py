# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which instances may be removed: never one outside the bounds, never more than allowed."""

from __future__ import annotations

import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_surplus import (
    check_prune,
    surplus_of_fleet,
)

ON, DELETED = {"Id": 86, "Label": "Powered On"}, {"Id": 126, "Label": "Deleted"}
PRUNE: dict[str, t.Any] = {"name_pattern": None, "from_journal": False, "max_delete": None, "delete_disks": None}


class Known:
    """What a fleet has noted."""

    def __init__(self, made: dict[int, str], asked: dict[str, int | None] | None = None) -> None:
        self._made, self._asked = made, asked or {}

    def created(self) -> dict[int, str]:
        return self._made

    def requested(self) -> dict[str, int | None]:
        return self._asked


def listed(*names: str) -> list[dict[str, t.Any]]:
    return [{"Id": number, "Name": name, "Status": ON} for number, name in enumerate(names, 1)]


def params(declared: t.Iterable[str], **prune: t.Any) -> dict[str, t.Any]:
    instances = [{"name": name} for name in declared]
    return {"state": "present", "instances": instances, "fleet": "f", "prune": {**PRUNE, **prune}}


def names(
    given_params: dict[str, t.Any],
    there: list[dict[str, t.Any]],
    known: Known | None = None,
    told: list[str] | None = None,
) -> list[str]:
    warn = (told if told is not None else []).append
    return [record["name"] for record in surplus_of_fleet(given_params, there, t.cast("t.Any", known), warn)]


def test_only_what_fits_the_pattern() -> None:
    there = listed("web-1", "web-2", "Web-3", "db-1", "my-web-4")
    assert names(params(["web-1"], name_pattern="web-*", max_delete="9"), there) == ["web-2"]


def test_only_what_the_fleet_has_made_and_still_is_the_same() -> None:
    there = listed("web-1", "web-2", "web-3", "web-4")
    known = Known({1: "web-1", 2: "web-2", 3: "other name before", 99: "web-4"})
    assert names(params(["web-1"], from_journal=True, max_delete="9"), there, known) == ["web-2"]


def test_both_bounds_must_hold() -> None:
    there = listed("web-1", "web-2", "db-1")
    known = Known({2: "web-2", 3: "db-1"})
    wish = params([], from_journal=True, name_pattern="web-*", max_delete="9")
    assert names(wish, there, known) == ["web-2"]


def test_a_deleted_one_that_is_still_listed_does_not_count() -> None:
    there = [*listed("web-1"), {"Id": 7, "Name": "web-7", "Status": DELETED}]
    assert names(params([], name_pattern="web-*", max_delete="1"), there) == ["web-1"]


def test_all_of_one_name_go() -> None:
    assert names(params([], name_pattern="web-*", max_delete="2"), listed("web-1", "web-1")) == ["web-1", "web-1"]


def test_an_interrupted_run_is_told_of() -> None:
    told: list[str] = []
    known = Known({1: "web-1"}, {"web-1": None, "web-2": None})
    assert names(params(["web-1"], from_journal=True), listed("web-1", "web-2"), known, told) == []
    assert len(told) == 1
    assert told[0].startswith("prune: web-2 may have been created by a run that was interrupted")


@pytest.mark.parametrize(
    ("whole", "surplus_count", "limit", "fine"),
    [
        (10, 2, None, True),
        (10, 3, None, False),
        (100, 5, None, True),
        (100, 6, None, False),
        (4, 1, None, True),
        (5, 1, None, True),
        (4, 4, "4", True),
        (4, 4, "3", False),
        (10, 5, "50%", True),
        (10, 6, "50 %", False),
        (10, 1, "0", False),
        (10, 0, "0", True),
        (3, 3, "100%", True),
    ],
)
def test_how_many_may_go(whole: int, surplus_count: int, limit: str | None, fine: bool) -> None:
    every = [f"web-{number}" for number in range(whole)]
    wish = params(every[surplus_count:], name_pattern="web-*", max_delete=limit)
    if fine:
        assert names(wish, listed(*every)) == every[:surplus_count]
        return
    with pytest.raises(InvalidInput) as error:
        names(wish, listed(*every))
    assert f"{surplus_count} of {whole} instances would be removed (web-0" in str(error.value)
    assert "Nothing was done." in str(error.value)


@given(st.data())
def test_nothing_declared_and_nothing_outside_ever_goes(data: st.DataObject) -> None:
    every = data.draw(st.lists(st.sampled_from(["web-1", "web-2", "web-3", "db-1", "db-2", "x"]), max_size=9))
    declared = data.draw(st.sets(st.sampled_from(["web-1", "web-2", "db-1", "y"])))
    made = data.draw(st.dictionaries(st.integers(1, 9), st.sampled_from(["web-1", "web-2", "db-1", "x"])))
    pattern = data.draw(st.sampled_from([None, "web-*", "db-?", "x"]))
    wish = params(declared, from_journal=True, name_pattern=pattern, max_delete="100%")
    gone = surplus_of_fleet(wish, listed(*every), t.cast("t.Any", Known(made)), lambda _text: None)
    for record in gone:
        assert record["name"] not in declared
        assert made[record["id"]] == record["name"]
        assert pattern is None or record["name"].startswith(pattern[:-1])


@pytest.mark.parametrize(
    ("prune", "more", "words"),
    [
        ({}, {}, "prune: it needs name_pattern, from_journal or both"),
        ({"name_pattern": "*"}, {}, "matches every instance of the account"),
        ({"name_pattern": "?*"}, {}, "matches every instance of the account"),
        ({"name_pattern": "[a-z]*"}, {}, "matches every instance of the account"),
        ({"name_pattern": ""}, {}, "matches every instance of the account"),
        ({"from_journal": True}, {"fleet": None}, "prune.from_journal: it needs fleet"),
        ({"name_pattern": "a*", "max_delete": "some"}, {}, "prune.max_delete: 'some' is neither"),
        ({"name_pattern": "a*", "max_delete": "-1"}, {}, "prune.max_delete: '-1' is neither"),
        ({"name_pattern": "a*"}, {"instances": []}, "prune: instances is empty"),
        ({"name_pattern": "a*"}, {"state": "absent"}, "prune: with state=absent"),
    ],
)
def test_bounds_that_are_none(prune: dict[str, t.Any], more: dict[str, t.Any], words: str) -> None:
    with pytest.raises(InvalidInput) as error:
        check_prune({**params(["web-1"], **prune), **more})
    assert words in str(error.value)

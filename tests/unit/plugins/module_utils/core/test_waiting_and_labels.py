# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting grows its pauses and ends; labels are found or the nearest are named."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import resolve_label
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline, wait_until
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Ambiguous, InvalidInput, WaitTimeout

from ..engine.test_create_once import SteppingClock


def waiting(clock: Clock, values: t.Iterator[int], seconds: float, told: list[str]) -> int:
    return wait_until(
        lambda: next(values),
        lambda value: value >= 100,
        Deadline(clock, seconds, "wait"),
        what="Ticket 7",
        progress=lambda value: f"{value} %",
        tell=told.append,
    )


def test_waiting_ends_with_the_value_and_tells_each_progress_once() -> None:
    told: list[str] = []
    assert waiting(SteppingClock(), iter([0, 0, 50, 50, 100]), 60, told) == 100
    assert told == ["Ticket 7: 0 %", "Ticket 7: 50 %"]


def test_waiting_ends_at_its_time_with_what_was_last_seen() -> None:
    clock = SteppingClock()
    with pytest.raises(WaitTimeout, match=r"Ticket 7 did not finish within 30 s \(last seen: 5 %\)"):
        waiting(clock, iter([5] * 1000), 30, [])
    assert clock.now() == pytest.approx(1030)


ITEMS = [(48, "Tier 1"), (49, "Tier 2"), (7, "tier 2"), (50, "Twin"), (51, "Twin")]


def test_a_label_or_number_is_found(subtests: pytest.Subtests) -> None:
    for given, number in (
        ("Tier 1", 48),
        ("tier 1", 48),
        ("Tier 2", 49),
        ("tier 2", 7),
        ("48", 48),
        (48, 48),
        (" 49 ", 49),
    ):
        with subtests.test(given=given, number=number):
            assert resolve_label(given, ITEMS, option="disk_class", where="disk classes") == number


def test_a_wrong_label_is_answered_with_the_nearest() -> None:
    with pytest.raises(
        InvalidInput, match=r"disk_class: there is no 'Teir 1' among disk classes. Did you mean 'Tier 1'"
    ):
        resolve_label("Teir 1", ITEMS, option="disk_class", where="disk classes")


def test_a_wrong_number_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match=r"there is no 99 among disk classes. Known: 48 \(Tier 1\)"):
        resolve_label(99, ITEMS, option="disk_class", where="disk classes")


@pytest.mark.parametrize(
    ("many", "end"), [(12, r"12 \(T\)\."), (14, r"12 \(T\) and 2 more\."), (0, r"There are none\.")]
)
def test_of_many_known_numbers_the_first_twelve_are_named(many: int, end: str) -> None:
    with pytest.raises(InvalidInput, match=f"{end}$"):
        resolve_label(99, [(number + 1, "T") for number in range(many)], option="disk_class", where="disk classes")


def test_what_only_looks_like_a_number_is_a_label(subtests: pytest.Subtests) -> None:
    for label in ("\u00b2", "\u0663", "9" * 19, "9" * 5000):
        with subtests.test(label=label):
            with pytest.raises(InvalidInput, match=r"there is no '.{1,80}' among disk classes") as raised:
                resolve_label(label, ITEMS, option="disk_class", where="disk classes")
            assert len(str(raised.value)) < 300


def test_two_items_of_one_label_are_named() -> None:
    with pytest.raises(Ambiguous, match="50, 51") as raised:
        resolve_label("Twin", ITEMS, option="disk_class", where="disk classes")
    assert raised.value.details["ids"] == [50, 51]

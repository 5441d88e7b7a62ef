# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries: all of them, or the content of one by number or name."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.dictionary import read_dictionaries

from .conftest import Bench
from .in_process import Fault, Service

TIERS = [{"id": number, "label": f"Tier {rank}"} for rank, number in enumerate((48, 49, 50, 895, 896), 1)]


@pytest.mark.parametrize("check_mode", [False, True])
def test_all_dictionaries(bench: Bench, service: Service, check_mode: bool) -> None:
    result = read_dictionaries(bench.task(check_mode=check_mode), {"dictionary": None})
    assert result["changed"] is False
    names = {one["id"]: one["name"] for one in result["dictionaries"]}
    assert (names[17], names[27], len(names)) == ("Disk classes", "Instance statuses", len(result["dictionaries"]))


@pytest.mark.parametrize(("given", "requests"), [("17", 1), ("Disk classes", 2), ("disk CLASSES", 2)])
@pytest.mark.parametrize("check_mode", [False, True])
def test_the_content_of_one(bench: Bench, service: Service, given: str, requests: int, check_mode: bool) -> None:
    result = read_dictionaries(bench.task(check_mode=check_mode), {"dictionary": given})
    assert result == {"changed": False, "dictionary_id": 17, "dictionary_items": TIERS}
    assert len(service.calls) == requests


def test_a_wrong_name_is_answered_with_the_nearest(bench: Bench, service: Service) -> None:
    with pytest.raises(errors.InvalidInput, match="Did you mean 'Disk classes'"):
        read_dictionaries(bench.task(), {"dictionary": "disk clases"})


@pytest.mark.parametrize("given", ["\u00b2", "\u0663", "9" * 5000])
def test_what_only_looks_like_a_number_is_a_name(bench: Bench, service: Service, given: str) -> None:
    with pytest.raises(errors.InvalidInput, match=r"there is no '.* among the dictionaries"):
        read_dictionaries(bench.task(), {"dictionary": given})


def test_a_wrong_number_is_answered_with_what_there_is(bench: Bench, service: Service) -> None:
    with pytest.raises(errors.InvalidInput, match=r"there is no dictionary 18\. Known: 1 \(Languages\), 11 "):
        read_dictionaries(bench.task(), {"dictionary": "18"})


def test_a_wrong_number_that_is_answered_with_nothing_is_told_as_well(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "get_dictionary", lambda _number: [])
    with pytest.raises(errors.InvalidInput, match="there is no dictionary 18"):
        read_dictionaries(bench.task(), {"dictionary": "18"})


def test_an_empty_dictionary_is_none_the_less_one(bench: Bench, service: Service) -> None:
    service.get_dictionary = lambda _number: []
    assert read_dictionaries(bench.task(), {"dictionary": "84"})["dictionary_items"] == []


def test_a_refusal_that_has_another_reason_is_told(bench: Bench, service: Service) -> None:
    service.faults["get_dictionary"] = [Fault(errors.Forbidden("Not for you.", status=403))] * 2
    with pytest.raises(errors.Forbidden, match="Not for you"):
        read_dictionaries(bench.task(), {"dictionary": "17"})
    service.faults["list_dictionaries"] = [Fault(errors.Forbidden("Nothing for you.", status=403))]
    with pytest.raises(errors.Forbidden, match="Not for you"):
        read_dictionaries(bench.task(), {"dictionary": "17"})


def test_an_empty_answer_that_cannot_be_judged_is_an_error(bench: Bench, service: Service) -> None:
    service.get_dictionary = lambda _number: []
    service.faults["list_dictionaries"] = [Fault(errors.Forbidden("Nothing for you.", status=403))]
    with pytest.raises(errors.Forbidden, match="Nothing for you"):
        read_dictionaries(bench.task(), {"dictionary": "84"})

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned objects of check mode: what stands for their numbers, and in which account they are found."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.check_mode_state import (
    FIRST_NUMBER,
    PlannedObjects,
    placeholders,
    with_placeholders,
    with_planned_numbers,
)
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import REST, SOAP, STORAGE
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task

ENTRIES: list[t.Any] = [
    ["one", "disk", FIRST_NUMBER + 1, {"id": FIRST_NUMBER + 1, "name": "data"}],
    ["one", "disk", FIRST_NUMBER + 2, {"id": FIRST_NUMBER + 2, "name": "data"}],
    ["two", "ip_address", FIRST_NUMBER + 3, {"id": FIRST_NUMBER + 3, "comment": None}],
    ["two", "disk", FIRST_NUMBER + 1, {"id": FIRST_NUMBER + 1, "name": "renamed"}],
    ["two", "disk", FIRST_NUMBER + 2, None],
    ["two", "disk", 4711, {"id": 4711, "name": "there"}],
]
SHOWN = {
    FIRST_NUMBER + 1: "(known after apply: disk data)",
    FIRST_NUMBER + 2: "(known after apply: disk data #2)",
    FIRST_NUMBER + 3: "(known after apply: ip address)",
}


def test_placeholders_name_their_objects() -> None:
    """No two are the same, and none changes with what comes later."""
    assert placeholders(ENTRIES) == SHOWN
    assert all(placeholders(ENTRIES[:end]).items() <= SHOWN.items() for end in range(len(ENTRIES)))


def test_placeholders_come_back_as_their_numbers() -> None:
    """Also through a template that makes JSON of them; what was not planned stays as it is."""
    plain = {
        "id": FIRST_NUMBER + 2,
        "ids": [FIRST_NUMBER + 1, 4711, True],
        "msg": f"disk {FIRST_NUMBER + 3}, {FIRST_NUMBER + 9}, 9{FIRST_NUMBER + 1}",
    }
    told = with_placeholders(plain, SHOWN)
    assert told == {
        "id": SHOWN[FIRST_NUMBER + 2],
        "ids": [SHOWN[FIRST_NUMBER + 1], 4711, True],
        "msg": f"disk {SHOWN[FIRST_NUMBER + 3]}, {FIRST_NUMBER + 9}, 9{FIRST_NUMBER + 1}",
    }
    given = json.loads(json.dumps({"id": told["id"], "disks": told["ids"], "name": "(known after apply)"}))
    assert with_planned_numbers(given, SHOWN) == {
        "id": str(FIRST_NUMBER + 2),
        "disks": [str(FIRST_NUMBER + 1), 4711, True],
        "name": "(known after apply)",
    }


def _task(service: str, **settings: str) -> Task:
    return Task(Settings(settings))


@pytest.mark.parametrize(
    ("kind", "service", "option"),
    [("disk", REST, "base_url"), ("container", STORAGE, "storage_base"), ("warehouse", SOAP, "soap_url")],
)
@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("https://api.example.com/v1", True),
        ("https://api.example.com/v1/", True),
        ("https://api.example.com//%761", True),
        ("https://api.example.com/v2", False),
    ],
)
def test_the_same_account(kind: str, service: str, option: str, address: str, same: bool) -> None:
    """An address is the same in all its spellings."""
    names = {"username": "odd", "storage_user": "odd"}
    here = PlannedObjects()
    here.add(_task(service, **names, **{option: "https://api.example.com/v1"}), kind, "key", {"name": "new"})
    there = _task(service, **names, **{option: address})
    assert ("key" in PlannedObjects(here.new).of(there, kind)) is same


def test_another_user_has_another_account() -> None:
    here = PlannedObjects()
    address = {"base_url": "https://api.example.com"}
    here.add(_task(REST, username="odd", **address), "disk", 1, {"name": "new"})
    assert not PlannedObjects(here.new).of(_task(REST, username="even", **address), "disk")

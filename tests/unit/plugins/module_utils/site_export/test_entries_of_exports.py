# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries have in common, labels that lead to one number, and what a value may not have in it."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_records import instance_record
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.contract_entries import tidy
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.export import defaults_of, without_defaults
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.exported_account import (
    ExportedAccount,
    ExportedKind,
    ExportTable,
    LeftOut,
    UniqueLabels,
)
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.infrastructure_entries import InfrastructureExport
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.site_text import site_text

TABLE = ExportTable("things", ("name",), ("size", "flag", "parts"))


@pytest.mark.parametrize(
    ("entries", "defaults"),
    [
        ([{"size": 1}], {}),
        ([{"size": 1}, {"size": 1}], {"size": 1}),
        ([{"size": 1}, {"size": 2}], {}),
        ([{"size": 1}, {"size": 1}, {"size": 2}], {"size": 1}),
        ([{"size": 1}, {"size": 1}, {"size": None}], {}),
        ([{"size": 1}, {"size": 1}, {}], {}),
        ([{"size": 1}, {"size": True}], {}),
        ([{"flag": False}, {"flag": False}], {"flag": False}),
        ([{"parts": ["a"]}, {"parts": ["a"]}], {}),
        ([{"name": "a"}, {"name": "a"}], {}),
    ],
)
def test_defaults(entries: list[dict[str, t.Any]], defaults: dict[str, t.Any]) -> None:
    found = ExportedKind(TABLE)
    for entry in entries:
        found.add(entry)
    assert defaults_of(found) == defaults
    laid = [{**defaults, **without_defaults(defaults, entry)} for entry in found.entries]
    assert laid == found.entries


def test_true_is_not_one() -> None:
    assert without_defaults({"size": 1}, {"size": True}) == {"size": True}


def test_an_entry_is_in_the_order_of_the_table() -> None:
    found = ExportedKind(TABLE)
    found.add({"parts": ["x"], "flag": None, "size": 0, "name": "a"})
    assert list(found.entries[0].items()) == [("name", "a"), ("size", 0), ("parts", ["x"])]


@pytest.mark.parametrize(
    ("number", "label"),
    [
        (1, "backend"),
        (2, None),
        (3, None),
        (4, None),
        (5, None),
        (6, "Golden image (2025-01)"),
        (7, "Golden image (2025-02)"),
        (8, "x"),
        (9, None),
    ],
)
def test_labels(number: int, label: str | None) -> None:
    """The same name twice, blanks around it, only digits, none at all: the number is the only safe word."""
    labels = UniqueLabels(
        [
            *[(1, "backend"), (2, "twin"), (3, "twin"), (4, " blanks"), (5, "12"), (9, None)],
            *[
                (6, "Golden image"),
                (6, "Golden image (2025-01)"),
                (7, "Golden image"),
                (7, "Golden image (2025-02)"),
                (8, "x"),
                (8, "x (1)"),
            ],
        ]
    )
    assert labels.of(number) == label
    assert labels.said(number) == (label or str(number))


@pytest.mark.parametrize(
    ("value", "secret"),
    [
        ("a key-of-mine b", True),
        ({"a": ["x", {"key-of-mine": 1}]}, True),
        (["key-of-min"], False),
        (12, False),
        (None, False),
    ],
)
def test_secrets_of_the_task(value: t.Any, secret: bool) -> None:
    settings = Settings({"storage_key": "key-of-mine", "password": "abc"})
    account = ExportedAccount(Task(settings), {"names": None})
    assert account.holds_secret(value) is secret
    assert account.holds_secret("abc") is False, "it would be in too many words"


def test_patterns_of_names() -> None:
    account = ExportedAccount(Task(Settings({})), {"names": {"disks": ["web-*", "db"], "instances": None}})
    assert [account.is_selected("disks", name) for name in ("web-1", "db", "dbx", "")] == [True, True, False, False]
    assert account.is_selected("instances", "x")
    assert account.is_selected("clients", 12)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"a": None, "b": "", "c": "x", "d": 0, "e": False}, {"c": "x", "d": 0, "e": False}),
        ({"user_password": "x", "pesel": "y", "access_token": "z"}, None),
        ({"zip_code": "x", "code": "y"}, {"zip_code": "x", "code": "y"}),
        ([{"a": None}, {"_ref": 1}, {"b": {"c": []}}], None),
        ([1, None, {"a": [2]}], [1, {"a": [2]}]),
    ],
)
def test_what_is_told_of_a_client(value: t.Any, kept: t.Any) -> None:
    assert tidy(value) == kept


def test_what_is_left_out_is_told_in_comments() -> None:
    left = [
        LeftOut("disks", None, "size", "it is\nodd"),
        *[LeftOut("disks", f"d{number}\nsite: other", "name", "others have the same") for number in range(10)],
        LeftOut("clients", "12", None, "it is gone"),
    ]
    text = site_text({"site": "shop"}, left, [{"kind": "warehouses", "reason": "no"}])
    head, _, tail = text.partition("---\n")
    assert all(line.startswith("#") for line in head.splitlines())
    assert tail.startswith(
        "site: shop\n\n# Left out:\n# - warehouses could not be read: no\n# - disks: size: it is odd\n"
    )
    assert '# - disks: name of "d0\\nsite: other", ' in tail
    assert "and 2 more: others have the same\n" in tail
    assert tail.endswith('# - clients: "12": it is gone\n')
    assert [line for line in tail.splitlines()[1:] if line and not line.startswith("#")] == []


def test_what_has_a_secret_in_it_is_left_out() -> None:
    found = ExportedKind(TABLE)
    for entry in ({"name": "a", "size": 1, "parts": ["xx"]}, {"name": "xx", "size": 1}, {"name": "b", "size": 2}):
        found.add(entry)
    found.conceal(lambda value: "xx" in str(value))
    assert found.entries == [{"name": "a", "size": 1}, {"name": "b", "size": 2}]
    assert [(left.name, left.option) for left in found.left_out] == [("a", "parts"), ("", None)]


def system_disk(size: int, slot: int) -> dict[str, t.Any]:
    place = {"id": 7, "controller": 0, "slot": slot, "is_system_disk": True}
    return {"size": size, "disk_class": {"id": 48, "label": "Tier 1"}, "instances": [place]}


@pytest.mark.parametrize("disks", [[system_disk(20, 0), system_disk(90, 1)], [system_disk(90, 1), system_disk(20, 0)]])
def test_an_instance_with_two_system_disks_is_told_by_the_first(disks: list[dict[str, t.Any]]) -> None:
    instance = instance_record({"Id": 7, "Name": "web", "Template": {"Id": 501}, "Subregion": {"Id": 1}})
    settings = {"base_url": "https://api.example.com", "access_token": "x", "validate_certs": True}
    task = Task(Settings(settings))
    export = InfrastructureExport(ExportedAccount(task, {"kinds": ["instances"], "names": None}))
    vars(export).update(
        listed_disks=disks,
        listed_instances=[instance],
        listed_networks=[],
        listed_addresses=[],
        labels=lambda option: UniqueLabels([(501, "Debian 12")] if option == "template" else []),
    )
    (entry,) = export.instances().entries
    assert (entry["init_disk_size"], entry["template"], entry["subregion_id"]) == (20, "Debian 12", 1)

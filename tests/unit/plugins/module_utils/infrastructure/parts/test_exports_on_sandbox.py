# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of instances, and the projects that they go to, at the sandbox."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_export import has_failed

from .conftest import Account

BACKUPS, IMAGES = "0b7f3f64c1d84c6e9d5a", "5c2e9a10f7b34e21a6c8"
WISH = {"name": "monthly", "instance": "web", "location": "exports", "project": "backups"}
SUCCEEDED, NEVER_TRANSFERRED = 876, 1203


@pytest.mark.parametrize("line", ["D1", "D2"])
def test_an_instance_is_exported_once(account: Account, line: str) -> None:
    account.settings(line=line, list_lag=0.1)
    web = account.instance("web")
    foreseen = account.run("instance_export", **WISH, check_mode=True)
    assert account.writes() == []
    made = account.run("instance_export", **WISH)
    export = made["instance_export"]
    assert (made["action"], export["status"]["id"], export["project_id"]) == ("create", SUCCEEDED, BACKUPS)
    assert account.writes() == [f"POST /instances/{web}/exports"]
    given = {name: export[name] for name in ("name", "instance", "location", "project_id")}
    assert foreseen["instance_export"] == {"id": None, **given}
    for instance, project in (("web", "backups"), (str(web), BACKUPS)):
        again = account.run("instance_export", **{**WISH, "instance": instance, "project": project})
        assert (again["changed"], again["instance_export"]["id"], account.writes()) == (False, export["id"], [])
    for other in ({"name": "weekly"}, {"location": "copies"}, {"project": IMAGES}):
        assert account.run("instance_export", **{**WISH, **other}, check_mode=True)["changed"] is True


def test_an_export_outlives_its_instance(account: Account) -> None:
    web = account.instance("web")
    made = account.run("instance_export", **WISH)["instance_export"]
    account.run("instance", name="web", state="absent", force_stop=True)
    again = account.run("instance_export", **WISH)
    assert (again["changed"], again["instance_export"]["instance"]) == (False, {"id": web, "label": "web"})
    assert again["instance_export"]["id"] == made["id"]
    said = account.fails(errors.InvalidInput, "instance_export", **{**WISH, "name": "weekly"})
    assert said.startswith("instance: there is no instance 'web'.")


def test_a_failed_export_is_told_and_started_again(account: Account) -> None:
    """The copy is tried twice, so its first failure is not the end."""
    account.instance("web")
    account.settings(fail_tickets="create_instance_export")
    said = account.fails(errors.OperationFailed, "instance_export", **WISH)
    assert said.startswith("Export 'monthly' (81101) of instance web")
    assert f"has failed: its status is Transfer failed permanently ({NEVER_TRANSFERRED})." in said
    account.settings(fail_tickets=None)
    assert account.run("instance_export", **WISH)["instance_export"]["id"] == 81102
    assert account.run("instance_export", **WISH)["instance_export"]["id"] == 81102
    assert [one["Status"] for one in account.truth("exports")] == [NEVER_TRANSFERRED, SUCCEEDED]


def test_a_running_export_is_waited_for(account: Account) -> None:
    account.instance("web")
    started = account.run("instance_export", **WISH, wait=False)
    assert (started["changed"], started["instance_export"]["status"]["label"]) == (True, "Pending")
    assert account.run("instance_export", **WISH, wait=False)["changed"] is False
    done = account.run("instance_export", **WISH)
    assert (done["changed"], done["instance_export"]["status"]["id"]) == (False, SUCCEEDED)
    assert len(account.truth("exports")) == 1


def test_an_unclear_answer_leads_to_one_export(account: Account) -> None:
    account.instance("web")
    account.fault("drop_after", "POST", "/exports$")
    assert account.run("instance_export", **WISH)["instance_export"]["status"]["id"] == SUCCEEDED
    assert len(account.truth("exports")) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "a/b"}, "name: 'a/b' contains one of the characters"),
        ({"location": " "}, "location: the text is empty."),
        ({"location": "x" * 101}, "location: it has 101 characters; up to 100 are allowed."),
        ({"project": "backup"}, "project: there is no project 'backup' in the object storage. Did you mean 'backups'?"),
        ({"instance": "wab"}, "instance: there is no instance 'wab'."),
    ],
)
def test_wrong_input_is_told_before_anything_is_sent(account: Account, wrong: dict[str, t.Any], words: str) -> None:
    account.instance("web")
    assert words in account.fails(errors.InvalidInput, "instance_export", **{**WISH, **wrong})
    assert account.writes() == []


@pytest.mark.parametrize(
    ("status", "ended", "failed"),
    [
        (1114, False, False),
        (1185, True, False),
        (876, True, False),
        (877, False, True),
        (889, False, True),
        (1186, False, False),
        (1186, True, True),
        (1203, False, True),
        (4711, False, False),
        (4711, True, True),
        (None, False, False),
        (None, True, True),
    ],
)
def test_what_has_failed(status: int | None, ended: bool, failed: bool) -> None:
    record = {"status": status and {"id": status}, "end_date": "2026-11-01T00:00:00Z" if ended else None}
    assert has_failed(record) is failed


def test_exports_are_read(account: Account) -> None:
    account.instance("web")
    account.instance("db")
    made = [account.run("instance_export", **{**WISH, "instance": one})["instance_export"] for one in ("web", "db")]
    found = account.run("instance_export_info", name="month*")["instance_exports"]
    assert sorted(found, key=lambda one: one["id"]) == made
    assert account.run("instance_export_info", instance="db", status=SUCCEEDED)["instance_exports"] == made[1:]
    assert account.run("instance_export_info", status=NEVER_TRANSFERRED)["instance_exports"] == []
    assert account.run("instance_export_info", id=made[0]["id"])["instance_exports"] == made[:1]
    assert account.run("instance_export_info", id=5)["missing"] == [5]


@pytest.mark.parametrize(
    ("params", "names", "missing"),
    [
        ({}, ["backups", "images"], None),
        ({"id": [IMAGES, "5"]}, ["images"], ["5"]),
        ({"name": ["b*", "x"]}, ["backups"], ["x"]),
    ],
)
def test_projects_are_read(account: Account, params: dict[str, t.Any], names: list[str], missing: t.Any) -> None:
    result = account.run("storage_project_info", **params)
    assert [one["name"] for one in result["storage_projects"]] == names
    assert result.get("missing") == missing

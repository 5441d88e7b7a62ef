# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Own templates at the sandbox; two of its seed are called Golden image, 2025-01 and 2025-02."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

FIRST, SECOND, OF_PROVIDER, OF_SOMEBODY = 60001, 60002, 767, 60011
GOLDEN = {"name": "Golden image", "version": "2025-01"}


def described(*texts: str) -> list[dict[str, str]]:
    return [
        {"language": language, "description": text} for language, text in zip(("English", "1"), texts, strict=False)
    ]


def own(account: Account) -> dict[int, tuple[str, str]]:
    rows = account.truth("templates")
    return {one["Id"]: (one["Name"], one["Description"]) for one in rows if one["Source"] == "Own"}


@pytest.mark.parametrize("line", ["D1", "D2"])
def test_a_template_is_described_renamed_and_removed(account: Account, line: str) -> None:
    account.settings(line=line, list_lag=0.1)
    wish = {**GOLDEN, "descriptions": described("web servers")}
    foreseen = account.run("instance_template", **wish, check_mode=True)
    assert account.writes() == []
    done = account.run("instance_template", **wish)
    assert (done["action"], done["template"]["description"]) == ("update", "web servers")
    assert foreseen["template"] == {**done["template"], "last_change_date": None}
    again = account.run("instance_template", **wish)
    assert (again["changed"], again["template"], account.writes()) == (False, done["template"], [])
    renamed = account.run("instance_template", id=FIRST, name="Silver")["template"]
    assert (renamed["name"], renamed["description"]) == ("Silver", "web servers")
    for state, changed in ((True, True), (False, True), (False, False)):
        gone = account.run("instance_template", name="Silver", state="absent", check_mode=state)
        assert (gone["changed"], gone["template"]) == (changed, None)
    assert list(own(account)) == [SECOND]


@pytest.mark.parametrize("read_language", ["first", "last"])
def test_one_of_several_descriptions_is_read(account: Account, read_language: str) -> None:
    account.settings(read_language=read_language)
    wish = {**GOLDEN, "descriptions": described("web servers", "serwery")}
    shown = {"first": "web servers", "last": "serwery"}[read_language]
    assert account.run("instance_template", **wish)["template"]["description"] == shown
    assert account.run("instance_template", **wish)["changed"] is False
    assert account.run("instance_template", **{**wish, "descriptions": described("x", "y")})["changed"] is True


def test_a_template_among_several_is_told_by_its_version_or_its_system(account: Account) -> None:
    said = account.fails(errors.Ambiguous, "instance_template", name="Golden image", state="absent")
    assert f"There are 2 templates with the name 'Golden image': {FIRST}, {SECOND}." in said
    for wrong in ({"version": "2025-03"}, {"version": "2025-01", "system_category": "CentOS"}):
        wish = {"name": "Golden image", **wrong}
        assert account.run("instance_template", **wish, state="absent")["changed"] is False
    wish = {**GOLDEN, "system_category": "Debian", "state": "absent"}
    assert account.run("instance_template", **wish)["changed"] is True
    assert list(own(account)) == [SECOND]


@pytest.mark.parametrize("number", [OF_PROVIDER, OF_SOMEBODY])
@pytest.mark.parametrize("wish", [{"state": "absent"}, {"name": "Mine"}, {"descriptions": described("mine")}])
@pytest.mark.parametrize("check_mode", [False, True])
def test_templates_of_others_are_refused(
    account: Account, number: int, wish: dict[str, t.Any], check_mode: bool
) -> None:
    said = account.fails(errors.InvalidInput, "instance_template", id=number, check_mode=check_mode, **wish)
    assert "is not one of your account: it cannot be changed or removed." in said
    assert account.writes() == []


def test_a_template_of_the_provider_is_not_found_by_its_name(account: Account) -> None:
    said = account.fails(errors.InvalidInput, "instance_template", name="CentOS 7", version="7.0")
    assert said.startswith("There is no template 'CentOS 7' with the version '7.0' of your account.")
    assert "instance_to_template creates one" in said
    assert "no template with the ID 9" in account.fails(errors.InvalidInput, "instance_template", id=9)
    assert account.run("instance_template", name="CentOS 7", state="absent")["changed"] is False
    assert account.run("instance_template", id=9, state="absent")["changed"] is False


def test_what_an_instance_became_is_renamed_described_and_removed(account: Account) -> None:
    account.instance("builder")
    words = described("as converted")
    made = account.run("instance_to_template", name="builder", template_name="Image", version="1", descriptions=words)[
        "template"
    ]
    assert account.run("instance_template", name="Image", descriptions=words)["changed"] is False
    wish = {"name": "Picture", "descriptions": described("as renamed")}
    assert account.run("instance_template", id=made["id"], **wish)["action"] == "update"
    assert own(account)[made["id"]] == ("Picture", "as renamed")
    assert account.run("instance_template", name="Picture", state="absent")["action"] == "delete"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": ""}, "name: it has 0 characters; 1 to 300 are allowed"),
        ({"name": "x", "descriptions": []}, "descriptions: at least one is needed"),
        ({"name": "x", "descriptions": described(" ")}, "description: the text is empty"),
        ({"name": "x", "system_category": "BeOS"}, "system_category"),
        ({"id": 0}, "IDs start at 1"),
    ],
)
def test_wrong_input_is_told_before_anything_is_sent(account: Account, wrong: dict[str, t.Any], words: str) -> None:
    assert words in account.fails(errors.InvalidInput, "instance_template", **wrong)
    assert account.writes() == []


def test_a_template_that_others_may_change_too_is_changed_once(account: Account) -> None:
    """The answer is lost, and the change shows."""
    account.fault("drop_after", "PUT", "/templates/")
    done = account.run("instance_template", **GOLDEN, descriptions=described("web servers"))
    assert (done["changed"], own(account)[FIRST]) == (True, ("Golden image", "web servers"))
    assert account.writes() == [f"PUT /templates/{FIRST}"]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The remote console and the screenshot of an instance at the sandbox."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account, operation

HERE, ELSEWHERE = "203.0.113.7", "203.0.113.8"


def test_a_console_is_opened_once_changed_and_closed(account: Account) -> None:
    number = account.instance("web")
    path = f"/instances/{number}/remote_console_connection"
    foreseen = account.run("instance_console", name="web", source_ip=HERE, check_mode=True)
    assert (foreseen["action"], account.writes()) == ("create", [])
    opened = account.run("instance_console", name="web", source_ip=HERE)
    console = opened["console"]
    assert (opened["action"], console["source_ip"], console["instance"]) == (
        "create",
        HERE,
        {"id": number, "label": "web"},
    )
    assert len(console["password"]) > 8
    assert console["password"] not in str(opened["diff"])
    assert foreseen["diff"]["after"].items() <= {**opened["diff"]["after"], "id": "(known after apply)"}.items()
    assert account.writes() == [f"POST {path}"]
    again = account.run("instance_console", name="web", source_ip=HERE)
    assert (again["changed"], again["console"]) == (False, {**console, "password": None})
    assert account.run("instance_console", id=number)["changed"] is False
    moved = account.run("instance_console", id=number, source_ip=ELSEWHERE)
    assert (moved["action"], account.writes()) == ("update", [f"PUT {path}"])
    assert account.truth("instances")[-1]["Console"] == ELSEWHERE
    assert account.run("instance_console_info", name="web")["console"] == {**moved["console"], "password": None}
    renewed = account.run("instance_console", id=number, renew=True, minutes=90)
    assert (renewed["changed"], renewed["console"]["source_ip"]) == (True, ELSEWHERE)
    assert renewed["console"]["open_until"] > console["open_until"]
    assert account.run("instance_console", id=number, state="absent", check_mode=True)["action"] == "delete"
    assert account.run("instance_console", id=number, state="absent")["changed"] is True
    assert account.truth("instances")[-1]["Console"] is None
    assert account.run("instance_console_info", id=number) == {"changed": False, "console": None}
    assert account.run("instance_console", id=number, state="absent")["changed"] is False
    assert account.run("instance_console", name="nothing", state="absent")["changed"] is False


@pytest.mark.parametrize("again", ["refused", "renewed"])
@pytest.mark.parametrize("none", ["null", "missing"])
def test_a_lost_answer_leaves_one_console(account: Account, none: str, again: str) -> None:
    account.settings(no_console=none, second_console=again)
    account.instance("web")
    account.fault("drop_after", "POST", "remote_console")
    opened = account.run("instance_console", name="web", source_ip=HERE)
    assert (opened["changed"], opened["console"]["password"]) == (True, None)
    assert account.warnings[-1].endswith("Close it and open it again to get one.")
    account.fault("drop_after", "DELETE", "remote_console")
    assert account.run("instance_console", name="web", state="absent")["changed"] is True


def test_a_password_that_is_shown_again_is_returned_again(account: Account) -> None:
    account.settings(password_once=False)
    account.instance("web")
    opened = account.run("instance_console", name="web")
    assert account.run("instance_console", name="web")["console"] == opened["console"]
    read = account.run("instance_console_info", name="web")
    assert read["console"] == opened["console"]
    account.run("instance_console", name="web", state="absent")
    for module, shown in (("instance_console", opened), ("instance_console_info", read)):
        hides = operation(module).returns_secrets
        assert callable(hides)
        assert hides(shown)
        assert not hides(account.run("instance_console_info", name="web"))


def test_a_console_whose_time_is_over_counts_as_closed(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service may go on showing it."""
    account.instance("web")
    account.run("instance_console", name="web")
    now = account.clock.now()
    for later, is_shown in ((3000, True), (3700, False)):
        monkeypatch.setattr(account.clock, "now", lambda later=later: now + later)
        assert (account.run("instance_console_info", name="web")["console"] is not None) is is_shown
        foreseen = account.run("instance_console", name="web", check_mode=True)
        assert (foreseen["action"] == "none") is is_shown


def test_a_change_that_is_not_made_is_told(account: Account) -> None:
    account.instance("web")
    account.settings(accept_only=True)
    said = account.fails(errors.OperationFailed, "instance_console", name="web", source_ip=HERE)
    assert said.startswith("Opening the remote console of instance 'web': the service has accepted it, but shows no")
    account.settings(accept_only=False)
    account.run("instance_console", name="web", source_ip=HERE)
    account.settings(accept_only=True)
    said = account.fails(errors.OperationFailed, "instance_console", name="web", source_ip=ELSEWHERE)
    assert said.startswith("The service has accepted the change of remote console 'web', but does not show it in: sour")
    said = account.fails(errors.OperationFailed, "instance_console", name="web", state="absent")
    assert "still open" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"minutes": 29}, "minutes: 29 is not between 30 and 360."),
        ({"source_ip": "203.0.113.0/24"}, "source_ip: '203.0.113.0/24' is not an IPv4 address."),
        ({"source_ip": "2001:db8::1"}, "source_ip: '2001:db8::1' is not an IPv4 address."),
    ],
)
def test_bad_input_sends_nothing(account: Account, options: dict[str, t.Any], said: str) -> None:
    assert said in account.fails(errors.InvalidInput, "instance_console", name="web", **options)
    assert account.sent() == []


def test_an_instance_that_does_not_exist_is_told(account: Account) -> None:
    for module in ("instance_console", "instance_console_info"):
        said = account.fails(errors.InvalidInput, module, name="web")
        assert said.startswith("name: there is no instance 'web'.")


# ---------------------------------------------------------------- screenshots


def test_a_screenshot_is_written_once(account: Account, tmp_path: pathlib.Path) -> None:
    number, file = account.instance("web"), tmp_path / "screen.png"
    options: dict[str, t.Any] = {"name": "web", "dest": str(file), "width": 8}
    foreseen = account.run("instance_screenshot", **options, check_mode=True)
    assert (foreseen["changed"], file.exists()) == (True, False)
    taken = account.run("instance_screenshot", **options)
    assert taken == foreseen
    assert (taken["format"], taken["size"], taken["file"]) == ("png", file.stat().st_size, str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    assert account.sent()[-1] == f"GET /instances/{number}/screenshot"
    assert account.run("instance_screenshot", **options)["changed"] is False
    other = account.run("instance_screenshot", **{**options, "width": 9})
    assert (other["changed"], other["diff"]["before"]) == (True, taken["diff"]["after"])


def test_a_screenshot_that_is_no_image_changes_no_file(account: Account, tmp_path: pathlib.Path) -> None:
    account.instance("web")
    account.settings(screenshot_text="other")
    said = account.fails(errors.Unusable, "instance_screenshot", name="web", dest=str(tmp_path / "screen.png"))
    assert said.startswith("The screenshot of instance 'web' is neither a PNG nor a JPEG image in base64.")
    assert [*tmp_path.glob("*.png")] == []


def test_a_screenshot_of_what_is_off_is_refused(account: Account, tmp_path: pathlib.Path) -> None:
    account.instance("web")
    account.run("instance", name="web", state="stopped", force_stop=True)
    said = account.fails(errors.Rejected, "instance_screenshot", name="web", dest=str(tmp_path / "screen.png"))
    assert "is powered off. Turn it on" in said
    said = account.fails(errors.InvalidInput, "instance_screenshot", name="web", dest="x", height=0)
    assert said == "height: 0 is not between 1 and 3000 pixels."

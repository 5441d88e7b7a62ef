# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No canary shows in any channel, whatever module, playbook or role it was given to, well or badly."""

from __future__ import annotations

import base64
import html
import json
import shlex
import typing as t
from urllib.parse import quote

import cores
import pytest

from canaries import module_cases, site_cases, suite
from canaries.runs import ALONE, Ran
from canaries.words import canary, hard, kinds_in

CASES = [*suite.short(), *(pytest.param(case, marks=pytest.mark.full) for case in suite.further())]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]} {case[1]}")
def ran(request: pytest.FixtureRequest) -> Ran:
    """One run, which all tests look at."""
    scene, way = t.cast("suite.Case", request.param)
    core = cores.named(way.core)
    if not core.controller():
        pytest.skip(f"NOT RUN: {core.missing()}")
    return suite.run_one(scene, way)


def test_nothing_shows_where_there_is_something_to_search(ran: Ran) -> None:
    """Each canary that shows is named by its kind, the channel, and the module whose task is the nearest."""
    found = {f"{one.kind} in {one.channel} by {one.module} ({one.where})" for one in suite.own(ran)}
    assert sorted(found) == []
    assert ran.way.output in ALONE or "events" in ran.channels
    assert {"output", "log file", "junit", "tree", "cmdline", "environ"} <= ran.channels
    if ran.way.switches:  # with them, ansible-core shows all that any module is given
        assert {one.kind for one in ran.shown} & {"builtin"}


def test_every_module_playbook_and_role_of_the_scene_was_tried(ran: Ran) -> None:
    """It succeeded where it should, and failed where the service or a mistake made it fail."""
    if ran.name == "site":
        reached = suite.reached([ran])
        assert (reached["Playbooks"], reached["Roles"]) == ([*site_cases.PLAYBOOKS], site_cases.ROLES)
        assert "orchestration" in reached["Modules"]
    elif ran.name != "beside" and ran.way.output not in ALONE:
        word = "ok" if ran.name in ("good", "few", "first") else "failed"
        spared = module_cases.SEND_NOTHING if ran.name == "refused" else set()
        assert {module for module in module_cases.TRIED if not ran.ended[module, word]} - spared == set()


def test_every_module_playbook_and_role_is_a_case() -> None:
    assert {plugin.name for plugin in module_cases._plugins()} == set(module_cases.TRIED)
    tried = {*site_cases.RUNS, *site_cases.DRIFT, *site_cases.END, *site_cases.ROLE_VARIABLES, "provision", "exit_code"}
    assert tried == {*site_cases.PLAYBOOKS, *site_cases.ROLES}


@pytest.mark.parametrize("padding", ["", "a", "ab"])
def test_notations(padding: str) -> None:
    """A canary is found in every notation, whole or cut."""
    text = padding + hard("odd")
    coded = base64.b64encode(text.encode())
    notations = [quote(text), json.dumps(text), shlex.quote(text), html.escape(text), text.encode().hex()]
    for content in [coded, base64.urlsafe_b64encode(text.encode()), *(one.encode() for one in notations)]:
        assert kinds_in(b"before " + content + b"\n") == {"odd"}
    for cut in (canary("odd")[:9].encode(), canary("odd")[6:].encode(), coded[: 4 * 8]):
        assert kinds_in(cut) == {"odd"}
    assert kinds_in(b"nothing of that kind " * 10) == set()

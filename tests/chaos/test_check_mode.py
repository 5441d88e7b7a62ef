# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Check mode writes nothing, which the sandbox counts, and foretells what the real run then does and shows."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from pathlib import Path

import pytest

from chaos.kinds import CONTAINER, KINDS, Wish
from chaos.playbook_run import play, task
from chaos.workplace import Workplace

NAME = "numbat"
LATER = "(known after apply)"
SECRET = ("(hidden)", "(hidden, changed)")
Step = t.Tuple[str, Wish]


def _instance(**more: t.Any) -> Wish:
    return {**KINDS["instance"].args(NAME), **more}


def _warehouse(**more: t.Any) -> Wish:
    return {**KINDS["warehouse"].args(NAME), **more}


def _user(**more: t.Any) -> Wish:
    return {**KINDS["client_user"].args(NAME), **more}


def _object(**more: t.Any) -> Wish:
    return {**KINDS["storage_object"].args(NAME), **more}


@dataclass(frozen=True)
class Case:
    """A change: what is there before, the task, and the action that it is to be.

    ``settles`` is off where the same task rightly changes something each time.
    """

    module: str
    title: str
    before: tuple[Step, ...]
    args: Wish
    action: str
    settles: bool = True

    def __str__(self) -> str:
        """Return what pytest shows."""
        return f"{self.module} {self.title}"


HERE: tuple[Step, ...] = (("storage_container", {"name": CONTAINER}),)
INSTANCE: tuple[Step, ...] = (("instance", _instance()),)
DEPOT: tuple[Step, ...] = (("warehouse", _warehouse()),)
USER: tuple[Step, ...] = (("client_user", _user()),)
THING: tuple[Step, ...] = (*HERE, ("storage_object", _object()))
BLOCKED: tuple[Step, ...] = (("client_user", _user(state="blocked")),)
TAGGED: tuple[Step, ...] = (("storage_container", {"name": CONTAINER, "metadata": {"owner": "us", "old": "x"}}),)
OTHER: tuple[Step, ...] = (*THING, ("storage_object", {"container": CONTAINER, "name": "copy", "content": "other"}))

CASES = (
    Case("instance", "is made", (), _instance(), "create"),
    Case("instance", "is made with all there is", (), _instance(disk_class="Tier 2", init_disk_size=12), "create"),
    Case("instance", "changes its type", INSTANCE, _instance(type="v1.standard-4.4"), "update"),
    Case(
        "instance",
        "is made stopped, in a network",
        (),
        _instance(state="stopped", private_networks=["backend"], without_public_ip=True, init_script="true"),
        "create",
    ),
    Case("instance", "is stopped", INSTANCE, {"name": NAME, "state": "stopped"}, "update"),
    Case("instance", "grows", INSTANCE, {"name": NAME, "disk_class": "Tier 2", "init_disk_size": 30}, "update"),
    Case(
        "instance",
        "changes its networks",
        INSTANCE,
        {"name": NAME, "private_networks": ["backend"], "ip_addresses": [], "purge_ip_addresses": True},
        "update",
    ),
    Case("instance", "is made anew", INSTANCE, _instance(template="Debian 9", recreate=True), "replace"),
    Case("instance", "moves", INSTANCE, _instance(subregion="EU-002", force_stop=True), "update"),
    Case("instance", "runs as wanted", INSTANCE, _instance(state="started"), "none"),
    Case("instance", "is removed", INSTANCE, {"name": NAME, "state": "absent"}, "delete"),
    Case("instance", "is as wanted", INSTANCE, _instance(), "none"),
    Case("instance", "is not there", (), {"name": NAME, "state": "absent"}, "none"),
    Case("warehouse", "is made", (), _warehouse(), "create"),
    Case("warehouse", "changes name and queue", DEPOT, _warehouse(name="other", queue_length=9), "update"),
    Case("warehouse", "is removed", DEPOT, _warehouse(state="absent"), "delete"),
    Case("warehouse", "is as wanted", DEPOT, _warehouse(), "none"),
    Case("warehouse", "is not there", (), _warehouse(state="absent"), "none"),
    Case("client_user", "is made", (), _user(pesel="44051401359", phone_number="+48225550199"), "create"),
    Case("client_user", "is made blocked", (), _user(state="blocked"), "create"),
    Case("client_user", "changes", USER, _user(first_name="Other", privileges=["1"]), "update"),
    Case("client_user", "changes its e-mail", USER, _user(email="moved@example.com"), "update"),
    Case("client_user", "changes its settings", USER, _user(settings={"is_24_hour_clock": True}), "update"),
    Case("client_user", "gets a password", USER, _user(update_password="always"), "update", settles=False),
    Case("client_user", "is blocked", USER, _user(state="blocked"), "update"),
    Case("client_user", "is unblocked", BLOCKED, _user(state="unblocked"), "update"),
    Case("client_user", "is removed", USER, {"user_name": NAME, "state": "absent"}, "delete"),
    Case("client_user", "is as wanted", USER, _user(), "none"),
    Case("client_user", "is not there", (), {"user_name": NAME, "state": "absent"}, "none"),
    Case("storage_container", "is made", (), {"name": CONTAINER, "metadata": {"owner": "us"}}, "create"),
    Case("storage_container", "is made readable", (), {"name": CONTAINER, "read_acl": ".r:*,.rlistings"}, "create"),
    Case("storage_container", "gets metadata", TAGGED, {"name": CONTAINER, "metadata": {"owner": "you"}}, "update"),
    Case(
        "storage_container",
        "loses metadata",
        TAGGED,
        {"name": CONTAINER, "metadata": {"owner": "us"}, "purge_metadata": True},
        "update",
    ),
    Case("storage_container", "gets a list", HERE, {"name": CONTAINER, "write_acl": "bramblebarn:weaver"}, "update"),
    Case("storage_container", "is removed", HERE, {"name": CONTAINER, "state": "absent"}, "delete"),
    Case("storage_container", "is emptied", THING, {"name": CONTAINER, "state": "absent", "force": True}, "delete"),
    Case("storage_container", "is as wanted", HERE, {"name": CONTAINER}, "none"),
    Case("storage_container", "is not there", (), {"name": CONTAINER, "state": "absent"}, "none"),
    Case("storage_object", "is made", HERE, _object(), "create"),
    Case("storage_object", "expires", THING, _object(expires_at="2031-01-31T12:00:00Z"), "update"),
    Case("storage_object", "changes its content", THING, _object(content="another"), "update"),
    Case("storage_object", "changes its metadata", THING, _object(metadata={"made-by": "you"}), "update"),
    Case("storage_object", "changes its type", THING, _object(content_type="text/x-odd"), "update"),
    Case(
        "storage_object",
        "is copied",
        THING,
        {"container": CONTAINER, "name": "copy", "copy_from": f"{CONTAINER}/{NAME}"},
        "create",
    ),
    Case(
        "storage_object",
        "is copied over",
        OTHER,
        {"container": CONTAINER, "name": "copy", "copy_from": f"{CONTAINER}/{NAME}"},
        "update",
    ),
    Case("storage_object", "is removed", THING, {"container": CONTAINER, "name": NAME, "state": "absent"}, "delete"),
    Case("storage_object", "is as wanted", THING, _object(), "none"),
    Case("storage_object", "is not there", HERE, {"container": CONTAINER, "name": NAME, "state": "absent"}, "none"),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_check_mode_foretells_the_real_run(place: Workplace, case: Case) -> None:
    for module, args in case.before:
        place.run(module, args).succeeded()
    place.sandbox.clear_requests()
    foretold = place.run(case.module, case.args, check_mode=True).succeeded()
    assert place.writes() == []
    done = place.run(case.module, case.args).succeeded()
    assert (foretold["changed"], foretold["action"]) == (case.action != "none", case.action)
    assert (done["changed"], done["action"]) == (case.action != "none", case.action)
    assert bool(place.writes()) is (case.action != "none")
    assert foretold["diff"]["before"] == done["diff"]["before"]
    _fits(foretold["diff"]["after"], done["diff"]["after"])
    _shows(case, done["diff"])
    place.sandbox.clear_requests()
    again = place.run(case.module, case.args).succeeded()
    if case.settles:
        assert (again["changed"], again["action"]) == (False, "none")
        assert again["diff"]["before"] == again["diff"]["after"]
        assert place.writes() == []


def _shows(case: Case, diff: t.Mapping[str, t.Any]) -> None:
    """Require a diff that tells the change: which side is empty, and that the sides differ."""
    before, after = diff["before"], diff["after"]
    assert bool(before) is (case.action != "create" and "not there" not in case.title)
    assert bool(after) is (case.action != "delete" and "not there" not in case.title)
    assert (before == after) is (case.action == "none")


def _fits(foretold: t.Any, real: t.Any, where: str = "after") -> None:
    """Require that what was foretold came; what only the service knows was said to be known later."""
    if foretold == LATER:
        return
    if isinstance(foretold, dict) and isinstance(real, dict):
        for name in foretold:
            assert name in real, f"{where}.{name} was foretold and is not there"
            _fits(foretold[name], real[name], f"{where}.{name}")
        return
    if foretold in SECRET and real in SECRET:
        return
    assert foretold == real, f"{where}: {foretold!r} was foretold, {real!r} came"


@pytest.mark.parametrize("way", ["worker", pytest.param("module", marks=pytest.mark.full)])
def test_a_playbook_in_check_mode(place: Workplace, tmp_path: Path, way: str) -> None:
    """The drift of five objects, made by hand, is shown and left alone; then it is mended."""
    first: list[Step] = [*INSTANCE, *DEPOT, *USER, *THING]
    drifted: list[Step] = [
        ("instance", _instance(type="v1.standard-4.4")),
        ("warehouse", _warehouse(queue_length=9)),
        ("client_user", _user(first_name="Other")),
        ("storage_container", {"name": CONTAINER, "metadata": {"owner": "you"}}),
        ("storage_object", _object(content="another")),
    ]
    for module, args in first:
        place.run(module, args).succeeded()
    tasks = [task(module, args) for module, args in drifted]
    place.sandbox.clear_requests()
    foretold = play(place, tasks, tmp_path / "check", way=way, cmdline="--check --diff")
    assert place.writes() == []
    done = play(place, tasks, tmp_path / "real", way=way, cmdline="--diff")
    for module, _args in drifted:
        before, after = foretold.of(module).result, done.of(module).result
        assert (before["changed"], before["action"]) == (after["changed"], after["action"]) == (True, "update")
        assert before["diff"]["before"] == after["diff"]["before"]
        _fits(before["diff"]["after"], after["diff"]["after"])
    assert "--- before" in foretold.stdout
    again = play(place, tasks, tmp_path / "again")
    assert [one.result["changed"] for one in again.results] == [False] * len(drifted)

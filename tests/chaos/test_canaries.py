# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every secret holds an odd word. Playbooks run at -vvvvv, well and badly; then the words are looked for everywhere."""

from __future__ import annotations

import tempfile
import typing as t
from pathlib import Path

import pytest

from chaos import canaries, echoes
from chaos.kinds import CONTAINER, KINDS, Wish
from chaos.playbook_run import WAYS, Played, Result, TaskItem, task
from chaos.trial import Trial
from chaos.workplace import Workplace

NAME = "tenrec"
PLAY_VARIABLES = {
    "user_password": canaries.USER_PASSWORD,
    "other_password": canaries.OTHER_PASSWORD,
    "wrong_password": canaries.WRONG_PASSWORD,
    "wrong_key": canaries.WRONG_KEY,
    "national_id": canaries.PESEL,
}
INSTANCE = KINDS["instance"].args(NAME)
DEPOT = KINDS["warehouse"].args(NAME)
THING = KINDS["storage_object"].args(NAME)
PERSON: Wish = {
    **KINDS["client_user"].args(NAME),
    "user_password": "{{ user_password }}",
    "pesel": "{{ national_id }}",
    "create_grace": 0.2,
}
READ: Wish = {"dictionary": "17"}


@pytest.fixture
def trial(place: Workplace, tmp_path: Path) -> t.Iterator[Trial]:
    """Nothing has run yet. Sockets are in TMPDIR too, so its path must be short."""
    with tempfile.TemporaryDirectory(prefix="fcd-") as temporary:
        yield Trial(place, tmp_path, Path(temporary), PLAY_VARIABLES)


def _good_tasks() -> list[TaskItem]:
    """Return a play in which all modules do all they can do, and hand tokens on."""
    fresh = {"scope": "service.api offline_access", "renew": True}
    lookup = "{{ lookup('fcd.cloud.token') }}"
    return [
        task("token", fresh, register="issued"),
        task("token", {**fresh, "scope": "{{ item }}"}, "several", loop=["service.api", fresh["scope"]]),
        task(
            "token",
            {"scope": fresh["scope"], "refresh_token": "{{ issued.refresh_token }}"},
            "refresh",
            register="next",
        ),
        task("dictionary_info", {**READ, "access_token": "{{ next.access_token }}"}, "with a token"),
        task("dictionary_info", {**READ, "access_token": lookup}, "with a token that is looked up"),
        task("instance", {**INSTANCE, "init_script": "echo {{ user_password }}", "access_data": True}),
        task("warehouse", DEPOT),
        task("storage_container", {"name": CONTAINER, "metadata": {"owner": "us"}}),
        task("storage_object", THING),
        task("client_user", PERSON),
        task("client_user", {**PERSON, "first_name": "Other"}, "changed"),
        task(
            "client_user", {**PERSON, "user_password": "{{ other_password }}", "update_password": "always"}, "password"
        ),
        task("client_user", PERSON, "as wanted"),
        task("client_user", {"user_name": NAME, "state": "absent"}, "removed"),
        {"name": "kept", "ansible.builtin.set_fact": {"lifetime": "{{ issued.expires_in }}", "cacheable": True}},
        {
            "name": "usable",
            "ansible.builtin.assert": {"that": ["issued.expires_in > 0", "next.access_token | length > 0"]},
        },
    ]


def _bad_tasks() -> list[TaskItem]:
    """Return tasks with wrong secrets, and with secrets in the wrong places.

    What is misplaced holds no backslash: in words of its own, Ansible writes that twice and then does not know it.
    """
    misplaced = {**PERSON, "user_password": "{{ other_password }}"}
    wrong: list[tuple[str, Wish]] = [
        ("token", {"password": "{{ wrong_password }}", "renew": True}),
        ("token", {"api_client_secret": "{{ wrong_key }}", "renew": True}),
        ("token", {"refresh_token": "{{ wrong_key }}"}),
        ("dictionary_info", {**READ, "access_token": "{{ wrong_key }}"}),
        ("warehouse", {**DEPOT, "password": "{{ wrong_password }}"}),
        ("client_user", {**PERSON, "password": "{{ wrong_password }}"}),
        ("client_user", {**PERSON, "email": "panel.owner@example.com"}),
        ("client_user", {**misplaced, "state": "{{ other_password }}"}),
        ("client_user", {**misplaced, "id": "{{ other_password }}"}),
        ("storage_container", {"name": CONTAINER, "storage_key": "{{ wrong_key }}", "token_cache": False}),
        ("storage_container", {"name": CONTAINER, "storage_base": "http://o.example.com"}),
    ]
    return [task(module, args, f"bad {number}", ignore_errors=True) for number, (module, args) in enumerate(wrong)]


@pytest.mark.parametrize("way", WAYS)
def test_a_good_play(place: Workplace, trial: Trial, way: str) -> None:
    """In check mode first; as modules, of which each costs a second, for real only.

    The password of the instance is shown more than once: only what is known here can be looked for.
    """
    place.sandbox.settings(rest={"password_once": False})
    if way == "worker":
        trial.run("check", _good_tasks(), way, "--check")
    done = trial.run("done", _good_tasks(), way)
    assert done.status == 0, done.stdout[-3000:]
    assert [one.name for one in done.results if one.failed] == []
    assert list(done.folder.glob("artifacts/*/fact_cache/*")), "there is no fact cache to search"
    told = place.run("instance", {**INSTANCE, "access_data": True}).succeeded()["access_data"]
    trial.secrets["first password"] = told["password"]
    trial.require_hidden()
    trial.require_private()


@pytest.mark.parametrize(("way", "part"), [("worker", 1), ("module", 4)], ids=WAYS)
def test_what_fails(place: Workplace, trial: Trial, way: str, part: int) -> None:
    """A service whose errors hold what it was sent: credentials, tokens, a new user; then secrets that are wrong.

    Each module costs a second, so that only a part of the tasks runs as such.
    """
    place.sandbox.settings(identity={"lock_after": 0})
    tasks = _echoing_tasks(place, echoes.ECHOES[::part])
    bad = _bad_tasks()[:: (part + 1) // 2]
    done = _all_fail(trial.run("bad", [*tasks, *bad], way), len(tasks) + len(bad))
    _all_repeat(place, done[: len(tasks)])
    trial.require_hidden()


def _echoing_tasks(place: Workplace, chosen: t.Sequence[echoes.Echo]) -> list[TaskItem]:
    place.run("dictionary_info", READ).succeeded()
    place.run("storage_container", {"name": CONTAINER}).succeeded()
    repeated = echoes.sent(place, [canaries.USER_PASSWORD, canaries.PESEL])
    return echoes.prepare(place, chosen, repeated, PERSON)


def _all_fail(done: Played, number: int) -> list[Result]:
    assert [one.name for one in done.results if not one.failed] == []
    assert len(done.results) == number
    return done.results


def _all_repeat(place: Workplace, results: t.Sequence[Result]) -> None:
    assert [armed for armed in place.sandbox.faults() if not armed["used"]] == []
    assert sum("********" in one.message for one in results) >= len(results) / 4, "the errors repeat nothing"

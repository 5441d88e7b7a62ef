# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One playbook for two accounts, in check mode: what is planned in one of them is not known in the other."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from chaos.playbook_run import play, task
from chaos.workplace import Workplace
from sandbox.process import SandboxProcess

from examples.test_check_mode import KEY, NEW

REST = ("base_url", "auth_url", "api_client_id", "api_client_secret", "username", "password", "ca_path")
STORAGE = ("storage_base", "storage_user", "storage_key", "ca_path")


@pytest.fixture(scope="module")
def other() -> t.Iterator[SandboxProcess]:
    """A service at which users have the same names, yet other accounts."""
    with SandboxProcess("--ticket-seconds", "0.1") as it:
        yield it


def tasks_of(account: str, rest: dict[str, str], storage: dict[str, str]) -> list[dict[str, t.Any]]:
    """Return tasks that need the key, and show the network and the container."""
    by_number = {**NEW, **rest, "name": "by-number", "ssh_keys": ["{{ key.ssh_key.id }}"]}
    return [
        task("instance", {**NEW, **rest, "name": "web", "ssh_keys": ["new"]}, f"{account} web", ignore_errors=True),
        task("instance", by_number, f"{account} by number", ignore_errors=True),
        task("private_network_info", rest, f"{account} networks"),
        task("storage_container_info", storage, f"{account} containers"),
    ]


@pytest.mark.full
@pytest.mark.parametrize("way", ["worker", "module"])
def test_each_account_has_its_own_promises(place: Workplace, tmp_path: Path, other: SandboxProcess, way: str) -> None:
    options = {name[len("FCD_") :].lower(): value for name, value in other.environment.items()}
    rest, storage = {name: options[name] for name in REST}, {name: options[name] for name in STORAGE}
    planned = [
        task("ssh_key", {"name": "new", "public_key": KEY}, "key", register="key"),
        task("private_network", {"name": "inside"}),
        task("storage_container", {"name": "www"}),
    ]
    foreign = tasks_of("other", rest, storage)
    for one in (*planned, *foreign) if way == "module" else ():
        one["environment"] = {"OWN_PROCESS": "1"}
    done = play(place, [*planned, *tasks_of("own", {}, {}), *foreign], tmp_path / "run", cmdline="--check")
    assert not done.of("own web").failed, done.of("own web").message
    assert done.of("other web").message.startswith("ssh_keys: there is no 'new' among the account's SSH keys.")
    assert not done.of("own by number").failed, done.of("own by number").message
    wrong = "ssh_keys: (known after apply: ssh key new) is an object of another account. "
    wrong += "Use an object of the account of this task."
    assert done.of("other by number").message == wrong
    networks = {one: _names(done.of(f"{one} networks").result["private_networks"]) for one in ("own", "other")}
    containers = {one: _names(done.of(f"{one} containers").result["containers"]) for one in ("own", "other")}
    assert networks["own"] - networks["other"] == {"inside"}
    assert containers["own"] - containers["other"] == {"www"}


def _names(records: list[dict[str, t.Any]]) -> set[str]:
    return {one["name"] for one in records}

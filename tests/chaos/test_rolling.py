# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role web_tier replaces the instances of a tier while all but one are in service, whenever it is interrupted."""

from __future__ import annotations

import json
import threading
import typing as t
from collections import Counter
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from chaos.conftest import QUICK
from chaos.fault_proxy import Effect, Exchange, FaultProxy
from chaos.fleets import CREATE, really
from chaos.kinds import Wish
from chaos.playbook_run import Played, TaskItem, kill_all, play, start
from chaos.workplace import PATIENCE, Workplace, until

COUNT = 3
ALL = Counter(f"tier-{number}" for number in range(1, COUNT + 1))
OLD, NEW = 767, 304
POWERED_ON, DOWN = 86, 1564


def role(template: int, type_id: int = 34, *, health_check: bool = True, **more: t.Any) -> TaskItem:
    """Return the task that runs the role, with or without a health check by the load balancer."""
    instance = {"template_id": template, "subregion": "EU-001", "type_id": type_id}
    balancer = {"ssl": False, "health_check": health_check}
    definition = {"name": "tier", "count": COUNT, "instance": instance, "load_balancer": balancer}
    variables = {"web_tier_definition": definition, "web_tier_create_grace": 3, **more}
    return {"name": "role", "ansible.builtin.include_role": {"name": "fcd.cloud.web_tier"}, "vars": variables}


class Tier:
    """A tier behind a proxy, which counts after each request how many instances are in service."""

    def __init__(self, sandbox: SandboxProcess, proxy: FaultProxy, folder: Path) -> None:
        self.place = Workplace(sandbox, folder / "home", proxy.environment)
        self.in_service: list[int] = []
        self._proxy = proxy
        self._folder = folder

    def run(self, *tasks: TaskItem, cmdline: str = "") -> Played:
        """Run the role to its end."""
        return play(self.place, tasks, self._folder, cmdline=cmdline)

    def arm(self, selection: Wish, effect: Effect) -> None:
        """Have this done to all such requests."""
        self._proxy.disarm()
        self._proxy.arm(selection, effect, times=0)

    def watch(self) -> None:
        """Count from now on."""
        self._proxy.arm({"service": "rest"}, self._forward, times=0)

    def kill_at(self, selection: Wish, task: TaskItem) -> None:
        """Run the role, and kill it when the service has done what the selection means, before it answers."""
        done = threading.Event()

        def hold(exchange: Exchange) -> None:
            exchange.forward()
            done.set()
            exchange.wait(PATIENCE)
            exchange.reset()

        self._proxy.disarm()
        self._proxy.arm(selection, hold)
        self.watch()
        process = start(self.place, [task], self._folder, way="worker")
        until(lambda: done.is_set() or process.poll() is not None, "the request")
        assert done.is_set(), "the role has ended before"
        kill_all(process)
        self._proxy.disarm()
        self.watch()

    def _forward(self, exchange: Exchange) -> None:
        answer = exchange.forward()
        self.in_service.append(serving(self.place.sandbox))
        exchange.answer(answer)


def serving(sandbox: SandboxProcess) -> int:
    """Return how many instances run and get requests."""
    state = sandbox.state()["rest"]
    running = {one["Id"] for one in state["instances"] if one["Status"] == POWERED_ON}
    addresses = {one["Id"]: one["Address"] for one in state["ips"]}
    (group,) = state["groups"]
    out = {address for address, _port in group["Out"]}
    members = {int(number): addresses[address] for number, address in group["Assignments"].items()}
    return sum(number in running and address not in out for number, address in members.items())


@pytest.fixture
def tier(sandbox: SandboxProcess, tmp_path: Path) -> t.Iterator[Tier]:
    """A tier of instances from the old template."""
    sandbox.reset()
    sandbox.settings(rest=QUICK)
    with FaultProxy(sandbox, tmp_path) as proxy:
        made = Tier(sandbox, proxy, tmp_path)
        first = made.run(role(OLD))
        assert first.status == 0, first.stdout[-3000:]
        made.watch()
        yield made
    assert sandbox.violations() == []


def test_one_at_a_time(tier: Tier) -> None:
    before = tier.place.last()
    foreseen = tier.run(role(NEW), cmdline="--check")
    assert (foreseen.status, tier.place.writes(before)) == (0, []), foreseen.stdout[-3000:]
    done = tier.run(role(NEW))
    assert done.status == 0, done.stdout[-3000:]
    assert (min(tier.in_service), serving(tier.place.sandbox)) == (COUNT - 1, COUNT)
    assert really(tier.place, "tier") == ALL
    assert {one["Template"] for one in tier.place.sandbox.state()["rest"]["instances"]} == {NEW}


KILLS: dict[str, tuple[Wish, int]] = {
    "drained": ({"method": "PUT", "path": "/load_balancer/services$", "body_has": '"Enabled": ?false'}, 34),
    "taken out": ({"method": "PUT", "path": "/assignments$"}, 34),
    "removed": ({"method": "DELETE", "path": "/instances/"}, 34),
    "created": ({"method": "POST", "path": "/instances$"}, 34),
    "changed in place": ({"method": "POST", "path": "/change_type_ticket"}, 35),
}
"""Requests after which the role is killed, and the instance type that it is setting."""


@pytest.mark.full
def test_one_that_does_not_come_back_ends_it(tier: Tier) -> None:
    """The others, which have not been touched, go on serving."""

    def down(exchange: Exchange) -> None:
        answer = exchange.forward()
        shown = json.loads(answer.body)
        for service in (one for server in shown["Servers"] for one in server["Services"]):
            if service["Instance"]["Id"] > first_new:
                service["Status"] = {"Id": DOWN, "Label": "Down"}
        exchange.answer(answer._replace(body=json.dumps(shown).encode()))

    first_new = max(one["Id"] for one in tier.place.sandbox.state()["rest"]["instances"])
    tier.arm({"method": "GET", "path": "/load_balancer/details$"}, down)
    done = tier.run(role(NEW, web_tier_service_timeout=0))
    assert done.status == 2
    assert "Not in service after 0 s (web_tier_service_timeout): tier-1. No further instance" in done.stdout
    instances = tier.place.sandbox.state()["rest"]["instances"]
    assert {one["Name"]: one["Template"] for one in instances} == {"tier-1": NEW, "tier-2": OLD, "tier-3": OLD}


@pytest.mark.full
@pytest.mark.parametrize("moment", KILLS)
def test_killed_in_the_middle(tier: Tier, moment: str) -> None:
    selection, type_id = KILLS[moment]
    desired = role(NEW if type_id == 34 else OLD, type_id, health_check=moment != "drained")
    before = tier.place.last()
    tier.kill_at(selection, desired)
    done = tier.run(desired)
    assert done.status == 0, done.stdout[-3000:]
    assert (min(tier.in_service), serving(tier.place.sandbox)) == (COUNT - 1, COUNT)
    assert really(tier.place, "tier") == ALL
    assert len(tier.place.seen(CREATE, before)) == (COUNT if type_id == 34 else 0)
    found = {(one["Template"], one["Type"]) for one in tier.place.sandbox.state()["rest"]["instances"]}
    assert found == {(NEW if type_id == 34 else OLD, type_id)}
    last = tier.place.last()
    assert tier.run(desired).status == 0
    assert tier.place.writes(last) == []

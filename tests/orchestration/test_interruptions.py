# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that are cancelled or killed while an instance is created, and two at a time: nothing is lost or doubled."""

from __future__ import annotations

import fcntl
import os
import signal

import pytest
from chaos.playbook_run import start, task
from chaos.workplace import until
from orchestration.managed_folder import DB, WEB, Entry, ManagedFolder

CREATE = {"service": "rest", "operation": "create_instance"}
KEPT = {"state_container": "states"}
SLOW = {"ticket_seconds": 2.0}


def test_an_interrupt_keeps_the_instance(executed: ManagedFolder) -> None:
    """The tool starts the plugin here, as it does for users."""
    executed.sandbox.settings(rest={"ticket_seconds": 5.0})
    run = executed.start(WEB)
    executed.place.wait_for(CREATE)
    os.kill(run.pid, signal.SIGTERM)
    told = run.ended()
    assert told.message.startswith("apply: this task was interrupted (SIGTERM)")
    assert told.result["changed"], (told, executed.files())
    (instance,) = executed.instances()
    (resource,) = executed.state()["resources"]
    assert resource["instances"][0]["attributes"]["id"] == str(instance["Id"])
    executed.sandbox.settings(rest={"ticket_seconds": 0.1})
    assert executed.run(WEB).succeeded()["instances"]["web"]["id"] == str(instance["Id"])
    assert executed.writes().count("create_instance") == 1


@pytest.mark.parametrize(("way", "where"), [("worker", KEPT), ("module", {})])
def test_an_interrupt_of_the_playbook_keeps_the_instance(executed: ManagedFolder, way: str, where: Entry) -> None:
    executed.place.run("storage_container", {"name": "states"}).succeeded()
    executed.sandbox.settings(rest={"ticket_seconds": 5.0})
    playbook = start(
        executed.place, [task("orchestration", executed.args(WEB, **where))], executed.path.with_name("play"), way=way
    )
    executed.place.wait_for(CREATE)
    playbook.send_signal(signal.SIGINT)
    assert playbook.wait(60) != 0
    executed.sandbox.settings(rest={"ticket_seconds": 0.1})
    again = executed.run(WEB, **where).succeeded()
    assert [str(instance["Id"]) for instance in executed.instances()] == [again["instances"]["web"]["id"]]
    assert executed.writes().count("create_instance") == 1


def test_the_end_of_the_time_is_an_interrupt(managed: ManagedFolder) -> None:
    managed.sandbox.settings(rest={"ticket_seconds": 20.0})
    told = managed.run(WEB, task_timeout=5)
    assert "the time limit of this task (5 s) has passed" in told.message
    # on a slow machine there is none yet
    kept = managed.state()["resources"] if (managed.path / "terraform.tfstate").exists() else []
    assert len(managed.instances()) == len(kept) <= 1


@pytest.mark.parametrize("number", [signal.SIGKILL])
def test_a_task_that_is_killed_leaves_the_tool_to_its_work(managed: ManagedFolder, number: signal.Signals) -> None:
    managed.sandbox.settings(rest=SLOW)
    run = managed.start(WEB)
    managed.place.wait_for(CREATE)
    assert run.kill(number)
    again = managed.run(WEB).succeeded()  # it waits for the state
    assert len(managed.instances()) == 1
    assert again["instances"]["web"]["id"] == str(managed.instances()[0]["Id"])


def test_two_tasks_take_turns(managed: ManagedFolder) -> None:
    managed.sandbox.fault("hold", times=0, service="rest", method="GET", path="/tickets/")
    first = managed.start(WEB)
    managed.place.wait_for(CREATE)
    late = managed.run(WEB, DB, lock_timeout=0)
    managed.sandbox.clear_faults()
    assert late.kind == "Busy"
    assert "Another task on this host is working on" in late.message
    first.ended().succeeded()
    assert len(managed.instances()) == 1


def test_a_tool_that_somebody_else_runs_holds_the_state(managed: ManagedFolder) -> None:
    managed.run(WEB).succeeded()
    with (managed.path / "terraform.tfstate").open("r+b") as handle:
        fcntl.lockf(handle, fcntl.LOCK_EX)
        told = managed.run(WEB, DB, lock_timeout=0)
        assert "Error acquiring the state lock" in told.message
        assert "Another run is using this folder: let it end, or raise lock_timeout." in told.message
        assert not managed.run(WEB, check_mode=True).succeeded()["changed"]
    assert managed.run(WEB, DB).succeeded()["changed"]


def test_nothing_of_an_interrupted_plan_stays(managed: ManagedFolder) -> None:
    managed.run(WEB).succeeded()
    before = managed.files()
    fault = managed.sandbox.fault("hang_before", service="rest", path="/instances/", method="GET", times=0, seconds=3)
    run = managed.start({**WEB, "init_disk_size": 20})
    until(lambda: any(one["id"] == fault and one["used"] for one in managed.sandbox.faults()), "a read that hangs")
    os.kill(run.pid, signal.SIGTERM)
    told = run.ended()
    assert told.message.startswith("plan: this task was interrupted (SIGTERM)")
    assert not told.result["changed"]
    managed.sandbox.clear_faults()
    assert managed.files() == before

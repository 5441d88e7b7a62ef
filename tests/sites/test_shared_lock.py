# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controllers without a common state folder that create the same, with the lock that they share: in a real Swift."""

from __future__ import annotations

import multiprocessing
import os
import signal
import typing as t
from pathlib import Path

import pytest
from chaos.proxy_faults import all_lags
from chaos.workplace import PATIENCE, Workplace
from sandbox.process import SandboxProcess

from sites.operations import outcome, part

CONTROLLERS = 8
CONTAINER = "locks-of-all"
LAG, GRACE = 1.0, 4.0
CONTEXT = multiprocessing.get_context("fork")


class Kind(t.NamedTuple):
    """What is created: where its operation is, how it is declared, and where the truth of the sandbox has it."""

    module: str
    options: t.Callable[[str], dict[str, t.Any]]
    table: tuple[str, str]
    label: str


KINDS = (
    Kind("_infrastructure.private_network", lambda name: {"name": name}, ("rest", "networks"), "Name"),
    Kind(
        "_infrastructure.ip_address",
        lambda name: {"comment": name, "subregion": "EU-001"},
        ("rest", "ips"),
        "Comment",
    ),
    Kind(
        "_infrastructure.instance.instance",
        lambda name: {"name": name, "template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"},
        ("rest", "instances"),
        "Name",
    ),
    Kind(
        "_contract.warehouse",
        lambda name: {
            "name": name,
            "partner_id": 100,
            "template_id": 767,
            "data_store_number": f"D-{name}",
            "queue_length": 5,
        },
        ("soap", "warehouses"),
        "WarehouseName",
    ),
    Kind(
        "_infrastructure.disk",
        lambda name: {"name": name, "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"},
        ("rest", "disks"),
        "Name",
    ),
    Kind(
        "_infrastructure.ssh_key",
        lambda name: {"name": name, "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAo= k"},
        ("rest", "keys"),
        "Name",
    ),
)
NETWORK, ADDRESS = KINDS[:2]
each_kind = pytest.mark.parametrize(
    "kind",
    [NETWORK, *(pytest.param(kind, marks=pytest.mark.full) for kind in KINDS[1:])],
    ids=[kind.module.rpartition(".")[2] for kind in KINDS],
)


@pytest.fixture(autouse=True)
def home(sandbox: SandboxProcess, connected: Path, monkeypatch: pytest.MonkeyPatch) -> t.Iterator[Path]:
    """A quick sandbox at its seed, whose lists lag, and settings with a shared lock."""
    lags = {name: dict(settings) for name, settings in all_lags(LAG).items()}
    sandbox.settings(**{**lags, "rest": {"ticket_seconds": 0.1, "lock_tail": 0.02, **lags["rest"]}})
    monkeypatch.setenv("FCD_LOCK_CONTAINER", CONTAINER)
    yield connected
    assert sandbox.violations() == []


def create(kind: Kind, name: str, **options: t.Any) -> dict[str, t.Any]:
    """Create it here, and return the result."""
    return outcome(part(kind.module).OPERATION, {**kind.options(name), "create_grace": GRACE, **options})


def number_of(sandbox: SandboxProcess, kind: Kind, name: str) -> int:
    """Return how many of that name there are."""
    service, table = kind.table
    return [one[kind.label] for one in sandbox.state()[service][table]].count(name)


def names(sandbox: SandboxProcess) -> list[str]:
    """Return what the container holds."""
    containers = sandbox.state()["storage"]["containers"]
    return sorted(containers[CONTAINER]["objects"]) if CONTAINER in containers else []


def _controller(home: Path, kind: Kind, name: str, start: t.Any, results: t.Any) -> None:
    os.environ["FCD_STATE_DIR"] = str(home)
    start.wait(PATIENCE)
    results.put(create(kind, name))


def all_at_once(home: Path, kind: Kind, name: str, number: int = CONTROLLERS) -> list[dict[str, t.Any]]:
    """Return the results of so many controllers, each a process with a state folder of its own."""
    start, results = CONTEXT.Barrier(number), CONTEXT.Queue()
    processes = [
        CONTEXT.Process(target=_controller, args=(home / f"{name}-{one}", kind, name, start, results), daemon=True)
        for one in range(number)
    ]
    for process in processes:
        process.start()
    found = [results.get(timeout=PATIENCE) for _process in processes]
    for process in processes:
        process.join(PATIENCE)
    return found


@each_kind
def test_without_the_lock_nobody_makes_a_second_one_in_silence(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """Whoever has made one while there is another says so, with the numbers of both."""
    monkeypatch.delenv("FCD_LOCK_CONTAINER")
    results = all_at_once(home, kind, "same", 3)
    made = number_of(sandbox, kind, "same")
    told = [one["error"]["kind"] for one in results if one.get("failed") and one["changed"]]
    assert made >= 1
    assert made == 1 or told, f"{made} were made, and nobody was told: {results}"
    assert len(told) >= made - 1
    assert set(told) <= {"Ambiguous"}
    silent = [one for one in results if one["changed"] and not one.get("failed")]
    assert len(silent) <= 1, "two say that they made the only one"


@each_kind
def test_one_of_eight_makes_it(sandbox: SandboxProcess, home: Path, kind: Kind) -> None:
    results = all_at_once(home, kind, "same")
    assert [one.get("msg") for one in results if one.get("failed")] == []
    assert sorted(one["changed"] for one in results) == [False] * (CONTROLLERS - 1) + [True]
    assert number_of(sandbox, kind, "same") == 1
    assert [name for name in names(sandbox) if not name.endswith(".note")] == []  # no lease is left


def test_who_was_killed_while_creating_is_looked_for(sandbox: SandboxProcess, home: Path) -> None:
    """What was sent is found by the note in the container, long before a list shows it."""
    sandbox.settings(**{name: dict(settings) for name, settings in all_lags(60).items()})
    sandbox.fault("hold", service="rest", method="GET", path="/tickets/", times=0)
    start, results = CONTEXT.Barrier(1), CONTEXT.Queue()
    first = CONTEXT.Process(target=_controller, args=(home / "first", NETWORK, "same", start, results), daemon=True)
    first.start()
    Workplace(sandbox, home / "first").wait_for({"service": "rest", "path": "/tickets/"})
    first.kill()
    first.join(PATIENCE)
    assert first.exitcode == -signal.SIGKILL
    sandbox.clear_faults()
    assert number_of(sandbox, NETWORK, "same") == 1
    second = create(NETWORK, "same")
    assert (second.get("failed"), second["changed"]) == (None, False)
    assert number_of(sandbox, NETWORK, "same") == 1


def test_a_lock_that_was_lost_sends_nothing(sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    search = part("_infrastructure.private_network").NetworkSearch
    by_name = search.by_name

    def break_it(self: t.Any, name: str) -> t.Any:
        for lease in [one for one in names(sandbox) if not one.endswith(".note")]:
            part("_object_storage.small_objects").SmallObjects(_storage_task(), CONTAINER).remove(lease)
        return by_name(self, name)

    monkeypatch.setattr(search, "by_name", break_it)
    ended = create(NETWORK, "same")
    assert (ended["failed"], ended["changed"], ended["error"]["kind"]) == (True, False, "Busy")
    assert "is lost: it was removed" in ended["msg"]
    assert number_of(sandbox, NETWORK, "same") == 0


def _storage_task() -> t.Any:
    task = part("_connection.task")
    return task.Task(task.Settings.resolve({}, ("storage",)))


def test_without_the_storage_nothing_is_sent(sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FCD_STORAGE_KEY")
    ended = create(NETWORK, "same")
    assert ended["msg"].startswith(
        f"lock_container: a lock in the container '{CONTAINER}' requires the object storage, but these settings are "
        "missing: storage_key."
    )
    assert (ended["changed"], number_of(sandbox, NETWORK, "same")) == (False, 0)


def test_without_rights_to_the_container_nothing_is_sent(sandbox: SandboxProcess) -> None:
    sandbox.fault("status_before", service="storage", path=f"/{CONTAINER}", status=403, times=0)
    ended = create(NETWORK, "same")
    assert ended["msg"].startswith(f"lock_container ({CONTAINER}/.fcd-locks/")
    assert (ended["error"]["kind"], ended["changed"]) == ("Forbidden", False)
    assert number_of(sandbox, NETWORK, "same") == 0


def test_without_it_no_storage_is_asked(sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FCD_LOCK_CONTAINER")
    assert create(NETWORK, "same")["changed"] is True
    assert [one for one in sandbox.requests() if one["service"] == "storage"] == []

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site whose run is killed anywhere: the next run makes up what is missing, and nothing is there twice."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
import threading
import time
import typing as t
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from plain_site import Ran, run
from sandbox.process import SandboxProcess

MACHINE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
QUICK = {"ticket_seconds": 0.1, "lock_tail": 0.02, "visible_after": 0.05}
SEED, MOMENTS = 20261121, 20
GRACE = 0.5
STATES = "states"
LONGEST = 0.03
"""How long after a request was sent, in seconds, a run is killed at the latest: that may be during it or after it."""
AT_A_TIME = 4
FORKED: list[SandboxProcess] = []  # for processes that are forks of this one


class Strike:
    """Kills this process so long after its n-th request, whatever the load of the machine; 0 is never."""

    sent, request, later = 0, 0, 0.0

    @classmethod
    def heard(cls, event: str, _arguments: tuple[t.Any, ...]) -> None:
        """Count what is sent, and strike."""
        if event != "http.client.send":
            return
        cls.sent += 1
        if cls.sent == cls.request and not cls.later:
            os.kill(os.getpid(), signal.SIGKILL)
        elif cls.sent == cls.request:
            threading.Timer(cls.later, os.kill, (os.getpid(), signal.SIGKILL)).start()


sys.addaudithook(Strike.heard)  # forks of this process have it too


def site(name: str) -> dict[str, list[dict[str, t.Any]]]:
    """Return what a site of this name declares: some of each interface, and references between them."""
    return {
        "ssh_keys": [{"name": f"{name}-key", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAo= k"}],
        "private_networks": [{"name": f"{name}-net-{n}"} for n in range(2)],
        "ip_addresses": [{"comment": f"{name}-address", "subregion": "EU-001"}],
        "storage_containers": [{"name": f"{name}-files"}],
        "instances": [{"name": f"{name}-{n}", "private_networks": [f"{name}-net-{n}"], **MACHINE} for n in range(2)],
        "disks": [{"name": f"{name}-data", "size": 10, "disk_class": "Tier 1", "instances": [f"{name}-0"]}],
        "storage_objects": [{"container": f"{name}-files", "name": f"f{n}", "content": f"<{n}>"} for n in range(3)],
        "warehouses": [
            {"name": name, "partner_id": 100, "template_id": 767, "data_store_number": name, "queue_length": 5}
        ],
    }


def objects(sandbox: SandboxProcess, name: str) -> Counter[str]:
    """Return how often each thing of this site is there."""
    state = sandbox.state()
    rest = [
        *(f"ssh_keys {one['Name']}" for one in state["rest"]["keys"]),
        *(f"private_networks {one['Name']}" for one in state["rest"]["networks"]),
        *(f"ip_addresses {one['Comment']}" for one in state["rest"]["ips"]),
        *(f"instances {one['Name']}" for one in state["rest"]["instances"]),
        *(f"disks {one['Name']}" for one in state["rest"]["disks"]),
    ]
    soap = [f"warehouses 100/767/{one['WarehouseName']}" for one in state["soap"]["warehouses"]]
    storage = [f"storage_containers {one}" for one in state["storage"]["containers"]]
    storage += [f"storage_objects {name}-files/f{n}" for n in range(3) if _has(state, f"{name}-files", f"f{n}")]
    return Counter(one for one in (*rest, *soap, *storage) if name in one.split()[1] and "System" not in one)


def _has(state: t.Mapping[str, t.Any], container: str, name: str) -> bool:
    return name in state["storage"]["containers"].get(container, {"objects": ()})["objects"]


@pytest.fixture
def home(sandbox: SandboxProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> t.Iterator[Path]:
    """A quick sandbox at its seed, and where tasks keep what they know."""
    sandbox.reset()
    sandbox.settings(rest=QUICK)
    sandbox.clear_requests()
    for name in [name for name in os.environ if name.startswith("FCD_")]:
        monkeypatch.delenv(name)
    for name, value in {**sandbox.environment, "FCD_STATE_DIR": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    yield tmp_path
    assert sandbox.errors() == ""


def apply(name: str, **options: t.Any) -> Ran:
    """Apply the site; every other one has its registry, and with it its lock, in the object storage."""
    return run(site(name), site=name, registry=registry_of(name), create_grace=GRACE, **options)


def registry_of(name: str) -> dict[str, str]:
    """Return where the site notes what it owns."""
    return {"container": STATES} if name[-1] in "13579" else {}


def test_at_twenty_random_moments(sandbox: SandboxProcess, home: Path) -> None:
    """The moments have a fixed seed, and are requests of the run: where they strike does not depend on the load."""
    seen = set(side_by_side(sandbox, "try", MOMENTS, _applied_all_the_same))
    assert len(seen) > 3, f"the moments are all alike: {sorted(seen)}"


def test_removals_at_random_moments(sandbox: SandboxProcess, home: Path) -> None:
    assert side_by_side(sandbox, "end", 8, _removed_all_the_same)


def side_by_side(sandbox: SandboxProcess, prefix: str, number: int, trial: t.Callable[..., int]) -> list[int]:
    """Return what the trials return; some run at a time, for most of it is waiting."""
    apply("warm1").succeeded()  # reads the WSDL and logs in
    before = Strike.sent
    apply("warm2").succeeded()
    requests = Strike.sent - before
    FORKED[:] = [sandbox]
    chance = random.Random(SEED)
    moments = [(chance.randint(1, requests), chance.choice((0.0, chance.uniform(0.0, LONGEST)))) for _ in range(number)]
    with ProcessPoolExecutor(AT_A_TIME, multiprocessing.get_context("fork")) as pool:
        trials = [pool.submit(trial, f"{prefix}{one:02}", *moment) for one, moment in enumerate(moments)]
        return [one.result(timeout=60) for one in trials]


def _applied_all_the_same(name: str, request: int, later: float) -> int:
    """Kill an apply and run it again; return how much was there in between."""
    (sandbox,) = FORKED
    _kill(sandbox, name, request, later)
    between = sum(objects(sandbox, name).values())
    apply(name).succeeded()
    declared = Counter(f"{kind} {_label(kind, one)}" for kind, some in site(name).items() for one in some)
    assert objects(sandbox, name) == declared
    assert owned(name) == dict.fromkeys(declared, ("created", "there"))
    third = apply(name).succeeded()
    assert third.result["changed"] is False, third.plan["changes"]
    return between


def _removed_all_the_same(name: str, request: int, later: float) -> int:
    """Kill a removal and run it again; return how much was there in between."""
    (sandbox,) = FORKED
    apply(name).succeeded()
    _kill(sandbox, name, request, later, state="absent")
    between = sum(objects(sandbox, name).values())
    apply(name, state="absent").succeeded()
    assert objects(sandbox, name) == Counter()
    assert owned(name) == {}
    assert apply(name, state="absent").succeeded().result["changed"] is False
    return between


def owned(name: str) -> dict[str, tuple[str, str]]:
    """Return origin and phase of what the site owns, by its registry."""
    from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state.registry import Ownership

    task = Task(Settings.resolve({}, ("storage",)), check_mode=True)
    known = Ownership.opened(task, name, registry_of(name)).owned()
    return {f"{one.kind} {one.name}": (one.origin, one.phase) for one in known.values()}


def _label(kind: str, entry: t.Mapping[str, t.Any]) -> str:
    if kind == "warehouses":
        return f"100/767/{entry['name']}"
    return entry.get("comment") or "/".join(entry[part] for part in ("container", "name") if part in entry)


def _kill(sandbox: SandboxProcess, name: str, request: int, later: float, **options: t.Any) -> None:
    """Run the site in a process that kills itself there, or ends where it sends less."""
    since = sandbox.requests()[-1]["n"]
    moment = (name, request, later, options)
    process = multiprocessing.get_context("fork").Process(target=_struck, args=moment, daemon=True)
    process.start()
    process.join(60)
    assert process.exitcode in (0, -signal.SIGKILL)
    until(lambda: all(one["status"] is not None for one in _writes(sandbox, since)), "the end of its requests")


def _struck(name: str, request: int, later: float, options: dict[str, t.Any]) -> None:
    Strike.sent, Strike.request, Strike.later = 0, request, later
    apply(name, **options)


def _writes(sandbox: SandboxProcess, since: int) -> list[dict[str, t.Any]]:
    return [one for one in sandbox.requests(since=since) if one["write"] and one["body_bytes"] is not None]


def until(true: t.Callable[[], t.Any], what: str, seconds: float = 20.0) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.01)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site whose run is killed anywhere: the next run makes up what is missing, and nothing is there twice."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
import typing as t
from collections import Counter
from pathlib import Path

import pytest
from plain_site import Ran, run
from sandbox.process import SandboxProcess

MACHINE = {"template": "AlmaLinux 9", "subregion": "EU-001", "type": "v1.standard-2.2048"}
QUICK = {"ticket_seconds": 0.1, "lock_tail": 0.02, "visible_after": 0.05}
SEED, MOMENTS = 20261121, 20
GRACE = 0.5
LATEST = 1.1
"""Seconds after the first request at which a run is killed at the latest; about as long as it takes."""


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
            {"name": name, "partner_id": 100, "template_id": 507, "data_store_number": name, "queue_length": 5}
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
    soap = [f"warehouses 100/507/{one['WarehouseName']}" for one in state["soap"]["warehouses"]]
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
    for name in [name for name in os.environ if name.startswith("FCD_")]:
        monkeypatch.delenv(name)
    for name, value in {**sandbox.environment, "FCD_STATE_DIR": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    yield tmp_path
    assert sandbox.errors() == ""


def apply(name: str, **options: t.Any) -> Ran:
    """Apply the site."""
    return run(site(name), site=name, create_grace=GRACE, **options)


def test_at_twenty_random_moments(sandbox: SandboxProcess, home: Path) -> None:
    """The moments have a fixed seed; what must hold does not depend on where exactly they strike."""
    apply("warm").succeeded()  # reads the WSDL and logs in
    chance = random.Random(SEED)
    seen = set()
    for number in range(MOMENTS):
        name = f"try{number:02}"
        _kill_an_apply(sandbox, name, chance.uniform(0.05, LATEST))
        seen.add(sum(objects(sandbox, name).values()))
        apply(name).succeeded()
        declared = Counter(f"{kind} {_label(kind, one)}" for kind, some in site(name).items() for one in some)
        assert objects(sandbox, name) == declared
        assert _registry(home, name) == dict.fromkeys(declared, "created")
        third = apply(name).succeeded()
        assert third.result["changed"] is False, third.plan["changes"]
    assert len(seen) > 3, f"the moments are all alike: {sorted(seen)}"


def _label(kind: str, entry: t.Mapping[str, t.Any]) -> str:
    if kind == "warehouses":
        return f"100/507/{entry['name']}"
    return entry.get("comment") or "/".join(entry[part] for part in ("container", "name") if part in entry)


def _registry(home: Path, name: str) -> dict[str, str]:
    """Return the origins of what the site owns."""
    from ansible_collections.fcd.cloud.plugins.module_utils._resources.site_ownership.document import read

    path = home / "state" / "sites" / f"{name}.json"
    document = read(path.read_bytes(), str(path), site=name)
    assert {one.phase for one in document.entries.values()} == {"there"}
    return {f"{one.kind} {one.name}": one.origin for one in document.entries.values()}


def _kill_an_apply(sandbox: SandboxProcess, name: str, seconds: float) -> None:
    """Apply in a process that is killed so long after its first request."""
    since = sandbox.requests()[-1]["n"]
    process = multiprocessing.get_context("fork").Process(target=apply, args=(name,), daemon=True)
    process.start()
    until(lambda: sandbox.requests(since=since), "the first request")
    time.sleep(seconds)  # not to wait for anything: the moment is random
    os.kill(t.cast("int", process.pid), signal.SIGKILL)
    process.join(10)
    until(lambda: all(one["status"] is not None for one in _writes(sandbox, since)), "the end of its requests", 5)


def _writes(sandbox: SandboxProcess, since: int) -> list[dict[str, t.Any]]:
    return [one for one in sandbox.requests(since=since) if one["write"] and one["body_bytes"] is not None]


def until(true: t.Callable[[], t.Any], what: str, seconds: float = 20.0) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"{what} did not come: {json.dumps(what)}"
        time.sleep(0.01)

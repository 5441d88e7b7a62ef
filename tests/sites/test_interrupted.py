# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site whose run is killed anywhere: the next run makes up what is missing, and nothing is there twice."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import typing as t
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from chaos.moments import Moments, Strike, spread
from chaos.workplace import PATIENCE, Workplace
from sandbox.process import SandboxProcess

from sites.plain_site import Ran, run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
QUICK = {"ticket_seconds": 0.1, "lock_tail": 0.02, "visible_after": 0.05, "list_lag": 0.1, "ticket_list_lag": 0.1}
SETTLED = sum(QUICK.values())
"""Seconds after which lists show all that was made by requests that are over."""

GRACE = 0.5
REMOVAL = {"state": "absent", "max_delete": "100%"}
STATES = "states"
APART = ["EU-002", "EU-003", "EU-004"]
"""Subregions for the addresses of trials that run at the same time: what a create has reserved, who was killed then, is
told from others by its subregion alone."""

FORKED: list[SandboxProcess] = []  # for processes that are forks of this one
MOMENTS = Moments().install()  # they have it too


def site(name: str) -> dict[str, list[dict[str, t.Any]]]:
    """Return what a site of this name declares: some of each interface, and references between them."""
    return {
        "ssh_keys": [{"name": f"{name}-key", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAo= k"}],
        "private_networks": [{"name": f"{name}-net-{n}"} for n in range(2)],
        "ip_addresses": [{"comment": f"{name}-address", "subregion": APART[0]}],
        "storage_containers": [{"name": f"{name}-files"}],
        "instances": [{"name": f"{name}-{n}", "private_networks": [f"{name}-net-{n}"], **INSTANCE} for n in range(2)],
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
def home(sandbox: SandboxProcess, connected: Path) -> Path:
    """A quick sandbox at its seed, and where tasks keep what they know."""
    sandbox.settings(rest=QUICK)
    return connected


def apply(name: str, **options: t.Any) -> Ran:
    """Apply the site; every other one has its registry, and with it its lock, in the object storage."""
    return run(site(name), site=name, registry=registry_of(name), create_grace=GRACE, **options)


def registry_of(name: str) -> dict[str, str]:
    """Return where the site notes what it owns."""
    return {"container": STATES} if name[-1] in "13579" else {}


@pytest.mark.parametrize("number", [6, pytest.param(20, marks=pytest.mark.full)])
def test_at_so_many_moments(sandbox: SandboxProcess, home: Path, number: int) -> None:
    """The moments are counted by what a run does: where they strike does not depend on the load."""
    seen = set(side_by_side(sandbox, "try", number, _applied_all_the_same))
    assert {0, sum(map(len, site("any").values()))} < seen, f"the moments are all alike: {sorted(seen)}"


@pytest.mark.full
def test_removals_at_eight_moments(sandbox: SandboxProcess, home: Path) -> None:
    assert side_by_side(sandbox, "end", 8, _removed_all_the_same, **REMOVAL)


def side_by_side(
    sandbox: SandboxProcess, prefix: str, number: int, trial: t.Callable[..., int], **options: t.Any
) -> list[int]:
    """Return what the trials return; some run at a time, for most of it is waiting. The moments are spread over all."""
    apply("warm0").succeeded()  # reads the WSDL and logs in
    totals = []
    for name in ("warm0", "warm1"):
        if options:
            apply(name).succeeded()
        MOMENTS.begin(Strike(reads=False))
        apply(name if options else f"{name}s{name[-1]}", **options).succeeded()
        totals.append(MOMENTS.last)
        MOMENTS.begin(Strike())
    FORKED[:] = [sandbox]
    moments = [moment for pair in zip(*(spread(total, number // 2) for total in totals)) for moment in pair]
    context = multiprocessing.get_context("fork")
    free = context.SimpleQueue()
    for subregion in APART:
        free.put(subregion)
    with ProcessPoolExecutor(len(APART), context, _take_subregion, (free,)) as pool:
        trials = [pool.submit(trial, f"{prefix}{one:02}", moment) for one, moment in enumerate(moments)]
        return [one.result(timeout=PATIENCE) for one in trials]


def _take_subregion(free: t.Any) -> None:
    APART[:] = [free.get()]


def _applied_all_the_same(name: str, moment: int) -> int:
    """Kill an apply and run it again; return how much was there in between."""
    (sandbox,) = FORKED
    _kill(sandbox, name, moment)
    between = sum(objects(sandbox, name).values())
    again = apply(name)
    if again.result.get("failed"):  # it was killed between the note of a create and its request
        _nothing_was_sent_for_what_nobody_knows(again, objects(sandbox, name))
        apply(name, force_create=True).succeeded()
    declared = Counter(f"{kind} {_label(kind, one)}" for kind, some in site(name).items() for one in some)
    assert objects(sandbox, name) == declared
    assert owned(name) == dict.fromkeys(declared, ("created", "there"))
    third = apply(name).succeeded()
    assert third.result["changed"] is False, third.plan["changes"]
    return between


def _nothing_was_sent_for_what_nobody_knows(ran: Ran, there: Counter[str]) -> None:
    """Check that a run has failed for nothing else, and that what it failed for is not there."""
    failed = {f"{one['kind']} {one['name']}": one for one in ran.result["failed_entries"]}
    begun = {place: one["error"]["kind"] for place, one in failed.items() if one["action"] == "failed"}
    assert set(begun.values()) == {"CannotDetermine"}, failed
    assert not there.keys() & begun.keys()


def _removed_all_the_same(name: str, moment: int) -> int:
    """Kill a removal and run it again; return how much was there in between."""
    (sandbox,) = FORKED
    apply(name).succeeded()
    _kill(sandbox, name, moment, **REMOVAL)
    between = sum(objects(sandbox, name).values())
    apply(name, **REMOVAL).succeeded()
    assert objects(sandbox, name) == Counter()
    assert owned(name) == {}
    assert apply(name, **REMOVAL).succeeded().result["changed"] is False
    return between


def owned(name: str) -> dict[str, tuple[str, str]]:
    """Return origin and phase of what the site owns, by its registry."""
    from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry import Ownership

    task = Task(Settings.resolve({}, ("storage", "site")), check_mode=True)
    known = Ownership.opened(task, name, registry_of(name)).owned()
    return {f"{one.kind} {one.name}": (one.origin, one.phase) for one in known.values()}


def _label(kind: str, entry: t.Mapping[str, t.Any]) -> str:
    if kind == "warehouses":
        return f"100/767/{entry['name']}"
    return entry.get("comment") or "/".join(entry[part] for part in ("container", "name") if part in entry)


def _kill(sandbox: SandboxProcess, name: str, moment: int, **options: t.Any) -> None:
    """Run the site in a process that kills itself there, and let the service end what it was asked for."""
    place = Workplace(sandbox, Path(os.environ["FCD_STATE_DIR"]))
    since = place.last()
    strike = Strike(moment, reads=False)
    process = multiprocessing.get_context("fork").Process(target=_struck, args=(name, strike, options), daemon=True)
    process.start()
    process.join(PATIENCE)
    assert process.exitcode in (0, -signal.SIGKILL)
    place.wait_until_over({"write": True}, since)
    time.sleep(SETTLED)  # whatever was made can be found now: no grace time is too short, however busy the machine is


def _struck(name: str, strike: Strike, options: dict[str, t.Any]) -> None:
    MOMENTS.begin(strike)
    apply(name, **options)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site while all lists lag: what a run has made it knows, and the next run knows it by notes and the registry."""

from __future__ import annotations

import multiprocessing
import signal
import typing as t
from collections import Counter
from pathlib import Path

import pytest
from chaos.moments import Moments, Strike
from chaos.proxy_faults import all_lags
from chaos.workplace import PATIENCE, Workplace
from sandbox.process import SandboxProcess

from sites.plain_site import CLERK, Ran, run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
QUICK = {"ticket_seconds": 0.1, "lock_tail": 0.02, "visible_after": 0.05}
LAG, KILLED_LAG = 8.0, 3.0
SHORT = 0.2
"""A grace time that is over long before a list shows anything."""

REGISTRY = {"container": "states"}
MOMENTS = Moments().install()
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]


def site() -> Content:
    """Return a few things of each interface; most refer to others by their names.

    There is no warehouse: only lists tell the number of a new one, so a run has to wait for them.
    """
    return {
        "ssh_keys": [{"name": "x-key", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAo= k"}],
        "private_networks": [{"name": "x-net"}],
        "ip_addresses": [
            {"comment": "x-front", "subregion": "EU-001", "static": True},
            {"comment": "x-late", "subregion": "EU-001", "static": True, "instance": "x-db"},
        ],
        "storage_containers": [{"name": "x-files"}],
        "instances": [
            {
                "name": "x-web",
                "ssh_keys": ["x-key"],
                "private_networks": ["x-net"],
                "ip_addresses": [{"ref": "ip_addresses.x-front"}],
                **INSTANCE,
            },
            {"name": "x-db", "private_networks": ["x-net"], "without_public_ip": True, **INSTANCE},
        ],
        "disks": [{"name": "x-data", "size": 10, "disk_class": "Tier 1", "instances": ["x-web"]}],
        "storage_objects": [{"container": "x-files", "name": "f", "content": "<f>"}],
        "client_users": [{**CLERK, "user_name": "x.clerk"}],
    }


REST_ONLY = ("ssh_keys", "private_networks", "ip_addresses", "instances", "disks")


@pytest.fixture(autouse=True)
def home(sandbox: SandboxProcess, connected: Path) -> t.Iterator[Path]:
    """A sandbox at its seed whose lists lag, and where tasks keep what they know."""
    lag_by(sandbox, LAG)
    yield connected
    assert sandbox.violations() == []


def lag_by(sandbox: SandboxProcess, seconds: float) -> None:
    """Have what is new or changed on no list for so long."""
    lags = {name: dict(settings) for name, settings in all_lags(seconds).items()}
    sandbox.settings(**{**lags, "rest": {**QUICK, **lags["rest"]}})


def apply(content: Content | None = None, **options: t.Any) -> Ran:
    """Apply the site."""
    return run(content or site(), site="x", registry=REGISTRY, **{"create_grace": SHORT, **options})


def there(sandbox: SandboxProcess) -> Counter[str]:
    """Return how often each declared thing is there."""
    rest = sandbox.state()["rest"]
    labels = {"keys": "Name", "networks": "Name", "ips": "Comment", "instances": "Name", "disks": "Name"}
    found = [f"{kind} {one[label]}" for kind, label in labels.items() for one in rest[kind]]
    return Counter(one for one in found if " x-" in one and "System" not in one)


ONCE = Counter(
    ["keys x-key", "networks x-net", "ips x-front", "ips x-late", "instances x-web", "instances x-db", "disks x-data"]
)


def changes(sandbox: SandboxProcess) -> list[int]:
    """Return the numbers of the requests that have changed something, those of the lock aside."""
    return [one["n"] for one in sandbox.requests() if one["write"] and "/locks/" not in one["path"]]


def holds(sandbox: SandboxProcess) -> None:
    """All is there once, and is where it is declared to be."""
    rest = sandbox.state()["rest"]
    numbers = {one["Name"]: one["Id"] for one in rest["instances"]}
    owners = {one["Comment"]: one["Instance"] for one in rest["ips"]}
    assert (owners["x-front"], owners["x-late"]) == (numbers["x-web"], numbers["x-db"])


@pytest.mark.full
def test_it_ends_in_one_run_and_the_next_has_nothing_to_do(sandbox: SandboxProcess) -> None:
    apply().succeeded()
    assert there(sandbox) == ONCE
    holds(sandbox)
    made = changes(sandbox)
    for check_mode in (False, True):
        again = apply(check_mode=check_mode).succeeded()
        assert (again.result["changed"], again.plan["changes"], again.warnings) == (False, [], [])
    assert changes(sandbox) == made
    assert there(sandbox) == ONCE


@pytest.mark.full
def test_another_controller_knows_it_by_the_registry(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lag_by(sandbox, 90)
    apply().succeeded()
    monkeypatch.setenv("FCD_STATE_DIR", str(home / "elsewhere"))
    again = apply().succeeded()
    assert (again.result["changed"], again.plan["changes"], again.warnings) == (False, [], [])
    assert there(sandbox) == ONCE
    apply(state="absent", max_delete="100%").succeeded()
    assert there(sandbox) == Counter()


def test_a_change_reaches_what_no_list_shows(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lag_by(sandbox, 90)
    content = {"private_networks": site()["private_networks"], "disks": [{**site()["disks"][0], "subregion": "EU-001"}]}
    del content["disks"][0]["instances"]
    apply(content).succeeded()
    monkeypatch.setenv("FCD_STATE_DIR", str(home / "elsewhere"))
    content["disks"][0]["size"] = 12
    assert [one["action"] for one in apply(content).succeeded().plan["changes"]] == ["update"]
    assert [one["SpaceCapacity"] for one in sandbox.state()["rest"]["disks"] if one["Name"] == "x-data"] == [12]
    assert apply(content).succeeded().result["changed"] is False


def test_what_lists_show_as_it_was_is_looked_at_itself(sandbox: SandboxProcess) -> None:
    content = {kind: site()[kind] for kind in ("private_networks", "ip_addresses", "instances", "ssh_keys")}
    lag_by(sandbox, 0)
    apply({"ip_addresses": [{"comment": "x-late", "subregion": "EU-001", "static": True}]}).succeeded()
    lag_by(sandbox, 90)
    apply(content).succeeded()
    holds(sandbox)
    made = changes(sandbox)
    again = apply(content).succeeded()
    assert (again.result["changed"], again.plan["changes"], changes(sandbox)) == (False, [], made)


@pytest.mark.full
@pytest.mark.parametrize("share", [0.4, 0.7])
def test_a_kill_and_the_next_run_at_once(sandbox: SandboxProcess, home: Path, share: float) -> None:
    lag_by(sandbox, KILLED_LAG)
    content = {kind: site()[kind] for kind in REST_ONLY}
    place = Workplace(sandbox, home / "state")
    since = place.last()
    process = multiprocessing.get_context("fork").Process(target=_struck, args=(content, share), daemon=True)
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == -signal.SIGKILL
    place.wait_until_over({"write": True}, since)
    again = apply(content, create_grace=2 * KILLED_LAG)
    if again.result.get("failed"):  # it was killed between the note of a create and its request
        told = [one["msg"] for one in again.result["failed_entries"]]
        assert [one for one in told if not one.startswith(("Cannot determine whether", "It was not begun"))] == []
        apply(content, create_grace=2 * KILLED_LAG, force_create=True).succeeded()
    assert there(sandbox) == ONCE
    holds(sandbox)
    assert apply(content).succeeded().result["changed"] is False


MOST = 60  # moments of a whole run, about


def _struck(content: Content, share: float) -> None:
    MOMENTS.begin(Strike(int(MOST * share), reads=False))
    apply(content)

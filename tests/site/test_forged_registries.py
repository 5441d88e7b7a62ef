# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever can write a registry has nothing removed that the site has not made."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest
from plain_site import Ran, run
from sandbox.process import SandboxProcess

MACHINE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
OF_OTHERS: t.Dict[str, t.Any] = {
    "instances": [{"name": "victim", **MACHINE}],
    "private_networks": [{"name": "theirs"}],
    "storage_containers": [{"name": "full"}],
    "storage_objects": [{"container": "full", "name": "o", "content": "x"}],
}
OWN: t.Dict[str, t.Any] = {"private_networks": [{"name": "own"}], "storage_containers": [{"name": "box"}]}
Row = t.Dict[str, t.Any]


class Victims(t.NamedTuple):
    """What others have, and the file in which the site has what is its own."""

    sandbox: SandboxProcess
    file: Path
    before: set[t.Any]

    @property
    def registry(self) -> dict[str, str]:
        return {"path": str(self.file)}

    def number(self, kind: str, name: str) -> t.Any:
        return next(one["Id"] for one in self.sandbox.state()["rest"][kind] if one["Name"] == name)

    def forge(self, *rows: Row, **changes: t.Any) -> None:
        """Add entries to the registry, and change those that are in it."""
        document = json.loads(self.file.read_bytes())
        document["entries"] = [{**row, **changes} for row in document["entries"]]
        document["entries"] += [{**document["entries"][0], "serial": 1, **row} for row in rows]
        self.file.write_text(json.dumps(document), encoding="utf-8")

    def prune(self, **options: t.Any) -> Ran:
        return run({}, registry=self.registry, prune=True, max_delete="10", **options)

    def all_there(self) -> bool:
        return self.before <= there(self.sandbox)


def there(sandbox: SandboxProcess) -> set[t.Any]:
    state = sandbox.state()
    containers = state["storage"]["containers"]
    objects = {(name, one) for name, container in containers.items() for one in ("", *container["objects"])}
    return objects | {(kind, one["Id"]) for kind in ("instances", "networks", "disks") for one in state["rest"][kind]}


@pytest.fixture
def victims(sandbox: SandboxProcess, home: Path) -> Victims:
    run(OF_OTHERS, site="theirs").succeeded()
    before = there(sandbox)
    file = home / "own.json"
    run(OWN, registry={"path": str(file)}).succeeded()
    return Victims(sandbox, file, before)


def row(kind: str, name: str, number: t.Any = None, identity: Row | None = None) -> Row:
    known = {"name": name} if identity is None else identity
    return {"kind": kind, "name": name, "key": name, "id": number, "identity": known, "made_at": None}


FORGED: t.Dict[str, t.Tuple[t.Callable[[Victims], Row], str]] = {
    "deep, by number, under another name": (
        lambda world: row("instances", "plain", number(world), {"name": "plain", "id": number(world), "deep": True}),
        "deep in its identity does not say which one is meant",
    ),
    "by number, under another name": (
        lambda world: row("instances", "plain", number(world), {"id": number(world)}),
        "its identity is not that of a thing of this name",
    ),
    "by name and number": (
        lambda world: row("instances", "victim", number(world), {"name": "victim", "id": number(world)}),
        "its identity is not that of a thing of this name",
    ),
    "by number alone": (
        lambda world: row("instances", f"#{number(world)}", number(world), {"id": number(world)}),
        "the registry has neither its name nor when it was made",
    ),
    "as if it was replaced": (
        lambda world: row("instances", f"web (replaced {number(world)})", number(world), {"id": number(world)}),
        "its name is 'victim' at the service",
    ),
    "as if that was replaced, by another number": (
        lambda world: row("instances", "web (replaced 7)", 7, {"id": number(world)}),
        "its identity is not that of a thing of this name",
    ),
    "by name, without a number": (
        lambda _world: row("instances", "victim"),
        "and missing in the registry",
    ),
    "with disks": (
        lambda world: row("instances", "victim", number(world), {"name": "victim", "delete_disks": True}),
        "delete_disks in its identity",
    ),
    "a full container, by force": (
        lambda _world: row("storage_containers", "full", identity={"name": "full", "force": True}),
        "force in its identity does not say which one is meant",
    ),
    "a full container": (lambda _world: row("storage_containers", "full"), "it holds what does not go with it"),
    "at another address": (
        lambda _world: row("storage_containers", "full", identity={"name": "full", "storage_base": "https://evil.example.com"}),
        "storage_base in its identity",
    ),
    "an object of another name": (
        lambda _world: row("storage_objects", "full/other", identity={"container": "full", "name": "o"}),
        "its identity is not that of a thing of this name",
    ),
    "a name that is a list": (lambda _world: row("private_networks", "theirs", identity={"name": ["theirs"]}), "no plain text"),
    "a name that is true": (lambda _world: row("private_networks", "True", identity={"name": True}), "no plain text"),
    "a network by name": (lambda _world: row("private_networks", "theirs"), "and missing in the registry"),
    "escape sequences": (
        lambda _world: row("private_networks", "theirs", identity={"name": "theirs", "\x1b]0;x\x07": 1}),
        "'\\x1b]0;x\\x07' in its identity",
    ),
}


def number(world: Victims) -> t.Any:
    return world.number("instances", "victim")


@pytest.mark.parametrize("case", FORGED)
def test_nothing_of_others_goes(victims: Victims, case: str) -> None:
    forged, why = FORGED[case]
    victims.forge(forged(victims))
    for ran in (victims.prune(check_mode=True), victims.prune()):
        assert ran.result["failed"]
        told = repr([ran.result["msg"], ran.result.get("plan", {}).get("changes"), ran.result.get("failed_entries")])
        assert why in told.replace("\\\\", "\\")
        assert forged(victims)["name"] in told
    assert victims.all_there()


def test_another_number_is_that_of_a_stranger(victims: Victims) -> None:
    victims.forge(row("private_networks", "theirs", 7))
    assert "private_networks theirs" in str(victims.prune().succeeded().warnings)
    assert "theirs" in [one["Name"] for one in victims.sandbox.state()["rest"]["networks"]]


def test_what_is_forged_can_be_released(victims: Victims) -> None:
    victims.forge(row("storage_containers", "full", identity={"name": "full", "force": True}))
    released = {**OWN, "removed": [{"what": "storage_containers.full", "destroy": False}]}
    run(released, registry=victims.registry).succeeded()
    assert victims.prune().succeeded().counts == {"delete": 2}
    assert victims.all_there()

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever can write a registry has nothing removed that the site has not made.

In a file without a key it is the service that has to agree; in a container all is signed.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import os
import re
import time
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess
from site_keys import private_key

from sites import operations
from sites.plain_site import Ran, run
from sites.test_state import state as state_of

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
OF_OTHERS: t.Dict[str, t.Any] = {
    "instances": [{"name": "victim", **INSTANCE}],
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
    objects = {(name, one) for name, box in containers.items() if name != "states" for one in ("", *box["objects"])}
    return objects | {(kind, one["Id"]) for kind in ("instances", "networks", "disks") for one in state["rest"][kind]}


@pytest.fixture
def victims(sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch) -> Victims:
    monkeypatch.delenv("FCD_SITE_KEY")
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
        "deep in its identity does not identify an object",
    ),
    "by number, under another name": (
        lambda world: row("instances", "plain", number(world), {"id": number(world)}),
        "its identity is not that of an object of this name",
    ),
    "by name and number": (
        lambda world: row("instances", "victim", number(world), {"name": "victim", "id": number(world)}),
        "its identity is not that of an object of this name",
    ),
    "by number alone": (
        lambda world: row("instances", f"#{number(world)}", number(world), {"id": number(world)}),
        "the registry has neither its name nor when it was created",
    ),
    "as if it was replaced": (
        lambda world: row("instances", f"web (replaced {number(world)})", number(world), {"id": number(world)}),
        "its name is 'victim' at the service",
    ),
    "as if that was replaced, by another number": (
        lambda world: row("instances", "web (replaced 7)", 7, {"id": number(world)}),
        "its identity is not that of an object of this name",
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
        "force in its identity does not identify an object",
    ),
    "a full container": (
        lambda _world: row("storage_containers", "full"),
        "it contains objects that this run does not remove",
    ),
    "at another address": (
        lambda _world: row(
            "storage_containers", "full", identity={"name": "full", "storage_base": "https://evil.example.com"}
        ),
        "storage_base in its identity",
    ),
    "an object of another name": (
        lambda _world: row("storage_objects", "full/other", identity={"container": "full", "name": "o"}),
        "its identity is not that of an object of this name",
    ),
    "a name that is a list": (
        lambda _world: row("private_networks", "theirs", identity={"name": ["theirs"]}),
        "not a plain text",
    ),
    "a name that is true": (
        lambda _world: row("private_networks", "True", identity={"name": True}),
        "not a plain text",
    ),
    "a network by name": (lambda _world: row("private_networks", "theirs"), "and missing in the registry"),
    "escape sequences": (
        lambda _world: row("private_networks", "theirs", identity={"name": "theirs", "\x1b]0;x\x07": 1}),
        "'\\x1b]0;x\\x07' in its identity",
    ),
}


def number(world: Victims) -> t.Any:
    return world.number("instances", "victim")


def test_nothing_of_others_goes(victims: Victims) -> None:
    whole, true = there(victims.sandbox), victims.file.read_bytes()
    for case, (forge, why) in FORGED.items():
        if there(victims.sandbox) != whole:  # what is the site's own was removed
            victims.file.unlink()
            run(OWN, registry=victims.registry).succeeded()
            whole, true = there(victims.sandbox), victims.file.read_bytes()
        victims.file.write_bytes(true)
        forged = forge(victims)
        victims.forge(forged)
        for check_mode in (True, False):
            ran = victims.prune(check_mode=check_mode).result
            assert ran["failed"], case
            told = repr([ran["msg"], ran.get("plan", {}).get("changes"), ran.get("failed_entries")])
            assert why in told.replace("\\\\", "\\"), case
            assert forged["name"] in told, case
        assert victims.all_there(), case


def test_another_number_is_that_of_a_stranger(victims: Victims) -> None:
    victims.forge(row("private_networks", "theirs", 7))
    assert "private_networks theirs" in str(victims.prune().succeeded().warnings)
    assert "theirs" in [one["Name"] for one in victims.sandbox.state()["rest"]["networks"]]


@pytest.mark.full
def test_two_members_of_one_name_are_no_registry(victims: Victims) -> None:
    text = victims.file.read_text()
    victims.file.write_text(text.replace('"entries":', '"entries":[],"entries":', 1))
    assert "two members of one object have the same name" in victims.prune().result["msg"]
    victims.file.write_text(text)
    assert victims.prune().succeeded().counts == {"delete": 2}


def test_what_is_forged_can_be_released(victims: Victims) -> None:
    victims.forge(row("storage_containers", "full", identity={"name": "full", "force": True}))
    released = {**OWN, "removed": [{"what": "storage_containers.full", "destroy": False}]}
    run(released, registry=victims.registry).succeeded()
    assert victims.prune().succeeded().counts == {"delete": 2}
    assert victims.all_there()


SHARED = {"container": "states"}
WHOLE = ".fcd-sites/shop/whole.json"
OTHER_KEY = private_key("OtherKey")
Document = t.Dict[str, t.Any]
state = functools.partial(state_of, registry=SHARED)


class Store(t.NamedTuple):
    """The registry in a container, for whoever may write to that."""

    home: Path
    container: str = "states"

    def objects(self) -> t.Any:
        from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
        from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.small_objects import SmallObjects

        return SmallObjects(Task(Settings.resolve({}, ("storage",))), self.container)

    def read(self, name: str = WHOLE) -> Document:
        return t.cast("Document", json.loads(self.objects().read(name).content))

    def write(self, document: Document, name: str = WHOLE) -> None:
        self.objects().write(name, json.dumps(document).encode())


@pytest.fixture
def store(sandbox: SandboxProcess, home: Path) -> Store:
    """A site with two runs behind it; another site in the same container, with the same key, owns the victims."""
    run(OF_OTHERS, site="theirs", registry=SHARED).succeeded()
    run(OWN, registry=SHARED).succeeded()
    return Store(home)


def first(document: Document, **changes: t.Any) -> Document:
    return {**document, "entries": [{**document["entries"][0], **changes}, *document["entries"][1:]]}


def added(document: Document, **changes: t.Any) -> Document:
    return {**document, "entries": [*document["entries"], {**document["entries"][0], **changes}]}


def unsigned(document: Document) -> Document:
    signed = ("key", "written", "where", "digests", "signature")
    return {name: value for name, value in document.items() if name not in signed}


SIGNED: t.Dict[str, t.Tuple[t.Callable[[Document, Document], Document], str, t.List[str]]] = {
    "another number": (lambda own, _their: first(own, id=7), "signed wrongly", ["own"]),
    "another name": (lambda own, _their: first(own, name="theirs"), "signed wrongly", ["theirs"]),
    "another identity": (lambda own, _their: first(own, identity={"name": "theirs"}), "signed wrongly", ["own"]),
    "force": (lambda own, _their: first(own, identity={"name": "own", "force": True}), "signed wrongly", ["own"]),
    "another kind": (lambda own, _their: first(own, kind="disks"), "signed wrongly", ["own"]),
    "another origin": (lambda own, _their: first(own, origin="adopted"), "signed wrongly", ["own"]),
    "another phase": (lambda own, _their: first(own, phase="creating"), "signed wrongly", ["own"]),
    "no protection": (lambda own, _their: first(own, protected=True), "signed wrongly", ["own"]),
    "another date": (lambda own, _their: first(own, made_at="2026-01-01T00:00:00Z"), "signed wrongly", ["own"]),
    "another entry": (lambda own, _their: added(own, name="theirs"), "signed wrongly", ["theirs"]),
    "another digest": (
        lambda own, their: {**own, "digests": [*own["digests"], *their["digests"]]},
        "signed wrongly",
        ["own", "box"],
    ),
    "a digest that is a number": (lambda own, _their: {**own, "digests": [7]}, "signed wrongly", ["own", "box"]),
    "no signature": (lambda own, _their: {**own, "signature": ""}, "signed wrongly", ["own", "box"]),
    "another place": (lambda own, _their: {**own, "where": "elsewhere"}, "signed wrongly", ["own", "box"]),
    "entries of another site": (
        lambda own, their: {**own, "entries": [*own["entries"], *their["entries"]]},
        "signed wrongly",
        ["victim", "theirs", "full", "full/o"],
    ),
    "the registry of another site": (
        lambda _own, their: {**their, "site": "shop"},
        "signed wrongly",
        ["victim", "theirs", "full", "full/o"],
    ),
    "another serial": (lambda own, _their: {**own, "serial": 99}, "signed wrongly", ["own", "box"]),
    "written later": (lambda own, _their: {**own, "written": own["written"] + 1}, "signed wrongly", ["own", "box"]),
    "entries dropped": (lambda own, _their: {**own, "entries": own["entries"][1:]}, "missing entries that", []),
    "all entries dropped": (lambda own, _their: {**own, "entries": []}, "missing entries that", []),
    "signed with another key": (
        lambda own, _their: {**own, "key": "00000000"},
        "signed with the key '00000000'",
        ["own"],
    ),
    "not signed": (lambda own, _their: unsigned(own), "not signed", ["own", "box"]),
}


def test_there_are_enough_of_them() -> None:
    assert len(SIGNED) >= 20


def test_what_is_signed_cannot_be_forged(sandbox: SandboxProcess, store: Store) -> None:
    """Each is tried with another kind of run: all of them open the registry in the same way, and first."""
    before, own, their = there(sandbox), store.read(), store.read(".fcd-sites/theirs/whole.json")
    kinds: list[tuple[t.Any, Row]] = [({}, {"prune": True}), (OWN, {"state": "absent"}), (OWN, {})]
    runs = itertools.cycle((*kind, check_mode) for kind in kinds for check_mode in (True, False))
    sandbox.clear_requests()
    for case, (forge, why, names) in SIGNED.items():
        store.write(forge(own, their))
        content, options, check_mode = next(runs)
        ran = run(content, registry=SHARED, check_mode=check_mode, **options).result
        assert f"registry: states/{WHOLE} is {why}" in ran["msg"], case
        assert set(names) <= {one["name"] for one in ran["error"]["entries"]}, case
        told = [name for name in names if repr(name) in ran["msg"]]
        assert told == ([] if "with the key" in why else names), "of another key, nobody can say what it signed"
        assert there(sandbox) == before, case
    assert {name for name in sandbox.counts()["by"] if name.startswith("rest")} == set(), "not even looked at"
    store.write(own)
    assert run(OWN, registry=SHARED).succeeded().counts == {"unchanged": 2}


def test_an_older_one_that_was_put_back_is_told(sandbox: SandboxProcess, store: Store) -> None:
    old = store.read()
    released = {
        "storage_containers": OWN["storage_containers"],
        "removed": [{"what": "private_networks.own", "destroy": False}],
    }
    run(released, registry=SHARED).succeeded()
    store.write(old)
    before = there(sandbox)
    ran = run({}, registry=SHARED, prune=True)
    assert "is an older version that was restored" in ran.result["msg"]
    assert there(sandbox) == before


@pytest.fixture
def other_controller(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has never seen the site, as a job in a new container."""
    monkeypatch.setenv("FCD_STATE_DIR", str(store.home / "new-state"))


def signed_at(store: Store, moment: float) -> bytes:
    """Return the registry as the site itself had signed it at a moment."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry import registry_document, registry_proof
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.site_key import checked_key

    key = checked_key("site_key", os.environ["FCD_SITE_KEY"])
    document = registry_document.read_document(json.dumps(store.read()).encode(), "here")
    proof = registry_proof.RegistryProof(key, "shop", where=store.objects().address)
    return registry_document.written_document(proof.signed(document._replace(signature=None), moment))


@pytest.mark.full
@pytest.mark.usefixtures("other_controller")
def test_a_controller_that_has_seen_none_goes_by_the_time_of_the_service(sandbox: SandboxProcess, store: Store) -> None:
    store.objects().write(WHOLE, signed_at(store, time.time() - 2 * 3600))
    before = there(sandbox)
    for check_mode in (True, False):
        told = run({}, registry=SHARED, prune=True, check_mode=check_mode).result["msg"]
        assert f"states/{WHOLE} is an older version that was restored, or was signed by a clock that is slow" in told
    assert there(sandbox) == before
    assert state({}, "sign", discard=True)["changed"]
    assert run({}, registry=SHARED, prune=True).succeeded().counts == {"delete": 2}


@pytest.mark.full
@pytest.mark.usefixtures("other_controller")
def test_a_link_does_not_tell_since_when_it_is_there(sandbox: SandboxProcess, store: Store) -> None:
    """It has the time of what it leads to, which may have been copied when it was new."""
    objects, before = store.objects(), there(sandbox)
    objects.write("copy", signed_at(store, time.time()))
    objects.write(WHOLE, b"", X_Symlink_Target="states/copy")
    assert "is an older version that was restored" in run({}, registry=SHARED, prune=True).result["msg"]
    assert there(sandbox) == before


@pytest.mark.usefixtures("other_controller")
def test_one_of_another_place_is_not_believed(sandbox: SandboxProcess, store: Store) -> None:
    """It is a true one of a site of the same name, with the same key, and removes what has the same names here."""
    elsewhere = {"container": "elsewhere"}
    run({"storage_containers": [{"name": "mine"}]}, registry=elsewhere).succeeded()
    before, true = there(sandbox), store.read()
    store._replace(container="elsewhere").write(true)
    for content, options in (({}, {"prune": True}), (OWN, {"state": "absent"}), (OWN, {})):
        told = run(content, registry=elsewhere, **options).result["msg"]
        assert f"is signed for '{store.objects().address}', and this is '{sandbox.info['storage_base']}/v1/" in told
    assert there(sandbox) == before
    assert state_of(OWN, "sign", registry=elsewhere)["msg"].startswith("registry: elsewhere/"), "it was there before"
    moved = {"container": "moved"}
    store._replace(container="moved").write(true)
    told = run(OWN, registry=moved).result["msg"]
    assert "If you have moved it here, or nobody else can have written it, sign it" in told
    assert state_of(OWN, "sign", registry=moved)["changed"]
    assert run(OWN, registry=moved).succeeded().counts == {"unchanged": 2}
    assert run(OWN, registry=SHARED, check_mode=True).succeeded().counts == {"unchanged": 2}


def test_a_container_may_keep_versions_of_it(
    sandbox: SandboxProcess, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A controller that has never seen the site believes the newest. One that was restored is as new as that."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_places import (
        ContainerPlace,
        StoredContent,
    )

    container = operations.part("_object_storage.container").OPERATION
    operations.done(container, {"name": SHARED["container"], "versioning": "enabled"})
    for number in range(2):
        content = {**OWN, "private_networks": [{"name": "own"}, {"name": f"more-{number}"}]}
        run(content, registry=SHARED).succeeded()
        monkeypatch.setenv("FCD_STATE_DIR", str(store.home / f"new-state-{number}"))
        run(content, registry=SHARED, check_mode=True).succeeded()
    storage, place = store.objects()._storage, ContainerPlace(store.objects(), "shop")
    newest, older = (
        float(one["version_id"])
        for one in operations.part("_object_storage.api").list_versions(storage, SHARED["container"], prefix=WHOLE)[:2]
    )
    assert newest == t.cast("StoredContent", place.read("whole")).stored_at
    storage.send("Restore", "PUT", f"{storage.address(SHARED['container'], WHOLE)}?version-id={older:.5f}")
    restored = t.cast("StoredContent", place.read("whole"))
    assert restored.tag == place.tag("whole")
    assert older < newest < t.cast("float", restored.stored_at) < math.inf


@pytest.mark.full
def test_what_another_site_owns_by_now_is_not_removed(
    sandbox: SandboxProcess, store: Store, request: pytest.FixtureRequest
) -> None:
    """An older registry was put back, and it is not told from the last one."""
    old = store.read()
    released = [{"what": "private_networks.own", "destroy": False}]
    kept = {"storage_containers": OWN["storage_containers"]}
    run({**kept, "removed": released}, registry=SHARED).succeeded()
    run({"private_networks": [{"name": "own", "adopt": True}]}, site="heirs", registry=SHARED).succeeded()
    store.write(old)
    request.getfixturevalue("other_controller")
    for check_mode in (True, False):
        ran = run(kept, registry=SHARED, prune=True, check_mode=check_mode)
        assert ran.result["failed"]
        assert "the site 'heirs' owns it, too" in repr([ran.result["msg"], ran.result.get("plan", {}).get("changes")])
    assert "own" in [one["Name"] for one in sandbox.state()["rest"]["networks"]]
    state({}, "release", what="private_networks.own")
    assert run(kept, registry=SHARED, prune=True).succeeded().counts == {}


@pytest.mark.full
def test_one_that_is_gone_removes_nothing(sandbox: SandboxProcess, store: Store) -> None:
    store.objects().remove(WHOLE)
    before = there(sandbox)
    assert run({}, registry=SHARED, prune=True).succeeded().counts == {}
    assert there(sandbox) == before
    run(OWN, registry=SHARED).succeeded()  # and it can be begun anew
    run(OWN, registry=SHARED, check_mode=True).succeeded()


@pytest.mark.full
def test_documents_of_parts_do_not_change_places(sandbox: SandboxProcess, store: Store) -> None:
    checks = [
        {"kind": "http", "name": name, "address": f"{name}.example.com"} for name in ("one", "two", "three", "four")
    ]
    more = {**OWN, "health_checks": checks}
    for part in ("1/2", "2/2"):
        run(more, registry=SHARED, part=part, stage="rest").succeeded()
    names = [f".fcd-sites/shop/part-{number}-of-2.json" for number in (1, 2)]
    assert set(names) <= set(store.objects().names(".fcd-sites/shop/"))
    one, two = map(store.read, names)
    before = there(sandbox)
    store.write({**two, "part": one["part"]}, names[0])
    ran = run({}, registry=SHARED, prune=True, max_delete="100%")
    assert "is signed wrongly" in ran.result["msg"]
    assert [one["name"] for one in two["entries"]] == [one["name"] for one in ran.result["error"]["entries"]]
    store.write(one, names[0])
    run(more, registry=SHARED).succeeded()
    for name, document in zip(names, (one, two)):
        store.write(document, name)  # what a whole run has folded in does not come back
    assert "is an older version that was restored" in run({}, registry=SHARED, prune=True).result["msg"]
    assert before <= there(sandbox)


@pytest.mark.parametrize("check_mode", [False, pytest.param(True, marks=pytest.mark.full)])
def test_a_container_needs_a_key(
    sandbox: SandboxProcess, store: Store, monkeypatch: pytest.MonkeyPatch, check_mode: bool
) -> None:
    monkeypatch.delenv("FCD_SITE_KEY")
    before = sandbox.counts()["writes"]
    signed = run(OWN, registry=SHARED, check_mode=check_mode)
    ran = run(OWN, site="fresh", registry=SHARED, check_mode=check_mode)
    assert sandbox.counts()["writes"] == before, "not even the lock"
    assert signed.result["msg"].endswith(
        f"is signed with the key {store.read()['key']!r}, but no site_key is given. "
        "Give the site_key (FCD_SITE_KEY) that it is signed with."
    )
    assert "is in a container, so it must be signed, but no site_key is set." in ran.result["msg"]
    assert "ansible-playbook fcd.cloud.state -e provision_sign=true" in ran.result["msg"]
    assert "openssl genpkey -algorithm ed25519 -outform DER | base64" in ran.result["msg"]
    assert state(OWN)["doubts"][0]["doubt"].startswith("signed with the key")
    monkeypatch.setenv("FCD_SITE_KEY", "short")
    assert (
        "site_key: this is not an unencrypted Ed25519 key"
        in run(OWN, registry=SHARED, check_mode=check_mode).result["msg"]
    )


@pytest.mark.full
def test_signing_is_how_to_begin(sandbox: SandboxProcess, store: Store) -> None:
    begun = unsigned(store.read())
    for folder in (store.home / "state" / "seen").iterdir():
        folder.unlink()  # as if it had never been signed
    store.write(begun)
    refused = run(OWN, registry=SHARED)
    assert "is not signed. 2 entries" in refused.result["msg"]
    assert "ansible-playbook fcd.cloud.state -e provision_sign=true" in refused.result["msg"]
    assert {one["doubt"] for one in state(OWN)["entries"]} == {"not signed"}
    tried = state(OWN, "sign", check_mode=True)
    assert tried["changed"]
    assert store.read() == begun
    done = state(OWN, "sign")
    assert (done["changed"], done["doubts"], {one["doubt"] for one in done["entries"]}) == (True, [], {None})
    assert state(OWN, "sign")["changed"] is False
    assert {one["doubt"] for one in state(OWN)["entries"]} == {None}
    assert run(OWN, registry=SHARED).succeeded().counts == {"unchanged": 2}
    assert run({}, registry=SHARED, prune=True).succeeded().counts == {"delete": 2}


@pytest.mark.full
def test_a_forged_name_is_one_line_of_what_is_reviewed(store: Store) -> None:
    store.write(added(store.read(), kind="disks", key="\x1b[31m", name="d\nprivate_networks     own    own"))
    head, own, box, forged = state({})["table"]
    assert [line.split()[0] for line in (head, own, box)] == ["KIND", "private_networks", "storage_containers"]
    assert own.endswith("created  not declared")
    assert forged.split()[:4] == ["disks", "\\x1b[31m", "d\\nprivate_networks", "own"]
    assert forged.endswith("created  not declared, signed wrongly")


@pytest.mark.full
def test_what_was_signed_once_is_not_signed_as_it_is(store: Store) -> None:
    store.write(unsigned(added(store.read(), name="theirs", identity={"name": "theirs"})))
    assert "command: sign" in state(OWN, "sign")["msg"]
    assert state(OWN, "sign", discard=True)["changed"]
    assert state(OWN)["entries"] == []


@pytest.mark.full
def test_a_new_key(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    old = store.read()
    previous = os.environ["FCD_SITE_KEY"]
    monkeypatch.setenv("FCD_SITE_KEY", OTHER_KEY)
    told = run(OWN, registry=SHARED).result["msg"]
    assert f"is signed with the key {old['key']!r}, but site_key is the key " in told
    assert ". Give the site_key (FCD_SITE_KEY) that it is signed with. After a change of the key, sign it" in told
    assert not re.search("trusted|Nothing|who wrote|discard", told), "the likely cause, and nothing else"
    assert "is signed with the key" in state(OWN, "sign")["msg"], "not without the previous one"
    assert "is signed with the key" in state(OWN, "sign", previous_key=private_key("ThirdKey"))["msg"]
    assert "previous_key: this is not an unencrypted Ed25519 key" in state(OWN, "sign", previous_key="short")["msg"]
    store.write(unsigned(old))
    assert "not signed" in state(OWN, "sign", previous_key=previous)["msg"]
    store.write(old)
    assert state(OWN, "sign", previous_key=previous)["changed"]
    assert run(OWN, registry=SHARED).succeeded().counts == {"unchanged": 2}
    monkeypatch.setenv("FCD_SITE_KEY", previous)
    assert "is signed with the key" in run(OWN, registry=SHARED).result["msg"]


@pytest.mark.full
def test_a_new_key_does_not_sign_an_older_one_that_was_put_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    old, previous = store.read(), os.environ["FCD_SITE_KEY"]
    run({**OWN, "removed": [], "private_networks": []}, registry=SHARED).succeeded()
    state(OWN, "release", what="private_networks.own")
    assert store.read()["written"] > old["written"]
    store.write(old)
    monkeypatch.setenv("FCD_SITE_KEY", OTHER_KEY)
    assert "is signed with the key" in state(OWN, "sign", previous_key=previous)["msg"]
    assert store.read() == old


@pytest.mark.full
def test_what_is_not_believed_can_be_forgotten(sandbox: SandboxProcess, store: Store) -> None:
    store.write(added(store.read(), name="theirs", identity={"name": "theirs"}))
    before = there(sandbox)
    assert "signed wrongly" in state(OWN, "sign")["msg"]
    for command in ("release", "move"):
        assert "signed wrongly" in state(OWN, command, what="private_networks.own", to="private_networks.x")["msg"]
    assert [one["doubt"] for one in state(OWN)["entries"] if one["name"] == "theirs"] == ["signed wrongly"]
    assert state(OWN, "sign", discard=True)["changed"]
    assert run({}, registry=SHARED, prune=True).succeeded().counts == {"delete": 2}
    assert before - there(sandbox) <= before - {("networks", 1)}
    assert "theirs" in [one["Name"] for one in sandbox.state()["rest"]["networks"]]


def test_a_file_is_signed_where_there_is_a_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = {"path": str(home / "own.json")}
    run(OWN, registry=registry).succeeded()
    assert "signature" in json.loads((home / "own.json").read_bytes())
    moved = {"path": str(home / "moved.json")}
    (home / "own.json").rename(home / "moved.json")
    assert (
        f"is signed for '{registry['path']}', and this is '{moved['path']}'" in run(OWN, registry=moved).result["msg"]
    )
    assert state_of(OWN, "sign", registry=moved)["changed"]
    (home / "moved.json").rename(home / "own.json")
    monkeypatch.delenv("FCD_SITE_KEY")
    ran = run({}, registry=registry, prune=True)
    assert "no site_key is given" in ran.result["msg"]
    assert "Give the site_key" in ran.result["msg"]


ACLS = [
    ("*:*", "'*:*'"),
    ("blog:writer,shop", "'blog:writer', 'shop'"),
]


@pytest.mark.full
@pytest.mark.parametrize(("acl", "named"), ACLS)
def test_a_container_that_others_may_write_to(store: Store, sandbox: SandboxProcess, acl: str, named: str) -> None:
    storage = store.objects()._storage
    storage.set("Set", "POST", storage.address(SHARED["container"]), {"X-Container-Write": acl}, dict)
    sandbox.clear_requests()
    ran = run(OWN, registry=SHARED, check_mode=True)
    assert f"others can write to the container 'states' ({named})" in ran.result["msg"]
    assert run(OWN, registry={**SHARED, "others_may_write": True}).succeeded().counts == {"unchanged": 2}
    own = os.environ["FCD_STORAGE_USER"].partition(":")[0]
    storage.set("Set", "POST", storage.address(SHARED["container"]), {"X-Container-Write": f"{own}:deputy"}, dict)
    assert run(OWN, registry=SHARED).succeeded().counts == {"unchanged": 2}


@pytest.mark.full
def test_the_time_of_creation_has_to_agree(victims: Victims) -> None:
    """It is noted, and one that the service has made since is another thing."""
    noted = {row["name"]: row["made_at"] for row in json.loads(victims.file.read_bytes())["entries"]}
    assert noted["own"]
    assert noted["box"] is None
    victims.forge(made_at="2020-01-01T00:00:00Z")
    ran = victims.prune()
    assert "and at 2020-01-01T00:00:00Z according to the registry" in ran.result["msg"]
    assert "own" in [one["Name"] for one in victims.sandbox.state()["rest"]["networks"]]


@pytest.mark.full
def test_that_nobody_knows_when_it_was_made_is_not_believed(victims: Victims) -> None:
    """The service tells it of a network; of a container it does not, and null is right there."""
    victims.forge(made_at=None)
    ran = victims.prune()
    assert "private_networks own" in ran.result["msg"]
    assert "and the registry does not know when" in ran.result["msg"]
    assert "own" in [one["Name"] for one in victims.sandbox.state()["rest"]["networks"]]


OTHER = 54321  # the number of a user
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
OPEN: t.Dict[str, t.Callable[[Path], None]] = {
    "its file can be changed": lambda file: file.chmod(0o666),
    "its folder can be changed": lambda file: file.parent.chmod(0o777),
    "its file is another's": lambda file: os.chown(file, OTHER, OTHER),
    "its folder is another's": lambda file: os.chown(file.parent, OTHER, OTHER),
}


@pytest.fixture
def open_folder(victims: Victims, monkeypatch: pytest.MonkeyPatch) -> Victims:
    """A registry in a folder of its own, in no closed one."""
    from ansible_collections.fcd.cloud.plugins.module_utils._core import files

    monkeypatch.setattr(files, "_folders_above", lambda path: [os.path.dirname(path)])  # those above are closed
    folder = victims.file.parent / "registries"
    folder.mkdir(mode=0o755)
    return victims._replace(file=victims.file.rename(folder / "own.json"))


@AS_ROOT
@pytest.mark.parametrize(
    "case", [next(iter(OPEN)), *(pytest.param(case, marks=pytest.mark.full) for case in [*OPEN][1:])]
)
def test_a_file_that_others_may_have_written_is_not_believed(
    open_folder: Victims, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signed it may be anybody's, as several users share it."""
    file = open_folder.file
    OPEN[case](file)
    for options in ({"check_mode": True}, {}):
        ran = open_folder.prune(**options)
        assert "is not used: " in ran.result["msg"]
        assert "give a site_key (FCD_SITE_KEY)" in ran.result["msg"]
    monkeypatch.setenv("FCD_SITE_KEY", OTHER_KEY)
    assert state_of({}, "sign", registry=open_folder.registry)["changed"]
    OPEN[case](file)
    assert open_folder.prune().succeeded().counts == {"delete": 2}


@pytest.mark.full
@AS_ROOT
def test_a_file_in_a_sticky_folder_is_that_of_its_owner(open_folder: Victims) -> None:
    open_folder.file.parent.chmod(0o1777)
    assert open_folder.prune().succeeded().counts == {"delete": 2}


@AS_ROOT
@pytest.mark.parametrize("key", [OTHER_KEY, pytest.param("", marks=pytest.mark.full)])
def test_a_link_of_another_user_is_not_followed(
    victims: Victims, home: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Neither to read what somebody else has chosen, nor to write over it."""
    monkeypatch.setenv("FCD_SITE_KEY", key)
    monkeypatch.setenv("FCD_STATE_DIR", str(home / "new controller"))  # which does not know the other registry
    link, target = home / "link.json", home / "target.json"
    link.symlink_to(target)
    os.chown(link, OTHER, OTHER, follow_symlinks=False)
    ran = run(OWN, registry={"path": str(link)})
    assert f"the link {link} belongs to another user" in ran.result["msg"]
    assert not target.exists()
    os.chown(link, 0, 0, follow_symlinks=False)
    run(OWN, registry={"path": str(link)}).succeeded()
    assert target.exists()


def test_what_is_called_by_the_number_of_another_goes(home: Path) -> None:
    amount = {"amount": "12.00", "date_from": "2026-01-01", "description": "x"}
    clients = [{"id": 100}]
    run({"clients": clients, "client_fixed_amounts": [{"client_id": {"ref": "clients.100"}, **amount}]}).succeeded()
    assert {"clients", "client_fixed_amounts"} == {one["kind"] for one in state_of({}, registry={})["entries"]}
    assert run({"clients": clients}, prune=True).succeeded().counts == {"delete": 1}

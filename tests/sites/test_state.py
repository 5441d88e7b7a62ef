# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands on what a site owns: what they tell is true, and they change nothing but the registry."""

from __future__ import annotations

import functools
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import CLERK, Given, Ran, declared, executed, run

REGISTRY = {"container": "shop-state"}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApo= k"
SITE: t.Dict[str, t.List[t.Dict[str, t.Any]]] = {
    "ssh_keys": [{"name": "k", "key": "ops", "public_key": KEY, "lifecycle": {"prevent_destroy": True}}],
    "private_networks": [{"name": "n"}],
    "disks": [{"name": "d", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"}],
    "storage_containers": [{"name": "c", "temp_url_key": "An-Odd-Secret-1"}],
    "storage_objects": [{"container": "c", "name": "o", "content": "x"}],
    "client_users": [{**CLERK, "user_name": "clerk", "user_password": "An-Odd-Secret-2"}],
}
pytestmark = pytest.mark.usefixtures("home")


def state(content: Given, command: str = "list", *, check_mode: bool = False, **options: t.Any) -> dict[str, t.Any]:
    """Return the result of a command, with its warnings."""
    from ansible_collections.fcd.cloud.plugins.modules.site_state import OPERATION
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state_commands import run_state

    site = declared(content, options.pop("site", "shop"), options.pop("registry", REGISTRY))
    work = functools.partial(run_state, site)
    ran = executed(OPERATION, work, Ran({}), check_mode=check_mode, command=command, **options)
    return {**ran.result, "told": ran.warnings}


def owned(content: Given = SITE) -> dict[str, t.Any]:
    return {f"{one['kind']}.{one['key']}": one for one in state(content)["entries"]}


@pytest.fixture
def applied(sandbox: SandboxProcess, home: Path) -> SandboxProcess:
    run(SITE, registry=REGISTRY).succeeded()
    sandbox.clear_requests()
    return sandbox


def test_list(applied: SandboxProcess) -> None:
    known = owned({"private_networks": SITE["private_networks"]})
    assert list(known) == [
        "ssh_keys.ops",
        "private_networks.n",
        "storage_containers.c",
        "disks.d",
        "storage_objects.c/o",
        "client_users.clerk",
    ]
    key = known["ssh_keys.ops"]
    assert (key["name"], key["origin"], key["phase"], key["protected"], key["declared"]) == (
        "k",
        "created",
        "there",
        True,
        False,
    )
    assert known["private_networks.n"]["declared"]
    assert applied.counts()["writes"] == 0
    assert set(applied.counts()["by"]) <= {"storage GET container", "storage GET object", "storage GET account"}


def test_show(applied: SandboxProcess) -> None:
    for what, member, value in [
        ("ssh_keys.ops", "public_key", KEY),
        ("private_networks.n", "name", "n"),
        ("disks.d", "size", 10),
        ("storage_containers.c", "object_count", 1),
        ("storage_objects.c/o", "size", 1),
        ("client_users.clerk", "user_name", "clerk"),
    ]:
        told = state(SITE, "show", what=what)
        assert told["service"][member] == value
        assert f"{told['entry']['kind']}.{told['entry']['key']}" == what
        assert "An-Odd-Secret" not in repr(told)
        assert told["changed"] is False
        assert applied.counts()["writes"] == 0


@pytest.mark.usefixtures("applied")
def test_show_what_is_gone_or_was_never_there() -> None:
    run({"disks": [{"name": "d", "state": "absent"}]}, site="hand").succeeded()
    assert state(SITE, "show", what="disks.d")["service"] is None
    assert "the site does not own disks 'dd'. Did you mean" in state(SITE, "show", what="disks.dd")["msg"]
    assert (
        "what: 'disk.d' does not name an object of a site: there is no kind 'disk'. Did you mean 'disks'"
        in state(SITE, "show", what="disk.d")["msg"]
    )
    assert "does not name an object of a site" in state(SITE, "show", what="disks")["msg"]


def test_release(applied: SandboxProcess) -> None:
    tried = state(SITE, "release", what="disks.d", check_mode=True)
    assert tried["changed"]
    assert tried["diff"]["before"]["name"] == "d"
    assert tried["diff"]["after"] == {}
    assert applied.counts()["writes"] == 0
    told = state(SITE, "release", what="disks.d")
    assert told["changed"]
    assert {name: told[name] for name in ("entry", "diff")} == {name: tried[name] for name in ("entry", "diff")}
    misspelt = state(SITE, "release", what="private_networks.nn")
    assert "the site does not own private_networks 'nn'. Did you mean" in misspelt["msg"]
    assert "is still declared" in told["told"][0]
    assert "disks.d" not in owned()
    assert "the site does not own disks 'd'" in state(SITE, "release", what="disks.d")["msg"]
    assert {name for name in applied.counts()["by"] if name.startswith("rest")} == set(), "nothing but the registry"
    without = {**SITE, "disks": []}
    assert run(without, registry=REGISTRY, prune=True).succeeded().counts == {}
    assert [one["Name"] for one in applied.state()["rest"]["disks"]].count("d") == 1


@pytest.mark.full
@pytest.mark.usefixtures("applied")
def test_it_passes_to_another_site() -> None:
    other = {"disks": [{**SITE["disks"][0], "adopt": True}]}
    refused = run(other, site="blog", registry=REGISTRY)
    assert "another site owns it" in refused.result["msg"]
    state(SITE, "release", what="disks.d")
    assert run(other, site="blog", registry=REGISTRY).succeeded().counts == {"adopt": 1}
    assert state(other, site="blog")["entries"][0]["origin"] == "adopted"


def test_move_to_another_key(applied: SandboxProcess) -> None:
    renamed = {**SITE, "disks": [{**SITE["disks"][0], "key": "data"}]}
    for content in (renamed, SITE):  # before the merge, too
        tried = state(content, "move", what="disks.d", to="disks.data", check_mode=True)
        assert (tried["changed"], tried["entry"]["key"], tried["entry"]["name"]) == (True, "data", "d")
        told_of = [
            text
            for text in tried["told"]
            if "No entry is declared as disks.data. Declare one before the next apply" in text
        ]
        assert len(told_of) == (content is SITE)
    assert applied.counts()["writes"] == 0
    told = state(renamed, "move", what="disks.d", to="disks.data")
    assert told["entry"] == tried["entry"]
    assert told["diff"]["before"]["key"] == "d"
    assert state(renamed, "move", what="disks.d", to="disks.data")["changed"] is False
    assert run(renamed, registry=REGISTRY, check_mode=True).succeeded().counts == {"unchanged": 6}


@pytest.mark.full
@pytest.mark.usefixtures("applied")
def test_move_of_what_nothing_declares_to_what_nothing_declares() -> None:
    (told,) = state({**SITE, "disks": []}, "move", what="disks.d", to="disks.data")["told"]
    assert told.endswith("counts the object as no longer declared, so that prune removes it.")


@pytest.mark.full
@pytest.mark.usefixtures("applied")
def test_move_to_another_name() -> None:
    renamed = {**SITE, "private_networks": [{"name": "inner"}]}
    refused = state(renamed, "move", what="private_networks.n", to="private_networks.inner")
    assert "is not the name of private_networks 'n' at the service" in refused["msg"]
    assert "moved in the site file" in refused["msg"]
    number = owned()["private_networks.n"]["id"]
    run({"private_networks": [{"id": number, "name": "inner"}]}, site="hand").succeeded()
    told = state(renamed, "move", what="private_networks.n", to="private_networks.inner")
    assert (told["entry"]["id"], told["entry"]["name"], told["entry"]["origin"]) == (number, "inner", "created")
    assert state(renamed, "move", what="private_networks.n", to="private_networks.inner")["changed"] is False


@pytest.mark.usefixtures("applied")
def test_what_cannot_be_moved() -> None:
    for what, to, why in [
        ("disks.x", "disks.y", "the site does not own disks 'x'"),
        ("private_networks.n", "disks.d", "is declared"),
        ("private_networks.n", "disks.new", "cannot become"),
    ]:
        before = owned()
        assert why in state(SITE, "move", what=what, to=to)["msg"]
        assert owned() == before


def test_nothing_is_created_for_a_registry_that_is_not_there(sandbox: SandboxProcess) -> None:
    before = sandbox.state()["storage"]
    for command, to in (("release", None), ("move", "disks.data")):
        told = state(SITE, command, what="disks.d", to=to)
        assert (
            "what (in the playbooks provision_what): the site does not own disks 'd'. It owns no disks." in told["msg"]
        )
        assert told["changed"] is False
    assert sandbox.state()["storage"] == before


@pytest.mark.usefixtures("applied")
def test_a_run_of_the_site_keeps_others_out() -> None:
    from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.site_lock import site_lock

    with site_lock(Task(Settings.resolve({}, ("storage",))), "shop", REGISTRY):
        for command, to in (("release", None), ("move", "disks.data")):
            told = state(SITE, command, what="disks.d", to=to)
            assert "Another run is working on the site 'shop'" in told["msg"]
        assert state(SITE, "show", what="disks.d")["service"]["size"] == 10
    assert "disks.d" in owned()

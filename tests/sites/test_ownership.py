# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of a site in a container of a real Swift."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Busy, FcdError, InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Place
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import KnownObject, Owned
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.site_lock import site_lock
from sites.registrar import CONTAINER, REGISTRY, Registrar

SITE = "web-shop"
DOCUMENT = f".fcd-sites/{SITE}/whole.json"
WEB, DB, NET = ("instances", "web"), ("disks", "db"), ("private_networks", "backend")
HOSTILE = [
    "a/../b?#%20",
    "\u017c\u00f3\u0142w \U0001f600",
    'it\'s "quoted"',
    "two\nlines\r\n",
    "x" * 1000,
    "\ud800",
    "",
]
RUN = """
import json, sys
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import KnownObject
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.site_lock import site_lock
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
connection, registry, world = json.loads(sys.argv[1])
task = Task(Settings.resolve(connection, ("storage", "site")))
with site_lock(task, "web-shop", registry) as lock:
    own = Ownership.opened(task, "web-shop", registry, lock=lock)
    for number in range(1000):
        entry = KnownObject("disks", f"{world} {number}", number, {"name": f"{world} {number}"})
        own.intend([entry.with_fields(id=None)])
        print(entry.name, flush=True)  # it is made
        own.settle(created=[entry])
"""


@pytest.fixture
def user(sandbox: SandboxProcess, tmp_path: Path) -> Registrar:
    sandbox.reset()
    return Registrar(sandbox, tmp_path)


def known(key: Place, number: int | str | None = None) -> KnownObject:
    return KnownObject(*key, number, {"name": key[1]})


def opened(user: Registrar, part: str | None = None, *, site: str = SITE, check_mode: bool = False) -> Ownership:
    return Ownership.opened(user.task(check_mode=check_mode), site, REGISTRY, part)


def test_entries_from_creation_to_removal(user: Registrar) -> None:
    own = opened(user)
    assert own.owned() == {}
    assert user.names() == []
    own.intend([known(WEB)])
    assert user.names() == [DOCUMENT]  # in a container that it has made
    assert own.place == f"{CONTAINER}/{DOCUMENT}"
    own.settle(created=[known(WEB, 7)], found=[known(NET, 1)])
    again = opened(user)
    assert again.owned()[WEB] == Owned("instances", "web", 7, {"name": "web"}, "web", serial=1)
    assert [entry.place for entry in again.orphans([])] == [WEB]
    again.settle(removed=[WEB, NET])
    assert user.names() == []


def test_check_mode_writes_nothing(user: Registrar) -> None:
    own = opened(user, check_mode=True)
    own.intend([known(WEB)])
    own.settle(created=[known(WEB, 7)])
    assert CONTAINER not in user.sandbox.state()["storage"]["containers"]


def test_few_requests(user: Registrar) -> None:
    opened(user).settle(created=[known(WEB, 7)])
    user.sandbox.clear_requests()
    own = opened(user)
    own.check_conflicts([WEB])
    own.settle(found=[known(WEB, 7)])
    by = user.sandbox.counts()["by"]
    assert by == {"storage GET container": 4, "storage GET object": 2}, "two listings, each to its end"
    user.sandbox.clear_requests()
    own.settle(created=[known(DB, 8)])
    assert user.sandbox.counts()["by"] == {"storage HEAD object": 1, "storage PUT object": 1}


@pytest.mark.full
def test_parts_do_not_depend_on_listings(user: Registrar) -> None:
    user.sandbox.settings(storage={"listing_lag": 60})
    for part, key in (("1/2", WEB), ("2/2", DB)):
        with site_lock(user.task(), SITE, REGISTRY, part=part) as lock:
            Ownership.opened(user.task(), SITE, REGISTRY, part, lock=lock).settle(created=[known(key, 1)])
    with site_lock(user.task(), SITE, REGISTRY) as lock:
        own = Ownership.opened(user.task(), SITE, REGISTRY, lock=lock)
        assert sorted(own.owned()) == [DB, WEB]
        own.settle()
    assert user.names() == [DOCUMENT]
    assert sorted(opened(user).owned()) == [DB, WEB]


def test_two_sites_in_one_container(user: Registrar) -> None:
    opened(user, site="blog").settle(created=[known(WEB, 7)], found=[known(NET, 1)])
    own = opened(user)
    own.intend([known(NET), known(DB)])
    with pytest.raises(InvalidInput) as told:
        own.intend([known(WEB)])
    assert "The sites 'web-shop' and 'blog' declare the same object: instances 'web' (of blog)" in told.value.message
    assert f"{CONTAINER}/.fcd-sites/blog/whole.json lists" in str(told.value.next_step)


@pytest.mark.parametrize("content", [b"", b"{", b'{"what":"registry of a site","format":9}'])
def test_a_damaged_registry_is_not_an_empty_one(user: Registrar, content: bytes) -> None:
    user.objects().write(DOCUMENT, content)
    with pytest.raises(InvalidInput, match=f"{CONTAINER}/{DOCUMENT} cannot be read"):
        opened(user)
    with pytest.raises(InvalidInput, match=f"{CONTAINER}/{DOCUMENT} cannot be read"):
        opened(user, site="blog").check_conflicts([])


def test_registry_of_another_site_is_refused(user: Registrar) -> None:
    opened(user).settle(created=[known(WEB, 7)])
    stored = user.objects().read(DOCUMENT)
    assert stored
    user.objects().write(".fcd-sites/blog/whole.json", stored.content)
    with pytest.raises(InvalidInput, match="belongs to the site 'web-shop', not to 'blog'"):
        opened(user, site="blog")


def test_an_answer_that_was_cut_off(user: Registrar) -> None:
    opened(user).settle(created=[known(("disks", str(number)), number) for number in range(50)])
    user.sandbox.fault("cut", service="storage", method="GET", path=r"whole\.json$")
    assert len(opened(user).owned()) == 50
    user.sandbox.fault("html", service="storage", method="GET", path=r"whole\.json$", times=0)
    with pytest.raises(FcdError) as told:
        opened(user)
    assert not isinstance(told.value, InvalidInput)


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "drop_before"])
def test_a_write_without_an_answer(user: Registrar, fault: str) -> None:
    own = opened(user)
    own.intend([known(WEB)])
    user.sandbox.fault(fault, service="storage", method="PUT", path=r"whole\.json$")
    own.settle(created=[known(WEB, 7)])  # sent again
    assert opened(user).owned()[WEB].id == 7


def test_a_write_that_never_works_is_made_up_for(user: Registrar) -> None:
    own = opened(user)
    own.intend([known(WEB)])
    user.sandbox.fault("status_before", service="storage", method="PUT", path=r"whole\.json$", status=507, times=0)
    with pytest.raises(FcdError, match="507"):
        own.settle(created=[known(WEB, 7)])
    user.sandbox.clear_faults()
    own.settle()
    assert opened(user).owned()[WEB].id == 7


def test_a_registry_that_somebody_else_writes(user: Registrar) -> None:
    one, other = opened(user), opened(user)
    one.intend([known(WEB)])
    with pytest.raises(Busy, match="was changed by another process"):
        other.intend([known(DB)])
    one.settle(created=[known(WEB, 1)])
    assert list(opened(user).owned()) == [WEB]


def test_nothing_is_written_after_the_lock_is_lost(user: Registrar) -> None:
    with site_lock(user.task(), SITE, REGISTRY) as lock:
        own = Ownership.opened(user.task(), SITE, REGISTRY, lock=lock)
        user.objects().remove(f".fcd-sites/{SITE}/locks/whole")
        with pytest.raises(Busy, match="it was removed"):
            own.intend([known(WEB)])
    assert user.names() == []


def test_hostile_names(user: Registrar) -> None:
    keys = [(name, name) for name in HOSTILE]
    opened(user).settle(created=[known(key, key[1]) for key in keys])
    owned = opened(user).owned()
    assert sorted(owned) == sorted(keys)
    assert all(entry.identity == {"name": name} for (_kind, name), entry in owned.items())


def test_killed_at_any_moment_it_owns_what_was_made(user: Registrar) -> None:
    """The next run finds each object in the registry, as its own, at whatever moment the last one was killed."""
    made: set[str] = set()
    for world in range(6):
        wish = json.dumps([user.connection, REGISTRY, world])
        command = [sys.executable, "-c", RUN, wish]
        environment = {**os.environ, "PYTHONPATH": os.environ["ANSIBLE_COLLECTIONS_PATH"]}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            lines = [process.stdout.readline() for _line in range(1 + world)]
            process.kill()
            lines += process.stdout.readlines()
        assert process.returncode == -signal.SIGKILL
        made |= {line.rstrip("\n") for line in lines}
        with site_lock(user.task(), SITE, REGISTRY) as lock:
            own = Ownership.opened(user.task(), SITE, REGISTRY, lock=lock)
            own.settle(found=[known(("disks", name), 1) for name in made if own.owned()[("disks", name)].id is None])
            assert made <= {entry.name for entry in own.orphans([])}
            assert all(own.owned()[("disks", name)].phase == "there" for name in made)


def test_nothing_that_a_user_has_not_given_is_told(user: Registrar) -> None:
    with site_lock(user.task(), SITE, REGISTRY) as lock:
        opened(user).settle(created=[known(WEB, 7)])
        lock.check()
        contents = b"".join(t.cast("t.Any", user.objects().read(name)).content for name in user.names())
    for secret in (user.connection["storage_key"], user.connection["state_dir"], user.connection["storage_user"]):
        assert secret.encode() not in contents

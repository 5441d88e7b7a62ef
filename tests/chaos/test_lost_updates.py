# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two tasks change different fields of one object at the same moment, and its update replaces all of them."""

from __future__ import annotations

import importlib
import pkgutil
import re
import typing as t

import pytest

from chaos.kinds import CONTAINER, Wish, client_user, instance, storage_object, warehouse
from chaos.task_process import PLUGINS, context
from chaos.workplace import Workplace

Made = t.Tuple[str, Wish]
DEPOT = ("warehouse", warehouse("depot"))
AMOUNT = (
    "client_fixed_amount",
    {"client_id": 100, "amount": "120.00", "date_from": "2026-01-01", "description": "hosting"},
)
WEB = ("instance", instance("web"))
DAWN = ("snapshot", {"name": "dawn", "instance": "web"})
CRATES, LEAF = ("storage_container", {"name": CONTAINER}), ("storage_object", storage_object("leaf"))
TIER = ("instance_group", {"name": "tier"})
CHECK = ("health_check", {"name": "shop", "kind": "http", "address": "shop.example.com"})
SCHEDULE: Wish = {"name": "night", "action": "stop", "every": "1 day", "at": "22:00", "timezone": "Europe/Warsaw"}
ADDRESS = ("ip_address", {"comment": "front", "subregion": "EU-001"})


class Case(t.NamedTuple):
    """What reads and what updates the object of a module, and how it is changed in two ways.

    ``who`` identifies it: an option and its value. Or it is the last that is ``made``, and that has its ID.
    """

    module: str
    reads: Wish
    updates: Wish
    one: Wish
    other: Wish
    who: Wish | None = None
    made: tuple[Made, ...] = ()


def _soap(operation: str) -> Wish:
    return {"service": "soap", "operation": operation}


def _storage(operation: str) -> Wish:
    return {"service": "storage", "operation": operation}


def _rest(method: str, path: str) -> Wish:
    return {"service": "rest", "method": method, "path": path}


CASES = (
    Case(
        "client",
        _soap("GetClient$"),
        _soap("^UpdateIndividual"),
        {"commission": "7"},
        {"project_name": "Heron"},
        {"id": 100},
    ),
    Case(
        "client_user",
        _soap("GetUser$"),
        _soap("^UpdateUserInfo"),
        {"first_name": "Ada"},
        {"last_name": "Heron"},
        {"id": 2},
    ),
    Case(
        "client_fixed_amount",
        _soap("GetClientFixedAmount$"),
        _soap("^UpdateClientFixedAmount"),
        {"amount": "135.50"},
        {"description": "Heron"},
        {"client_id": 100},
        (AMOUNT,),
    ),
    Case(
        "warehouse",
        _soap("GetWarehouse$"),
        _soap("^UpdateWarehouse"),
        {"queue_length": 8},
        {"name": "Heron"},
        made=(DEPOT,),
    ),
    Case(
        "ip_address",
        _rest("GET", r"/ip_addresses/\d+"),
        _rest("PUT", r"/floating_ips/[\d.]+"),
        {"comment": "Heron"},
        {"reverse_dns": "heron.example.com"},
        made=(ADDRESS,),
    ),
    Case(
        "snapshot",
        _rest("GET", r"/snapshots/\d+"),
        _rest("PUT", r"/snapshots/\d+"),
        {"name": "Heron"},
        {"description": "before the update"},
        made=(WEB, DAWN),
    ),
    Case(
        "instance_group",
        _rest("GET", r"/groups/\d+$"),
        _rest("PUT", r"/groups/\d+$"),
        {"name": "Heron"},
        {"affinity": "Maximize separation"},
        made=(TIER,),
    ),
    Case(
        "load_balancer",
        _rest("GET", "/load_balancer$"),
        _rest("PUT", "/load_balancer$"),
        {"port": 8080},
        {"algorithm": "Least connections"},
        {"group": "tier"},
        (TIER, ("load_balancer", {"group": "tier"})),
    ),
    Case(
        "health_check",
        _rest("GET", r"/healthchecks/http/\d+$"),
        _rest("PUT", r"/healthchecks/http/\d+$"),
        {"interval": 120},
        {"paused": True},
        made=(CHECK,),
    ),
    Case(
        "instance_schedule",
        _rest("GET", r"/schedulers/\d+$"),
        _rest("PUT", r"/schedulers/\d+$"),
        {"action": "start"},
        {"at": "23:00"},
        made=(WEB, ("instance_schedule", {**SCHEDULE, "instance": "web"})),
    ),
    Case(
        "group_schedule",
        _rest("GET", r"/schedulers/\d+$"),
        _rest("PUT", r"/schedulers/\d+$"),
        {"action": "start"},
        {"at": "23:00"},
        made=(WEB, TIER, ("group_schedule", {**SCHEDULE, "group": "tier", "instance": "web"})),
    ),
    Case(
        "instance_autoscaler",
        _rest("GET", "/autoscaler$"),
        _rest("PUT", "/autoscaler$"),
        {"max_ram": 16384},
        {"restart": True},
        {"instance": "web"},
        (WEB, ("instance_autoscaler", {"instance": "web", "mode": "notify", "min_ram": 1024, "max_ram": 8192})),
    ),
    Case(
        "instance_template",
        _rest("GET", r"/templates/\d+$"),
        _rest("PUT", r"/templates/\d+$"),
        {"name": "Heron"},
        {"descriptions": [{"language": "English", "description": "Heron"}]},
        {"id": 60001},
    ),
    Case(
        "storage_object",
        _storage("^HEAD object"),
        _storage("^(POST|PUT) object"),
        {"metadata": {"made-for": "us"}},
        {"content": "more", "content_type": "text/x-heron"},
        {"container": CONTAINER, "name": "leaf"},
        (CRATES, LEAF),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=[case.module for case in CASES])
def test_neither_change_is_lost(place: Workplace, case: Case) -> None:
    made: Wish = {}
    for module, desired in case.made:
        made = place.run(module, desired).succeeded()[module.removeprefix("storage_")]
    who = case.who or {"id": made["id"]}
    since = place.last()
    place.sandbox.fault("hold", times=0, number=2, **case.reads)
    go = context().Event()
    tasks = [place.start(case.module, {**who, **change}, start=go) for change in (case.one, case.other)]
    go.set()
    assert [task.ended().succeeded()["changed"] for task in tasks] == [True, True]
    sent = place.seen(case.updates, since)
    assert len(sent) == 2
    looked = {entry["client_port"] for entry in place.seen(case.reads, since) if entry["n"] < sent[0]["n"]}
    assert len(looked) == 2, "the tasks have not read it at the same time: nothing is proved"
    place.sandbox.clear_faults()
    told = place.run(case.module, {**who, **case.one, **case.other}).succeeded()
    assert told["changed"] is False, t.cast("object", told["diff"])


def test_a_new_user_keeps_what_another_task_sets_before_it_is_complete(place: Workplace) -> None:
    """All settings are sent together after the create, and the other task finds the user before."""
    sending = _soap("^UpdateUserSettings")
    place.sandbox.fault("hold", times=1, **sending)
    one: Wish = {**client_user("odd.reader"), "settings": {"is_24_hour_clock": True}}
    other: Wish = {"user_name": "odd.reader", "settings": {"is_technical_announcement_subscriber": True}}
    creating = place.start("client_user", one)
    place.wait_for(sending)
    assert list(place.state_dir.glob("changes/locks/*")), "the first task has no lock, for which the other one waits"
    waits = context().Semaphore(0)
    changing = place.start("client_user", other, at_lock=waits)
    waits.acquire()
    place.sandbox.clear_faults()
    assert [task.ended().succeeded()["changed"] for task in (creating, changing)] == [True, True]
    told = place.run("client_user", {**one, **other, "settings": {**one["settings"], **other["settings"]}}).succeeded()
    assert told["changed"] is False, t.cast("object", told["diff"])


def test_a_sync_keeps_what_a_task_sets_at_the_same_time(place: Workplace) -> None:
    """Both send all headers of the object: the sync for the sake of one, and the task for another."""
    for module, desired in (CRATES, LEAF):
        place.run(module, desired).succeeded()
    own = place.home / "own"
    own.mkdir()
    (own / "leaf").write_text(str(LEAF[1]["content"]), encoding="utf-8")
    sync: dict[str, object] = {"container": CONTAINER, "path": str(own), "mode": "push"}
    sync["headers"] = [{"cache_control": "no-cache"}]
    since = place.last()
    place.sandbox.fault("hold", times=0, number=2, **_storage("^HEAD object"))
    go = context().Event()
    task = {**LEAF[1], "metadata": {"made-for": "us"}}
    both = [place.start("storage_sync", sync, start=go), place.start("storage_object", task, start=go)]
    go.set()
    assert [one.ended().succeeded()["changed"] for one in both] == [True, True]
    (first, _second) = place.seen(_storage("^POST object"), since)
    looked = {one["client_port"] for one in place.seen(_storage("^HEAD object"), since) if one["n"] < first["n"]}
    assert len(looked) == 2, "they have not read it at the same time: nothing is proved"
    place.sandbox.clear_faults()
    told = place.run("storage_object", {**task, "cache_control": "no-cache"}).succeeded()
    assert told["changed"] is False, t.cast("object", told["diff"])


DECLARED_WHOLE = {"group_autoscaler", "health_check_notification"}
"""Of these, a task cannot declare a part, so that there is nothing of others that it could lose."""


def _kinds_of(base: t.Any) -> list[t.Any]:
    """Return the classes below a base of which there are no further ones."""
    return [kind for one in base.__subclasses__() for kind in _kinds_of(one) or [one]]


@pytest.mark.parametrize(
    ("room", "base"), [("_contract", "soap_resource.SoapResource"), ("_infrastructure", "rest_resource.WholeUpdates")]
)
def test_every_noun_whose_updates_send_what_was_read_is_tried(room: str, base: str) -> None:
    package = importlib.import_module(f"{PLUGINS}.module_utils.{room}")
    for file in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(file.name)
    file_of_base, _dot, name = base.partition(".")
    nouns = _kinds_of(getattr(importlib.import_module(f"{package.__name__}.{file_of_base}"), name))
    files = {re.sub("_(changes|creation)$", "", noun.__module__.rpartition(".")[2]) for noun in nouns}
    assert files - DECLARED_WHOLE <= {case.module for case in CASES}
    assert not any("lock" in vars(noun) for noun in nouns), "the lock of the base is for all"

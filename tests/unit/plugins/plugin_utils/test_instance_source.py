# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances kept in the cache of an inventory, and what happens when the service fails."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleError

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    FcdError,
    Forbidden,
    InvalidInput,
    RateLimited,
    ServiceError,
    Unauthorized,
    Unclear,
    Unreachable,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_records import instance_record
from ansible_collections.fcd.cloud.plugins.plugin_utils import _instance_source
from ansible_collections.fcd.cloud.plugins.plugin_utils._instance_source import InstanceSource, pack_text, unpack_text

OPTIONS = {
    "filters": {},
    "template_names": False,
    "details": [],
    "cache": True,
    "cache_timeout": 100,
    "cache_stale_seconds": 1000,
}
ACCOUNT = {"base_url": "https://api.example.com/beta", "username": "anna", "api_client_id": "client"}


class Plugin:
    """An inventory plugin with a cache, whose content outlives its time."""

    def __init__(self) -> None:
        self.cache: dict[str, t.Any] = {}
        self.options: dict[str, t.Any] = {}
        self.loaded = 0

    def set_option(self, option: str, value: t.Any) -> None:
        self.options[option] = value

    def load_cache_plugin(self) -> None:
        self.loaded += 1


class Service:
    """What is read; or an error."""

    def __init__(self) -> None:
        self.records: list[dict[str, t.Any]] = [instance_record({"Id": 1, "Name": "{{ 7*7 }}"})]
        self.problem: FcdError | None = None
        self.reads = 0

    def read(self, api: t.Any, filters: t.Any, names: t.Any, *, templates: bool) -> list[dict[str, t.Any]]:
        self.reads += 1
        if self.problem:
            raise self.problem
        return self.records


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    made = Service()
    monkeypatch.setattr(_instance_source, "infrastructure", lambda task: None)
    monkeypatch.setattr(_instance_source, "read_instances", made.read)
    return made


class World:
    """Runs of an inventory, one after the other."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.plugin = Plugin()
        self.warnings: list[str] = []

    def run(self, *, renew: bool = False, account: t.Mapping[str, str] = ACCOUNT, **options: t.Any) -> t.Any:
        task = Task(Settings(account), clock=self.clock, warn=self.warnings.append)
        source = InstanceSource(self.plugin, "fcd.cloud.instances", task, {**OPTIONS, **options})
        return source.records(renew=renew)


@pytest.fixture
def world(fake_clock: Clock, service: Service) -> World:
    return World(fake_clock)


def test_without_a_cache_each_run_asks(world: World, service: Service) -> None:
    assert world.run(cache=False) == world.run(cache=False) == service.records
    assert (service.reads, world.plugin.cache, world.plugin.loaded) == (2, {}, 0)


def test_fresh_records_are_not_asked_for(world: World, service: Service) -> None:
    assert world.run() == service.records
    world.clock.sleep(100)
    assert world.run() == service.records
    assert service.reads == 1
    world.clock.sleep(1)
    world.run()
    assert service.reads == 2


def test_other_details_are_asked_for(world: World, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def add(_api: t.Any, records: list[dict[str, t.Any]], names: list[str]) -> None:
        for record in records if names else ():
            record["groups"] = ["web"]

    monkeypatch.setattr(_instance_source, "add_details", add)
    for details in ([], ["groups"], ["groups"]):
        service.records = [instance_record({"Id": 1})]
        (record,) = world.run(details=details)
        assert record.get("groups", []) == ["web"] * len(details)
    assert service.reads == 2


def test_a_cache_without_an_end(world: World, service: Service) -> None:
    world.run(cache_timeout=0)
    world.clock.sleep(1e9)
    world.run(cache_timeout=0)
    assert (service.reads, world.plugin.loaded) == (1, 0)


def test_the_cache_plugin_keeps_old_ones_too(world: World) -> None:
    world.run()
    assert (world.plugin.options, world.plugin.loaded) == ({"cache_timeout": 1100}, 1)


def test_renewal_asks_and_keeps(world: World, service: Service) -> None:
    world.run()
    service.records = [instance_record({"Id": 2})]
    assert world.run(renew=True) == service.records
    assert world.run() == service.records
    assert service.reads == 2


@pytest.mark.parametrize(
    "problem", [Unreachable("No connection."), Unclear("Cut."), ServiceError("503."), RateLimited("429.")]
)
def test_old_ones_when_the_service_fails(world: World, service: Service, problem: FcdError) -> None:
    world.run()
    service.problem = problem
    world.clock.sleep(1100)
    assert world.run() == service.records
    (warning,) = world.warnings
    assert warning.startswith("fcd.cloud.instances: the hosts are those of 18 min ago, for the service cannot be asked")
    assert str(problem) in warning
    world.clock.sleep(1)
    with pytest.raises(type(problem)):
        world.run()


@pytest.mark.parametrize("problem", [Unauthorized("401."), Forbidden("403."), InvalidInput("No such subregion.")])
def test_no_old_ones_for_a_refusal(world: World, service: Service, problem: FcdError) -> None:
    world.run()
    service.problem = problem
    world.clock.sleep(101)
    with pytest.raises(type(problem)):
        world.run()
    assert world.warnings == []


def test_no_old_ones_for_a_renewal(world: World, service: Service) -> None:
    world.run()
    service.problem = Unreachable("No connection.")
    with pytest.raises(Unreachable):
        world.run(renew=True)
    assert world.run() == service.records


def test_no_old_ones_where_the_user_wants_none(world: World, service: Service) -> None:
    world.run(cache_stale_seconds=0)
    service.problem = Unreachable("No connection.")
    world.clock.sleep(101)
    with pytest.raises(Unreachable):
        world.run(cache_stale_seconds=0)


def test_a_clock_that_went_back(world: World, service: Service) -> None:
    world.run()
    world.clock.sleep(0)
    vars(world.clock)["time"] -= 50
    world.run()
    assert service.reads == 2


@pytest.mark.parametrize(
    "other",
    [
        {"account": {**ACCOUNT, "base_url": "https://other.example.com/beta"}},
        {"account": {**ACCOUNT, "username": "bert"}},
        {"account": {**ACCOUNT, "api_client_id": "other"}},
        {"account": {**ACCOUNT, "access_token": "one"}},
        {"filters": {"query": "web"}},
        {"template_names": True},
    ],
)
def test_others_have_a_cache_of_their_own(world: World, service: Service, other: dict[str, t.Any]) -> None:
    world.run()
    world.run(**other)
    assert (service.reads, len(world.plugin.cache)) == (2, 2)


def test_equal_filters_share(world: World, service: Service) -> None:
    world.run(filters={"query": "web", "type_id": "34"})
    world.run(filters={"type_id": 34, "query": "web", "subregion": None})
    assert service.reads == 1


def test_keys_are_fit_for_files_and_say_nothing(world: World) -> None:
    world.run(account={**ACCOUNT, "access_token": "canary-token"}, filters={"query": "a/../b"})
    ((key, entry),) = world.plugin.cache.items()
    assert key.startswith("fcd.cloud.instances_")
    assert "/" not in key
    assert "canary" not in key
    assert "canary" not in unpack_text(entry["records"])


@pytest.mark.parametrize(
    "entry",
    [
        None,
        {},
        {"read": "x", "records": pack_text("[]")},
        {"read": 1, "records": 5},
        {"read": 1, "records": "[]"},
        {"read": 1, "records": "Zm9vYmFy"},
        {"read": 1, "records": pack_text("[]")[:-8]},
        {"read": 1},
        *[{"read": 1, "records": pack_text(text)} for text in ("[{", "{}", "[1]", '[{"id": 1}]', "[" * 100_000)],
    ],
)
def test_a_broken_cache_is_none(world: World, service: Service, entry: t.Any) -> None:
    world.run(cache_timeout=0)
    world.plugin.cache = dict.fromkeys(world.plugin.cache, entry)
    assert world.run(cache_timeout=0) == service.records
    assert service.reads == 2


def test_a_cache_plugin_that_raises(world: World, service: Service) -> None:
    class Corrupt(t.Dict[str, t.Any]):
        def __getitem__(self, key: str) -> t.Any:
            raise AnsibleError("corrupt")

    world.plugin.cache = Corrupt()
    assert world.run() == service.records


@pytest.mark.parametrize("name", ["cache_timeout", "cache_stale_seconds"])
def test_a_negative_time(world: World, name: str) -> None:
    with pytest.raises(InvalidInput, match=f"{name} must be 0 or more, not -1"):
        world.run(**{name: -1})


def test_times() -> None:
    for seconds, words in [(20, "0 min"), (3599, "1 h 00 min"), (3700, "1 h 02 min")]:
        assert _instance_source._time(seconds) == words

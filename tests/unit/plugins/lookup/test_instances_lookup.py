# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookup instances, beside two accounts: names, patterns, IDs and filters; each account has a cache of its own."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible.errors import AnsibleLookupError
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.lookup import instances

CONNECTION = ("base_url", "auth_url", "api_client_id", "api_client_secret", "username", "password", "ca_path")


class Lookup(instances.LookupModule):
    """The lookup with options as Ansible would have them after reading its documentation."""

    _load_name = "fcd.cloud.instances"

    def set_options(self, task_keys: t.Any = None, var_options: t.Any = None, direct: t.Any = None) -> None:
        assert task_keys is None
        self.given = {**(var_options or {}), **(direct or {})}

    def get_options(self, hostvars: t.Any = None) -> dict[str, t.Any]:
        return self.given


class Account:
    """An account of a sandbox of its own."""

    def __init__(self, sandbox: SandboxProcess) -> None:
        self.sandbox = sandbox
        self.options = {name: sandbox.environment[f"FCD_{name.upper()}"] for name in CONNECTION}
        self.options["allow_plain_http"] = True

    def look_up(self, *terms: object, **options: t.Any) -> list[dict[str, t.Any]]:
        given = {**self.options, "filters": {}, "cache_seconds": 0.0}
        return Lookup().run(list(terms), variables=given, **options)

    def names(self, *terms: object, **options: t.Any) -> list[str]:
        return sorted(record["name"] for record in self.look_up(*terms, **options))

    def lists(self) -> int:
        return int(self.sandbox.counts()["by"].get("rest list_instances", 0))


@pytest.fixture(scope="module")
def other() -> t.Iterator[SandboxProcess]:
    """Another service, and so another account, with three instances more."""
    with SandboxProcess() as it:
        it.settings(rest={"bulk_instances": 5})
        yield it
        assert it.violations() == []


@pytest.fixture
def accounts(
    sandbox: SandboxProcess, other: SandboxProcess, own_home: pathlib.Path
) -> t.Iterator[tuple[Account, Account]]:
    assert own_home.is_dir()
    sandbox.reset()
    sandbox.settings(rest={"bulk_instances": 2})
    yield Account(sandbox), Account(other)
    assert sandbox.violations() == []


def test_each_account_has_its_own_instances(accounts: tuple[Account, Account]) -> None:
    first, second = (account.names() for account in accounts)
    assert first
    assert len(second) == len(first) + 3


def test_a_term_is_a_name_a_pattern_or_an_id(accounts: tuple[Account, Account]) -> None:
    account, _other = accounts
    every = account.look_up()
    record = every[0]
    assert account.look_up(record["id"]) == [one for one in every if one["id"] == record["id"]]
    assert record in account.look_up(record["name"])
    assert record in account.look_up("nothing", record["name"][:1] + "*")
    assert account.look_up("*") == every
    assert account.look_up("nothing") == []
    assert {"id", "label"} == set(record["subregion"])


def test_the_service_applies_the_filters(accounts: tuple[Account, Account]) -> None:
    account, _other = accounts
    on = account.look_up(filters={"is_turned_on": True})
    assert on
    assert {one["status"]["id"] for one in on} == {86}
    wrong = r"fcd\.cloud\.instances: filters: there is no 'subregoin'\. Did you mean"
    with pytest.raises(AnsibleLookupError, match=wrong):
        account.look_up(filters={"subregoin": "EU-001"})


def test_what_is_cached_is_that_of_one_account(accounts: tuple[Account, Account]) -> None:
    first, second = accounts
    before = first.lists(), second.lists()
    for _turn in range(2):
        assert len(second.names(cache_seconds=60.0)) == len(first.names(cache_seconds=60.0)) + 3
        assert first.names("*", cache_seconds=60.0) == first.names(cache_seconds=60.0)
    assert (first.lists(), second.lists()) == (before[0] + 1, before[1] + 1)
    first.names()
    assert first.lists() == before[0] + 2


def test_every_text_can_be_written_and_every_number_read(accounts: tuple[Account, Account]) -> None:
    class Odd(Lookup):
        def look_up(self, task: t.Any, terms: t.Any, params: t.Any) -> list[t.Any]:
            return [{"name": "w\ud800b", "cpu": float("inf")}, "caf\udce9"]

    found = Odd().run([], variables={**accounts[0].options, "filters": {}, "cache_seconds": 0.0})
    assert found == [{"name": r"w\ud800b", "cpu": "inf"}, r"caf\xe9"]

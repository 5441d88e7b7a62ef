# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookup contract: plain results, one request for a question in one run of a playbook; no writes, no secrets."""

from __future__ import annotations

import json
import multiprocessing
import os
import pathlib
import stat
import typing as t

import pytest

pytest.importorskip("zeep")

from ansible.errors import AnsibleLookupError

from ansible_collections.fcd.cloud.plugins.lookup import contract
from ansible_collections.fcd.cloud.plugins.module_utils._connection import result_cache
from ansible_collections.fcd.cloud.plugins.module_utils._connection import task as task_at_hand
from ansible_collections.fcd.cloud.plugins.module_utils._contract.any_operation import CACHE_KEY_SETTINGS
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import PASSWORD, Bench

SECONDS = 300.0


class Lookup(contract.LookupModule):
    """The lookup with options as Ansible would have them after reading its documentation."""

    _load_name = "fcd.cloud.contract"

    def set_options(self, task_keys: t.Any = None, var_options: t.Any = None, direct: t.Any = None) -> None:
        assert task_keys is None
        self.given = {**(var_options or {}), **(direct or {})}

    def get_options(self, hostvars: t.Any = None) -> dict[str, t.Any]:
        return self.given


class LookupBench(Bench):
    """Looks things up in the service in this process."""

    def __call__(self, *terms: str, **options: t.Any) -> list[t.Any]:
        """Look up as a task of its own; ``sent`` are the requests that it made."""
        self.sent.clear()
        defaults = {"inputs": {}, "all_pages": False, "limit": None, "cache_seconds": SECONDS}
        settings = self.task().settings
        connection = {name: settings[name] for name in settings if name not in ("profile", "config_file")}
        found: list[t.Any] = Lookup().run(list(terms), variables={**defaults, **connection}, **options)
        assert self.service.violations == []
        return found

    @property
    def kept(self) -> list[pathlib.Path]:
        """The files with kept results."""
        return sorted((self.folder / "state" / "lookups").glob("*"))


@pytest.fixture
def look_up(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> LookupBench:
    bench = LookupBench(tmp_path, monkeypatch)
    monkeypatch.setattr(Clock, "now", lambda _clock: bench.clock.now())
    return bench


def test_results_come_in_the_order_of_the_terms(look_up: LookupBench) -> None:
    zones, clients = look_up("GetTimeZones", "get_customer_service_users")
    assert zones[0]["time_zone_id"] == 1
    assert isinstance(clients, list)
    assert look_up("HasClientUsers", inputs={"clientId": "100"}) == [True]
    assert look_up("GetUser", inputs={"user_id": 9999}) == [None]


def test_a_word_that_is_no_option_is_not_passed_over(look_up: LookupBench, monkeypatch: pytest.MonkeyPatch) -> None:
    documented = Lookup.get_options
    monkeypatch.setattr(
        Lookup,
        "get_options",
        lambda self: {k: v for k, v in documented(self).items() if k not in ("user_id", "wantlist")},
    )
    with pytest.raises(
        AnsibleLookupError, match=r"There is no option 'user_id'\. What an operation takes goes into inputs"
    ):
        look_up("GetUser", user_id=1)
    assert look_up.sent == []
    assert look_up("GetUser", inputs={"user_id": 9999}, wantlist=True) == [None]


def test_a_question_is_asked_once(look_up: LookupBench) -> None:
    first = look_up("GetTimeZones")
    assert look_up.sent == ["GetTimeZones"]
    assert look_up("get_time_zones") == first
    assert look_up.sent == []


def test_another_question_is_asked_anew(look_up: LookupBench) -> None:
    for number in (17, 27):
        look_up("GetSimpleDictionaryItems", inputs={"dictionary_id": number})
        assert look_up.sent == ["GetSimpleDictionaryItems"]
    assert len(look_up.kept) == 2


@pytest.mark.parametrize(
    "connection",
    [
        {},
        {"username": "somebody.else@example.com"},
        {"soap_url": "https://soap2.example.com/CommonFcd.svc"},
        {"soap_wsdl": "/tmp/repaired.wsdl"},
        {"soap_to": "https://inner.example.net/x"},
        {"soap_user_prefix": "OTHER\\"},
    ],
)
def test_who_asks_whom_is_part_of_the_question(look_up: LookupBench, connection: dict[str, t.Any]) -> None:
    first = result_cache.ResultCache(look_up.task(), SECONDS, CACHE_KEY_SETTINGS).path("GetUsers", {})
    look_up.connection.update(connection)
    assert (result_cache.ResultCache(look_up.task(), SECONDS, CACHE_KEY_SETTINGS).path("get_users", {}) == first) is (
        not connection
    )


def test_pages(look_up: LookupBench) -> None:
    every = look_up("GetUsers", all_pages=True)[0]
    assert len(every) > 2
    assert [len(rows) for rows in look_up("GetUsers", limit=2)] == [2]
    assert set(look_up("GetUsers")[0]) == {"results", "total_count"}
    assert look_up("GetUsers", all_pages=True) == [every]
    assert look_up.sent == []


def test_nothing_is_kept_on_request(look_up: LookupBench) -> None:
    for _turn in range(2):
        look_up("GetTimeZones", cache_seconds=0)
        assert look_up.sent == ["GetTimeZones"]
    assert look_up.kept == []


def test_what_is_kept_is_private_and_its_name_tells_nothing(look_up: LookupBench) -> None:
    look_up("GetSimpleDictionaryItems", inputs={"dictionary_id": 17})
    (file,) = look_up.kept
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert len(file.stem) == 32
    assert set(json.loads(file.read_text())) == {"at", "result"}
    assert PASSWORD not in file.read_text()


def test_what_is_too_old_is_asked_anew_and_removed(look_up: LookupBench) -> None:
    look_up("GetTimeZones")
    look_up("GetServices", cache_seconds=5)
    look_up.clock.sleep(6)
    look_up("GetServices", cache_seconds=5)
    assert look_up.sent == ["GetServices"]
    assert len(look_up.kept) == 2
    look_up.clock.sleep(SECONDS)
    look_up("GetApplications")
    assert len(look_up.kept) == 1
    look_up("GetTimeZones")
    assert look_up.sent == ["GetTimeZones"]


def test_another_run_asks_anew(look_up: LookupBench, monkeypatch: pytest.MonkeyPatch) -> None:
    look_up("GetTimeZones")
    monkeypatch.setattr(task_at_hand, "_start", lambda _number: "later")
    look_up("GetTimeZones")
    assert look_up.sent == ["GetTimeZones"]


def test_the_tasks_of_one_run_are_processes_of_their_own() -> None:
    """And so they are in Ansible: each task is a fork of the process that runs the playbook."""
    queue: t.Any = multiprocessing.get_context("fork").Queue()
    here = task_at_hand.this_run()
    for _turn in range(2):
        process = multiprocessing.get_context("fork").Process(target=lambda: queue.put(task_at_hand.this_run()))
        process.start()
        assert queue.get(timeout=120) == here
        process.join()
    assert here.startswith(f"{os.getpid()} ")
    assert here.endswith(task_at_hand._start(os.getpid()))
    assert task_at_hand._start(None) == ""


def test_secrets_are_not_kept(look_up: LookupBench) -> None:
    look_up("IsPeselAlreadyTaken", inputs={"pesel": "44051401458"})
    look_up("ValidateToken", inputs={"token": "canary-token"})
    look_up.state.users[1]["Pesel"] = "44051401458"
    (user,) = look_up("GetUser", inputs={"user_id": 1})
    assert user["pesel"] == "44051401458"
    assert look_up.kept == []


def test_a_folder_that_cannot_be_used_costs_time_only(look_up: LookupBench, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("ansible_collections.fcd.cloud.plugins.plugin_utils._lookup.display.warning", said.append)
    (look_up.folder / "state").mkdir()
    (look_up.folder / "state" / "lookups").write_text("in the way")
    assert len(look_up("GetTimeZones")[0]) == 3
    assert "cannot be kept" in said[0]


@pytest.mark.parametrize("spoilt", ["", "[]", "{}", '{"at": 1e99, "result": 1}', '{"at": 0, "result": 1}'])
def test_a_spoilt_file_counts_as_none(look_up: LookupBench, spoilt: str) -> None:
    zones = look_up("GetTimeZones")
    look_up.kept[0].write_text(spoilt)
    assert look_up("GetTimeZones") == zones
    assert look_up.sent == ["GetTimeZones"]


def test_mistakes(look_up: LookupBench) -> None:
    for terms, options, words in [
        ((), {}, "Name an operation to call"),
        (("CreateWarehouse",), {}, "CreateWarehouse changes something, and a lookup only reads"),
        (("LogonUser",), {}, "LogonUser changes something"),
        (("GetTimeZone",), {}, "Did you mean 'GetTimeZones'"),
        (("GetUser",), {"inputs": {"user": 1}}, "GetUser.user: there is no such member"),
        (("GetUser",), {"limit": 0}, "limit: 0; it must be at least 1"),
        (("GetUser",), {"limit": 1}, "GetUser has no pages"),
        (("GetTimeZones",), {"soap_url": None}, "FCD_SOAP_URL"),
    ]:
        with pytest.raises(AnsibleLookupError, match=r"^fcd\.cloud\.contract: ") as caught:
            look_up(*terms, **options)
        assert words in str(caught.value)
        assert look_up.sent == []


def test_a_refusal_of_the_service_shows_no_secret(look_up: LookupBench) -> None:
    look_up.service.settings["faults"] = [{"operation": "GetUser", "error_code": 1, "message": f"no {PASSWORD}"}]
    with pytest.raises(AnsibleLookupError, match="the service refused it") as caught:
        look_up("GetUser", inputs={"user_id": 1})
    assert PASSWORD not in str(caught.value)
    assert look_up.kept == []

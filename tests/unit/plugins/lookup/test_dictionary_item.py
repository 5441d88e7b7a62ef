# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookup dictionary_item: numbers of labels, one request for a dictionary, clear errors without secrets."""

from __future__ import annotations

import json
import multiprocessing
import pathlib
import stat
import time
import typing as t

import pytest
import responses
from ansible.errors import AnsibleLookupError

from ansible_collections.fcd.cloud.plugins.lookup import dictionary_item

BASE = "https://api.example.com/beta"
TOKEN = "bearer-of-the-tests"
ITEMS = {"Items": [{"Id": 48, "Label": "Tier 1"}, {"Id": 49, "Label": "Tier 2"}], "Meta": {"Total": 2}}
EVERY = {"Items": [{"Id": 17, "Name": "Disk classes"}], "Meta": {"Total": 1}}


@pytest.fixture
def wire(own_home: pathlib.Path) -> t.Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock


class Lookup(dictionary_item.LookupModule):
    """The lookup with options as Ansible would have them after reading its documentation."""

    _load_name = "fcd.cloud.dictionary_item"

    def set_options(self, task_keys: t.Any = None, var_options: t.Any = None, direct: t.Any = None) -> None:
        assert task_keys is None
        self.given = {**(var_options or {}), **(direct or {})}

    def get_options(self, hostvars: t.Any = None) -> dict[str, t.Any]:
        return self.given


def look_up(*terms: object, **options: t.Any) -> list[int]:
    connection = {"base_url": BASE, "access_token": TOKEN, "dictionary": "17", "cache_seconds": 300.0}
    return Lookup().run(list(terms), variables=connection, **options)


def test_numbers_come_in_the_order_of_the_labels_with_one_request(wire: responses.RequestsMock) -> None:
    wire.get(f"{BASE}/dictionaries/17", json=ITEMS)
    assert look_up("Tier 2", "tier 1", 48) == [49, 48, 48]
    assert look_up("Tier 1") == [48]
    assert len(wire.calls) == 1
    assert wire.calls[0].request.headers["User-Agent"].endswith("(lookup)")


def test_every_process_of_a_run_has_part_in_it(wire: responses.RequestsMock, own_home: pathlib.Path) -> None:
    """The service answers slowly, and all ask at once: only the first does so at the service."""
    log = own_home / "asked"

    def answer(_request: t.Any) -> tuple[int, dict[str, str], str]:
        with log.open("a") as handle:
            handle.write("x")
        time.sleep(0.3)
        return 200, {"Content-Type": "application/json"}, json.dumps(ITEMS)

    wire.assert_all_requests_are_fired = False
    wire.add_callback("GET", f"{BASE}/dictionaries/17", answer)
    fork = multiprocessing.get_context("fork")
    queue: t.Any = fork.Queue()
    processes = [fork.Process(target=lambda: queue.put(look_up("Tier 2"))) for _number in range(4)]
    for process in processes:
        process.start()
    assert [queue.get(timeout=120) for _process in processes] == [[49]] * 4
    for process in processes:
        process.join()
    assert log.read_text() == "x"


def test_on_request_nothing_is_kept(wire: responses.RequestsMock, own_home: pathlib.Path) -> None:
    wire.get(f"{BASE}/dictionaries/17", json=ITEMS)
    assert look_up("Tier 1", cache_seconds=0.0) == look_up("Tier 1", cache_seconds=0.0) == [48]
    assert len(wire.calls) == 2
    assert list(own_home.rglob("lookups")) == []


def test_a_state_folder_in_the_way_costs_requests_only(wire: responses.RequestsMock, tmp_path: pathlib.Path) -> None:
    wire.get(f"{BASE}/dictionaries/17", json=ITEMS)
    (tmp_path / "state").write_text("a file")
    for _turn in range(2):
        assert look_up("Tier 1", state_dir=str(tmp_path / "state")) == [48]
    assert len(wire.calls) == 2


def test_what_is_kept_shows_no_secret(wire: responses.RequestsMock, own_home: pathlib.Path) -> None:
    wire.get(f"{BASE}/dictionaries/17", json=ITEMS)
    look_up("Tier 1")
    (folder,) = own_home.rglob("lookups")
    (file,) = folder.iterdir()
    assert json.loads(file.read_text())["result"] == [[48, "Tier 1"], [49, "Tier 2"]]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert TOKEN not in file.name


def test_another_user_or_another_dictionary_is_read_anew(wire: responses.RequestsMock) -> None:
    wire.get(f"{BASE}/dictionaries/17", json=ITEMS)
    wire.get(f"{BASE}/dictionaries/", json=EVERY)
    look_up("Tier 1")
    look_up("Tier 1", access_token="bearer-of-somebody-else")
    look_up("Tier 1", dictionary="disk classes")
    assert [call.request.path_url for call in wire.calls] == [
        "/beta/dictionaries/17",
        "/beta/dictionaries/17",
        "/beta/dictionaries/",
        "/beta/dictionaries/17",
    ]


def test_nothing_to_look_up_is_nothing(wire: responses.RequestsMock) -> None:
    wire.get(f"{BASE}/dictionaries/17", json=ITEMS)
    assert look_up() == []


def test_a_wrong_label_is_answered_with_the_nearest(wire: responses.RequestsMock) -> None:
    wire.get(f"{BASE}/dictionaries/17", json=ITEMS)
    with pytest.raises(
        AnsibleLookupError, match=r"there is no 'Teir 1' among the items of dictionary 17. Did you mean 'Tier 1'"
    ):
        look_up("Teir 1")


def test_a_wrong_dictionary_is_answered_with_the_nearest(wire: responses.RequestsMock) -> None:
    wire.get(f"{BASE}/dictionaries/", json=EVERY)
    with pytest.raises(AnsibleLookupError, match="Did you mean 'Disk classes'"):
        look_up("Tier 1", dictionary="disks")


def test_missing_settings_are_told_all_at_once(wire: responses.RequestsMock) -> None:
    with pytest.raises(AnsibleLookupError, match=r"FCD_BASE_URL.*FCD_AUTH_URL.*FCD_PASSWORD"):
        look_up("Tier 1", base_url=None, access_token=None)
    assert len(wire.calls) == 0


def test_an_error_shows_no_secret(wire: responses.RequestsMock) -> None:
    wire.get(f"{BASE}/dictionaries/17", status=403, json={"Message": f"{TOKEN} is not allowed"})
    wire.get(f"{BASE}/dictionaries/", status=403, json={"Message": "no"})
    with pytest.raises(AnsibleLookupError) as caught:
        look_up("Tier 1")
    assert "is not allowed" in str(caught.value)
    assert TOKEN not in str(caught.value)

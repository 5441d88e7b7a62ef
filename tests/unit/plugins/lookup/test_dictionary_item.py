# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookup dictionary_item: numbers of labels, one request for a dictionary, clear errors without secrets."""

from __future__ import annotations

import pathlib
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
def wire(own_home: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> t.Iterator[responses.RequestsMock]:
    monkeypatch.setattr(dictionary_item, "_READ", {})
    with responses.RequestsMock() as mock:
        yield mock


class Lookup(dictionary_item.LookupModule):
    """The lookup with options as Ansible would have them after reading its documentation."""

    def set_options(self, task_keys: t.Any = None, var_options: t.Any = None, direct: t.Any = None) -> None:
        assert task_keys is None
        self.given = {**(var_options or {}), **(direct or {})}

    def get_options(self, hostvars: t.Any = None) -> dict[str, t.Any]:
        return self.given


def look_up(*terms: object, **options: t.Any) -> list[int]:
    connection = {"base_url": BASE, "access_token": TOKEN, "dictionary": "17"}
    return Lookup().run(list(terms), variables=connection, **options)


def test_numbers_come_in_the_order_of_the_labels_with_one_request(wire: responses.RequestsMock) -> None:
    wire.get(f"{BASE}/dictionaries/17", json=ITEMS)
    assert look_up("Tier 2", "tier 1", 48) == [49, 48, 48]
    assert look_up("Tier 1") == [48]
    assert len(wire.calls) == 1
    assert wire.calls[0].request.headers["User-Agent"].endswith("(lookup)")


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

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses and phones: which declared one means which of those that there are."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import ClientBench

LETTERS = {"address_type_dict_id": 12, "city": "Bergen"}


def cities(bench: ClientBench) -> list[tuple[int, int, str]]:
    return [(entry["AddressId"], entry["AddressTypeDictId"], entry["City"]) for entry in bench.stored()["Addresses"]]


def test_by_number_by_type_by_content_and_new_ones(bench: ClientBench) -> None:
    bench(addresses=[LETTERS])
    assert cities(bench) == [(100, 13, "Northfield"), (1001, 12, "Bergen")]
    bench(addresses=[{"AddressId": 1001, "city": "Oslo"}, {"address_type_dict_id": 13, "city": "Southfield"}])
    assert cities(bench) == [(100, 13, "Southfield"), (1001, 12, "Oslo")]
    assert bench.stored()["Addresses"][0]["Street"] == "Quay"
    assert not bench(addresses=[{"city": "Oslo"}, {"city": "Southfield", "flat_number": ""}])["changed"]
    further = {"address_id": 0, "address_type_dict_id": 12, "city": "Turku"}
    assert bench(addresses=[further])["changed"]
    assert cities(bench)[2] == (1002, 12, "Turku")
    assert not bench(addresses=[further])["changed"]
    assert not bench(addresses=[further, LETTERS | {"city": "Oslo"}])["changed"]


def test_what_is_not_declared_goes_only_where_that_is_asked_for(bench: ClientBench) -> None:
    bench(addresses=[LETTERS])
    done = bench(addresses=[LETTERS], purge_addresses=True)
    assert (done["changed"], cities(bench)) == (True, [(1001, 12, "Bergen")])
    assert done["diff"]["after"]["addresses"] == done["client"]["addresses"]
    assert not bench(addresses=[LETTERS], purge_addresses=True)["changed"]
    assert bench(addresses=[], purge_addresses=True, phones=[], purge_phones=True)["changed"]
    assert (bench.stored()["Addresses"], bench.stored()["Phones"]) == ([], [])
    assert not bench(addresses=[], purge_addresses=True)["changed"]
    assert bench(phones=[{"phone_number": "+48225550001"}])["changed"]


@pytest.mark.parametrize(
    ("addresses", "says"),
    [
        (
            [{"city": "Oslo"}],
            r"addresses\[0\]: it does not identify one .* Give its address_id or address_type_dict_id",
        ),
        ([{"address_id": 5}], r"addresses\[0\]: the client has none with the address_id 5.* Known: 100, 1001, 1002"),
        ([{"address_id": 100}, {"address_id": 100}], r"addresses\[1\]: .* given twice"),
        ([{"address_type_dict_id": 12, "city": "Oslo"}], r"has 2 of the type 12: 1001, 1002. Say .* address_id"),
    ],
)
def test_one_that_could_mean_several_is_refused(bench: ClientBench, addresses: list[t.Any], says: str) -> None:
    bench(addresses=[LETTERS])
    bench(addresses=[{**LETTERS, "address_id": 0, "city": "Turku"}])
    with pytest.raises((errors.InvalidInput, errors.Ambiguous), match=says):
        bench(addresses=addresses)
    assert bench.writes == []


def test_phones_are_matched_alike(bench: ClientBench) -> None:
    done = bench(
        phones=[{"phone_type_dict_id": 9091, "phone_number": "+1"}, {"phone_type_dict_id": 9092, "phoneNumber": "+2"}]
    )
    assert [phone["phone_number"] for phone in done["client"]["phones"]] == ["+1", "+2"]
    assert bench.stored()["Phones"][0]["PhoneId"] == 100


def test_three_addresses_by_role(bench: ClientBench) -> None:
    desired: dict[str, t.Any] = {"main_address": {"city": "Oslo"}, "billing_address": {"city": "Bergen"}}
    foreseen = bench(check_mode=True, **desired)
    done = bench(**desired)
    assert bench.writes == ["UpdateClientAddresses"]
    assert cities(bench) == [(100, 13, "Oslo"), (1001, 1015, "Bergen")]
    assert foreseen["diff"]["after"]["main_address"] == done["diff"]["after"]["main_address"]
    assert not bench(**desired)["changed"]
    bench(correspondence_address={"city": "Turku"})
    assert [city for _number, _kind, city in cities(bench)] == ["Oslo", "Turku", "Bergen"]


def test_addresses_beyond_the_three_are_not_risked(bench: ClientBench) -> None:
    bench(addresses=[{"address_type_dict_id": 1023, "city": "Turku"}])
    with pytest.raises(errors.InvalidInput, match=r"1 more besides the main, .* purge_addresses"):
        bench(main_address={"city": "Oslo"})
    assert bench.writes == []
    assert bench(main_address={"city": "Oslo"}, purge_addresses=True)["changed"]
    assert len(cities(bench)) == 1


@pytest.mark.parametrize("check_mode", [True, False])
def test_an_address_by_role_is_of_no_other_type(bench: ClientBench, check_mode: bool) -> None:
    with pytest.raises(errors.InvalidInput, match=r"^main_address: its type is 12, .* type 13.*address_types.main"):
        bench(main_address={"city": "Oslo", "address_type_dict_id": 12}, check_mode=check_mode)
    assert bench.writes == []
    assert bench(main_address={"city": "Oslo", "address_type_dict_id": 13})["changed"]
    assert not bench(main_address={"city": "Oslo", "address_type_dict_id": 13})["changed"]


def test_types_of_addresses_are_an_option(bench: ClientBench) -> None:
    types = {"main": 1023, "correspondence": 12, "billing": 1015}
    with pytest.raises(errors.InvalidInput, match="might drop the others"):
        bench(main_address={"city": "Oslo"}, address_types=types)
    bench.hide_member("Address", "AddressTypeDictId")
    with pytest.raises(errors.InvalidInput, match=r"Address has no member for the type .*\"Address.type_id\""):
        bench(main_address={"city": "Oslo"})


def test_new_addresses_have_their_numbers_in_the_second_update(bench: ClientBench) -> None:
    bench(addresses=[LETTERS], commission="1", vat_id="7")
    assert len(bench.writes) == 2
    assert cities(bench) == [(100, 13, "Northfield"), (1001, 12, "Bergen")]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists given to clients, and price lists that are not to exist."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract import pricelist
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

UNCLEAR = [errors.ServiceError("504", status=504), errors.Unclear("connection reset"), 500, 200]
MANY = list(range(2000, 4500))


def give(bench: Bench, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
    return bench.run(pricelist.CLIENT_PRICELIST, check_mode=check_mode, **params)


def remove(bench: Bench, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
    return bench.run(pricelist.PRICELIST_DELETE, check_mode=check_mode, **{"client_id": 101, **params})


def test_only_clients_that_differ_are_sent_in_one_request(bench: Bench) -> None:
    foreseen = give(bench, check_mode=True, client_ids=[100, 102, 101, 100], pricelist_id=2)
    assert bench.writes == []
    done = give(bench, client_ids=[100, 102, 101, 100], pricelist_id=2)
    read = "GetClientCurrentPricelist"
    assert bench.sent == [read, read, read, "ChangePricelist", read, read]
    assert foreseen == done
    assert done["client_pricelist"] == {
        "pricelist_id": 2,
        "client_ids": [100, 102, 101],
        "changed_client_ids": [100, 101],
    }
    assert done["diff"] == {"before": {"100": 1, "101": 1}, "after": {"100": 2, "101": 2}}
    assert bench.state.client_pricelists == {100: 2, 101: 2, 102: 2}
    again = give(bench, client_ids=[100, 102, 101], pricelist_id=2)
    assert (again["changed"], again["client_pricelist"]["changed_client_ids"], bench.writes) == (False, [], [])


def test_what_is_accepted_and_not_done_is_no_success(bench: Bench) -> None:
    bench.service.settings["accept_only"] = True
    with pytest.raises(
        errors.OperationFailed, match=r"ChangePricelist, but it was not done for the clients: 100"
    ) as one:
        give(bench, client_ids=[100, 102], pricelist_id=2)
    with pytest.raises(errors.OperationFailed, match=r"DeletePricelists, .* for the price lists: 3") as other:
        remove(bench, names=["old"])
    assert errors.has_changed(one.value)
    assert errors.has_changed(other.value)


def test_thousands_of_clients_take_few_requests(bench: Bench) -> None:
    for number in MANY:
        bench.state.clients[number] = {**bench.state.clients[100], "ClientId": number}
        bench.state.client_pricelists[number] = 2 if number % 2 else 1
    done = give(bench, client_ids=MANY, pricelist_id=2)
    assert len(done["client_pricelist"]["changed_client_ids"]) == 1250
    assert (len(bench.sent) < 60, bench.writes) == (True, ["ChangePricelist"])
    assert done["diff"]["before"]["2000"] == 1
    assert not give(bench, client_ids=MANY, pricelist_id=2)["changed"]
    assert len(bench.sent) < 30


@pytest.mark.parametrize("member", ["ClientId", "PricelistId"])
def test_without_the_members_of_the_search_clients_are_asked_one_by_one(bench: Bench, member: str) -> None:
    for number in range(200, 210):
        bench.state.clients[number] = {**bench.state.clients[100], "ClientId": number}
        bench.state.client_pricelists[number] = 1
    bench.hide_member("PricelistClientView", member)
    assert give(bench, client_ids=list(range(200, 210)), pricelist_id=2)["changed"]
    read = ["GetClientCurrentPricelist"] * 10
    assert bench.sent == [*read, "GetPricelists", "ChangePricelist", *read]


@pytest.mark.parametrize("direction", ["Ascending", "Descending"])
def test_of_several_rows_for_a_client_the_order_decides_nothing(bench: Bench, direction: str) -> None:
    """No sort direction is known: whether the row of today comes first or last, the client itself is asked.

    Client 205 had price list 1 before.
    """
    clients = list(range(200, 206))
    for number in clients:
        bench.state.clients[number] = {**bench.state.clients[100], "ClientId": number}
    bench.state.client_pricelists.update(dict.fromkeys(clients, 2))
    usual = bench.service._handlers["GetPricelistsClients"]

    def handler(state: t.Any, given: dict[str, t.Any]) -> t.Any:
        found = usual(state, given)
        past = [{**row, "PricelistId": 1} for row in found["_results"] if row["ClientId"] == 205]
        rows = [*past, *found["_results"]] if direction == "Ascending" else [*found["_results"], *past]
        return {"_results": rows, "_totalCount": len(rows)}

    bench.service._handlers["GetPricelistsClients"] = handler
    assert not give(bench, client_ids=clients, pricelist_id=2)["changed"]
    assert bench.sent.count("GetClientCurrentPricelist") == 1
    done = give(bench, client_ids=clients, pricelist_id=1)
    assert done["client_pricelist"]["changed_client_ids"] == clients
    assert done["diff"]["before"]["205"] == 2


def test_a_client_without_price_list_gets_one(bench: Bench) -> None:
    bench.state.client_pricelists.clear()
    assert give(bench, client_ids=[100], pricelist="partner")["diff"]["before"] == {"100": None}
    assert not give(bench, client_ids=[], pricelist_id=2)["changed"]


def test_price_lists_by_name(bench: Bench) -> None:
    assert give(bench, client_ids=[100], pricelist="partner")["client_pricelist"]["pricelist_id"] == 2
    assert bench.sent[0] == "GetPricelists"
    assert not give(bench, client_ids=[100], pricelist="Partner", owner_client_id=100)["changed"]
    with pytest.raises(errors.InvalidInput, match=r"there is no price list 'partnre'. Did you mean 'partner'"):
        give(bench, client_ids=[100], pricelist="partnre")
    with pytest.raises(errors.InvalidInput, match=r"there is no price list 'partner'. Known: old"):
        give(bench, client_ids=[100], pricelist="partner", owner_client_id=101)
    bench.state.pricelists[3]["Name"] = "partner"
    with pytest.raises(errors.Ambiguous, match=r"2 price lists have the name 'partner': 2, 3. .* pricelist_id"):
        give(bench, client_ids=[100], pricelist="partner")
    assert bench.writes == []
    bench.hide_member("SearchParams", "SearchText")
    assert give(bench, client_ids=[100], pricelist="partner", owner_client_id=100)["client_pricelist"]
    bench.state.pricelists[3]["Name"] = "2024"
    assert give(bench, client_ids=[100], pricelist="2024", check_mode=True)["client_pricelist"]["pricelist_id"] == 3


def test_the_services_refusal_is_told(bench: Bench) -> None:
    bench.fail("GetPricelists", errors.Forbidden("not allowed"))  # a list that may not be read is left to the service
    with pytest.raises(errors.Rejected, match="price list 77"):
        give(bench, client_ids=[100], pricelist_id=77)


@pytest.mark.parametrize("problem", UNCLEAR, ids=str)
def test_reading_decides_who_has_the_price_list(bench: Bench, problem: t.Any) -> None:
    bench.fail("ChangePricelist", problem, done=False)
    with pytest.raises((errors.ServiceError, errors.Unclear)):
        give(bench, client_ids=[100, 101], pricelist_id=2)
    bench.fail("ChangePricelist", problem, done=True)
    assert give(bench, client_ids=[100, 101], pricelist_id=2)["changed"]
    assert bench.writes == ["ChangePricelist"]


def test_price_lists_are_deleted_once(bench: Bench) -> None:
    bench.state.pricelists[4] = {**bench.state.pricelists[3], "PricelistId": 4, "Name": "older"}
    foreseen = remove(bench, check_mode=True, ids=[3, 77], names=["older", "oldest"])
    assert bench.writes == []
    done = remove(bench, ids=[3, 77], names=["older", "oldest"])
    assert bench.sent == ["GetClientPricelistsSimple", "DeletePricelists", "GetClientPricelistsSimple"]
    assert foreseen == done
    assert done["deleted"] == [{"id": 3, "name": "old"}, {"id": 4, "name": "older"}]
    assert done["diff"] == {"before": {"pricelists": done["deleted"]}, "after": {"pricelists": []}}
    assert set(bench.state.pricelists) == {1, 2}
    again = remove(bench, ids=[3, 77], names=["older"])
    assert (again["changed"], again["deleted"], bench.sent) == (False, [], ["GetClientPricelistsSimple"])


def test_a_name_that_several_bear_is_refused(bench: Bench) -> None:
    bench.state.pricelists[4] = {**bench.state.pricelists[3], "PricelistId": 4}
    with pytest.raises(errors.Ambiguous, match=r"the client has 2 price lists 'old': 3, 4. .* ids"):
        remove(bench, names=["old"])
    assert remove(bench, ids=[4])["changed"]


def test_names_need_a_member(bench: Bench) -> None:
    bench.hide_member("PricelistSimple", "Name")
    with pytest.raises(errors.InvalidInput, match=r"PricelistSimple has no member that could be name"):
        remove(bench, names=["old"])
    assert remove(bench, ids=[3])["deleted"] == [{"id": 3, "name": None}]


def test_a_price_list_in_use_stays(bench: Bench) -> None:
    bench.state.client_pricelists[100] = 3
    with pytest.raises(errors.Rejected, match="is in use"):
        remove(bench, names=["old"])


@pytest.mark.parametrize("problem", [*UNCLEAR, errors.Rejected("no such", status=500)], ids=str)
def test_reading_decides_what_is_deleted(bench: Bench, problem: t.Any) -> None:
    bench.fail("DeletePricelists", problem, done=False)
    with pytest.raises((errors.ServiceError, errors.Unclear)):
        remove(bench, ids=[3])
    bench.fail("DeletePricelists", problem, done=True)
    assert remove(bench, ids=[3])["changed"]
    assert 3 not in bench.state.pricelists

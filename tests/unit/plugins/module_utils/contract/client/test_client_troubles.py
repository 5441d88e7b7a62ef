# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of clients with unclear answers, errors in the middle, and a WSDL that says less."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed

from .conftest import COMPANY, INDIVIDUAL, ClientBench

WRITES: list[tuple[str, int, dict[str, t.Any]]] = [
    ("UpdateIndividualClientWithProjectName", INDIVIDUAL, {"commission": "2"}),
    ("UpdateCompanyClientWithProjectName", COMPANY, {"company": {"company_name": "Other"}}),
    ("UpdateClientWithProjectName", INDIVIDUAL, {"vat_id": "5"}),
    ("ChangeIndividualClientType", INDIVIDUAL, {"type": "company", "company": {"company_name": "New"}}),
    ("ChangeCompanyClientType", COMPANY, {"type": "individual"}),
    ("UpdateClientAddresses", INDIVIDUAL, {"main_address": {"city": "Oslo"}}),
    ("CreateOrUpdateClientPitData", INDIVIDUAL, {"pit_data": {"father_name": "Jan"}}),
    ("UpdateClientStatus", INDIVIDUAL, {"status": "blocked"}),
    ("DeleteClient", INDIVIDUAL, {"state": "absent"}),
]


@pytest.mark.parametrize(("operation", "number", "desired"), WRITES, ids=[entry[0] for entry in WRITES])
def test_reading_decides_what_became_of_a_write(
    bench: ClientBench, operation: str, number: int, desired: dict[str, t.Any]
) -> None:
    bench.fail(operation, errors.Unclear("connection reset"), done=False)
    with pytest.raises(errors.Unclear):
        bench(number, **desired)
    bench.fail(operation, errors.Unclear("connection reset"), done=True)
    assert bench(number, **desired)["changed"]
    assert bench.writes == [operation]
    assert not bench(number, **desired)["changed"]


def test_an_error_in_the_middle_tells_what_was_done(bench: ClientBench) -> None:
    bench.fail("UpdateClientStatus", errors.Rejected("not allowed", status=500))
    with pytest.raises(errors.Rejected) as caught:
        bench(commission="2", vat_id="5", status="blocked")
    assert str(caught.value) == (
        "Client 100 exists, commission, vat_id set, but not set: status. not allowed "
        "Run the task again; it sets what is missing."
    )
    assert (caught.value.details["done"], caught.value.details["left"]) == (["commission", "vat_id"], ["status"])
    assert has_changed(caught.value)
    assert bench(commission="2", vat_id="5", status="blocked")["diff"]["after"]["status"] == "Blocked"
    assert bench.writes == ["UpdateClientStatus"]
    bench.fail("UpdateIndividual.*", errors.Unclear("reset"))
    nothing = r"Client 100 exists, but not certainly set: commission, vat_id\. reset"
    with pytest.raises(errors.Unclear, match=nothing) as caught_first:
        bench(commission="3", vat_id="6")
    assert has_changed(caught_first.value), "it was sent"


def test_a_change_that_cannot_be_read_back_is_one(bench: ClientBench) -> None:
    bench.after("GetClient", lambda: None)
    bench.after("GetClient", lambda: None)
    bench.fail("GetClient", errors.Unclear("reset"))
    with pytest.raises(errors.Unclear) as caught:
        bench(commission="3")
    assert bench.writes == ["UpdateIndividualClientWithProjectName"]
    assert has_changed(caught.value)


def test_a_service_that_does_not_do_what_it_says_is_told(bench: ClientBench) -> None:
    bench.after("UpdateIndividualClient.*", lambda: bench.stored().update(Commission="1"))
    with pytest.raises(errors.OperationFailed, match="does not show it in: commission") as unchanged:
        bench(commission="2")
    bench.after("DeleteClient", lambda: bench.stored().update(IsDeleted=False))
    with pytest.raises(errors.OperationFailed, match="it is still there") as kept:
        bench(state="absent")
    assert has_changed(unchanged.value)
    assert has_changed(kept.value)


@pytest.mark.parametrize("check_mode", [True, False])
def test_what_would_be_replaced_and_nobody_knows_is_asked_for(bench: ClientBench, check_mode: bool) -> None:
    bench.hide_member("Client", "ProjectType")
    with pytest.raises(errors.InvalidInput, match=r"are now: project_type. Give .*Client.project_type"):
        bench(check_mode=check_mode, commission="2")
    assert bench.writes == []
    assert bench(project_type="test", check_mode=check_mode)["changed"]
    assert "cannot be compared" in bench.warnings[0]
    assert bench.stored()["ProjectType"] == ("production" if check_mode else "test")


def test_a_member_of_another_name_is_named_by_hand(bench: ClientBench) -> None:
    bench.hide_member("Client", "VatId")
    bench.connection["soap_member_map"] = {"Client.vat_id": "ExternalAccountNumber"}
    assert bench()["client"]["vat_id"] is None


def test_a_branch_may_be_told_by_its_number_only(bench: ClientBench) -> None:
    bench.connection["soap_member_map"] = {"Client.branch": "ClientTypeDictId"}
    assert bench()["client"]["branch"] == {"dictionary_item_id": 9081}
    assert not bench(branch=9081)["changed"]
    with pytest.raises(errors.OperationFailed, match="does not show it in: branch"):  # the map names another member
        bench(branch=9062)
    assert bench.stored()["BranchId"] == 9062


def test_a_type_that_cannot_be_read_is_taken_as_it_is_given(bench: ClientBench) -> None:
    bench.hide_member("Client", "Company")
    with pytest.raises(errors.InvalidInput, match=r"Give type, or name the member .*\"Client.is_company\""):
        bench(commission="2")
    with pytest.raises(errors.InvalidInput, match=r"Name the member in soap_member_map: .\"Client.is_company\""):
        bench(type="individual")
    assert bench(commission="2", type="individual")["changed"]
    assert "type" in bench.warnings[0]
    bench.connection["soap_member_map"] = {"Client.is_company": "VatId"}
    assert bench()["client"]["type"] == "individual"


def test_a_status_that_cannot_be_read_is_refused(bench: ClientBench) -> None:
    bench.hide_member("Client", "Status")
    with pytest.raises(errors.InvalidInput, match=r"Client has no member that could be status"):
        bench(status="active")


def test_cycles_of_the_service_are_not_sent_back(bench: ClientBench) -> None:
    bench.service.settings["rich_answers"] = True
    assert bench(commission="2")["changed"]
    assert bench(default_user={"user_id": 2})["changed"]

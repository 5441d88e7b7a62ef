# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client's data, type, status and end."""

from __future__ import annotations

import itertools
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import COMPANY, INDIVIDUAL, ClientBench

FREIGHT = {
    "branch_dict_id": 9061,
    "company_id": 1,
    "company_name": "Example Freight",
    "registration_number": "000123456",
    "vat_id": "5260001246",
}
SECRET = "canary-44051401458"


@pytest.mark.parametrize(
    ("number", "desired", "operations"),
    [
        (INDIVIDUAL, {"commission": "2.5"}, ["UpdateIndividualClientWithProjectName"]),
        (INDIVIDUAL, {"project_name": "harbour"}, ["UpdateIndividualClientWithProjectName"]),
        (INDIVIDUAL, {"vat_id": "77"}, ["UpdateClientWithProjectName"]),
        (INDIVIDUAL, {"external_account_number": "X1"}, ["UpdateClientWithProjectName"]),
        (
            INDIVIDUAL,
            {"project_type": "test", "vat_id": "77", "branch": 9061},
            ["UpdateIndividualClientWithProjectName", "UpdateClientWithProjectName"],
        ),
        (INDIVIDUAL, {"default_user": {"first_name": "Ada"}}, ["UpdateIndividualClientWithProjectName"]),
        (INDIVIDUAL, {"fields": {"ProjectType": "test"}}, ["UpdateIndividualClientWithProjectName"]),
        (INDIVIDUAL, {"pit_data": {"father_name": "Jan"}}, ["CreateOrUpdateClientPitData"]),
        (INDIVIDUAL, {"status": "waiting_for_verification"}, ["UpdateClientStatus"]),
        (COMPANY, {"company": {"CompanyName": "Other"}}, ["UpdateCompanyClientWithProjectName"]),
        (COMPANY, {"referrer": {"user": {"user_id": 2}, "commission": 5}}, ["UpdateCompanyClientWithProjectName"]),
        (COMPANY, {"additional_email_for_invoices": "a@example.com"}, ["UpdateCompanyClientWithProjectName"]),
        (COMPANY, {"default_user": {"last_name": "Byron"}}, ["UpdateClientWithProjectName"]),
    ],
)
def test_each_change_takes_the_fewest_updates_and_is_made_once(
    bench: ClientBench, number: int, desired: dict[str, t.Any], operations: list[str]
) -> None:
    before = {**bench.stored(number)}
    foreseen = bench(number, check_mode=True, **desired)
    assert (foreseen["changed"], bench.writes) == (True, [])
    done = bench(number, **desired)
    assert (done["changed"], done["action"], bench.writes, bench.warnings) == (True, "update", operations, [])
    assert foreseen["diff"]["before"] == done["diff"]["before"]
    again = bench(number, **desired)
    assert (again["changed"], again["action"], bench.writes) == (False, "none", [])
    changed = {name for name in before if before[name] != bench.stored(number)[name]}
    assert len(changed) <= len(desired)  # nothing else was emptied


def test_the_result_tells_the_client_by_our_names(bench: ClientBench) -> None:
    result = bench(COMPANY)
    client = result["client"]
    assert (result["changed"], result["action"], bench.sent) == (False, "none", ["GetClient"])
    assert (client["id"], client["type"], client["status"], client["company"]) == (
        COMPANY,
        "company",
        "Active",
        FREIGHT,
    )
    assert (client["project_name"], client["commission"], client["pit_data"]) == ("project 101", "0", None)
    assert client["members"]["balance"] == "250.75"
    assert "company" not in client["members"]


def test_what_is_desired_is_compared_whatever_its_spelling(bench: ClientBench) -> None:
    result = bench(
        commission="0.00",
        status="active",
        branch="9062",
        default_user={
            "FirstName": "Panel",
            "creationDate": "2025-06-01 09:30:00",
            "language": {"dictionary_item_id": 2},
        },
        phones=[{"PhoneNumber": "+48225550100"}],
        additional_email_for_invoices="",
        referrer={},
    )
    assert (result["changed"], bench.sent) == (False, ["GetClient"])


def test_check_mode_foresees_the_client(bench: ClientBench) -> None:
    desired: dict[str, t.Any] = {"commission": "5", "default_user": {"first_name": "Ada"}}
    foreseen = bench(check_mode=True, **desired)["client"]
    done = bench(**desired)["client"]
    assert (foreseen["commission"], done["commission"]) == ("5", "5")
    assert foreseen["default_user"]["first_name"] == "Ada"
    assert foreseen["default_user"]["last_name"] == done["default_user"]["last_name"] == "Owner"


def test_another_default_user_keeps_its_own_data(bench: ClientBench) -> None:
    done = bench(default_user={"user_id": 2, "first_name": "Zwei"})
    read = ["GetClient", "GetUser", "GetClient"]
    assert bench.sent == [*read, "UpdateIndividualClientWithProjectName", "GetClient"]
    user = bench.state.users[2]
    assert (user["FirstName"], user["LastName"], user["Email"]) == ("Zwei", "User", "second.user@example.com")
    assert done["client"]["default_user"]["user_id"] == 2
    with pytest.raises(errors.InvalidInput, match=r"default_user.user_id: there is no 77"):
        bench(check_mode=True, default_user={"user_id": 77})


def test_another_branch_is_sent_as_it_is_in_the_dictionary(bench: ClientBench) -> None:
    done = bench(branch={"dictionary_item_id": 9061})
    assert done["client"]["branch"]["dictionary_item_names"][1]["item_name"] == "logistics"
    assert "logistics" in bench.bodies[3]
    with pytest.raises(errors.InvalidInput, match=r"branch.dictionary_item_id: there is no 99999"):
        bench(branch=99999)


def test_a_client_without_project_name_takes_the_plain_update(bench: ClientBench) -> None:
    for number, operation in ((INDIVIDUAL, "UpdateIndividualClient"), (COMPANY, "UpdateCompanyClient")):
        bench.stored(number)["ProjectName"] = None
        assert bench(number, commission="1")["changed"]
        assert bench.writes == [operation]
        assert bench(number, vat_id="9")["changed"]
        assert bench.writes == ["UpdateClient"]


def test_a_company_of_an_individual_and_back(bench: ClientBench) -> None:
    company = {"company_name": "Example Ferries", "vat_id": "1"}
    desired: dict[str, t.Any] = {"type": "company", "company": company, "commission": "3", "status": "suspended"}
    foreseen = bench(check_mode=True, **desired)
    assert (foreseen["client"]["type"], bench.writes) == ("company", [])
    done = bench(**desired)
    assert bench.writes == ["ChangeIndividualClientType", "UpdateCompanyClientWithProjectName", "UpdateClientStatus"]
    assert (done["client"]["type"], done["client"]["company"]["company_name"]) == ("company", "Example Ferries")
    assert len(bench.stored()["Addresses"]) == 1
    assert not bench(**desired)["changed"]
    back = bench(type="individual", project_type="test", branch=9061)
    assert bench.writes == ["ChangeCompanyClientType"]
    assert (back["client"]["type"], back["client"]["branch"]["dictionary_item_id"]) == ("individual", 9061)
    assert bench.stored()["DefaultUserId"] == 1
    assert not bench(type="individual")["changed"]


REFUSED: list[tuple[t.Any, ...]] = [
    (INDIVIDUAL, {"type": "company"}, "to change an individual to a company, give company"),
    (INDIVIDUAL, {"company": {"company_name": "x"}}, "company: the client's type is individual"),
    (COMPANY, {"project_type": "x"}, "project_type: the client's type is company.*type: individual"),
    (COMPANY, {"company": {"compnay_name": "x"}}, r"company.compnay_name: there is no such member. Did you mean"),
    (COMPANY, {"company": "x"}, r"company: must be a dictionary \(Company\)"),
    (INDIVIDUAL, {"commission": "much"}, "commission: must be a number"),
    (INDIVIDUAL, {"status": "Actve"}, r"status: must be one of Active, .* not 'Actve'"),
    (INDIVIDUAL, {"addresses": [{"country_dict_id": "x"}]}, r"addresses\[0\].country_dict_id: must be a whole"),
    (INDIVIDUAL, {"default_user": {"client": {"nmae": 1}}}, "default_user.client.nmae: there is no such"),
    (INDIVIDUAL, {"fields": {"balance": 1}}, "fields.balance: no update operation of clients takes such"),
    (INDIVIDUAL, {"fields": {"commission": None}}, "commission: may not be null"),
    (INDIVIDUAL, {"fields": {"branch": 9061}, "branch": 9062}, "fields.branch: it is already given as branch"),
    (INDIVIDUAL, {"pit_data": {"Pesel": "44051401458"}}, r"pit_data.Pesel: .*secret_fields"),
    (INDIVIDUAL, {"default_user": {"client": {"default_user": {"pesel": "1"}}}}, "secret_fields"),
    (INDIVIDUAL, {"secret_fields": {"nonsense": 1}}, "no update operation of clients takes such"),
    (INDIVIDUAL, {"secret_fields": {"branch": {"x": 1}}, "branch": 9061}, "secret_fields.branch: there is a plain"),
    (INDIVIDUAL, {"default_user": {"_type": "Company"}}, "'Company' is not a kind of User"),
    (INDIVIDUAL, {"purge_addresses": True}, "purge_addresses needs addresses"),
    (INDIVIDUAL, {"purge_phones": True}, "purge_phones needs phones.*empty list"),
    (999, {}, "There is no client with the ID 999. .* the service has no operation that creates a client"),
]


def test_what_cannot_be_is_refused_before_anything_is_sent(bench: ClientBench, subtests: pytest.Subtests) -> None:
    for (number, desired, says), check_mode in itertools.product(REFUSED, (True, False)):
        with subtests.test(says, check_mode=check_mode):
            with pytest.raises(errors.InvalidInput, match=says) as caught:
                bench(number, check_mode=check_mode, **desired)
            assert bench.writes == []
            assert "\n" not in str(caught.value)
            assert "44051401458" not in str(caught.value)


def test_secrets_are_set_and_show_nowhere(bench: ClientBench) -> None:
    desired: dict[str, t.Any] = {
        "pit_data": {"tax_office": "Northfield"},
        "secret_fields": {"PitData": {"pesel": SECRET}, "default_user": {"pesel": SECRET + "7"}},
    }
    done = bench(**desired)
    assert bench.state.pit_data[100]["Pesel"] == SECRET
    assert bench.state.users[1]["Pesel"] == SECRET + "7"
    assert done["client"]["pit_data"]["pesel"] == "(hidden)"
    assert done["client"]["default_user"]["pesel"] == "(hidden)"
    bench(pit_data={"tax_office": "Southfield"})
    assert bench.state.pit_data[100] == {**bench.state.pit_data[100], "Pesel": SECRET, "TaxOffice": "Southfield"}
    changed = bench(secret_fields={"pit_data": {"pesel": SECRET + "8"}})
    assert changed["diff"]["before"]["pit_data"]["pesel"] == "(hidden)"
    assert changed["diff"]["after"]["pit_data"]["pesel"] == "(hidden, changed)"
    again = bench(secret_fields={"pit_data": {"pesel": SECRET + "8"}}, check_mode=True)
    assert (again["changed"], SECRET in str((done, changed, again, bench.warnings))) == (False, False)


def test_a_comment_goes_with_a_change_of_the_status_only(bench: ClientBench) -> None:
    assert bench(status="blocked", status_comment="bills")["client"]["status"] == "Blocked"
    assert bench.state.client_history[-1]["Comment"] == "bills"
    assert not bench(status="Blocked", status_comment="other")["changed"]
    assert bench(status="active")["changed"]
    assert bench.state.client_history[-1]["Comment"] is None


@pytest.mark.parametrize("missing_reads", ["nil", "fault"])
def test_a_client_is_deleted_once(bench: ClientBench, missing_reads: str) -> None:
    bench.service.settings["missing_reads"] = missing_reads
    foreseen = bench(state="absent", check_mode=True)
    assert (foreseen["changed"], foreseen["deleted"], bench.writes) == (True, True, [])
    gone = bench(state="absent", delete_comment="ended")
    assert (gone["changed"], gone["action"], gone["client"], gone["deleted"]) == (True, "delete", None, True)
    assert gone["delete_result"] == {"is_deleted": True}
    assert (bench.state.client_history[-1]["Comment"], bench.stored()["IsDeleted"]) == ("ended", True)
    again = bench(state="absent")
    assert (again["changed"], again["deleted"], again["delete_result"], bench.writes) == (False, True, None, [])
    never = bench(999, state="absent")
    assert (never["changed"], never["deleted"]) == (False, False)
    with pytest.raises(
        errors.InvalidInput, match=r"The client 100 is deleted. The service has no operation that restores a client"
    ):
        bench(commission="1")


def test_a_service_that_shows_deleted_clients_says_so_by_a_member(bench: ClientBench) -> None:
    bench.connection["soap_member_map"] = {"Client.is_deleted": "VatId"}  # stands for such a member
    bench.stored()["VatId"] = "gone"
    again = bench(state="absent")
    assert (again["changed"], again["deleted"], bench.sent) == (False, True, ["GetClient"])


@pytest.mark.parametrize("missing_reads", ["nil", "fault"])
def test_without_a_member_for_it_the_list_says_who_is_deleted(bench: ClientBench, missing_reads: str) -> None:
    bench.service.settings["missing_reads"] = missing_reads
    bench.hide_member("Client", "IsDeleted")
    assert bench(state="absent")["changed"]
    assert not bench(state="absent")["changed"]
    assert bench.sent == ["GetClient", "GetClientIncludingDeleted", "GetClients"]
    bench.fail("GetClient", errors.Rejected("overload", status=500))
    with pytest.raises(errors.InvalidInput, match="client 100 is deleted"):
        bench()


def test_a_fault_about_a_client_that_is_there_is_a_fault(bench: ClientBench) -> None:
    for _ in range(2):
        bench.fail("GetClient", errors.Rejected("overload", status=500))
    with pytest.raises(errors.Rejected, match="overload"):
        bench(state="absent")
    assert bench.writes == []

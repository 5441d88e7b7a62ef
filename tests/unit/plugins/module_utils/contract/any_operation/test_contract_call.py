# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Any operation: checked before it is sent, plain results, writes sent once and shown in check mode."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.any_operation import CONTRACT_CALL as OPERATION
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import ContractBench

WAREHOUSE = {
    "warehouse_name": "spare",
    "QueueCapacity": "4",
    "dataStoreNumber": "DS-1",
    "template_id": 3,
    "partner_id": 12,
}
PHONE = {"country_dict_id": 1, "is_verified": False, "phone_type_dict_id": 1}
VERIFICATION = {"expiration_date": "2026-05-06", "is_verified": True}
STATUSES = "Active, Inactive, Blocked, Suspended, WaitingForVerification, Deleted"
COMPANY_LACKS = (
    "inputs are missing: company: a dictionary (Company) or null; addresses: a list or null; phones: a list or null; "
    "commission: a number (decimal); referrer: a dictionary (Referrer) or null. Give them,"
)
USER_LACKS = (
    "inputs are missing: first_name: a string or null; last_name: a string or null; phone_number: a string or null; "
    "pesel: a string or null; is_default: a boolean; privileges: a list or null. Give them,"
)
AMOUNT_LACKS = (
    "inputs are missing: client_fixed_amount.client_fixed_amount_id: a whole number (int); "
    "client_fixed_amount.client_id: a whole number (int); client_fixed_amount.creation_date: a dateTime; "
    "client_fixed_amount.date_from: a dateTime; client_fixed_amount.date_to: a dateTime or null; "
    "client_fixed_amount.description: a string or null. Give them, or set allow_missing_inputs"
)


def returns_secrets(result: t.Any) -> bool:
    assert callable(OPERATION.returns_secrets)
    return OPERATION.returns_secrets({"result": result})


@pytest.mark.parametrize(
    ("name", "check_mode"), [("GetTimeZones", False), ("get_time_zones", True), ("getTimeZones", True)]
)
def test_a_read_runs_in_check_mode_too(bench: ContractBench, name: str, check_mode: bool) -> None:
    done = bench(name, check_mode=check_mode)
    assert bench.sent == ["GetTimeZones"]
    assert (done["changed"], done["operation"], done["unknown_members"]) == (False, "GetTimeZones", [])
    assert done["result"][0]["time_zone_id"] == 1


@pytest.mark.parametrize(
    ("operation", "inputs", "result"),
    [
        ("HasClientUsers", {"client_id": 100}, True),
        ("GetClientsCurrencyCode", {"client_id": 100}, "PLN"),
        ("GetUser", {"user_id": 9999}, None),
        ("GetRevenues", {"name_prefix": "nowhere"}, []),
        ("GetReferrerPeriods", {"client_id": 9999}, []),
    ],
)
def test_results_of_every_shape(bench: ContractBench, operation: str, inputs: t.Any, result: t.Any) -> None:
    assert bench(operation, inputs=inputs)["result"] == result


def test_decimals_dates_and_binary_values_are_exact_text(bench: ContractBench) -> None:
    invoice = bench("GetInvoice", inputs={"invoice_id": 1301})["result"]
    assert (invoice["net_value"], invoice["issue_date"]) == ("1000.00", "2026-02-28T00:00:00Z")
    assert invoice["document"] == "JVBERi0xLjQgZXhhbXBsZQ=="
    assert invoice["invoice_items"][0]["quantity"] == 12.5  # a double is a number


def test_a_derived_type_is_named(bench: ContractBench) -> None:
    bench.service.settings["rich_answers"] = True
    assert bench("GetClientDefaultUserSimple", inputs={"client_id": 100})["result"]["_type"] == "User"


def test_a_write_is_done(bench: ContractBench) -> None:
    done = bench("CreateWarehouse", inputs=WAREHOUSE)
    assert done == {"changed": True, "operation": "CreateWarehouse", "result": None, "unknown_members": []}
    assert bench.writes == ["CreateWarehouse"]
    (row,) = bench.state.warehouses.values()
    assert (row["WarehouseName"], row["QueueLength"], row["TemplateId"]) == ("spare", 4, 3)


def test_check_mode_shows_what_would_be_sent(bench: ContractBench) -> None:
    inputs = {"warehouseName": "spare", "queueCapacity": 4, "dataStoreNumber": "DS-1", "templateId": 3, "partnerId": 12}
    assert bench("create_warehouse", inputs=WAREHOUSE, check_mode=True) == {
        "changed": True,
        "operation": "CreateWarehouse",
        "would_send": {"operation": "CreateWarehouse", "inputs": inputs},
    }
    assert bench.sent == []


MISTAKES: list[tuple[t.Any, ...]] = [
    ("CreateWarehose", {}, "has no operation 'CreateWarehose'. Did you mean 'CreateWarehouse'"),
    ("ListEverything", {}, r"no operation 'ListEverything'\. The module fcd\.cloud\.contract_info lists them\.$"),
    ("CreateWarehouse", {"queue_cap": 1}, r"CreateWarehouse.queue_cap: .* Did you mean 'queue_capacity'"),
    ("CreateWarehouse", {"queue_capacity": "many"}, "CreateWarehouse.queueCapacity: must be a whole number"),
    ("UpdateClientStatus", {"status": "Sleeping"}, "UpdateClientStatus.status: must be one of "),
    ("DeleteUsers", {"user_ids": 1}, "DeleteUsers.userIds: must be a list, not a number"),
    ("GetUsers", {"search_params": {"colour": 1}}, r"GetUsers.searchParams.colour: there is no such member"),
]


def test_mistakes_are_told_before_anything_is_sent(bench: ContractBench, subtests: pytest.Subtests) -> None:
    for operation, inputs, words in MISTAKES:
        with subtests.test(words):
            for check_mode in (False, True):
                with pytest.raises(errors.InvalidInput) as caught:
                    bench(operation, inputs=inputs, check_mode=check_mode)
                assert caught.match(words)
                assert bench.sent == []


def test_null_is_sent_as_null_and_what_is_missing_is_not_sent(bench: ContractBench) -> None:
    inputs = {"user_id": 1, "language_id": None}
    foreseen = bench("UpdateUserSettings", inputs=inputs, allow_missing_inputs=True, check_mode=True)
    assert foreseen["would_send"]["inputs"] == {"userId": 1, "languageId": None}


MISSING: list[tuple[t.Any, ...]] = [
    (
        "DeleteClient",
        {},
        "DeleteClient writes, and these inputs are missing: client_id: a whole number (int); comment: a string or null",
    ),
    (
        "DeleteClient",
        {"inputs": {"comment": "x"}},
        "inputs are missing: client_id: a whole number (int). Give it, or set allow_missing_inputs",
    ),
    (
        "RequestForResetPassword",
        {},
        "inputs are missing: email: a string or null; link_to_change_password: a string or null. Give them,",
    ),
    (
        "SetUserPassword",
        {"secret_inputs": {"new_password": "canary"}},
        "inputs are missing: user_id: a whole number (int). Give it,",
    ),
    (
        "UpdateClientStatus",
        {"inputs": {"client_id": 3, "comment": "why"}},
        f"inputs are missing: status: one of {STATUSES}. Give it,",
    ),
    (
        "UpdateCompanyClient",
        {"inputs": {"client_id": 3, "additional_email_for_invoices": "a@example.com"}},
        COMPANY_LACKS,
    ),
    (
        "UpdateUserInfoAndPrivileges",
        {"inputs": {"user_id": 3, "email_address": "n@example.com"}},
        USER_LACKS,
    ),
    (
        "UpdateClientFixedAmount",
        {"inputs": {"client_fixed_amount": {"amount": "5"}}},
        AMOUNT_LACKS,
    ),
    (
        "SaveClientPhoneVerificationResult",
        {"inputs": {"client_id": 1, "phone_verification": {**VERIFICATION, "country_dict_id": 2}}},
        "verification_code: a string or null; phone_verification.verification_id: a guid. Give them,",
    ),
    (
        "UpdateClient",
        {"inputs": {"client_id": 3, "phones": [PHONE, {**PHONE, "_type": "Phone", "phone_id": 1}]}},
        "phones[0].phone_id: a whole number (int); phones[0].phone_number: a string or null; phones[1].phone_number",
    ),
]


def test_a_write_is_not_called_without_what_it_replaces(bench: ContractBench, subtests: pytest.Subtests) -> None:
    """The service takes a number that is not there for 0, a word for the first one, a text or a list for null."""
    for operation, given, words in MISSING:
        with subtests.test(words):
            for check_mode in (False, True):
                with pytest.raises(errors.InvalidInput) as caught:
                    bench(operation, check_mode=check_mode, **given)
                assert str(caught.value).startswith("inputs: ")
                assert words in str(caught.value)
                assert bench.sent == []
            done = bench(operation, check_mode=True, allow_missing_inputs=True, **given)
            assert done["changed"]


def test_many_missing_inputs_are_not_all_told(bench: ContractBench) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        bench("UpdateClient", inputs={"client_id": 3, "phones": [{}] * 10})
    assert "; and 35 more. Give them," in str(caught.value)
    assert len(caught.value.details["missing"]) == 55


def test_a_null_and_what_a_read_lacks_are_no_mistakes(bench: ContractBench) -> None:
    given = {"userId": 3, "newPassword": None}
    assert bench("SetUserPassword", inputs=given, check_mode=True)["would_send"]["inputs"] == given
    assert bench("GetDictionaryItems", inputs={})["operation"] == "GetDictionaryItems"
    assert bench("GetUsers", inputs={"search_params": {"search_text": "nobody"}})["result"]["results"] is None


def test_a_write_without_inputs_and_a_text_that_is_left_out_are_no_mistakes(bench: ContractBench) -> None:
    assert bench("DeleteClient", inputs={"clientId": 7}, check_mode=True)["would_send"]["inputs"] == {"clientId": 7}
    assert bench("GetTimeZones", read_only=False, check_mode=True)["would_send"]["inputs"] == {}
    assert bench("HasClientUsers")["result"] is False  # what reads asks as it likes


# -- pages


@pytest.mark.parametrize("first_page", [0, 1])
def test_pages_are_followed_to_the_end(bench: ContractBench, first_page: int) -> None:
    bench.service.settings.update(maximum_page_size=10, first_page=first_page)
    for number in range(33):
        bench("CreateWarehouse", inputs={**WAREHOUSE, "dataStoreNumber": str(number)})
    inputs = {"SearchParams": {"template_id": 3}}
    assert len(bench("GetWarehouses", inputs=inputs, all_pages=True)["result"]) == 33
    assert len(bench.sent) > 3
    assert len(bench("GetWarehouses", inputs=inputs, limit=12, check_mode=True)["result"]) == 12
    assert len(bench("GetWarehouses", limit=5)["result"]) == 5
    assert len(bench("GetWarehouses", inputs={"search_params": None}, all_pages=True)["result"]) == 33


@pytest.mark.parametrize("operation", ["GetUser", "GetTimeZones", "GetDictionariesItems", "CreateWarehouse"])
def test_only_a_search_has_pages(bench: ContractBench, operation: str) -> None:
    with pytest.raises(errors.InvalidInput, match=f"{operation} has no pages"):
        bench(operation, all_pages=True)
    assert bench.sent == []


def test_a_search_that_is_said_to_write_is_not_followed(bench: ContractBench) -> None:
    with pytest.raises(errors.InvalidInput, match="GetUsers has no pages"):
        bench("GetUsers", all_pages=True, read_only=False)


def test_a_limit_that_makes_no_sense(bench: ContractBench) -> None:
    with pytest.raises(errors.InvalidInput, match="limit: 0; it must be at least 1"):
        bench("GetUsers", limit=0)


# -- failures


@pytest.mark.parametrize(
    ("problem", "done"),
    [
        (errors.Unclear("connection reset"), True),
        (errors.DeadlinePassed("silence"), False),
        (errors.ServiceError("504", status=504), True),
        (500, False),
        (200, True),
    ],
    ids=str,
)
def test_an_unclear_write_is_sent_once_and_the_error_says_how_to_find_out(
    bench: ContractBench, problem: t.Any, done: bool
) -> None:
    bench.connection["retries"] = 3
    bench.fail("CreateWarehouse", problem, done=done)
    with pytest.raises(errors.FcdError) as caught:
        bench("CreateWarehouse", inputs=WAREHOUSE)
    assert caught.value.next_step == (
        "It may have been done. Check with GetWarehouse or GetWarehouses or WarehouseExists before you send it again."
    )
    assert len(bench.state.warehouses) == done
    assert bench.sent == ["CreateWarehouse"] * done


@pytest.mark.parametrize("problem", [errors.Unreachable("refused"), errors.Rejected("fault", status=500)])
def test_a_write_without_effect_says_nothing_of_the_kind(bench: ContractBench, problem: Exception) -> None:
    bench.fail("CreateWarehouse", problem)
    with pytest.raises(type(problem)) as caught:
        bench("CreateWarehouse", inputs=WAREHOUSE)
    assert getattr(caught.value, "next_step", "") is None


@pytest.mark.parametrize(
    ("operation", "reads"),
    [("SetUserPassword", ["GetUser", "GetUsers", "GetUserBySid", "GetUserPrivileges"]), ("AcceptRegulations", [])],
)
def test_related_reads(bench: ContractBench, operation: str, reads: list[str]) -> None:
    bench.fail(operation, errors.Unclear("reset"))
    with pytest.raises(errors.Unclear) as caught:
        bench(operation, allow_missing_inputs=True)
    way = f" with {' or '.join(reads)}" if reads else ""
    assert caught.value.next_step == f"It may have been done. Check{way} before you send it again."


def test_who_says_that_it_reads_gets_it_in_check_mode(bench: ContractBench) -> None:
    done = bench("LogonUser", inputs={"user": "nobody"}, read_only=True, check_mode=True)
    assert (done["changed"], done["result"], bench.sent) == (False, None, ["LogonUser"])


def test_who_says_that_it_writes_has_it_sent_once(bench: ContractBench) -> None:
    assert bench("GetTimeZones", read_only=False)["changed"]
    assert "would_send" in bench("GetTimeZones", read_only=False, check_mode=True)
    bench.fail("GetTimeZones", 200)
    bench.connection["retries"] = 3
    with pytest.raises(errors.Unclear, match=r"cannot be used: .*\. It may have been done\."):
        bench("GetTimeZones", read_only=False)


# -- secrets and what is not known


def test_secrets_are_sent_and_never_shown(bench: ContractBench) -> None:
    user = {"email": "jan@example.com"}  # what else a user has may be left out here
    inputs = {"ad_login": "jan", "user": user, "privileges": [1]}
    secret = {"ad_password": "canary-1234", "User": {"Pesel": "44051401458", "LastName": "Canary"}}
    given: t.Any = {"inputs": inputs, "secret_inputs": secret, "allow_missing_inputs": True}
    foreseen = bench("CreateUserWithPrivileges", **given, check_mode=True)
    assert foreseen["would_send"]["inputs"] == {
        "adLogin": "jan",
        "adPassword": "(hidden)",
        "user": {"Email": "jan@example.com", "LastName": "(hidden)", "Pesel": "(hidden)"},
        "privileges": [1],
    }
    done = bench("CreateUserWithPrivileges", **given)
    row = bench.state.users[done["result"]]
    assert (row["Email"], row["LastName"], row["Pesel"]) == ("jan@example.com", "Canary", "44051401458")
    assert "canary" not in str(done)


def test_a_secret_in_the_open_is_refused_and_hidden(bench: ContractBench) -> None:
    with pytest.raises(errors.InvalidInput, match=r"inputs: user\.pesel is a secret.* secret_inputs") as caught:
        bench("CreateUserWithPrivileges", inputs={"user": {"pesel": "44051401458"}})
    assert "44051401458" not in str(caught.value.as_result())
    assert bench.sent == []


def test_a_result_with_a_secret_in_it_is_hidden_from_events(bench: ContractBench) -> None:
    user = bench("GetUser", inputs={"user_id": 1})["result"]
    assert returns_secrets(user) == bool(user["pesel"])
    assert returns_secrets([{"verification_code": "123456"}])
    assert returns_secrets({"client": {"users": [{"pesel": "44051401458"}]}})
    assert not returns_secrets([{"code": "0501", "pesel": None, "is_token": True}])
    assert not returns_secrets(None)


def test_members_that_the_wsdl_does_not_know_are_told(bench: ContractBench) -> None:
    bench.hide_member("TimeZone", "StandardName")
    done = bench("GetTimeZones")
    assert done["unknown_members"] == ["GetTimeZonesResponse.GetTimeZonesResult.StandardName"]
    assert len(done["result"]) == 3
    (warning,) = bench.warnings
    assert "GetTimeZonesResult.StandardName" in warning
    assert "soap_contract_ttl" in warning

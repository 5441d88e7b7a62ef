# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Only what is known is written back: not what an answer leaves out, nor what is understood in part."""

from __future__ import annotations

import pathlib
import re
import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract import (
    any_operation,
    client,
    client_fixed_amount,
    client_user,
    warehouse,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench, data_without

COMPANY = {"id": 101, "address_types": client.ADDRESS_TYPES}
SETTINGS = (
    "AvailabilityZone",
    "Is24HourClock",
    "IsMarketingInformationSubscriber",
    "IsTechnicalAnnouncementSubscriber",
)


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def put(pattern: str, text: str) -> t.Callable[[bytes], bytes]:
    """Replace what the pattern finds in an answer, which has to be there; the prefix of a tag is any."""

    def change(content: bytes) -> bytes:
        changed, count = re.subn(pattern, text, content.decode())
        assert count, content
        return changed.encode()

    return change


def without(*names: str) -> t.Callable[[bytes], bytes]:
    """Leave out elements of a simple value."""
    return put(rf"<([\w:]*)({'|'.join(names)})(>[^<]*</\1\2>|[^>]*/>)", "")


NOT_UNDERSTOOD: dict[str, tuple[t.Any, dict[str, t.Any], str, t.Callable[[bytes], bytes], type[errors.FcdError]]] = {
    "a member more": (
        client,
        {**COMPANY, "company": {"company_name": "New"}},
        "GetClient",
        put(r"(<[\w:]*CompanyName>)", r"<Krs>K1</Krs>\1"),
        errors.InvalidInput,
    ),
    "a member more beside an unrelated change": (
        client,
        {**COMPANY, "commission": "8"},
        "GetClient",
        put(r"(<[\w:]*City>)", r"<Geo>1</Geo>\1"),
        errors.InvalidInput,
    ),
    "a derived type": (
        client,
        {**COMPANY, "commission": "8"},
        "GetClient",
        put(
            r"<([\w:]*)Company>", r'<\1Company xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:type="CompanyV2">'
        ),
        errors.InvalidInput,
    ),
    "other items": (
        client,
        {**COMPANY, "commission": "8"},
        "GetClient",
        put(r"([<:/]Address)>", r"\1V2>"),
        errors.Unusable,
    ),
    "privileges of another name": (
        client_user,
        {"id": 1, "first_name": "Zed"},
        "GetUserPrivileges",
        put(r"([<:/]UserPrivilege)>", r"\1V2>"),
        errors.Unusable,
    ),
    "privileges without numbers": (
        client_user,
        {"id": 1, "first_name": "Zed"},
        "GetUserPrivileges",
        without("PrivilegeId"),
        errors.Unusable,
    ),
}


@pytest.mark.parametrize("case", NOT_UNDERSTOOD)
@pytest.mark.parametrize("check_mode", [True, False])
def test_what_is_not_understood_is_not_overwritten(bench: Bench, case: str, check_mode: bool) -> None:
    module, params, operation, change, kind = NOT_UNDERSTOOD[case]
    given = {"state": "present", **params}
    bench.rewritten[operation] = change
    if check_mode and operation == "GetUserPrivileges":
        return  # privileges that nobody declares are read when they are sent
    with pytest.raises(kind):
        bench.run(module.OPERATION, check_mode=check_mode, **given)
    assert bench.writes == []
    del bench.rewritten[operation]
    assert bench.run(module.OPERATION, **given)["changed"]


NEW_USER = {
    "user_name": "new.user",
    "user_password": "canary-user-axolotl",
    "first_name": "New",
    "last_name": "User",
    "email": "new.user@example.com",
}


def test_settings_that_a_new_user_does_not_show_are_not_made_up(bench: Bench) -> None:
    bench.rewritten["GetUser"] = without(*SETTINGS)
    assert bench.run(client_user.OPERATION, **NEW_USER, settings={"date_format_id": 178})["changed"]
    (body,) = [body for body in bench.bodies if "UpdateUserSettings" in body]
    sent = re.findall(r"<\w+:(\w+)>", body.partition("UpdateUserSettings>")[2])
    assert [name for name in sent if name.lower() in {setting.lower() for setting in SETTINGS}] == []


@pytest.mark.parametrize(("desired", "changed"), [(False, False), (True, True)])
def test_a_mark_that_an_answer_leaves_out_is_false(bench: Bench, desired: bool, changed: bool) -> None:
    bench.rewritten["GetUser"] = without(*SETTINGS)
    others = {"availability_zone": 0, "is_24_hour_clock": False, "is_marketing_information_subscriber": False}
    settings = {**others, "is_technical_announcement_subscriber": desired}
    assert bench.run(client_user.OPERATION, check_mode=True, id=1, settings=settings)["changed"] is changed


def test_a_number_that_an_answer_leaves_out_has_to_be_given(bench: Bench) -> None:
    key = {"partner_id": 100, "template_id": 3, "data_store_number": "DS-01", "state": "present"}
    bench.run(warehouse.OPERATION, **key, name="a", queue_length=0)
    for operation in ("GetWarehouse", "GetWarehouses"):
        bench.rewritten[operation] = without("QueueLength")
    assert not bench.run(warehouse.OPERATION, **key, name="a", queue_length=0)["changed"]
    with pytest.raises(errors.InvalidInput, match="what they are now: queue_length"):
        bench.run(warehouse.OPERATION, **key, name="b")
    assert bench.run(warehouse.OPERATION, **key, name="b", queue_length=0)["changed"]


FIXED = {"client_id": 100}
SHIPPED = {"id": 100, "address_types": client.ADDRESS_TYPES, "commission": "7.50"}
LACKING: dict[str, tuple[t.Any, dict[str, t.Any], str, str, str, dict[str, t.Any]]] = {
    "the phone of a user": (
        client_user,
        {"id": 2, "last_name": "X"},
        "GetUser",
        "PhoneNumber",
        "phone_number",
        {"phone_number": ""},
    ),
    "a setting of a user": (
        client_user,
        {"id": 2, "settings": {"date_format_id": 178}},
        "GetUser",
        "AvailabilityZone",
        "settings.availability_zone",
        {"settings": {"date_format_id": 178, "availability_zone": 0}},
    ),
    "an amount": (
        client_fixed_amount,
        {**FIXED, "description": "x"},
        "GetClientFixedAmount",
        "Amount",
        "amount",
        {"amount": "0"},
    ),
    "the text of an amount": (
        client_fixed_amount,
        {**FIXED, "amount": "7"},
        "GetClientFixedAmount",
        "Description",
        "description",
        {"description": ""},
    ),
    "addresses": (client, SHIPPED, "GetClient", "Addresses", "addresses", {"addresses": [], "purge_addresses": True}),
    "phones": (client, SHIPPED, "GetClient", "Phones", "phones", {"phones": [], "purge_phones": True}),
    "a project": (client, SHIPPED, "GetClient", "ProjectName", "project_name", {"fields": {"project_name": None}}),
    "a part of an address": (
        client,
        SHIPPED,
        "GetClient",
        "FlatNumber",
        "flat_number",
        {"addresses": [{"address_type_dict_id": 13, "flat_number": None}]},
    ),
}


@pytest.mark.parametrize("case", LACKING)
def test_what_an_answer_lacks_is_not_emptied(bench: Bench, case: str) -> None:
    module, params, operation, member, option, more = LACKING[case]
    bench.run(client_fixed_amount.OPERATION, state="present", **FIXED, amount="5", description="hosting")
    bench.rewritten[operation] = put(rf"(?s)<([\w:]*)({member})(\s[^>]*/>|/>|[ >].*?</\1\2>)", "")
    for check_mode in (True, False):
        with pytest.raises(errors.InvalidInput, match=rf"(?:what they are now|does not show): .*{option}"):
            bench.run(module.OPERATION, check_mode=check_mode, **{"state": "present", **params})
        assert bench.writes == []
    assert bench.run(module.OPERATION, **{"state": "present", **params, **more})["changed"]


@pytest.mark.parametrize(
    ("module", "params", "operation", "member"),
    [
        (client_user, {"id": 2, "phone_number": "+48225550777"}, "GetUser", "PhoneNumber"),
        (client, {**SHIPPED, "project_name": "p"}, "GetClient", "ProjectName"),
    ],
)
def test_a_value_that_is_not_shown_afterwards_is_told(
    bench: Bench, module: t.Any, params: dict[str, t.Any], operation: str, member: str
) -> None:
    bench.rewritten[operation] = without(member)
    with pytest.raises(errors.OperationFailed, match=r"does not show it in: (phone_number|project_name)"):
        bench.run(module.OPERATION, state="present", **params)


@pytest.mark.parametrize("given", [{"addresses": [{"address_type_dict_id": 12, "city": "Dale"}]}, {"company": {}}])
def test_a_part_of_what_an_answer_lacks_is_not_the_whole(bench: Bench, given: dict[str, t.Any]) -> None:
    (name,) = given
    member = name.capitalize()
    bench.rewritten["GetClient"] = put(rf"(?s)<([\w:]*){member}[ >].*?</\1{member}>", "")
    with pytest.raises(errors.InvalidInput, match=name):
        bench.run(client.OPERATION, state="present", **COMPANY, commission="7.50", type="company", **given)
    assert bench.writes == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_value_that_may_have_another_name_does_not_count_as_zero(bench: Bench, check_mode: bool) -> None:
    bench.run(client_fixed_amount.OPERATION, state="present", client_id=100, amount="5")
    bench.rewritten["GetClientFixedAmount"] = put(r"([<:/]Amount)>", r"\1V2>")
    with pytest.raises(errors.InvalidInput, match="would remove what the WSDL does not describe: AmountV2"):
        bench.run(client_fixed_amount.OPERATION, check_mode=check_mode, state="present", client_id=100, amount="0")
    assert bench.writes == []


ABSENT: dict[str, tuple[t.Any, dict[str, t.Any], str, t.Callable[[bytes], bytes]]] = {
    "a page of other items": (
        warehouse,
        {"partner_id": 100, "template_id": 3, "data_store_number": "DS-01"},
        "GetWarehouses",
        put(r"([<:/])WarehouseItem>", r"\1Item>"),
    ),
    "another result": (
        client_fixed_amount,
        {"client_id": 100},
        "GetClientFixedAmount",
        put(r"[\w:]*GetClientFixedAmountResult", "return"),
    ),
}


@pytest.mark.parametrize("case", ABSENT)
def test_what_is_not_understood_is_not_taken_for_absent(bench: Bench, case: str) -> None:
    module, params, operation, change = ABSENT[case]
    more = {"amount": "5"} if module is client_fixed_amount else {"name": "a", "queue_length": 1}
    bench.run(module.OPERATION, state="present", **params, **more)
    bench.rewritten[operation] = change
    bench.connection["retries"] = 3  # which would not change the answer
    for state in ("absent", "present"):
        with pytest.raises(errors.Unusable, match=r"instead of|no member that the WSDL has"):
            bench.run(module.OPERATION, state=state, **params, **(more if state == "present" else {}))
        assert (bench.writes, bench.sent.count(operation)) == ([], 1)


def test_the_wsdl_is_read_again_for_what_the_kept_one_lacks(bench: Bench) -> None:
    """Once in a task; and what a new reading lacks as well is remembered with it."""
    bench.hide_member("Company", "RegistrationNumber")
    registered = bench.state.clients[101]["Company"]["RegistrationNumber"]
    with pytest.raises(errors.InvalidInput, match=r"company: sending it back would remove .*RegistrationNumber"):
        bench.run(client.OPERATION, state="present", **COMPANY, commission="8")
    assert [sorted(lacks) for lacks in bench.read_again] == [
        ["GetClientResponse.GetClientResult.Company.RegistrationNumber"]
    ]
    bench.newer = data_without(frozenset())
    assert bench.run(client.OPERATION, state="present", **COMPANY, commission="8")["changed"]
    assert bench.state.clients[101]["Company"]["RegistrationNumber"] == registered
    bench.newer = {**bench.data, "lacks": [path for lacks in bench.read_again for path in lacks]}
    bench.data, bench.read_again = bench.newer, []
    assert bench.run(any_operation.CONTRACT_CALL, operation="GetClient", inputs={"client_id": 101})["unknown_members"]
    assert bench.read_again == []


def test_what_was_read_can_be_sent_as_it_is(bench: Bench) -> None:
    """A null of a date that cannot be null is left out, and what the service knows alone is not removed."""
    bench.run(client_fixed_amount.OPERATION, state="present", client_id=100, amount="5", date_to="2030-01-01")
    bench.rewritten["GetClientFixedAmount"] = without("CreationDate")
    read = bench.run(any_operation.CONTRACT_CALL, operation="GetClientFixedAmount", inputs={"client_id": 100})["result"]
    assert read["creation_date"] is None
    call = {"operation": "UpdateClientFixedAmount", "inputs": {"client_fixed_amount": {**read, "amount": "6"}}}
    assert bench.run(any_operation.CONTRACT_CALL, **call)["changed"]
    bench.rewritten["GetClientFixedAmount"] = put("(<[\\w:]*Amount>)", r"<New>1</New>\1")
    read = bench.run(any_operation.CONTRACT_CALL, operation="GetClientFixedAmount", inputs={"client_id": 100})["result"]
    assert read["_unknown"] == ["New"]
    with pytest.raises(errors.InvalidInput, match="would remove what the WSDL does not describe: New"):
        bench.run(any_operation.CONTRACT_CALL, **{**call, "inputs": {"client_fixed_amount": read}})
    assert bench.writes == []

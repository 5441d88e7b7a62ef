# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared values of the contract's types: checked, compared, merged and made fit to be sent."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.typed_values import (
    Member,
    TypedValues,
    same_simple_value,
    same_time,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import Encoder
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import data_without

CONTRACT = Contract(data_without(frozenset()))
TYPED = TypedValues(CONTRACT)


def declared(operation: str, name: str) -> Member:
    return next(member for member in TYPED.inputs(operation) if member.name == name)


def check(operation: str, **values: t.Any) -> None:
    """Check inputs the way that clients which only check do."""
    Encoder(CONTRACT).message(*CONTRACT.operation(operation).input, values)


USER = declared("UpdateIndividualClient", "defaultUser")
ADDRESSES = declared("UpdateIndividualClient", "addresses")
COMMISSION = declared("UpdateIndividualClient", "commission")
STATUS = declared("UpdateClientStatus", "status")


TIMES: list[tuple[t.Any, ...]] = [
    ("2026-01-01T00:00:00", "2026-01-01T00:00:00Z", True),
    ("2026-01-01T00:00:00", "2026-01-01T00:00:00+01:00", True),
    ("2026-01-01T12:00:00Z", "2026-01-01T14:00:00+02:00", True),
    ("2026-01-01T12:00:00Z", "2026-01-01T10:30:00-01:30", True),
    ("2026-01-01T12:00:00.500Z", "2026-01-01T12:00:00.5000000Z", True),
    ("2026-01-01T12:00:00.0Z", "2026-01-01T12:00:00Z", True),
    ("2026-01-01T12:00:00Z", "2026-01-01T12:00:00+01:00", False),
    ("2026-01-01T12:00:00.5Z", "2026-01-01T12:00:00.6Z", False),
    ("2026-01-01T12:00:00", "2026-01-02T12:00:00", False),
    ("12026-01-01T12:00:00", "12026-01-01T12:00:00", True),
    ("2026-13-01T12:00:00", "2026-01-01T12:00:00", False),
    ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00", True),
]


def test_times() -> None:
    assert [(one, other, same_time(one, other)) for one, other, _same in TIMES] == TIMES
    assert [(one, other, same_time(other, one)) for one, other, _same in TIMES] == TIMES


SIMPLE: list[tuple[t.Any, ...]] = [
    ("decimal", "10", "10.00", True),
    ("decimal", "10", "10.01", False),
    ("double", 1.5, "1.50", True),
    ("double", "NaN", "INF", False),
    ("int", 1, 1, True),
    ("int", 1, True, False),
    ("boolean", False, False, True),
    ("string", "a", "A", False),
    ("base64Binary", "QUJD", "QU\nJD", True),
]


def test_simple_values() -> None:
    for name, desired, current, same in SIMPLE:
        assert same_simple_value({"simple": name}, desired, current) is same


def test_values_get_the_form_of_answers() -> None:
    given = {"UserId": "7", "isBlocked": "no", "creation_date": "2026-01-01", "Language": {"DictionaryItemId": "2"}}
    assert TYPED.check(USER, given, "user") == {
        "user_id": 7,
        "is_blocked": False,
        "creation_date": "2026-01-01T00:00:00",
        "language": {"dictionary_item_id": 2},
    }
    assert TYPED.check(ADDRESSES, {"address": [{"City": 5}]}, "addresses") == [{"city": "5"}]
    assert TYPED.check(STATUS, "waiting_for_verification", "status") == "WaitingForVerification"
    assert TYPED.check(COMMISSION, 7.5, "commission") == "7.5"
    assert TYPED.check(USER, None, "user") is None


WRONG: list[tuple[t.Any, ...]] = [
    (USER, {"language": {"dictionary_item_id": "x"}}, "u.language.dictionary_item_id: must be a whole number"),
    (USER, {"langauge": {}}, "u.langauge: there is no such member. Did you mean 'language'"),
    (USER, {"user_id": 1, "UserId": 2}, "u.UserId: sets UserId a second time"),
    (USER, [], r"u: must be a dictionary \(User\), not a list"),
    (USER, {"client": {"addresses": {"city": "x"}}}, "u.client.addresses: must be a list, not a dictionary"),
    (USER, {"_type": "Company"}, "u._type: 'Company' is not a kind of User"),
    (COMMISSION, None, "u: may not be null"),
    (STATUS, "Actve", "u: must be one of Active, "),
]


def test_wrong_values_are_named_by_their_path() -> None:
    for member, value, says in WRONG:
        with pytest.raises(errors.InvalidInput, match=says):
            TYPED.check(member, value, "u")


def test_endless_nesting_is_refused() -> None:
    value: dict[str, t.Any] = {}
    for _ in range(80):
        value = {"client": {"default_user": value}}
    with pytest.raises(errors.InvalidInput, match="nested deeper than"):
        TYPED.check(USER, value, "u")


DESIRED: list[tuple[t.Any, ...]] = [
    (USER, {"first_name": "Ada"}, {"first_name": "Ada", "last_name": "x"}, True),
    (USER, {"first_name": "Ada"}, {"first_name": "Eve"}, False),
    (USER, {"first_name": ""}, {"first_name": None}, True),
    (USER, {"first_name": None}, {"first_name": "x"}, False),
    (USER, {"language": {"dictionary_item_id": 2}}, {"language": {"dictionary_item_id": 2, "names": []}}, True),
    (USER, {"language": {"dictionary_item_id": 2}}, {"language": None}, False),
    (USER, {"language": {}}, {"language": None}, True),
    (USER, {"language": {"dictionary_item_id": 0}}, {"language": None}, True),
    (USER, {"is_blocked": False}, {"is_blocked": None}, True),
    (USER, {"first_name": "x"}, "a text", False),
    (USER, None, None, True),
    (USER, None, {"user_id": 1}, False),
    (ADDRESSES, [], None, True),
    (ADDRESSES, [{"city": "x"}], [{"city": "x", "street": "y"}], True),
    (ADDRESSES, [{"city": "x"}], [{"city": "x"}, {"city": "y"}], False),
    (COMMISSION, "1", "1.0", True),
    (COMMISSION, "1", None, False),
    (STATUS, "WaitingForVerification", "waitingforverification", True),
]


def test_what_is_desired_is_there_or_not() -> None:
    for member, desired, current, holds in DESIRED:
        assert TYPED.holds(member, desired, current) is holds


LAID_OVER: list[tuple[t.Any, ...]] = [
    (USER, {"first_name": "a", "last_name": "b"}, {"first_name": "c"}, {"first_name": "c", "last_name": "b"}),
    (
        USER,
        {"user_id": 1, "language": {"dictionary_item_id": 1, "is_active": True}},
        {"language": {"is_active": False}},
        {"user_id": 1, "language": {"dictionary_item_id": 1, "is_active": False}},
    ),
    (
        USER,
        {"language": {"dictionary_item_id": 1, "is_active": True}},
        {"language": {"dictionary_item_id": 2}},
        {"language": {"dictionary_item_id": 2}},
    ),
    (USER, {"user_id": 1, "first_name": "a"}, {"user_id": 2}, {"user_id": 2}),
    (USER, {"user_id": 1}, None, None),
    (USER, None, {"user_id": 1}, {"user_id": 1}),
    (ADDRESSES, [{"city": "a", "street": "b"}], [{"city": "c"}], [{"city": "c", "street": "b"}]),
    (ADDRESSES, [{"city": "a"}], [], []),
    (COMMISSION, "1", "2", "2"),
]


def test_what_is_desired_is_laid_over_what_is_there() -> None:
    for member, current, desired, merged in LAID_OVER:
        assert TYPED.merge(member, current, desired) == merged


def test_derived_types_stay_what_they_are() -> None:
    referrer = declared("UpdateIndividualClient", "referrer")
    given = TYPED.check(referrer, {"user": {"_type": "user", "first_name": "x", "user_id": 1}}, "referrer")
    assert given == {"user": {"_type": "User", "first_name": "x", "user_id": 1}}
    current = {"user": {"_type": "User", "first_name": "y", "last_name": "z", "user_id": 1}}
    assert not TYPED.holds(referrer, given, current)
    merged = TYPED.merge(referrer, current, given)
    assert merged == {"user": {"_type": "User", "first_name": "x", "last_name": "z", "user_id": 1}}
    check("UpdateIndividualClient", client_id=1, referrer=merged)
    assert TYPED.merge(referrer, {"user": {"user_id": 1, "email": "e"}}, given) == given


IDENTITIES: list[tuple[t.Any, ...]] = [
    ("Address", "address_id"),
    ("User", "user_id"),
    ("UserSimple", "user_id"),
    ("DictionaryItem", "dictionary_item_id"),
    ("Client", "client_id"),
    ("Referrer", "referrer_id"),
    ("PitData", None),
]


def test_the_number_of_an_object() -> None:
    for name, identity in IDENTITIES:
        assert TYPED.identity(CONTRACT.keys(name)[0]) == identity


def test_operations_and_their_inputs() -> None:
    assert TYPED.offers("update_client")
    assert not TYPED.offers("create_client")
    with pytest.raises(errors.InvalidInput, match=r"GetUsers\.searchParams.PageSize: must be a whole number"):
        check("get_users", search_params={"page_size": "x"})

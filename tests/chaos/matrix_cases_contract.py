# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the SOAP contract."""

from __future__ import annotations

import hashlib
import typing as t

from chaos.kinds import client_user, warehouse
from chaos.matrix_case import Args, Case, State, having, traits

WRITE: t.Mapping[str, t.Any] = {"service": "soap", "reads": False}
NEW_PASSWORD = "heron-lantern-42"
AMOUNT: Args = {"client_id": 100, "amount": "120.00", "date_from": "2026-01-01", "description": "hosting"}
WAREHOUSE, USER = having("warehouse", **warehouse("NAME")), having("client_user", **client_user("NAME"))


def _client(**desired: t.Any) -> t.Callable[[State, str], int]:
    def count(state: State, _name: str) -> int:
        row = next(one for one in state["soap"]["clients"] if one["ClientId"] == 100)
        return int(all(str(value) in str(row[member]) for member, value in desired.items()))

    return count


def _warehouses(state: State, name: str) -> int:
    return sum(one["WarehouseName"] == name for one in state["soap"]["warehouses"])


def _user(state: State, name: str, **desired: t.Any) -> int:
    rows = [one for one in state["soap"]["users"] if one["AdLogin"] == name]
    return sum(all(one[member] == value for member, value in desired.items()) for one in rows)


def _password(state: State, _name: str) -> int:
    return _user(state, "second.user", password_sha256=hashlib.sha256(NEW_PASSWORD.encode()).hexdigest())


CASES = (
    Case(
        "warehouse",
        "warehouse",
        {"service": "soap", "operation": "^CreateWarehouse$"},
        warehouse,
        _warehouses,
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "warehouse (update)",
        "warehouse",
        WRITE,
        lambda name: {**warehouse(name), "queue_length": 8},
        lambda state, name: int(
            [one["QueueLength"] for one in state["soap"]["warehouses"] if one["WarehouseName"] == name] == [8]
        ),
        there=WAREHOUSE,
    ),
    Case(
        "warehouse (absent)",
        "warehouse",
        WRITE,
        lambda name: {**{key: value for key, value in warehouse(name).items() if "_" in key}, "state": "absent"},
        lambda state, name: int(_warehouses(state, name) == 0),
        there=WAREHOUSE,
    ),
    Case(
        "client_user",
        "client_user",
        {"service": "soap", "operation": "^CreateUserWithPrivileges$"},
        client_user,
        _user,
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "client_user (update)",
        "client_user",
        WRITE,
        lambda name: {**client_user(name), "last_name": "Writer"},
        lambda state, name: _user(state, name, LastName="Writer"),
        there=USER,
    ),
    Case(
        "client_fixed_amount",
        "client_fixed_amount",
        {**WRITE, "operation": "FixedAmount$"},
        lambda _name: dict(AMOUNT),
        lambda state, _name: len(state["soap"]["fixed_amounts"]),
        creates=True,
    ),
    Case(
        "client_fixed_amount (update)",
        "client_fixed_amount",
        {**WRITE, "operation": "FixedAmount$"},
        lambda _name: {**AMOUNT, "amount": "135.50"},
        lambda state, _name: sum("135.5" in str(one) for one in state["soap"]["fixed_amounts"]),
        there=having("client_fixed_amount", **AMOUNT),
    ),
    Case(
        "client (update)",
        "client",
        WRITE,
        lambda _name: {"id": 100, "commission": "7.50"},
        _client(Commission="7.5"),
    ),
    Case(
        "client (address)",
        "client",
        WRITE,
        lambda _name: {
            "id": 100,
            "addresses": [{"address_type_dict_id": 13, "street": "Mole", "house_number": "12"}],
        },
        _client(Addresses="Mole"),
    ),
    Case(
        "client_pricelist",
        "client_pricelist",
        WRITE,
        lambda _name: {"client_ids": [100, 101], "pricelist": "partner"},
        lambda state, _name: int([state["soap"]["client_pricelists"][number] for number in ("100", "101")] == [2, 2]),
    ),
    Case(
        "pricelist_delete",
        "pricelist_delete",
        WRITE,
        lambda _name: {"client_id": 101, "names": ["old"]},
        lambda state, _name: int(all(one["PricelistId"] != 3 for one in state["soap"]["pricelists"])),
    ),
    Case(
        "client_user_password",
        "client_user_password",
        {**WRITE, "operation": "Password"},
        lambda _name: {
            "action": "set",
            "user_id": 2,
            "user_name": "second.user",
            "new_password": NEW_PASSWORD,
            "verify_first": True,
        },
        _password,
    ),
    Case(
        "client_regulations",
        "client_regulations",
        WRITE,
        lambda _name: {"client_id": 100},
        lambda state, _name: state["soap"]["accepted_regulations"].count(100),
        act=True,
    ),
    Case(
        "client_phone_verification",
        "client_phone_verification",
        WRITE,
        lambda _name: {"action": "send", "phone_number": "+48225559999", "country_dict_id": 9051},
        lambda state, _name: len(state["soap"]["phone_codes"]),
        act=True,
    ),
    Case(
        "contract_call (write)",
        "contract_call",
        WRITE,
        lambda name: {
            "operation": "create_warehouse",
            "inputs": {
                "warehouse_name": name,
                "queue_capacity": 4,
                "data_store_number": f"DS-{name}",
                "template_id": 304,
                "partner_id": 12,
            },
        },
        _warehouses,
        act=True,
    ),
)

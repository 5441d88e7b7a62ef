# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members by what we call them."""

from __future__ import annotations

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import Members
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput

from .contracts import contract, sandbox

ODD = """<xs:complexType name="Odd"><xs:sequence><xs:element name="QueueLen" type="xs:int"/>
<xs:element name="_x003C_Id_x003E_k__BackingField" type="xs:int"/><xs:element name="userId" type="xs:int"/>
<xs:element name="UserID" type="xs:int"/></xs:sequence></xs:complexType>"""


def odd(**overrides: str) -> Members:
    about = contract('<xs:element name="X" type="t:Odd"/>', more=ODD)
    return Members(about, "Odd", {name.replace("__", "."): member for name, member in overrides.items()})


@pytest.mark.parametrize(
    ("desired", "key"),
    [
        (("queue_length", "QueueLen"), "queue_len"),
        (("queue_length", "length", "queue_len"), "queue_len"),
        (("id",), "id"),
        (("owner", "userId"), "userId"),
        (("owner", "UserID"), "UserID"),
    ],
)
def test_the_first_that_fits(desired: tuple[str, ...], key: str) -> None:
    assert odd().find(*desired) == key


def test_no_member_matches() -> None:
    assert odd().find_if_any("colour") is None
    assert odd().find_if_any("user_id") is None  # two members: nobody can say which
    with pytest.raises(InvalidInput) as caught:
        odd().find("colour", "color")
    assert caught.value.message == (
        "The service's type Odd has no member that could be colour: "
        "it has QueueLen, _x003C_Id_x003E_k__BackingField, userId, UserID."
    )
    assert caught.value.next_step == 'Name the member in soap_member_map: {"Odd.colour": ...}.'


@pytest.mark.parametrize("member", ["QueueLen", "queue_len"])
def test_an_option_says_which(member: str) -> None:
    assert odd(Odd__id=member).find("id") == "queue_len"
    assert odd(Other__id=member).find("id") == "id"


def test_an_option_that_names_no_member() -> None:
    with pytest.raises(
        InvalidInput, match=r"soap_member_map: the service's type Odd has no member 'QueueLength'\. Did you mean"
    ):
        odd(Odd__id="QueueLength").find("id")


def test_types_and_inputs_of_the_sandbox() -> None:
    assert Members(sandbox(), "WarehouseItem").find("id", "warehouse_id") == "warehouse_id"
    assert Members(sandbox(), "warehouse_item").find("name", "WarehouseName") == "warehouse_name"
    assert Members(sandbox(), "UpdateWarehouse").find("queue_length") == "queue_length"
    with pytest.raises(InvalidInput, match=r"has no type 'WarehouseItems'\. Did you mean"):
        Members(sandbox(), "WarehouseItems")
    with pytest.raises(InvalidInput, match="has no type 'SortDirection'"):
        Members(sandbox(), "SortDirection")

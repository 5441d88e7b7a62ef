# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is sent: presence, null, lists, spellings, derived and open types."""

from __future__ import annotations

import typing as t

import pytest

pytest.importorskip("zeep")
etree = pytest.importorskip("lxml.etree")

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import Encoder

from .contracts import contract, round_trip, sandbox, sent

DERIVED = """<xs:complexType name="Base"><xs:sequence><xs:element name="A" type="xs:int" minOccurs="0"/></xs:sequence>
</xs:complexType><xs:complexType name="Derived"><xs:complexContent><xs:extension base="t:Base"><xs:sequence>
<xs:element name="B" type="xs:string" minOccurs="0"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
<xs:complexType name="Other"><xs:sequence/></xs:complexType>"""


def xml(operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
    return etree.fromstring(sent(sandbox(), values, operation))


def texts(root: t.Any) -> list[tuple[str, str | None]]:
    return [(etree.QName(node).localname, node.text) for node in root.iter() if not len(node)]


def problem(operation: str, values: t.Mapping[str, t.Any]) -> str:
    with pytest.raises(InvalidInput) as caught:
        sent(sandbox(), values, operation)
    return str(caught.value)


def test_every_item_of_a_list_is_sent() -> None:
    assert texts(xml("DeleteUsers", {"user_ids": [1, "2", 3]})) == [("int", "1"), ("int", "2"), ("int", "3")]


def test_the_xml_way_to_write_a_list_counts_too() -> None:
    assert texts(xml("DeleteUsers", {"userIds": {"int": (1, 2)}})) == [("int", "1"), ("int", "2")]


def test_an_empty_list_is_an_empty_element() -> None:
    assert texts(xml("DeleteUsers", {"user_ids": []})) == [("userIds", None)]


def test_null_in_a_list_is_a_null_item_where_that_is_allowed() -> None:
    root = xml("UpdateIndividualClient", {"client_id": 1, "addresses": [{"city": "x"}, None]})
    items = root[1]
    assert len(items) == 2
    assert items[1].get("{http://www.w3.org/2001/XMLSchema-instance}nil") == "true"


def test_null_in_a_list_is_an_error_where_it_is_not() -> None:
    assert problem("DeleteUsers", {"user_ids": [1, None]}) == (
        "DeleteUsers.userIds[1]: may not be null. Omit it instead."
    )


def test_a_missing_key_is_left_out_and_none_is_null() -> None:
    root = xml("UpdateUserSettings", {"user_id": 7, "language_id": None})
    assert [etree.QName(node).localname for node in root] == ["userId", "languageId"]
    assert root[1].attrib == {"{http://www.w3.org/2001/XMLSchema-instance}nil": "true"}


def test_members_go_in_the_order_of_the_schema() -> None:
    root = xml("LogonUser", {"user_agent": "c", "password": "b", "user": "a"})
    assert texts(root) == [("user", "a"), ("password", "b"), ("userAgent", "c")]


@pytest.mark.parametrize("key", ["warehouse_id", "warehouseId", "WarehouseId", "WAREHOUSE-ID"])
def test_a_key_counts_in_any_spelling(key: str) -> None:
    assert texts(xml("GetWarehouse", {key: 4})) == [("warehouseId", "4")]


def test_a_wrong_key_is_answered_with_its_path_and_the_nearest() -> None:
    text = problem("GetWarehouses", {"search_params": {"partner_idd": 1}})
    assert text.startswith("GetWarehouses.searchParams.partner_idd: there is no such member. Did you mean 'partner_id'")


def test_a_member_given_twice_is_an_error() -> None:
    text = problem("GetWarehouse", {"warehouse_id": 1, "warehouseId": 2})
    assert text == "GetWarehouse.warehouseId: sets warehouseId a second time."


def test_a_key_that_fits_two_members_is_an_error_and_the_exact_name_is_not() -> None:
    about = contract(
        '<xs:element name="userId" type="xs:int" minOccurs="0"/><xs:element name="UserID" type="xs:int" minOccurs="0"/>'
    )
    with pytest.raises(InvalidInput, match=r"In\.user_id: may stand for UserID or userId\. Write it exactly"):
        sent(about, {"user_id": 1})
    assert round_trip(about, {"userId": 1, "UserID": 2}) == {"userId": 1, "UserID": 2}


def test_a_bad_value_deep_inside_is_named_by_its_path() -> None:
    text = problem("UpdateIndividualClient", {"addresses": [{}, {"address_id": "x"}]})
    assert text == "UpdateIndividualClient.addresses[1].AddressId: must be a whole number (int), not 'x'."


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"user_ids": 5}, "DeleteUsers.userIds: must be a list, not a number."),
        ({"user_ids": "1,2"}, "DeleteUsers.userIds: must be a list, not text."),
    ],
)
def test_a_list_has_to_be_one(values: dict[str, t.Any], text: str) -> None:
    assert problem("DeleteUsers", values) == text


def test_a_dictionary_has_to_be_one() -> None:
    text = problem("GetUsers", {"search_params": ["x"]})
    assert text == "GetUsers.searchParams: must be a dictionary (UsersSearchParams), not a list."


def test_markup_and_line_ends_survive() -> None:
    value = "a<b>&\"' ]]>\r\n\t żółć 😀"
    root = etree.fromstring(sent(sandbox(), {"email": value}, "IsEmailAlreadyTaken"))
    assert root[0].text == value


class Dict(dict):  # type: ignore[type-arg]
    """What ansible-core makes of a dictionary: a subclass."""


class List(list):  # type: ignore[type-arg]
    """The same for a list."""


class Text(str):  # noqa: SLOT000 - like the real one
    """The same for a text, with a spelling that must not show."""

    def __repr__(self) -> str:
        return "tagged"


def test_subclasses_of_plain_data_are_plain_data() -> None:
    values = Dict({Text("client_id"): Text("1"), "addresses": List([Dict({"city": Text("x")})])})
    plain = {"client_id": "1", "addresses": [{"city": "x"}]}
    assert sent(sandbox(), values, "UpdateIndividualClient") == sent(sandbox(), plain, "UpdateIndividualClient")


def test_required_members() -> None:
    about = contract('<xs:element name="A" type="xs:int"/><xs:element name="B" type="xs:int" nillable="true"/>')
    assert round_trip(about, {"a": 1}) == {"a": 1, "b": None}
    with pytest.raises(InvalidInput, match=r"In\.A: is required\."):
        sent(about, {"b": 1})


def test_a_derived_type_is_named_by_type() -> None:
    about = contract('<xs:element name="X" type="t:Base" minOccurs="0"/>', more=DERIVED)
    values = {"x": {"_type": "Derived", "a": 1, "b": "c"}}
    assert b'i:type="n1:Derived"' in sent(about, values)
    assert round_trip(about, values) == values
    assert b"i:type" not in sent(about, {"x": {"_type": "Base", "a": 1}})
    with pytest.raises(InvalidInput, match=r"In\.X\._type: 'Other' is not a kind of Base\."):
        sent(about, {"x": {"_type": "Other"}})


OPEN: list[tuple[t.Any, ...]] = [
    (True, "boolean", "true"),
    (5, "int", "5"),
    (2**40, "long", "1099511627776"),
    (1.5, "double", "1.5"),
    ("a&b", "string", "a&b"),
    (b"\x00", "base64Binary", "AA=="),
]


def test_an_open_type_is_stated() -> None:
    for value, name, text in OPEN:
        root = etree.fromstring(sent(contract('<xs:element name="X" type="xs:anyType"/>'), {"x": value}))
        stated = root[0].get("{http://www.w3.org/2001/XMLSchema-instance}type")
        prefix, _colon, word = stated.partition(":")
        assert (root[0].nsmap[prefix], word, root[0].text) == ("http://www.w3.org/2001/XMLSchema", name, text)


def test_an_open_type_with_structure_says_what_it_is() -> None:
    about = contract('<xs:element name="X" type="xs:anyType"/>', more=DERIVED)
    values = {"x": {"_type": "Derived", "a": 1, "b": "c"}}
    assert round_trip(about, values) == values
    for wrong, text in (({"a": 1}, "must state its type in _type"), ([1], "cannot be a list")):
        with pytest.raises(InvalidInput, match=text):
            sent(about, {"x": wrong})


def test_unqualified_members_stay_without_a_namespace() -> None:
    about = contract('<xs:element name="A" type="xs:int"/>', form="unqualified")
    assert sent(about, {"a": 1}).endswith(b"<A>1</A></n1:In>")
    assert round_trip(about, {"a": 1}) == {"a": 1}


def test_a_structure_without_end_is_an_error() -> None:
    about = contract(
        '<xs:element name="X" type="t:Node"/>',
        more='<xs:complexType name="Node"><xs:sequence><xs:element name="Next" type="t:Node" minOccurs="0"/>'
        "</xs:sequence></xs:complexType>",
    )
    node: dict[str, t.Any] = {}
    node["next"] = node
    with pytest.raises(InvalidInput, match="is nested deeper than 60 levels"):
        sent(about, {"x": node})


def test_repeated_members_without_a_wrapper() -> None:
    about = contract(
        '<xs:element name="R" type="xs:int" minOccurs="0" maxOccurs="unbounded"/><xs:element name="Z" type="xs:int"/>'
    )
    assert round_trip(about, {"r": [1, 2], "z": 3}) == {"r": [1, 2], "z": 3}
    assert round_trip(about, {"z": 3}) == {"r": [], "z": 3}


def test_what_is_left_out_is_told() -> None:
    """Not what is required, since that is an error, and not one of a choice, since another may be meant."""
    inside = (
        '<xs:element minOccurs="0" name="Word" type="t:Word"/><xs:element minOccurs="0" name="Flags" type="t:Flags"/>'
        '<xs:element minOccurs="0" name="Guid" type="t:guid"/><xs:element minOccurs="0" name="At" type="xs:dateTime"/>'
        '<xs:element minOccurs="0" name="Text" type="xs:string"/>'
        '<xs:element minOccurs="0" name="Null" type="xs:int" nillable="true"/>'
        '<xs:element minOccurs="0" name="Many" type="xs:int" maxOccurs="2"/>'
        '<xs:choice><xs:element minOccurs="0" name="One" type="xs:int"/></xs:choice>'
    )
    words = '<xs:restriction base="xs:string"><xs:enumeration value="a"/></xs:restriction>'
    more = (
        f'<xs:complexType name="Inner"><xs:sequence>{inside}</xs:sequence></xs:complexType>'
        f'<xs:simpleType name="Word">{words}</xs:simpleType><xs:simpleType name="Flags"><xs:list><xs:simpleType>'
        f'{words}</xs:simpleType></xs:list></xs:simpleType><xs:simpleType name="guid"><xs:restriction '
        'base="xs:string"/></xs:simpleType>'
    )
    members = (
        '<xs:element minOccurs="0" name="A" type="t:Inner"/><xs:element minOccurs="0" name="B" type="t:Inner" '
        'maxOccurs="unbounded"/><xs:element minOccurs="0" name="C" type="t:Inner"/>'
    )
    about = contract(members, more=more)
    encoder = Encoder(about)
    encoder.message(*about.operation("Op").input, {"a": {"word": "a", "at": "2026-05-06", "guid": None}, "b": [{}]})
    left_out = [path for path, _field in encoder.left_out]
    assert [path for path in left_out if path.startswith("In.A")] == [
        f"In.A.{name}" for name in ("Flags", "Text", "Null", "Many")
    ]
    assert [path for path in left_out if path.startswith("In.B")] == [
        f"In.B[0].{name}" for name in ("Word", "Flags", "Guid", "At", "Text", "Null", "Many")
    ]
    assert "In.C" in left_out

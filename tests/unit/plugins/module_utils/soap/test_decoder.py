# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is received: shapes, careless services, references, derived and open types."""

from __future__ import annotations

import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._soap import codec
from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import decode_untyped, with_zeros
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract, Malformed, NotUnderstood
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import XmlTree

from .contracts import SERIALIZATION, contract, received, sandbox

XSI = "http://www.w3.org/2001/XMLSchema-instance"
FCD = "http://schemas.example.com/fcd"
MODELS = "http://schemas.datacontract.org/2004/07/Example.Common.Models"
RECURSIVE = """<xs:complexType name="Simple"><xs:sequence><xs:element name="Name" type="xs:string" minOccurs="0"/>
</xs:sequence></xs:complexType><xs:complexType name="User"><xs:complexContent><xs:extension base="t:Simple">
<xs:sequence><xs:element name="Client" type="t:Client" minOccurs="0" nillable="true"/></xs:sequence></xs:extension>
</xs:complexContent></xs:complexType><xs:complexType name="Client"><xs:sequence>
<xs:element name="Id" type="xs:int" minOccurs="0"/>
<xs:element name="User" type="t:User" minOccurs="0"/></xs:sequence></xs:complexType>
<xs:complexType name="ArrayOfUser"><xs:sequence><xs:element name="User" type="t:User" minOccurs="0"
 maxOccurs="unbounded" nillable="true"/></xs:sequence></xs:complexType>"""


def answer(operation: str, inside: str) -> t.Any:
    return answer_with(operation, f"<f:{operation}Result>{inside}</f:{operation}Result>")


def answer_with(operation: str, inside: str) -> t.Any:
    xml = (
        f'<f:{operation}Response xmlns:f="{FCD}" xmlns:m="{MODELS}" xmlns:i="{XSI}" xmlns:z="{SERIALIZATION}">'
        f"{inside}</f:{operation}Response>"
    )
    members, decoder = received(sandbox(), xml, operation, "output")
    return members[next(iter(members))], decoder.unknown


def users() -> Contract:
    members = '<xs:element name="User" type="t:User"/><xs:element name="Users" type="t:ArrayOfUser" minOccurs="0"/>'
    return contract(members, more=RECURSIVE)


def body(inside: str) -> str:
    return f'<t:In xmlns:t="urn:t" xmlns:i="{XSI}" xmlns:z="{SERIALIZATION}">{inside}</t:In>'


def test_a_recursive_type_with_a_base_is_decoded() -> None:
    xml = body(
        "<t:User><t:Name>a</t:Name><t:Client><t:Id>1</t:Id><t:User><t:Name>b</t:Name></t:User></t:Client></t:User>"
    )
    inner = {"name": "b", "client": None}
    assert received(users(), xml)[0]["user"] == {"name": "a", "client": {"id": 1, "user": inner}}


def test_every_declared_member_is_there() -> None:
    row, _unknown = answer("GetWarehouse", "<m:WarehouseId>4</m:WarehouseId>")
    assert row["warehouse_id"] == 4
    assert row["warehouse_name"] is None
    assert len(row) >= 7


DEFAULTS = (
    '<xs:complexType name="Values"><xs:sequence>'
    + "".join(
        f'<xs:element minOccurs="0" name="{name.capitalize()}" type="xs:{name}" nillable="{nillable}"/>'
        for name, nillable in (
            ("int", "false"),
            ("unsignedByte", "false"),
            ("boolean", "false"),
            ("decimal", "false"),
            ("double", "false"),
            ("dateTime", "false"),
            ("duration", "false"),
            ("string", "false"),
            ("long", "true"),
        )
    )
    + '<xs:element minOccurs="0" name="ItemId" type="xs:int"/>'
    '<xs:element minOccurs="0" name="Word" type="t:Word"/><xs:element name="Wanted" type="xs:int"/>'
    '<xs:element minOccurs="0" name="Seven" type="xs:int" default="7"/><xs:element minOccurs="0" name="Guid" '
    'type="t:guid"/><xs:element minOccurs="0" maxOccurs="unbounded" name="Many" type="xs:int"/>'
    '<xs:choice><xs:element minOccurs="0" name="One" type="xs:int"/><xs:element name="Other" type="xs:int"/>'
    '</xs:choice><xs:sequence minOccurs="0"><xs:element minOccurs="0" name="Pair" type="xs:int"/></xs:sequence>'
    '</xs:sequence></xs:complexType><xs:simpleType name="Word"><xs:restriction base="xs:string"><xs:enumeration '
    'value="a"/></xs:restriction></xs:simpleType><xs:simpleType name="guid"><xs:restriction base="xs:string"/>'
    "</xs:simpleType>"
)


def test_a_number_or_a_boolean_that_has_no_null_is_zero_where_an_object_lacks_it() -> None:
    """For users only: what is compared and sent back keeps the null. An object without any value has no zeros."""
    about = contract('<xs:element name="X" type="t:Values" nillable="true"/>', more=DEFAULTS)
    found = received(about, body("<t:X><t:String>a</t:String></t:X>"))[0]["x"]
    zeros = {"int": 0, "unsignedbyte": 0, "boolean": False, "decimal": "0", "double": 0.0}
    assert {name: value for name, value in found.items() if value is not None} == {"string": "a", "many": []}
    shown = with_zeros(about, "{urn:t}Values", found)
    assert {name: value for name, value in shown.items() if value is not None} == {**zeros, "string": "a", "many": []}
    assert [type(shown[name]) for name in zeros] == [int, int, bool, str, float]
    assert set(shown) - {*zeros, "many"} == {
        *(
            "datetime",
            "duration",
            "string",
            "long",
            "word",
            "guid",
            "wanted",
            "seven",
            "one",
            "other",
            "pair",
            "item_id",
        )
    }
    for nothing in (received(about, body("<t:X/>"))[0]["x"], None):
        assert with_zeros(about, "{urn:t}Values", nothing) == nothing


def test_members_count_in_any_order() -> None:
    row, unknown = answer("GetWarehouse", "<m:WarehouseName>w</m:WarehouseName><m:PartnerId>3</m:PartnerId>")
    assert (row["warehouse_name"], row["partner_id"], unknown) == ("w", 3, [])


def test_a_new_member_is_left_out_and_noted() -> None:
    row, unknown = answer("GetWarehouse", "<m:WarehouseId>4</m:WarehouseId><m:Colour>red</m:Colour>")
    assert row["warehouse_id"] == 4
    assert "colour" not in row
    assert row["_unknown"] == ["Colour"]
    assert "warehouse_name" not in row  # which may be what has another name now
    assert unknown == ["GetWarehouseResponse.GetWarehouseResult.Colour"]


@pytest.mark.parametrize(
    "member",
    [
        "<f:WarehouseId>4</f:WarehouseId>",
        "<WarehouseId>4</WarehouseId>",
        "<m:_x003C_WarehouseId_x003E_k__BackingField>4</m:_x003C_WarehouseId_x003E_k__BackingField>",
    ],
)
def test_another_namespace_or_the_compiler_made_spelling_is_understood(member: str) -> None:
    assert answer("GetWarehouse", member)[0]["warehouse_id"] == 4


def test_a_compiler_made_member_of_the_contract_has_its_plain_name() -> None:
    row, _unknown = answer("LogonUser", "<m:User><m:UserId>9</m:UserId></m:User>")
    assert row["user"]["user_id"] == 9


def test_text_in_a_number_is_an_error_with_its_path() -> None:
    with pytest.raises(
        Malformed, match=r"GetWarehouseResult\.PartnerId contains text that is not a whole number \(int\)"
    ):
        answer("GetWarehouse", "<m:PartnerId>seven</m:PartnerId>")


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("<m:WarehouseName><b>w</b></m:WarehouseName>", r"Result\.WarehouseName contains elements instead of text"),
        ("<m:PartnerId><b>3</b></m:PartnerId>", r"Result\.PartnerId contains elements instead of text"),
        ("oops", "GetWarehouseResult contains text instead of elements"),
        (
            "<m:PartnerId>3</m:PartnerId><m:PartnerId>3</m:PartnerId>",
            "GetWarehouseResult contains PartnerId 2 times instead of once",
        ),
        (
            '<m:PartnerId i:nil="true"/><m:PartnerId>3</m:PartnerId>',
            "GetWarehouseResult contains PartnerId 2 times instead of once",
        ),
    ],
)
def test_a_value_that_would_be_wrong_without_a_word_is_an_error(inside: str, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        answer("GetWarehouse", inside)


def test_a_list_that_holds_a_text_is_an_error() -> None:
    with pytest.raises(Malformed, match="GetPrivilegesResult contains text instead of elements"):
        answer("GetPrivileges", "oops")
    assert answer("GetPrivileges", "\n ") == ([], [])


def test_a_result_with_one_member_keeps_its_shape() -> None:
    row, _unknown = answer("DeleteClient", "<m:IsDeleted>true</m:IsDeleted>")
    assert row == {"is_deleted": True}


def test_seven_digits_of_a_time_survive() -> None:
    row, _unknown = answer("GetWarehouse", "<m:CreationDate>2026-05-06T07:08:09.1234567</m:CreationDate>")
    assert row["creation_date"] == "2026-05-06T07:08:09.1234567"


def test_null_members_and_items_are_none() -> None:
    xml = body('<t:User i:nil="true"/><t:Users><t:User i:nil="1"/><t:User i:nil="false"/></t:Users>')
    members, _decoder = received(users(), xml)
    assert members == {"user": None, "users": [None, {"name": None, "client": None}]}


NOT_UNDERSTOOD: dict[str, tuple[str, str, str]] = {
    "a list of other items": ("GetPrivileges", "<f:GetPrivilegesResult><m:Right/></f:GetPrivilegesResult>", "Right"),
    "a list with another item": (
        "GetPrivileges",
        "<f:GetPrivilegesResult><m:Privilege/><m:Right/></f:GetPrivilegesResult>",
        "GetPrivilegesResult contains Right instead of Privilege",
    ),
    "another result": ("GetWarehouse", "<return><m:WarehouseId>4</m:WarehouseId></return>", "contains return"),
    "no known member": (
        "GetWarehouse",
        "<f:GetWarehouseResult><m:Colour/></f:GetWarehouseResult>",
        "contains Colour, and no member that the WSDL has",
    ),
}
REFERENCES = ('href="#i1"', 'ref="i1"', 'xmlns:e="urn:e" e:ref="i1"', 'z:Ref="i1"')


@pytest.mark.parametrize("case", NOT_UNDERSTOOD)
def test_what_is_not_understood_is_not_empty(case: str) -> None:
    operation, inside, words = NOT_UNDERSTOOD[case]
    with pytest.raises(NotUnderstood, match=words):
        answer_with(operation, inside)


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_reference_to_nothing_is_an_error(reference: str) -> None:
    with pytest.raises(Malformed, match="GetWarehouseResult refers to"):
        answer_with("GetWarehouse", f"<f:GetWarehouseResult {reference}/>")


def test_an_empty_object_has_no_values() -> None:
    assert set(answer("GetWarehouse", "")[0].values()) == {None}


SAME_NAMES: dict[str, tuple[str, str]] = {
    "after the exact one": ("<m:WarehouseName>a</m:WarehouseName><WarehouseName>b</WarehouseName>", "a"),
    "before it": ("<m:warehouse_name>b</m:warehouse_name><m:WarehouseName>a</m:WarehouseName>", "a"),
    "alone": ("<m:warehouse_name>b</m:warehouse_name>", "b"),
}


@pytest.mark.parametrize("case", SAME_NAMES)
def test_another_spelling_never_replaces_the_exact_element(case: str) -> None:
    inside, name = SAME_NAMES[case]
    row, unknown = answer("GetWarehouse", inside)
    assert (row["warehouse_name"], len(unknown)) == (name, int(case != "alone"))


def test_two_spellings_of_one_member_are_an_error() -> None:
    with pytest.raises(Malformed, match="contains WarehouseName 2 times instead of once"):
        answer("GetWarehouse", "<warehouse_name>a</warehouse_name><WarehouseName>b</WarehouseName>")


def test_twelve_megabytes_in_one_element() -> None:
    row, _unknown = answer("GetTemplateIcon", f"<m:Content>{'QUJD' * (3 << 20)}</m:Content>")
    assert len(row["content"]) == 12 << 20


def test_a_reference_is_resolved_and_a_cycle_is_named() -> None:
    xml = body(
        '<t:User z:Id="i1"><t:Name>a</t:Name><t:Client z:Id="i2"><t:Id>1</t:Id><t:User z:Ref="i1" i:nil="false"/>'
        '</t:Client></t:User><t:Users><t:User z:Ref="i1"/></t:Users>'
    )
    members, _decoder = received(users(), xml)
    seen = {"name": "a", "client": {"id": 1, "user": {"_ref": "i1"}}}
    assert members == {"user": seen, "users": [seen]}


def test_references_cannot_multiply_without_end() -> None:
    levels = "".join(
        f'<t:User z:Id="i{level}"><t:Client><t:User z:Ref="i{level + 1}"/></t:Client></t:User>' for level in range(70)
    )
    with pytest.raises(Malformed, match="it refers to itself without end"):
        received(users(), body(f"<t:Users>{levels}</t:Users>"))


def test_a_tree_of_references_cannot_explode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_RESULT_VALUES", 100_000)
    about = contract('<xs:element name="L" type="t:List"/>', more=_LISTS)
    levels = "".join(
        f'<t:List z:Id="i{level}">{f"""<t:List z:Ref="i{level + 1}"/>""" * 10}</t:List>' for level in range(12)
    )
    levels += '<t:List z:Id="i12"/>'
    with pytest.raises(Malformed, match="it has more than 100000 values"):
        received(about, body(f"<t:L>{levels}</t:L>"))


def test_references_to_open_data_cannot_explode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_RESULT_VALUES", 100_000)
    about = contract('<xs:element name="X" type="xs:anyType" maxOccurs="unbounded"/>')
    big = f'<t:X z:Id="i1">{"<t:Y>1</t:Y>" * 1000}</t:X>'
    assert len(received(about, body(big + '<t:X z:Ref="i1"/>' * 50))[0]["x"]) == 51
    with pytest.raises(Malformed, match="it has more than 100000 values"):
        received(about, body(big + '<t:X z:Ref="i1"/>' * 200))


def test_only_the_first_unknown_members_are_noted() -> None:
    colours = "".join(f"<m:Colour{number}/>" for number in range(1000))
    row, unknown = answer("GetWarehouse", "<m:WarehouseId>4</m:WarehouseId>" + colours)
    assert len(unknown) == len(row["_unknown"]) == 100


@pytest.mark.parametrize("digits", [400, 401, 1_000_000])
def test_a_number_of_a_million_digits_costs_nothing(digits: int) -> None:
    xml = body(f"<t:X>{'9' * digits}</t:X>")
    about = contract('<xs:element name="X" type="xs:integer"/>')
    if digits <= 400:
        assert received(about, xml)[0]["x"] == int("9" * digits)
    else:
        with pytest.raises(Malformed, match=r"In\.X contains text that is not a whole number \(integer\)"):
            received(about, xml)


_LISTS = """<xs:complexType name="List"><xs:sequence><xs:element name="List" type="t:List" minOccurs="0"
 maxOccurs="unbounded"/></xs:sequence></xs:complexType>"""


def test_a_stated_derived_type_is_decoded_and_named() -> None:
    about = contract('<xs:element name="X" type="t:Simple"/>', more=RECURSIVE)
    xml = body('<t:X i:type="t:User"><t:Name>a</t:Name><t:Client><t:Id>2</t:Id></t:Client></t:X>')
    assert received(about, xml)[0] == {"x": {"_type": "User", "name": "a", "client": {"id": 2, "user": None}}}


@pytest.mark.parametrize("stated", ["t:Client", "t:Unknown", "Unknown", "q:User"])
def test_a_stated_type_that_does_not_fit_is_not_followed(stated: str) -> None:
    about = contract('<xs:element name="X" type="t:Simple"/>', more=RECURSIVE)
    xml = body(f'<t:X i:type="{stated}"><t:Name>a</t:Name></t:X>')
    assert received(about, xml)[0] == {"x": {"name": "a", "_unknown": [f"the type {stated.rpartition(':')[2]}"]}}


STATED: list[tuple[t.Any, ...]] = [
    ('<t:X xmlns:x="http://www.w3.org/2001/XMLSchema" i:type="x:int">5</t:X>', 5),
    ('<t:X xmlns="http://www.w3.org/2001/XMLSchema" i:type="boolean">1</t:X>', True),
    ('<t:X i:type="t:Client"><t:Id>3</t:Id></t:X>', {"_type": "Client", "id": 3, "user": None}),
    (
        '<t:X i:type="t:Unknown"><t:A>1</t:A><t:A>2</t:A><t:A>3</t:A><t:B i:nil="1"/></t:X>',
        {"A": list("123"), "B": None},
    ),
    ("<t:X>text</t:X>", "text"),
    ('<t:X i:nil="true"/>', None),
]


def test_an_open_type_is_what_it_states() -> None:
    for inside, value in STATED:
        about = contract('<xs:element name="X" type="xs:anyType" nillable="true"/>', more=RECURSIVE)
        assert received(about, body(inside))[0]["x"] == value


def test_generic_data_has_plain_names() -> None:
    tree = XmlTree(
        b'<a xmlns:i="%s"><_x003C_B_x003E_k__BackingField>1</_x003C_B_x003E_k__BackingField></a>' % XSI.encode()
    )
    assert decode_untyped(tree.root) == {"B": "1"}
    assert decode_untyped(XmlTree(b'<a xmlns:i="%s" i:nil="1"/>' % XSI.encode()).root) is None


def test_two_members_that_would_share_a_key_keep_their_own_names() -> None:
    about = contract('<xs:element name="userId" type="xs:int"/><xs:element name="UserID" type="xs:int"/>')
    assert received(about, body("<t:userId>1</t:userId><t:UserID>2</t:UserID>"))[0] == {"userId": 1, "UserID": 2}

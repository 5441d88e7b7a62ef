# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of schema documents that services of this kind have, and some that they should not have."""

from __future__ import annotations

import pytest

pytest.importorskip("zeep")
etree = pytest.importorskip("lxml.etree")

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._soap import wsdl
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract, SchemaField
from ansible_collections.fcd.cloud.plugins.module_utils._soap.wsdl import SchemaReader, TooLarge

from .contracts import contract, round_trip, sandbox

XS = "http://www.w3.org/2001/XMLSchema"


CIRCLE = (
    '<xs:simpleType name="A"><xs:restriction base="t:B"/></xs:simpleType>'
    '<xs:simpleType name="B"><xs:restriction base="t:A"/></xs:simpleType><xs:element name="In" type="t:A"/>'
)


BLANK = (
    '<xs:complexType name="A"><xs:sequence><xs:element name="a b" type="xs:int"/></xs:sequence></xs:complexType>'
    '<xs:element name="In" type="t:A"/>'
)


def table(schema: str, form: str = "qualified") -> dict[str, object]:
    start = f'<xs:schema xmlns:xs="{XS}" xmlns:t="urn:t" targetNamespace="urn:t" elementFormDefault="{form}">'
    return SchemaReader([etree.fromstring(f"{start}{schema}</xs:schema>")]).types()


def test_choice_group_reference_and_unnamed_types() -> None:
    about = contract(
        '<xs:choice><xs:element name="A" type="xs:int"/><xs:element name="B"><xs:complexType><xs:sequence>'
        '<xs:element name="C" type="xs:boolean"/></xs:sequence></xs:complexType></xs:element></xs:choice>'
        '<xs:group ref="t:g" minOccurs="0"/><xs:element ref="t:Shared" minOccurs="0"/>'
        '<xs:sequence maxOccurs="unbounded"><xs:element name="R" type="xs:int" minOccurs="0"/></xs:sequence>'
        '<xs:element name="Gone" type="xs:int" minOccurs="0" maxOccurs="0"/>'
        '<xs:any minOccurs="0" processContents="lax"/>',
        more='<xs:element name="Shared" type="xs:int"/>'
        '<xs:group name="g"><xs:sequence><xs:element name="G1" type="xs:string"/></xs:sequence></xs:group>',
    )
    values = {"b": {"c": True}, "g1": "x", "shared": 4, "r": [1, 2]}
    assert round_trip(about, values) == {"a": None, **values}
    fields = about.fields(about.operation("Op").input[1])
    assert [(field.name, field.required, field.repeated) for field in fields] == [
        ("A", False, False),
        ("B", False, False),
        ("G1", False, False),
        ("Shared", False, False),
        ("R", False, True),
    ]


def test_a_list_of_words_and_text_with_attributes() -> None:
    about = contract(
        (
            '<xs:element name="Flags" type="t:Flags"/>'
            '<xs:element name="Money" type="t:Money"/><xs:element name="U" type="t:U"/>'
        ),
        more='<xs:simpleType name="Flags"><xs:list><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration '
        'value="Read"/><xs:enumeration value="Write"/></xs:restriction></xs:simpleType></xs:list>'
        '</xs:simpleType><xs:complexType name="Money">'
        '<xs:simpleContent><xs:extension base="t:Amount">'
        '<xs:attribute name="currency"/></xs:extension></xs:simpleContent>'
        '</xs:complexType><xs:simpleType name="Amount"><xs:restriction base="xs:decimal"/></xs:simpleType>'
        '<xs:simpleType name="U"><xs:union memberTypes="xs:int xs:string"/></xs:simpleType>',
    )
    for flags in (["read", "Write"], "Read write", "Read, Write"):
        assert round_trip(about, {"flags": flags, "money": 3, "u": 4}) == {
            "flags": ["Read", "Write"],
            "money": "3",
            "u": "4",
        }
    with pytest.raises(InvalidInput, match=r"In\.Flags: must be one of Read, Write, not 'nonsense'"):
        round_trip(about, {"flags": ["Read", "nonsense"], "money": 3, "u": 4})


def test_words_are_inherited_by_a_further_restriction() -> None:
    types = table(
        '<xs:simpleType name="A"><xs:restriction base="xs:string">'
        '<xs:enumeration value="x"/></xs:restriction></xs:simpleType>'
        '<xs:simpleType name="B"><xs:restriction base="t:A"/></xs:simpleType>'
        '<xs:simpleType name="C"><xs:restriction><xs:simpleType>'
        '<xs:restriction base="xs:int"/></xs:simpleType></xs:restriction>'
        "</xs:simpleType><xs:simpleType name='D'><xs:restriction/></xs:simpleType>"
    )
    assert types["{urn:t}B"] == {"simple": "string", "enum": ["x"]}
    assert types["{urn:t}C"] == {"simple": "int"}
    assert types["{urn:t}D"] == {"simple": "anyType"}


def test_members_of_bases_come_first_and_a_restriction_replaces_them() -> None:
    types = table(
        '<xs:complexType name="A"><xs:sequence><xs:element name="a" type="xs:int"/></xs:sequence></xs:complexType>'
        '<xs:complexType name="B"><xs:complexContent>'
        '<xs:extension base="t:A"><xs:all><xs:element name="b" type="xs:int"/>'
        "</xs:all></xs:extension></xs:complexContent></xs:complexType>"
        '<xs:complexType name="C"><xs:complexContent><xs:restriction base="t:B"><xs:sequence><xs:element name="b" '
        'type="xs:int"/></xs:sequence></xs:restriction></xs:complexContent></xs:complexType>'
        '<xs:complexType name="D"><xs:complexContent><xs:restriction base="xs:anyType"><xs:sequence/></xs:restriction>'
        "</xs:complexContent></xs:complexType>"
    )
    about = Contract({"source": "", "endpoint": "", "envelope": "", "operations": {}, "left_out": {}, "types": types})
    assert [[field.name for field in about.fields(f"{{urn:t}}{name}")] for name in "ABCD"] == [
        ["a"],
        ["a", "b"],
        ["b"],
        [],
    ]
    assert about.is_a("{urn:t}C", "{urn:t}A")
    assert not about.is_a("{urn:t}A", "{urn:t}C")
    assert not about.is_a("{urn:t}D", "{urn:t}A")


def test_forms_and_namespaces_of_elements() -> None:
    member = '<xs:element name="{}" type="xs:int" form="{}"/>'
    schema = "<xs:complexType name='A'><xs:sequence>{}</xs:sequence></xs:complexType>"
    forms = ("y", "unqualified"), ("x", "qualified"), ("w", "qualified"), ("z", "unqualified")
    types = table(schema.format("".join(member.format(*form) for form in forms)))
    assert types["{urn:t}A"] == "- y . xs:int 1000 x {urn:t}x xs:int 1000 w . xs:int 1000 z z xs:int 1000"
    empty = {"source": "", "endpoint": "", "envelope": "", "operations": {}, "left_out": {}}
    assert [field.element for field in Contract({**empty, "types": types}).fields("{urn:t}A")] == [
        "y",
        "{urn:t}x",
        "{urn:t}w",
        "z",
    ]
    text = f'<xs:schema xmlns:xs="{XS}" elementFormDefault="qualified"><xs:element name="X" type="xs:int"/></xs:schema>'
    assert SchemaReader([etree.fromstring(text)]).element("X") == "xs:int"


def test_an_element_without_a_type_is_open() -> None:
    types = table('<xs:complexType name="A"><xs:sequence><xs:element name="x"/></xs:sequence></xs:complexType>')
    assert types["{urn:t}A"] == "- x {urn:t}x xs:anyType 1000"


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (
            '<xs:element name="In" type="t:Gone"/>',
            "it refers to the simpleType {urn:t}Gone, which none of its documents",
        ),
        ('<xs:element name="In" type="q:Gone"/>', "the prefix of 'q:Gone' is not declared"),
        (
            CIRCLE,
            "it is the type {urn:t}A, which is derived from itself",
        ),
        (
            '<xs:complexType name="A"><xs:complexContent/></xs:complexType><xs:element name="In" type="t:A"/>',
            "it is the type A, whose content is not derived from a type",
        ),
        (
            BLANK,
            "its name contains a space",
        ),
    ],
)
def test_a_schema_that_contradicts_itself(schema: str, problem: str) -> None:
    holder = (
        '<xs:complexType name="Fine"><xs:sequence><xs:element name="x" type="xs:int"/></xs:sequence></xs:complexType>'
        '<xs:complexType name="Holder"><xs:sequence><xs:element ref="t:In"/></xs:sequence></xs:complexType>'
    )
    root = f'<xs:schema xmlns:xs="{XS}" xmlns:t="urn:t" targetNamespace="urn:t">{schema}{holder}</xs:schema>'
    reader = SchemaReader([etree.fromstring(root)])
    types = reader.types()
    assert reader.unclear("{urn:t}Fine", "Fine") == ""
    unclear = reader.unclear("{urn:t}Holder", "Holder")
    assert unclear.startswith("Holder")
    assert f"cannot be understood: {problem}" in unclear
    assert types.get("{urn:t}Holder") == ("- In {urn:t}In xs:anyType 1000" if "q:" not in schema else None)
    assert {"{urn:t}A", "{urn:t}B"}.isdisjoint(types)


def test_the_number_of_members_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsdl, "MAX_FIELDS", 50)
    groups = "".join(
        f'<xs:group name="g{n}"><xs:sequence><xs:group ref="t:g{n + 1}"/>'
        f'<xs:group ref="t:g{n + 1}"/></xs:sequence></xs:group>'
        for n in range(8)
    )
    end = '<xs:group name="g8"><xs:sequence><xs:element name="x" type="xs:int"/></xs:sequence></xs:group>'
    with pytest.raises(TooLarge, match="more than 50 members"):
        table(f'{groups}{end}<xs:complexType name="A"><xs:group ref="t:g0"/></xs:complexType>')


def test_a_whole_wsdl_whose_schema_is_broken_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "https://soap.example.com/CommonFcd.svc?wsdl"
    with pytest.raises(InvalidInput) as caught:
        contract('<xs:element name="A" type="t:Gone"/>')
    assert caught.value.message.startswith(f"The WSDL {address} cannot be understood: ")
    assert "\n" not in str(caught.value)
    monkeypatch.setattr(wsdl, "MAX_FIELDS", 1)
    with pytest.raises(InvalidInput) as caught:
        contract('<xs:element name="A" type="xs:int"/><xs:element name="B" type="xs:int"/>')
    assert caught.value.message == f"The WSDL {address} cannot be used: its types have more than 1 members."


def test_the_types_of_the_sandbox() -> None:
    about = sandbox()
    names = about.type_names()
    assert {"User", "Client", "WarehouseItem", "ArrayOfint"} <= set(names)
    item = about.item(about.keys("ArrayOfint")[0])
    assert item is not None
    assert item == SchemaField(
        "int", "{http://schemas.microsoft.com/2003/10/Serialization/Arrays}int", "xs:int", False, True, False
    )
    status = about.simple(about.keys("consts.dal.client_status")[0])
    assert status is not None
    assert "Active" in status["enum"]

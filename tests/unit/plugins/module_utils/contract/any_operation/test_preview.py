# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages read back with the names of the schema."""

from __future__ import annotations

import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract.any_operation import preview_message

from ...soap.contracts import contract
from ...soap.stand_in import Bench

MEMBERS = (
    '<xs:element name="Id" type="xs:int" nillable="true"/><xs:element name="When" type="xs:dateTime" minOccurs="0"/>'
    '<xs:element name="Pet" type="t:Animal" minOccurs="0"/><xs:element name="Open" type="xs:anyType" minOccurs="0"/>'
    '<xs:element name="Pets" type="t:ArrayOfAnimal" minOccurs="0"/>'
    '<xs:element name="Note" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>'
    '<xs:element name="Token" type="xs:string" minOccurs="0" nillable="true"/>'
)
TYPES = (
    '<xs:complexType name="Animal"><xs:sequence><xs:element name="_x003C_Name_x003E_k__BackingField" type="xs:string"/>'
    '</xs:sequence></xs:complexType><xs:complexType name="Dog"><xs:complexContent><xs:extension base="t:Animal">'
    '<xs:sequence><xs:element name="Tail" type="xs:boolean"/></xs:sequence></xs:extension></xs:complexContent>'
    '</xs:complexType><xs:complexType name="ArrayOfAnimal"><xs:sequence><xs:element name="Animal" type="t:Animal" '
    'nillable="true" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType>'
)
NAME = "_x003C_Name_x003E_k__BackingField"


def preview(values: dict[str, t.Any], secrets: t.Any = None) -> dict[str, t.Any]:
    about = contract(MEMBERS, more=TYPES)
    client = Bench(Exception(), contract=about).client
    found = preview_message(about, client.message("Op", values), secrets or {})
    assert found.pop("Id") is None
    return found


SENT: list[tuple[t.Any, ...]] = [
    ({}, {}),
    ({"when": "2026-01-02"}, {"When": "2026-01-02T00:00:00"}),
    ({"pet": {"name": "a<b"}}, {"Pet": {NAME: "a<b"}}),
    ({"pet": {"_type": "dog", "name": "a", "tail": "yes"}}, {"Pet": {"_type": "Dog", NAME: "a", "Tail": True}}),
    ({"pets": [{"name": "a"}, None]}, {"Pets": [{NAME: "a"}, None]}),
    ({"pets": []}, {"Pets": []}),
    ({"note": ["a", "b"]}, {"Note": ["a", "b"]}),
    ({"note": ["a"]}, {"Note": ["a"]}),
    ({"open": 5}, {"Open": 5}),
    ({"open": "five"}, {"Open": "five"}),
    ({"open": {"_type": "Dog", "name": "a", "tail": 0}}, {"Open": {"_type": "Dog", NAME: "a", "Tail": False}}),
    ({"token": None}, {"Token": None}),
]


def test_what_would_be_sent() -> None:
    for values, seen in SENT:
        assert preview({"id": None, **values}) == seen


@pytest.mark.parametrize(
    ("secrets", "seen"),
    [
        ({}, {}),
        ({"PET": {"Name": 1}}, {"Pet": {NAME: "(hidden)"}}),
        ({"pet": "x", "note": 1}, {"Pet": "(hidden)", "Note": ["(hidden)"]}),
        ({"pets": {"animal": [1]}}, {"Pets": "(hidden)"}),
    ],
)
def test_secrets_are_concealed(secrets: t.Any, seen: dict[str, t.Any]) -> None:
    values = {"id": None, "pet": {"name": "rex"}, "pets": [{"name": "tom"}], "note": ["a"], "token": "canary"}
    plain = {"Pet": {NAME: "rex"}, "Pets": [{NAME: "tom"}], "Note": ["a"], "Token": "(hidden)"}
    assert preview(values, secrets) == {**plain, **seen}

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox's WSDL with one operation more that is odd: all others stay as they are."""

from __future__ import annotations

import pathlib
import re
import typing as t

import pytest

pytest.importorskip("zeep")

from ansible_collections.fcd.cloud.plugins.module_utils._contract.operation_info import describe_operation
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import Encoder
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
from ansible_collections.fcd.cloud.plugins.module_utils._soap.wsdl import WsdlDocuments, read_wsdl

from .contracts import WSDL_FOLDER, received, sandbox_data, sent
from .stand_in import Bench, enveloped, plain

FCD = "http://schemas.example.com/fcd"
DATA_SET = (
    '<xs:element minOccurs="0" name="{}" nillable="true"><xs:complexType><xs:sequence><xs:element ref="xs:schema"/>'
    "<xs:any/></xs:sequence></xs:complexType></xs:element>"
)
NONE = '<xs:element name="{}"><xs:complexType><xs:sequence/></xs:complexType></xs:element>'
NO_INPUT, NO_RESULT = NONE.format("Odd"), NONE.format("OddResponse")
IT_IS = "it is a data set, which carries its schema in the data, so the WSDL lacks it"


def element(name: str, members: str) -> str:
    return NONE.format(name).replace("<xs:sequence/>", f"<xs:sequence>{members}</xs:sequence>")


def extended(folder: pathlib.Path, schema: str) -> dict[str, t.Any]:
    """Compile the sandbox's WSDL with the operation ``Odd``; ``schema`` has its elements and what they need."""
    for path in pathlib.Path(WSDL_FOLDER).iterdir():
        text = path.read_text()
        if path.name == "xsd0.xsd":
            text = text.replace("</xs:schema>", f"{schema}</xs:schema>")
        if path.suffix == ".wsdl":
            text = re.sub(r"(<wsdl:message name=\"\w+GetTimeZones_.*?</wsdl:message>)", _renamed, text, flags=re.DOTALL)
            text = re.sub(
                r"(<wsdl:operation name=\"GetTimeZones\".*?</wsdl:operation>)", _renamed, text, flags=re.DOTALL
            )
        (folder / path.name).write_text(text)
    data = read_wsdl(WsdlDocuments(str(folder / "CommonFcd.wsdl"), lambda _address: b""), 1000.0)
    assert {name for name in data["operations"] if name != "Odd"} == set(sandbox_data()["operations"])
    return data


def _renamed(found: re.Match[str]) -> str:
    """Return what stands there, and once more for the operation Odd."""
    return found[0] + found[0].replace("GetTimeZones", "Odd")


def test_a_data_set_in_an_answer_comes_as_open_data(tmp_path: pathlib.Path) -> None:
    schema = NO_INPUT + element("OddResponse", DATA_SET.format("OddResult"))
    about = Contract(extended(tmp_path, schema))
    assert about.left_out == {}
    assert describe_operation(about, "Odd")["result"] == {"type": "anyType", "list": False}
    rows = "<Table><Id>{}</Id><Name>a</Name></Table>"
    xml = (
        f'<OddResponse xmlns="{FCD}"><OddResult><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" id="New">'
        '<xs:element name="New"/></xs:schema><d:diffgram xmlns:d="urn:schemas-microsoft-com:xml-diffgram-v1">'
        f'<New xmlns="">{rows.format(1)}{rows.format(2)}</New></d:diffgram></OddResult></OddResponse>'
    )
    (result,) = received(about, xml, "Odd", "output")[0].values()
    assert result["diffgram"] == {"New": {"Table": [{"Id": "1", "Name": "a"}, {"Id": "2", "Name": "a"}]}}


INT = '<xs:element name="{}"><xs:simpleType><xs:restriction base="xs:int"/></xs:simpleType></xs:element>'
BARE: dict[str, tuple[str, str, dict[str, t.Any], str, str, t.Any]] = {
    "numbers": (INT.format("Odd"), INT.format("OddResponse"), {"odd": "7"}, ">7</n1:Odd>", ">8</OddResponse>", 8),
    "texts": (
        '<xs:element name="Odd" nillable="true" type="xs:string"/>',
        '<xs:element name="OddResponse" nillable="true" type="xs:string"/>',
        {"Odd": "a&b"},
        ">a&amp;b</n1:Odd>",
        ">a</OddResponse>",
        "a",
    ),
    "nothing": ('<xs:element name="Odd"/>', '<xs:element name="OddResponse"/>', {}, "<n1:Odd/>", "/>", ""),
    "open data": (
        '<xs:element name="Odd"/>',
        '<xs:element name="OddResponse"/>',
        {"odd": 5},
        'i:type="n1:int">5</n2:Odd>',
        "><A>1</A></OddResponse>",
        {"A": "1"},
    ),
}


@pytest.mark.parametrize("case", BARE)
def test_a_message_that_is_no_structure_is_one_value(case: str, tmp_path: pathlib.Path) -> None:
    element_in, element_out, values, request, reply, result = BARE[case]
    about = Contract(extended(tmp_path, element_in + element_out))
    encoder = Encoder(about)
    assert encoder.message(*about.operation("Odd").input, values).endswith(request)
    bench = Bench(plain(200, enveloped(f'<OddResponse xmlns="{FCD}"{reply}')), contract=about)
    assert bench.call("Odd", **values) == result
    assert describe_operation(about, "Odd")["name"] == "Odd"
    if element_in.endswith("</xs:element>"):
        for wrong in ({}, {"odd": "x"}):
            with pytest.raises(InvalidInput, match=r"^Odd"):
                Encoder(about).message(*about.operation("Odd").input, wrong)


HOLDER = (
    f'<xs:complexType name="Holder"><xs:sequence>{DATA_SET.format("Data")}</xs:sequence></xs:complexType>'
    '<xs:complexType name="Further"><xs:complexContent><xs:extension base="tns:Holder"><xs:sequence/></xs:extension>'
    "</xs:complexContent></xs:complexType>"
)
HOLDERS = (
    '<xs:complexType name="Holders"><xs:sequence><xs:element name="Holder" type="tns:Holder" maxOccurs="unbounded"/>'
    "</xs:sequence></xs:complexType>"
)


def holding(kind: str) -> str:
    return element("Odd", f'<xs:element minOccurs="0" name="holder" nillable="true" type="{kind}"/>') + NO_RESULT


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (
            element("Odd", DATA_SET.format("data")) + NO_RESULT,
            f"of its input, Odd.data cannot be understood: {IT_IS}",
        ),
        (HOLDER + holding("tns:Holder"), f"of its input, Odd.holder.Data cannot be understood: {IT_IS}"),
        (HOLDER + holding("tns:Further"), f"of its input, Odd.holder.Data cannot be understood: {IT_IS}"),
        (
            HOLDER + HOLDERS + holding("tns:Holders"),
            f"of its input, Odd.holder.Holder.Data cannot be understood: {IT_IS}",
        ),
        (
            element("Odd", '<xs:element ref="xs:schema"/><xs:any/>') + NO_RESULT,
            f"of its input, Odd cannot be understood: {IT_IS}",
        ),
        (
            NO_INPUT + element("OddResponse", '<xs:element ref="xs:schema"/><xs:any/>'),
            "its answer is not understood",
        ),
    ],
)
def test_what_cannot_be_written_or_read_is_left_out_with_the_reason(
    schema: str, why: str, tmp_path: pathlib.Path
) -> None:
    about = Contract(extended(tmp_path, schema))
    assert about.left_out == {"Odd": why}
    assert len([describe_operation(about, name) for name in about.operations()]) == 108
    for spelling in ("Odd", "odd"):
        with pytest.raises(InvalidInput) as caught:
            about.operation(spelling)
        assert f"describes Odd, but the operation cannot be used: {why}." in caught.value.message


def test_an_element_that_refers_to_itself_is_read_once(tmp_path: pathlib.Path) -> None:
    schema = (
        '<xs:element name="Node"><xs:complexType><xs:sequence><xs:element name="Id" type="xs:int"/>'
        '<xs:element ref="tns:Node" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>'
    )
    about = Contract(extended(tmp_path, schema + element("Odd", '<xs:element ref="tns:Node"/>') + NO_RESULT))
    values = {"node": {"id": 1, "node": [{"id": 2, "node": []}, {"id": 3, "node": [{"id": 4, "node": []}]}]}}
    assert received(about, sent(about, values, "Odd"), "Odd")[0] == values


def test_a_group_whose_element_holds_the_group_is_read_once(tmp_path: pathlib.Path) -> None:
    schema = (
        '<xs:group name="Inner"><xs:sequence><xs:element name="Deeper" minOccurs="0"><xs:complexType><xs:sequence>'
        '<xs:group ref="tns:Inner"/></xs:sequence></xs:complexType></xs:element></xs:sequence></xs:group>'
    )
    about = Contract(extended(tmp_path, schema + element("Odd", '<xs:group ref="tns:Inner"/>') + NO_RESULT))
    values = {"deeper": {"deeper": {"deeper": None}}}
    assert received(about, sent(about, {"deeper": {"deeper": {}}}, "Odd"), "Odd")[0] == values

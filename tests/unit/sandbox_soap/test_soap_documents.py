# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents say what the contract says, mark what is assumed, and are served as the provider serves them."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
import zeep
from lxml import etree
from sandbox.soap import documents
from sandbox.soap.in_process import ORIGIN, PATH, InProcess
from sandbox.soap.service import SoapService

XS = "{http://www.w3.org/2001/XMLSchema}"
INTERNAL = "https://node1.internal.example/CommonFcd.svc"
MODELS = "http://schemas.datacontract.org/2004/07/Example.Common.Models"
VALUE_TYPES = {"int", "long", "boolean", "decimal", "dateTime"}


def table() -> dict[str, tuple[list[str], str]]:
    """The contract's operations: name -> (inputs, result), read from the data file beside this one."""
    lines = (Path(__file__).parent / "operations.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert len(rows) == 108
    return {name: ([] if inputs == "-" else inputs.split(", "), result) for name, inputs, result in rows}


def messages() -> dict[str, Any]:
    """The message elements by name."""
    root = etree.parse(documents.FOLDER / "xsd0.xsd").getroot()
    return {node.get("name"): node for node in root.iterchildren(f"{XS}element")}


def described(node: Any) -> list[str]:
    """The children of a message element as the table writes them; ``?`` marks a nullable number or boolean."""
    lines = []
    for child in node.iterfind(f".//{XS}sequence/{XS}element"):
        kind = child.get("type").split(":")[1]
        value_type = kind in VALUE_TYPES or kind.startswith("Consts.")
        nillable = child.get("nillable") == "true"
        assert child.get("minOccurs") == "0", child.get("name")
        assert nillable or value_type, f"{child.get('name')} must accept null"
        kind = re.sub(r"^SearchResultsCollectionOf(\w+)N1P6a4qc$", r"SearchResultsCollection of \1", kind)
        lines.append(f"{child.get('name')}: {kind}{'?' if nillable and value_type else ''}")
    return lines


def test_the_messages_are_those_of_the_contract() -> None:
    found = messages()
    expected = {}
    for name, (inputs, result) in table().items():
        expected[name] = inputs
        expected[f"{name}Response"] = [] if result == "-" else [f"{name}Result: {result}"]
    assert {name: described(node) for name, node in found.items()} == expected


def test_each_operation_has_its_action_and_its_messages_in_the_order_of_the_contract() -> None:
    root = etree.fromstring(documents.text(documents.WSDL_FILE).encode())
    space = root.nsmap | {"w": "http://schemas.xmlsoap.org/wsdl/"}
    names = list(table())
    assert root.xpath("w:portType/w:operation/@name", namespaces=space) == names
    assert root.xpath("w:binding/w:operation/@name", namespaces=space) == names
    actions = [f"{root.get('targetNamespace')}/ICommonFcd/{name}" for name in names]
    assert root.xpath("w:binding/w:operation/soap12:operation/@soapAction", namespaces=space) == actions
    for attribute in ("wsaw", "wsam"):
        assert root.xpath(f"w:portType/w:operation/w:input/@{attribute}:Action", namespaces=space) == actions
    parts = root.xpath("w:message/w:part[@name='parameters']/@element", namespaces=space)
    assert parts == [f"tns:{name}{end}" for name in names for end in ("", "Response")]
    policy = etree.tostring(root.find("{http://schemas.xmlsoap.org/ws/2004/09/policy}Policy")).decode()
    for assertion in ("BasicAuthentication", "HttpsToken", "Basic256", "Strict", "UsingAddressing"):
        assert assertion in policy


def types() -> list[Any]:
    """The named types of the data contracts, the enumerations and the paged results; arrays are the contract's."""
    roots = [etree.parse(documents.FOLDER / f"{name}.xsd").getroot() for name in ("xsd2", "xsd3", "xsd5", "xsd6")]
    nodes = [node for root in roots for node in root.iterchildren(f"{XS}complexType", f"{XS}simpleType")]
    return [node for node in nodes if not node.get("name").startswith("ArrayOf")]


def test_every_type_says_what_is_assumed() -> None:
    assert len(types()) > 60
    for node in types():
        text = node.findtext(f"{XS}annotation/{XS}documentation") or ""
        assert text.startswith(("ASSUMPTION: ", "OBSERVED: ")), node.get("name")
        if not text.startswith("ASSUMPTION: "):
            assert node.get("name") == "AuthorizationErrorDescription"


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("User", ["AvailabilityZone", "Client", "Currency", "DateFormat", "Is24HourClock", "TimeZone"]),
        ("UserSimple", ["FullName"]),
        ("DictionaryItem", ["DictionaryItemId", "DictionaryItemNames"]),
        ("DictionaryItemName", ["ItemName", "LanguageDictId"]),
        ("ClusterSimple", ["ClusterId", "DisplayName", "IsActive"]),
        ("LogonUserResult", ["_x003C_User_x003E_k__BackingField"]),
        ("Client", ["ClientId"]),
        ("TimeZone", ["DisplayName"]),
    ],
)
def test_the_known_members_are_marked(name: str, members: list[str]) -> None:
    (node,) = [node for node in types() if node.get("name") == name]
    marked = node.xpath(".//*[local-name()='documentation'][starts-with(., 'OBSERVED: ')]/../../@name")
    assert marked == members


def test_the_members_of_a_type_stand_in_the_order_of_their_names() -> None:
    for node in types():
        names = [child.get("name") for child in node.iter(f"{XS}element")]
        assert names == sorted(names), node.get("name")


def test_zeep_finds_every_operation_and_the_quirks(zeep_documents: zeep.Client) -> None:
    (port,) = next(iter(zeep_documents.wsdl.services.values())).ports.values()
    assert set(port.binding._operations) == set(table())
    assert port.binding_options["address"] == INTERNAL
    user = zeep_documents.get_type(f"{{{MODELS}}}User")
    names = [name for name, _ in user.elements]
    assert names[:4] == ["Email", "FullName", "UserId", "AdLogin"]


def test_the_names_of_generic_types_end_as_their_annotation_says() -> None:
    """Microsoft's importer refuses a name whose ending is not the digest of the namespaces of the parameters."""
    root = etree.parse(documents.FOLDER / "xsd5.xsd").getroot()
    annotations = list(root.iter("{*}GenericType"))
    assert len(annotations) == 7
    for generic in annotations:
        parameters = [(child.get("Name"), child.get("Namespace")) for child in generic]
        spaces = f" {len(parameters)}" + "".join(f" {space}" for _name, space in parameters)
        digest = base64.b64encode(hashlib.md5(spaces.encode(), usedforsecurity=False).digest()[:6]).decode()
        ending = digest.replace("/", "_S").replace("+", "_P")
        name = generic.get("Name").replace("{0}", parameters[0][0]).replace("{#}", ending)
        assert next(generic.iterancestors(f"{XS}complexType")).get("name") == name


def test_the_files_load_from_the_folder_too() -> None:
    loaded = zeep.Client(str(documents.FOLDER / documents.WSDL_FILE))
    assert loaded.get_element(f"{{{MODELS}}}WarehouseItem") is not None


def test_the_addresses_in_the_served_documents(service: SoapService, client: InProcess) -> None:
    wsdl = client.request("GET", f"{PATH}?wsdl")
    assert wsdl.headers["Content-Type"] == "text/xml; charset=utf-8"
    assert set(re.findall(rb'location="(.*?)"', wsdl.body)) == {INTERNAL.encode()}
    locations = re.findall(rb'schemaLocation="(.*?)"', wsdl.body)
    assert locations == [f"{ORIGIN}{PATH}?xsd=xsd{number}".encode() for number in range(7)]

    service.settings.update(published_address="https://other.example/a", import_address="https://node2.example/b")
    wsdl = client.request("GET", f"{PATH}?WSDL")
    assert set(re.findall(rb'location="(.*?)"', wsdl.body)) == {b"https://other.example/a"}
    models = client.request("GET", f"{PATH}?xsd=xsd2")
    assert b'schemaLocation="https://node2.example/b?xsd=xsd3"' in models.body

    service.settings["bare_imports"] = True
    assert b"schemaLocation" not in client.request("GET", f"{PATH}?xsd=xsd2").body


@pytest.mark.parametrize("target", [PATH, f"{PATH}?xsd=xsd9", f"{PATH}?xsd=CommonFcd", f"{PATH}?xsd=", "/other?wsdl"])
def test_other_documents_do_not_exist(client: InProcess, target: str) -> None:
    assert client.request("GET", target).status == 404

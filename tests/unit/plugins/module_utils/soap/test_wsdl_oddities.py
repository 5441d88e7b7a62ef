# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What services of this kind publish and answer, odd as it is: each with a WSDL as it is written and a call."""

from __future__ import annotations

import typing as t

import pytest

pytest.importorskip("zeep")
pytest.importorskip("lxml.etree")

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Request, Response
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract, local
from ansible_collections.fcd.cloud.plugins.module_utils._soap.wsdl import WsdlDocuments, read_wsdl

from .contracts import ADDRESS, SERIALIZATION
from .stand_in import S12, XSI, Bench, body_of

INNER = "http://node1.internal.example:450/CommonFcd.svc"
SCHEMA = (
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" xmlns:m="urn:m" targetNamespace="{}" '
    'elementFormDefault="qualified">{}</xs:schema>'
)
ABSTRACT = """<w:message name="GetIn"><w:part name="parameters" element="t:Get"/></w:message>
 <w:message name="GetOut"><w:part name="parameters" element="t:GetResponse"/></w:message>
 <w:portType name="IFcd"><w:operation name="Get">
  <w:input wsaw:Action="urn:t/IFcd/Get" message="t:GetIn" xmlns:wsaw="http://www.w3.org/2006/05/addressing/wsdl"/>
  <w:output message="t:GetOut"/></w:operation></w:portType>"""
CONCRETE = """<w:binding name="B" type="t:IFcd"><s:binding transport="http://schemas.xmlsoap.org/soap/http"/>
  <w:operation name="Get"><s:operation soapAction="urn:t/IFcd/Get" style="document"/>
   <w:input><s:body use="literal"/></w:input><w:output><s:body use="literal"/></w:output></w:operation></w:binding>
 <w:service name="Fcd"><w:port name="P" binding="t:B"><s:address location="http://node1.internal.example:450/"/></w:port>
 </w:service>"""
DEFINITIONS = (
    '<?xml version="1.0" encoding="utf-8"?><w:definitions targetNamespace="urn:t" xmlns:t="urn:t" '
    'xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap12/">{}</w:definitions>'
)


def element(name: str, members: str) -> str:
    return (
        f'<xs:element name="{name}"><xs:complexType><xs:sequence>{members}</xs:sequence></xs:complexType></xs:element>'
    )


def member(name: str, kind: str, more: str = "") -> str:
    return f'<xs:element minOccurs="0" name="{name}" nillable="true" type="{kind}" {more}/>'


def structure(name: str, members: str, base: str = "") -> str:
    inside = f"<xs:sequence>{members}</xs:sequence>"
    if base:
        inside = (
            f'<xs:complexContent mixed="false"><xs:extension base="{base}">{inside}</xs:extension></xs:complexContent>'
        )
    return f'<xs:complexType name="{name}">{inside}</xs:complexType>'


def array(name: str, item: str) -> str:
    return structure(name, member(item.rpartition(":")[2], item, 'maxOccurs="unbounded"'))


def one_file(schema: str, result: str, given: str = "") -> Contract:
    """A WSDL in one piece, with an operation that takes members and returns a type."""
    types = SCHEMA.format("urn:t", element("Get", given) + element("GetResponse", member("GetResult", result)) + schema)
    text = DEFINITIONS.format(f"<w:types>{types}</w:types>{ABSTRACT}{CONCRETE}")
    return Contract(read_wsdl(WsdlDocuments(ADDRESS, lambda _address: text.encode()), 1000.0))


def answered(inside: str, attributes: str = "") -> Response:
    """An answer; the prefix ``t`` is the namespace of the service, as it is for the elements without one."""
    xml = f"<GetResponse><GetResult {attributes}>{inside}</GetResult></GetResponse>"
    body = (
        f'<e:Envelope xmlns:e="{S12}" xmlns="urn:t" xmlns:t="urn:t" xmlns:i="{XSI}" xmlns:z="{SERIALIZATION}">'
        f"<e:Body>{xml}</e:Body></e:Envelope>"
    )
    return Response(200, {}, body.encode())


def call(about: Contract, inside: str, attributes: str = "", **given: t.Any) -> t.Any:
    return Bench(answered(inside, attributes), contract=about).call("Get", **given)


def texts(request: Request) -> list[tuple[str, str]]:
    """Names and texts of the members of a request."""
    return [(local(node.tag), node.text) for node in body_of(request).children]


def test_files_that_import_each_other_by_the_names_of_internal_hosts() -> None:
    files = {
        "?wsdl": DEFINITIONS.format(f'<w:import namespace="urn:t" location="{INNER}?wsdl=wsdl0"/>{CONCRETE}'),
        "?wsdl=wsdl0": DEFINITIONS.format(
            f'<w:types><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t/Imports">'
            f'<xs:import namespace="urn:t" schemaLocation="{INNER}?xsd=xsd0"/>'
            f'<xs:import namespace="urn:m" schemaLocation="{INNER}?xsd=xsd1"/></xs:schema></w:types>{ABSTRACT}'
        ),
        "?xsd=xsd0": SCHEMA.format(
            "urn:t",
            f'<xs:import namespace="urn:m" schemaLocation="https://node2.internal.example{"/CommonFcd.svc?xsd=xsd1"}"/>'
            + element("Get", member("id", "xs:int"))
            + element("GetResponse", member("GetResult", "m:Thing")),
        ),
        "?xsd=xsd1": SCHEMA.format("urn:m", structure("Thing", member("Name", "xs:string"))),
    }
    asked: list[str] = []

    def get(address: str) -> bytes:
        asked.append(address)
        return files[address.removeprefix(ADDRESS.partition("?")[0])].encode()

    about = Contract(read_wsdl(WsdlDocuments(ADDRESS, get), 1000.0))
    assert sorted(asked) == sorted(ADDRESS.partition("?")[0] + query for query in files)
    bench = Bench(answered('<Name xmlns="urn:m">x</Name>'), contract=about)
    assert bench.call("Get", id=7) == {"name": "x"}
    assert texts(bench.sent[0]) == [("id", "7")]
    assert bench.sent[0].url.startswith("https://soap.example.com/")


BARE = SCHEMA.format(
    "urn:t",
    '<xs:import namespace="urn:m"{}/>' + element("Get", "") + element("GetResponse", member("GetResult", "m:Thing")),
)


def test_a_wsdl_without_its_imports_can_be_used_once_it_is_saved_and_repaired(tmp_path: t.Any) -> None:
    published = DEFINITIONS.format(f"<w:types>{BARE.format('')}</w:types>{ABSTRACT}{CONCRETE}")
    with pytest.raises(InvalidInput) as caught:
        read_wsdl(WsdlDocuments(ADDRESS, lambda _address: published.encode()), 1000.0)
    assert "urn:m" in caught.value.message
    assert "\n" not in str(caught.value)
    assert caught.value.next_step == (
        "Set soap_wsdl to the address of the WSDL (by default soap_url with ?wsdl), or to a file with a saved one."
    )
    repaired = published.replace('namespace="urn:m"', 'namespace="urn:m" schemaLocation="models.xsd"')
    (tmp_path / "CommonFcd.wsdl").write_text(repaired, encoding="utf-8")
    (tmp_path / "models.xsd").write_text(
        SCHEMA.format("urn:m", structure("Thing", member("Name", "xs:string"))), encoding="utf-8"
    )
    documents = WsdlDocuments(str(tmp_path / "CommonFcd.wsdl"), pytest.fail)
    about = Contract(read_wsdl(documents, 1000.0))
    assert call(about, '<Name xmlns="urn:m">x</Name>') == {"name": "x"}


COMPILER_MADE = "_x003C_Client_x003E_k__BackingField"


@pytest.mark.parametrize("key", ["client", "Client", COMPILER_MADE])
def test_members_with_names_that_a_compiler_made(key: str) -> None:
    given = member(COMPILER_MADE, "t:Client")
    about = one_file(structure("Client", member("_name", "xs:string")), "t:Client", given)
    bench = Bench(answered("<_name>x</_name>"), contract=about)
    assert bench.call("Get", **{key: {"name": "y"}}) == {"name": "x"}
    (sent,) = body_of(bench.sent[0]).children
    assert local(sent.tag) == COMPILER_MADE
    assert [(local(node.tag), node.text) for node in sent.children] == [("_name", "y")]


@pytest.mark.parametrize("name", [COMPILER_MADE, "Client", "_client"])
def test_an_answer_may_use_the_other_spelling(name: str) -> None:
    about = one_file(structure("Outer", member(COMPILER_MADE, "xs:string")), "t:Outer")
    assert call(about, f"<{name}>x</{name}>") == {"client": "x"}


PAGE = structure("PageOfThingx5ExmPLe", member("_results", "t:ArrayOfThing") + member("_totalCount", "xs:int"))
THING = structure("Thing", member("_id", "xs:int")) + array("ArrayOfThing", "t:Thing")


@pytest.mark.parametrize(
    ("inside", "results"),
    [
        ("<_results><Thing><_id>1</_id></Thing><Thing i:nil='true'/></_results>", [{"id": 1}, None]),
        ("<_results/>", []),
        ("<_results i:nil='true'/>", None),
        ("", None),
    ],
)
def test_names_with_a_leading_underscore_and_pages_that_are_empty(inside: str, results: t.Any) -> None:
    about = one_file(THING + PAGE, "t:PageOfThingx5ExmPLe")
    assert call(about, f"{inside}<_totalCount>2</_totalCount>") == {"results": results, "total_count": 2}


@pytest.mark.parametrize(
    ("inside", "attributes", "result"),
    [("<Thing><_id>1</_id></Thing>", "", [{"id": 1}]), ("", "i:nil='true'", []), ("", "", [])],
)
def test_an_empty_list_may_be_null(inside: str, attributes: str, result: t.Any) -> None:
    assert call(one_file(THING, "t:ArrayOfThing"), inside, attributes) == result


DOTTED = (
    '<xs:simpleType name="Consts.DAL.ClientStatus"><xs:restriction base="xs:string"><xs:enumeration value="Active"/>'
    '<xs:enumeration value="WaitingForVerification"/></xs:restriction></xs:simpleType>'
)


@pytest.mark.parametrize(
    "word", ["waiting_for_verification", "WaitingForVerification", "waitingForVerification", "WAITING-FOR-VERIFICATION"]
)
def test_a_word_of_an_enumeration_with_a_dotted_name_counts_in_any_spelling(word: str) -> None:
    about = one_file(DOTTED, "t:Consts.DAL.ClientStatus", member("status", "t:Consts.DAL.ClientStatus"))
    bench = Bench(answered("Active"), contract=about)
    assert bench.call("Get", status=word) == "Active"
    assert texts(bench.sent[0]) == [("status", "WaitingForVerification")]


def test_a_word_that_an_enumeration_does_not_have() -> None:
    about = one_file(DOTTED, "t:Consts.DAL.ClientStatus", member("status", "t:Consts.DAL.ClientStatus"))
    with pytest.raises(InvalidInput, match=r"Get\.status: must be one of Active, WaitingForVerification, not 'x'"):
        call(about, "Active", status="x")
    assert call(about, "Newer") == "Newer"  # what the service says is not for us to refuse


KINDS = (
    structure("Models.Simple", member("Name", "xs:string"))
    + structure("Models.Full", member("Size", "xs:int"), "t:Models.Simple")
    + structure("Models.Fuller", member("Colour", "xs:string"), "t:Models.Full")
)


@pytest.mark.parametrize("named", ["Models.Fuller", "models_fuller"])
def test_a_derived_type_with_a_dotted_name(named: str) -> None:
    about = one_file(KINDS, "t:Models.Simple", member("thing", "t:Models.Simple"))
    bench = Bench(
        answered("<Name>a</Name><Size>1</Size><Colour>red</Colour>", "i:type='t:Models.Fuller'"), contract=about
    )
    given = {"name": "b", "size": 2, "colour": "blue"}
    assert bench.call("Get", thing={"_type": named, **given}) == {
        "_type": "Models.Fuller",
        "name": "a",
        "size": 1,
        "colour": "red",
    }
    (thing,) = body_of(bench.sent[0]).children
    assert thing.attributes[f"{{{XSI}}}type"] == "{urn:t}Models.Fuller"
    assert [(local(node.tag), node.text) for node in thing.children] == [
        ("Name", "b"),
        ("Size", "2"),
        ("Colour", "blue"),
    ]


RECURSIVE = (
    structure("UserSimple", member("Name", "xs:string"))
    + structure("User", member("Client", "t:Client"), "t:UserSimple")
    + structure("Client", member("Id", "xs:int") + member("DefaultUser", "t:User") + member("Users", "t:ArrayOfUser"))
    + array("ArrayOfUser", "t:User")
)


def test_users_with_clients_with_users() -> None:
    about = one_file(RECURSIVE, "t:User", member("user", "t:User"))
    inner = "<User><Name>c</Name><Client><Id>2</Id></Client></User><User i:nil='true'/>"
    inside = (
        "<Name>a</Name><Client><Id>1</Id><DefaultUser><Name>b</Name><Client><Id>1</Id></Client></DefaultUser>"
        f"<Users>{inner}</Users></Client>"
    )
    given = {"name": "x", "client": {"users": [{"name": "y", "client": {"id": 3, "users": []}}]}}
    bench = Bench(answered(inside), contract=about)

    def client(number: int, **more: t.Any) -> dict[str, t.Any]:
        return {"id": number, "default_user": None, "users": None, **more}

    users = [{"name": "c", "client": client(2)}, None]
    assert bench.call("Get", user=given) == {
        "name": "a",
        "client": client(1, default_user={"name": "b", "client": client(1)}, users=users),
    }
    node = body_of(bench.sent[0])
    names = []
    while node.children:
        node = node.children[-1]
        names.append(local(node.tag))
    assert names == ["user", "Client", "Users", "User", "Client", "Users"]


def test_an_object_that_is_written_once_and_referred_to() -> None:
    about = one_file(RECURSIVE, "t:Client")
    inside = (
        "<Id>1</Id><DefaultUser z:Id='i2'><Name>a</Name><Client i:nil='true'/></DefaultUser>"
        "<Users><User z:Ref='i2'/><User z:Ref='i2' i:nil='true'/>"
        "<User z:Id='i3'><Name>b</Name><Client z:Ref='i1'/></User></Users>"
    )
    user = {"name": "a", "client": None}
    assert call(about, inside, "z:Id='i1'") == {
        "id": 1,
        "default_user": user,
        "users": [user, user, {"name": "b", "client": {"_ref": "i1"}}],
    }


@pytest.mark.parametrize("breaks", [0, 76])
def test_twelve_megabytes_of_base64(breaks: int) -> None:
    about = one_file("", "xs:base64Binary", member("content", "xs:base64Binary"))
    text = "QUJD" * (3 << 20)
    lines = "\r\n".join(text[start : start + 76] for start in range(0, len(text), 76)) if breaks else text
    bench = Bench(answered(lines), contract=about)
    result = bench.call("Get", content=lines)
    assert "".join(result.split()) == text
    assert texts(bench.sent[0]) == [("content", text)]
    assert Bench(answered(""), contract=about).call("Get", content=b"ABC" * 100) == ""


def test_an_answer_with_members_that_the_wsdl_does_not_know() -> None:
    about = one_file(THING + PAGE, "t:PageOfThingx5ExmPLe")
    bench = Bench(
        answered(
            "<_results><Thing><New><Deep>1</Deep></New><_id>1</_id></Thing></_results>"
            "<n:More xmlns:n='urn:n'>x</n:More><_totalCount>1</_totalCount>"
        ),
        contract=about,
    )
    page = {"results": [{"id": 1, "_unknown": ["New"]}], "total_count": 1, "_unknown": ["More"]}
    assert bench.call("Get") == page
    assert sorted(local(path.rpartition(".")[2]) for path in bench.client.unknown) == ["More", "New"]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random messages of all operations, requests and answers, judged by others: libxml2 and zeep.

What the encoder writes is valid for libxml2, decodes to exactly what it was made of, and is what zeep writes, apart
from the exceptions listed here. ``FCD_SOAP_TURNS=100 pytest -s ...`` is the long run: that many messages of each kind,
others each time, and the figures at the end.
"""

from __future__ import annotations

import collections
import datetime as dt
import json
import math
import os
import typing as t

import pytest

zeep = pytest.importorskip("zeep")
etree = pytest.importorskip("lxml.etree")
pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zeep.helpers import serialize_object
from zeep.loader import parse_xml

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import snake
from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import Decoder
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import XmlTree

from .contracts import WSDL_FOLDER, contract, received, sandbox, sent, wsdl
from .messages import Messages, expected, plain, stated, written

TURNS = int(os.environ.get("FCD_SOAP_TURNS", "0"))
XSI = "http://www.w3.org/2001/XMLSchema-instance"
TYPE, NIL = f"{{{XSI}}}type", f"{{{XSI}}}nil"

CONTRACT = sandbox()
MESSAGES = Messages(CONTRACT)
OPERATIONS = CONTRACT.operations()

RUN = settings(
    max_examples=TURNS * len(OPERATIONS) or settings().max_examples * 2,
    derandomize=not TURNS,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
each_operation = st.sampled_from(OPERATIONS)
only_zeep_changes = pytest.mark.full  # its mistakes, which this codec is there for


@pytest.fixture(scope="module")
def client() -> t.Any:
    return zeep.Client(os.path.join(WSDL_FOLDER, "CommonFcd.wsdl"))


@pytest.fixture(scope="module")
def schema() -> t.Any:
    imports = "".join(
        f'<xs:import namespace="{etree.parse(path).getroot().get("targetNamespace")}" schemaLocation="{path}"/>'
        for path in (os.path.join(os.path.abspath(WSDL_FOLDER), f"xsd{number}.xsd") for number in range(7))
    )
    return etree.XMLSchema(
        etree.fromstring(f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">{imports}</xs:schema>')
    )


@pytest.fixture(scope="module")
def figures() -> t.Iterator[collections.Counter[str]]:
    counted: collections.Counter[str] = collections.Counter()
    yield counted
    print("", *(f"{number:7} {what}" for what, number in counted.items()), sep="\n")


def test_the_contract_has_all_operations() -> None:
    assert len(OPERATIONS) == 108


@pytest.mark.parametrize("side", ["input", "output"])
@RUN
@given(data=st.data(), name=each_operation)
def test_messages(
    side: str, data: st.DataObject, name: str, client: t.Any, schema: t.Any, figures: collections.Counter[str]
) -> None:
    operation = CONTRACT.operation(name)
    element, key = operation.input if side == "input" else operation.output or ("", "")
    values = data.draw(MESSAGES.members(key))
    figures["messages"] += 1
    node = written(CONTRACT, element, key, values)
    assert schema.validate(node), schema.error_log.last_error
    figures["valid for libxml2"] += 1
    decoder = Decoder(CONTRACT, tree := XmlTree(etree.tostring(node)))
    read = decoder.message(tree.root, key)
    assert read == expected(CONTRACT, key, values)
    assert decoder.unknown == []
    shown = json.loads(json.dumps(read))  # as a user sees it: of what was read itself, no incomplete object is sent
    sent_back = written(CONTRACT, element, key, {name: value for name, value in shown.items() if value is not None})
    tree = XmlTree(etree.tostring(sent_back))
    assert Decoder(CONTRACT, tree).message(tree.root, key) == read
    figures["decoded to what they were made of"] += 1
    fair = values
    for exception in EXCEPTIONS:
        changed = exception.without(key, fair)
        figures[f"with {exception.name}"] += changed != fair
        fair = changed
    figures["the same as zeep's as they were"] += fair == values
    assert plain(written(CONTRACT, element, key, fair)) == plain(zeeps(client, element, key, fair))
    figures["the same as zeep's apart from that"] += 1


@RUN
@given(data=st.data(), name=each_operation)
def test_the_spelling_of_keys_does_not_matter(data: st.DataObject, name: str) -> None:
    element, key = CONTRACT.operation(name).input
    values = data.draw(MESSAGES.members(key))
    for spell in (snake, str.upper, lambda word: word[0].swapcase() + word[1:]):
        assert plain(written(CONTRACT, element, key, respelled(values, spell))) == plain(
            written(CONTRACT, element, key, values)
        )


# -- where zeep writes something else, and why


def _no_null_items(key: str, value: t.Any) -> t.Any:
    is_list = value is not None and not CONTRACT.simple(key) and CONTRACT.item(key)
    return [entry for entry in value if entry is not None] if is_list else value


def _canonical_duration(key: str, value: t.Any) -> t.Any:
    import isodate  # what zeep uses

    is_one = value is not None and key.endswith("}duration")
    return isodate.duration_isoformat(isodate.parse_duration(value)) if is_one else value


def _plain_double(key: str, value: t.Any) -> t.Any:
    return 0.5 if key == "xs:double" and value is not None and set("einf") & set(repr(value)) else value


class Otherwise(t.NamedTuple):
    """A kind of value that zeep writes otherwise; ``harmless`` makes one of which it does not."""

    name: str
    reason: str
    harmless: t.Callable[[str, t.Any], t.Any]

    def without(self, key: str, value: t.Any) -> t.Any:
        """The values of a message with the harmless ones instead."""
        value = self.harmless(key, value)
        if value is None or CONTRACT.simple(key):
            return value
        item = CONTRACT.item(key)
        if item:
            return [self.without(item.type, entry) for entry in value]
        types = {field.name: field.type for field in CONTRACT.fields(stated(CONTRACT, key, value))}
        return {name: self.without(types[name], each) if name in types else each for name, each in value.items()}


EXCEPTIONS = (
    Otherwise(
        "null items in a list",
        "zeep leaves None out, and for Nil it writes an item whose first member is null: the service gets another list",
        _no_null_items,
    ),
    Otherwise("durations", "zeep reads them and writes them anew: the same time in other words", _canonical_duration),
    Otherwise(
        "doubles with an exponent or beyond all numbers",
        "zeep writes inf and nan where XML Schema says INF and NaN; and e for E, which is the same",
        _plain_double,
    ),
)


@only_zeep_changes
def test_zeep_still_loses_null_items_of_lists(client: t.Any) -> None:
    def theirs(nothing: t.Any) -> t.Any:
        phones = {"Phone": [nothing, {"PhoneId": 1}]}
        message = client.create_message(client.service, "UpdateIndividualClient", phones=phones)
        return [
            (node.get(NIL), [etree.QName(member).localname for member in node]) for node in message.iter("{*}Phone")
        ]

    assert theirs(None) == [(None, ["PhoneId"])]
    assert theirs(zeep.xsd.Nil) == [(None, ["CountryDictId"]), (None, ["PhoneId"])]
    ours = written(CONTRACT, *CONTRACT.operation("UpdateIndividualClient").input, {"phones": [None, {"PhoneId": 1}]})
    assert [(node.get(NIL), len(node)) for node in ours[0]] == [("true", 0), (None, 1)]


@only_zeep_changes
def test_zeep_still_rewrites_durations(client: t.Any) -> None:
    values = {"user": {"TimeZone": {"UtcOffset": "P0DT0H0S"}}}
    pair = CONTRACT.operation("CreateUserWithPrivileges").input
    assert written(CONTRACT, *pair, values).findtext(".//{*}UtcOffset") == "P0DT0H0S"
    assert zeeps(client, *pair, values).findtext(".//{*}UtcOffset") == "P0D"


@only_zeep_changes
@pytest.mark.parametrize(
    ("number", "ours", "theirs"), [(math.inf, "INF", "inf"), (-math.inf, "-INF", "-inf"), (math.nan, "NaN", "nan")]
)
def test_zeep_still_writes_doubles_that_are_none(
    client: t.Any, schema: t.Any, number: float, ours: str, theirs: str
) -> None:
    element, key = CONTRACT.operation("GetInvoice").output or ("", "")
    values = {"GetInvoiceResult": {"InvoiceItems": [{"Quantity": number}]}}
    right, wrong = written(CONTRACT, element, key, values), zeeps(client, element, key, values)
    assert (right.findtext(".//{*}Quantity"), wrong.findtext(".//{*}Quantity")) == (ours, theirs)
    assert schema.validate(right)
    assert not schema.validate(wrong)


# -- what else zeep gets wrong, and this codec is there for: when one of these fails, zeep has learnt it


@only_zeep_changes
def test_zeep_still_sends_the_first_item_of_a_plain_list_only(client: t.Any) -> None:
    message = client.create_message(client.service, "DeleteUsers", userIds=[1, 2, 3])
    assert [node.text for node in message.iter("{*}int")] == ["1"]
    ours = etree.fromstring(sent(CONTRACT, {"user_ids": [1, 2, 3]}, "DeleteUsers"))
    assert [node.text for node in ours.iter("{*}int")] == ["1", "2", "3"]


@only_zeep_changes
@pytest.mark.parametrize(
    ("operation", "values", "member", "theirs"),
    [
        ("GetWarehouse", {"warehouseId": "abc"}, "warehouseId", "abc"),
        ("GetWarehouse", {"warehouseId": 1.5}, "warehouseId", "1.5"),
        ("GetWarehouse", {"warehouseId": 2**40}, "warehouseId", "1099511627776"),
        ("GetWarehouse", {"warehouseId": True}, "warehouseId", "True"),
        ("UpdateClientStatus", {"status": "Nonsense"}, "status", "Nonsense"),
    ],
)
def test_zeep_still_sends_values_of_the_wrong_type(
    client: t.Any, operation: str, values: dict[str, t.Any], member: str, theirs: str
) -> None:
    assert client.create_message(client.service, operation, **values).findtext(f".//{{*}}{member}") == theirs
    with pytest.raises(InvalidInput, match=rf"{operation}\.{member}: must be "):
        sent(CONTRACT, values, operation)


@only_zeep_changes
@pytest.mark.parametrize("word", ["no", "off", "False"])
def test_zeep_still_takes_words_for_false_as_true(word: str, tmp_path: t.Any) -> None:
    member = '<xs:element name="B" type="xs:boolean"/>'
    made = another(tmp_path, member).get_element("{urn:t}In")
    parent = etree.Element("all")
    made.render(parent, made(B=word))
    assert parent[0][0].text == "true"
    assert etree.fromstring(sent(contract(member), {"b": word}))[0].text == "false"


USERS = """<xs:complexType name="Simple"><xs:sequence><xs:element name="Name" type="xs:string" minOccurs="0"/>
</xs:sequence></xs:complexType><xs:complexType name="User"><xs:complexContent><xs:extension base="t:Simple">
<xs:sequence><xs:element name="Client" type="t:Client" minOccurs="0"/></xs:sequence></xs:extension></xs:complexContent>
</xs:complexType><xs:complexType name="Client"><xs:sequence><xs:element name="Id" type="xs:int" minOccurs="0"/>
<xs:element name="User" type="t:User" minOccurs="0"/></xs:sequence></xs:complexType>"""
USER, ROW = "<t:User><t:Name>a</t:Name><t:Client><t:User>{}</t:User></t:Client></t:User>", {"name": "a", "client": None}
NUMBERS = '<xs:element name="N" type="xs:int" minOccurs="0"/><xs:element name="M" type="xs:int" minOccurs="0"/>'
SIMPLE = '<xs:element name="S" type="t:Simple" minOccurs="0" maxOccurs="unbounded"/>'

ANSWERS = {
    "a user with a client with a user": (
        '<xs:element name="User" type="t:User"/>',
        USER.format(USER[8:-9].format("<t:Name>a</t:Name>")),
        {"user": {"name": "a", "client": {"id": None, "user": {"name": "a", "client": {"id": None, "user": ROW}}}}},
        "XMLParseError: Unexpected element '{urn:t}Name'",
    ),
    "a text in a number": (
        NUMBERS,
        "<t:N>seven</t:N>",
        "Malformed: In.N contains text that is not a whole number (int)",
        {"N": None, "M": None},
    ),
    "a new member": (
        NUMBERS,
        "<t:N>7</t:N><t:New>1</t:New>",
        {"n": 7, "m": None},
        "XMLParseError: Unexpected element '{urn:t}New'",
    ),
    "members in another order": (
        NUMBERS,
        "<t:M>7</t:M><t:N>1</t:N>",
        {"n": 1, "m": 7},
        "XMLParseError: Unexpected element '{urn:t}N'",
    ),
    "a reference": (
        SIMPLE,
        '<t:S z:Id="i1"><t:Name>a</t:Name></t:S><t:S z:Ref="i1"/>',
        {"s": [{"name": "a"}, {"name": "a"}]},
        {"S": [{"Name": "a"}, {"Name": None}]},
    ),
    "the seventh digit of a second": (
        '<xs:element name="D" type="xs:dateTime"/>',
        "<t:D>2026-05-06T07:08:09.1234567Z</t:D>",
        {"d": "2026-05-06T07:08:09.1234567Z"},
        {"D": dt.datetime(2026, 5, 6, 7, 8, 9, 123456, dt.timezone.utc)},
    ),
    "12 MB in one element": (
        '<xs:element name="B" type="xs:base64Binary"/>',
        f"<t:B>{'QUJD' * (3 << 20)}</t:B>",
        {"b": "QUJD" * (3 << 20)},
        "XMLSyntaxError: Invalid XML content received (Resource limit exceeded: Text node too long",
    ),
}


@only_zeep_changes
@pytest.mark.parametrize("name", ANSWERS)
def test_zeep_still_misreads(name: str, tmp_path: t.Any) -> None:
    members, inside, right, wrong = ANSWERS[name]
    xml = f'<t:In xmlns:t="urn:t" xmlns:z="http://schemas.microsoft.com/2003/10/Serialization/">{inside}</t:In>'
    client = another(tmp_path, members)

    def ours() -> t.Any:
        return received(contract(members, more=USERS), xml)[0]

    def theirs() -> t.Any:
        node = parse_xml(xml.encode(), client.transport, settings=client.settings)
        return serialize_object(client.get_element("{urn:t}In").parse(node, client.wsdl.types), dict)

    assert outcome(ours, right) == right
    assert outcome(theirs, wrong) == wrong


def outcome(read: t.Callable[[], t.Any], desired: t.Any) -> t.Any:
    """What is read, or the error as text, cut to the length of the desired one."""
    try:
        return read()
    except Exception as error:
        return f"{type(error).__name__}: {error}"[: len(desired)]


def another(folder: t.Any, members: str) -> t.Any:
    """A client of zeep for an element ``In`` with these members."""
    element = (
        f'<xs:element name="In"><xs:complexType><xs:sequence>{members}</xs:sequence></xs:complexType></xs:element>'
    )
    path = folder / "another.wsdl"
    path.write_text(wsdl(element + USERS), encoding="utf-8")
    return zeep.Client(str(path))


# -- the two writers


def zeeps(client: t.Any, element: str, key: str, values: t.Mapping[str, t.Any]) -> t.Any:
    """The element that zeep writes."""
    parent = etree.Element("all")
    made = client.get_element(element)
    made.render(parent, made(**for_zeep(client, key, values)))
    return parent[0]


def for_zeep(client: t.Any, key: str, values: t.Any) -> t.Any:
    if values is None:
        return zeep.xsd.Nil
    if CONTRACT.simple(key):
        return values
    item = CONTRACT.item(key)
    if item:
        return {item.name: [entry if entry is None else for_zeep(client, item.type, entry) for entry in values]}
    kind = stated(CONTRACT, key, values)
    types = {field.name: field.type for field in CONTRACT.fields(kind)}
    given = {name: for_zeep(client, types[name], value) for name, value in values.items() if name != "_type"}
    return given if kind == key else client.get_type(kind)(**given)


def respelled(value: t.Any, spell: t.Callable[[str], str]) -> t.Any:
    """Values with their keys spelled otherwise."""
    if isinstance(value, dict):
        return {name if name == "_type" else spell(name): respelled(each, spell) for name, each in value.items()}
    return [respelled(entry, spell) for entry in value] if isinstance(value, list) else value

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random messages of all operations: valid for libxml2, decoded to what was sent, and equal to what zeep makes.

``FCD_SOAP_TURNS=200 pytest ...`` for a longer run. zeep is the judge only for what it can do: it drops null items of
lists, so messages with such items are judged by the schema alone.
"""

from __future__ import annotations

import decimal
import os
import random
import typing as t

import pytest

zeep = pytest.importorskip("zeep")
etree = pytest.importorskip("lxml.etree")

from ansible_collections.fcd.cloud.plugins.module_utils._core.names import snake
from ansible_collections.fcd.cloud.plugins.module_utils._transport.soap.contract import Contract

from .contracts import WSDL_FOLDER, received, sandbox, sent

TURNS = int(os.environ.get("FCD_SOAP_TURNS", "3"))
XSI = "http://www.w3.org/2001/XMLSchema-instance"
TEXTS = ["", "a", "żółć <&>\"'", " lead trail ", "x\ny\tz", "😀", "]]>", "a\rb"]


class Maker:
    """Makes random values of the contract's types."""

    def __init__(self, contract: Contract, seed: str, *, null_items: bool) -> None:
        self.contract = contract
        self.random = random.Random(seed)
        self.null_items = null_items

    def members(self, key: str, depth: int = 0) -> dict[str, t.Any]:
        out = {}
        for field in self.contract.fields(key):
            if not field.required and (self.random.random() < 0.4 or depth > 5):
                continue
            null = field.nillable and (self.random.random() < 0.15 or depth > 5)
            out[field.name] = None if null else self.value(field.type, depth + 1)
        return out

    def value(self, key: str, depth: int) -> t.Any:
        simple = self.contract.simple(key)
        if simple:
            return self.simple(key, simple)
        item = self.contract.item(key)
        if item is None:
            return self.members(key, depth)
        count = self.random.randint(0, 3) if depth < 5 else 0
        null = self.null_items and item.nillable
        return [None if null and self.random.random() < 0.2 else self.value(item.type, depth + 1) for _ in range(count)]

    def simple(self, key: str, simple: t.Mapping[str, t.Any]) -> t.Any:
        pick = self.random
        if simple.get("enum"):
            return pick.choice(simple["enum"])
        if key.endswith("}guid"):
            return f"00000000-0000-0000-0000-{pick.randrange(16**12):012x}"
        made: dict[str, t.Callable[[], t.Any]] = {
            "boolean": lambda: pick.random() < 0.5,
            "decimal": lambda: decimal.Decimal(pick.randint(-(10**18), 10**18)).scaleb(-2),
            "dateTime": lambda: f"20{pick.randint(10, 40)}-05-06T07:08:09{pick.choice(['', '.5', '.1234567'])}Z",
            "double": lambda: pick.choice([1.5, -2.25, 1e-7, 1e300]),
            "base64Binary": lambda: bytes(pick.randrange(256) for _ in range(pick.randint(1, 9))),
            "string": lambda: pick.choice(TEXTS),
            "duration": lambda: "P1DT2H",
        }
        return made.get(simple["simple"], lambda: pick.randint(0, 100))()


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


OPERATIONS = sandbox().operations()


def test_the_contract_has_all_operations() -> None:
    assert len(OPERATIONS) == 108


@pytest.mark.parametrize("seed", range(TURNS))
def test_messages_are_valid_and_round_trip(schema: t.Any, seed: int) -> None:
    about = sandbox()
    for name in OPERATIONS:
        operation = about.operation(name)
        for side in ("input", "output"):
            pair = operation.input if side == "input" else operation.output
            assert pair is not None
            values = Maker(about, f"{name} {side} {seed}", null_items=True).members(pair[1])
            xml = _message(about, pair, values)
            assert schema.validate(etree.fromstring(xml)), f"{name}: {schema.error_log.last_error}"
            members, decoder = received(about, xml, name, side)
            assert _known(members) == _known(_renamed(values)), name
            assert decoder.unknown == []


@pytest.mark.parametrize("seed", range(TURNS))
def test_messages_equal_those_of_zeep(client: t.Any, seed: int) -> None:
    about = sandbox()
    for name in OPERATIONS:
        key = about.operation(name).input[1]
        values = Maker(about, f"{name} {seed}", null_items=False).members(key)
        theirs = client.create_message(client.service, name, **_for_zeep(about, key, values)).find("{*}Body")[0]
        assert _plain(etree.fromstring(sent(about, values, name))) == _plain(theirs), name


def test_zeep_still_has_the_fault_that_this_encoder_is_for(client: t.Any) -> None:
    message = client.create_message(client.service, "DeleteUsers", userIds=[1, 2, 3])
    assert [node.text for node in message.iter("{*}int")] == ["1"]


def _message(about: Contract, pair: tuple[str, str], values: t.Any) -> bytes:
    """An element of either side of an operation."""

    class OneSide(Contract):
        def operation(self, name: str) -> t.Any:
            return about.operation("GetUser")._replace(input=pair)

    view = OneSide.__new__(OneSide)
    view.__dict__ = about.__dict__
    return sent(view, values)


def _for_zeep(about: Contract, key: str, values: t.Any) -> t.Any:
    if values is None:
        return zeep.xsd.Nil
    if about.simple(key):
        return values
    item = about.item(key)
    if item and isinstance(values, list):
        return {item.name: [_for_zeep(about, item.type, entry) for entry in values]}
    types = {field.name: field.type for field in about.fields(key)}
    return {name: _for_zeep(about, types[name], value) for name, value in values.items()}


def _plain(node: t.Any) -> t.Any:
    """An element without its prefixes."""
    text = (node.text or "") if not len(node) else ""
    return node.tag, sorted(node.attrib.items()), text, [_plain(child) for child in node]


def _renamed(value: t.Any) -> t.Any:
    if isinstance(value, dict):
        return {snake(name): _renamed(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_renamed(entry) for entry in value]
    if isinstance(value, bytes):
        import base64

        return base64.b64encode(value).decode()
    return format(value, "f") if isinstance(value, decimal.Decimal) else value


def _known(value: t.Any) -> t.Any:
    """Without the members that are null: those that were left out come back like that."""
    if isinstance(value, dict):
        return {name: _known(entry) for name, entry in value.items() if entry is not None}
    return [_known(entry) for entry in value] if isinstance(value, list) else value

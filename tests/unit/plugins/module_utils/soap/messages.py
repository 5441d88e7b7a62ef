# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random values for the messages of a contract, as hypothesis strategies, and what has to become of them.

Keys are the names of the schema. A member may be missing, null where that is allowed, or of a derived type.
"""

from __future__ import annotations

import base64
import math
import typing as t
from decimal import Decimal

from hypothesis import strategies as st
from lxml import etree

from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import Encoder, is_value
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import (
    Contract,
    SchemaField,
    local,
    result_names,
)

XSI_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
DEEPEST = 5  # types are recursive
FULL = 2  # down to here a value may have all members, which hardly happens by chance
BITS = {"byte": 7, "short": 15, "int": 31, "long": 63}

# all that XML 1.0 can carry, the odd ones more often than they would come
LETTERS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff") | st.sampled_from(
    "<>&\"' \t\n\r]żółć😀\x85\u2028"
)
TEXTS = st.text(LETTERS, max_size=12)
TIMES = st.builds(
    lambda time, fraction, zone: time.replace(microsecond=0).isoformat() + fraction + zone,
    st.datetimes(),
    st.from_regex(r"(\.[0-9]{1,9})?", fullmatch=True),
    st.sampled_from(["", "Z", "+02:00", "-11:30"]),
)
SIMPLE: dict[str, st.SearchStrategy[t.Any]] = {
    **{name: st.integers(-(1 << bits), (1 << bits) - 1) for name, bits in BITS.items()},
    "boolean": st.booleans(),
    "string": TEXTS,
    "decimal": st.decimals(-(10**18), 10**18, places=4) | st.integers(-(10**28), 10**28).map(Decimal),
    "double": st.floats(),
    "dateTime": TIMES,
    "base64Binary": st.binary(max_size=20),
    "duration": st.builds("P{}DT{}H{}S".format, st.integers(0, 999), st.integers(0, 23), st.integers(0, 59)),
}


class Messages:
    """Makes strategies for the types of one contract; each is made once.

    ``derived`` allows derived types; ``simple`` are strategies for some of the built-in types, in place of ours.
    """

    def __init__(
        self,
        contract: Contract,
        *,
        derived: bool = True,
        simple: t.Mapping[str, st.SearchStrategy[t.Any]] | None = None,
    ) -> None:
        self._contract = contract
        self._simple = {**SIMPLE, **(simple or {})}
        self._made: dict[tuple[str, int], st.SearchStrategy[t.Any]] = {}
        keys = [key for name in contract.type_names() for key in contract.keys(name)]
        self._kinds = {
            key: [other for other in keys if derived and other != key and contract.is_a(other, key)] for key in keys
        }

    def members(self, key: str, depth: int = 0) -> st.SearchStrategy[dict[str, t.Any]]:
        """Values for the members of a complex type, without the type itself being another."""
        fields = [field for field in self._contract.fields(key) if depth < DEEPEST or self._contract.simple(field.type)]
        required = {field.name: self._field(field, depth) for field in fields if field.required}
        optional = {field.name: self._field(field, depth) for field in fields if not field.required}
        some = st.fixed_dictionaries(required, optional=optional)
        return some if depth > FULL else some | st.fixed_dictionaries({**required, **optional})

    def answers(self, key: str) -> st.SearchStrategy[dict[str, t.Any]]:
        """Values for the members of an answer: a result that cannot be null is always there."""
        fields, members = self._contract.fields(key), self.members(key)
        return members.filter(bool) if len(fields) == 1 and is_value(self._contract, fields[0]) else members

    def _field(self, field: SchemaField, depth: int) -> st.SearchStrategy[t.Any]:
        value = self._value(field.type, depth + 1)
        value = st.none() | value if field.nillable else value
        return st.lists(value, max_size=3) if field.repeated else value

    def _value(self, key: str, depth: int) -> st.SearchStrategy[t.Any]:
        if (key, depth) not in self._made:
            self._made[key, depth] = st.deferred(lambda: self._fresh(key, depth))
        return self._made[key, depth]

    def _fresh(self, key: str, depth: int) -> st.SearchStrategy[t.Any]:
        simple = self._contract.simple(key)
        if simple:
            if simple.get("enum"):
                return st.sampled_from(simple["enum"])
            return st.uuids().map(str) if key.endswith("}guid") else self._simple[simple["simple"]]
        item = self._contract.item(key)
        if item:
            return self._field(item, depth)
        kinds = [self._derived(other, depth) for other in self._kinds.get(key, ())]
        return st.one_of(self.members(key, depth), *kinds)

    def _derived(self, key: str, depth: int) -> st.SearchStrategy[dict[str, t.Any]]:
        return self.members(key, depth).map(lambda members: {"_type": local(key), **members})


# -- what is made of them


def written(about: Contract, element: str, key: str, values: t.Mapping[str, t.Any]) -> t.Any:
    """The element that our encoder writes."""
    encoder = Encoder(about)
    text = encoder.message(element, key, values)
    declared = "".join(f' xmlns:{prefix}="{address}"' for address, prefix in encoder.prefixes.items())
    return etree.fromstring(f"<all{declared}>{text}</all>".encode())[0]


def stated(about: Contract, key: str, values: t.Mapping[str, t.Any]) -> str:
    """The type of a dictionary: the one it names, or the one that is declared."""
    return about.keys(values["_type"])[0] if "_type" in values else key


def plain(node: t.Any) -> t.Any:
    """An element without its prefixes."""
    attributes = dict(node.attrib)
    if XSI_TYPE in attributes:
        prefix, _colon, word = attributes[XSI_TYPE].rpartition(":")
        attributes[XSI_TYPE] = f"{{{node.nsmap[prefix or None]}}}{word}"
    text = (node.text or "") if not len(node) else ""
    return node.tag, sorted(attributes.items()), text, [plain(child) for child in node]


def expected(about: Contract, key: str, value: t.Any) -> t.Any:
    """What has to come back: every declared member, and exact texts."""
    if value is None:
        return None
    if about.simple(key):
        return expected_text(value)
    item = about.item(key)
    if item:
        return [expected(about, item.type, entry) for entry in value]
    kind = stated(about, key, value)
    fields = about.fields(kind)
    names = result_names(fields)
    out = {
        names[field.name]: expected(about, field.type, value[field.name]) if field.name in value else None
        for field in fields
    }
    return out if kind == key else {**out, "_type": value["_type"]}


def expected_text(value: t.Any) -> t.Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
    return value


def desired(about: Contract, key: str, answer: dict[str, t.Any]) -> t.Any:
    """What a call returns for an answer: its only member, a list where there could be one."""
    fields = about.fields(key)
    if not fields:
        return None
    value = expected(about, key, answer)[result_names(fields)[fields[0].name]]
    is_list = not about.simple(fields[0].type) and about.item(fields[0].type)
    return [] if value is None and is_list else value

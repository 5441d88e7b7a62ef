# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random values for the messages of a contract, as hypothesis strategies.

Keys are the names of the schema. A member may be missing, null where that is allowed, or of a derived type.
"""

from __future__ import annotations

import typing as t
from decimal import Decimal

from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._transport.soap.contract import Contract, Field, local

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
    """Makes strategies for the types of one contract; each is made once."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._made: dict[tuple[str, int], st.SearchStrategy[t.Any]] = {}
        keys = [key for name in contract.type_names() for key in contract.keys(name)]
        self._kinds = {key: [other for other in keys if other != key and contract.is_a(other, key)] for key in keys}

    def members(self, key: str, depth: int = 0) -> st.SearchStrategy[dict[str, t.Any]]:
        """Values for the members of a complex type, without the type itself being another."""
        fields = [field for field in self._contract.fields(key) if depth < DEEPEST or self._contract.simple(field.type)]
        required = {field.name: self._field(field, depth) for field in fields if field.required}
        optional = {field.name: self._field(field, depth) for field in fields if not field.required}
        some = st.fixed_dictionaries(required, optional=optional)
        return some if depth > FULL else some | st.fixed_dictionaries({**required, **optional})

    def _field(self, field: Field, depth: int) -> st.SearchStrategy[t.Any]:
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
            return _simple(key, simple)
        item = self._contract.item(key)
        if item:
            return self._field(item, depth)
        kinds = [self._derived(other, depth) for other in self._kinds.get(key, ())]
        return st.one_of(self.members(key, depth), *kinds)

    def _derived(self, key: str, depth: int) -> st.SearchStrategy[dict[str, t.Any]]:
        return self.members(key, depth).map(lambda members: {"_type": local(key), **members})


def _simple(key: str, simple: t.Mapping[str, t.Any]) -> st.SearchStrategy[t.Any]:
    if simple.get("enum"):
        return st.sampled_from(simple["enum"])
    return st.uuids().map(str) if key.endswith("}guid") else SIMPLE[simple["simple"]]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract: what the WSDL says about operations and types, as plain data.

The data is compiled once by wsdl.py and kept as ``state_dir/contracts/<digest>.json``::

    {"format": FORMAT, "source": address of the WSDL, "read_at": seconds since the epoch,
     "endpoint": published address or null, "envelope": namespace of the SOAP envelope,
     "addressing": namespace of WS-Addressing,
     "operations": {name: "element and type key of the input, element and type key of the output or - -, action"},
     "left_out": {name of an operation that cannot be called: why},
     "faults": {element in the detail of a fault: type key},
     "lacks": [what an answer had that was not in the WSDL, even when it was read again for that],
     "types": {type key: "type key of the base or -, then for each member: name, element, type key, flags"
                       | {"simple": name of a built-in type, "enum": [word, ...]}}}

The texts are words separated by a space: loading them costs a quarter of what structures would. Elements are written
``{namespace}name``, without braces if there is no namespace; an element that is ``.`` has the namespace of the
member before it and the member's name. A message whose element is no structure has one member, of its name, whose
element is ``=``: the content itself. A type key is ``{namespace}name``, ``xs:name`` for a type of XML Schema,
``#number`` for a type without a name. Flags are four digits: required, repeated, nillable, and defaulted (see Field).
The members of the bases are among those of a type. A member whose type cannot be understood is ``xs:anyType``.

A file that is too old, broken, of another format or open to other users counts as missing. Parallel tasks without a
cached contract compile one each; the last file stays, and all are equal.
"""

from __future__ import annotations

import os
import typing as t

from .._core.clock import Clock
from .._core.errors import FcdError, InvalidInput
from .._core.home import expand_home
from .._core.private_files import read_json, write_json
from .._core.text import did_you_mean, digest, fold, nearest, snake

CACHE_FORMAT = 4
NO_ANSWER = "-"
ANY = "xs:anyType"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
XSD = "http://www.w3.org/2001/XMLSchema"
NIL, TYPE = f"{{{XSI}}}nil", f"{{{XSI}}}type"
SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
ADDRESSING = "http://www.w3.org/2005/08/addressing"
ADDRESSING_2004 = "http://schemas.xmlsoap.org/ws/2004/08/addressing"
OWN_CONTENT = "="  # in place of an element: what the element of a message contains itself
MAX_MESSAGE_DEPTH = 60  # levels of a message
TOTALS = ("totalcount", "total", "totalresults")  # members of a page, as fold spells them
ROW_COUNTS = (*TOTALS, "resultscount", "count")  # the others may count the rows of the page
_PARTS: dict[str, t.Any] = {
    "source": str,
    "envelope": str,
    "operations": dict,
    "left_out": dict,
    "types": dict,
    "read_at": (int, float),
}


class Malformed(Exception):
    """An answer does not conform to the contract; the client turns this into an error for the user.

    The text is one clear clause without a secret and without any part of the answer.
    """


class NotUnderstood(Malformed):
    """An answer contains something else than the contract describes; a newer WSDL may describe it."""


class SchemaField(t.NamedTuple):
    """One member of a complex type.

    ``defaulted`` says that a message may leave it out without any replacement: if its type has no null
    (``codec.has_no_null``), both sides take the default of that type.
    """

    name: str
    element: str
    type: str
    required: bool
    repeated: bool
    nillable: bool
    defaulted: bool = False


class SoapOperation(t.NamedTuple):
    """One operation: element and type key of the request, and of the answer (None: there is no answer to decode)."""

    name: str
    action: str
    input: tuple[str, str]
    output: tuple[str, str] | None


def local(name: str) -> str:
    """Return ``name`` without its namespace."""
    return name.rsplit("}", 1)[-1].rsplit(":", 1)[-1]


class Contract:
    """A compiled contract."""

    def __init__(self, data: t.Mapping[str, t.Any]) -> None:
        self.source: str = data["source"]
        self.endpoint: str | None = data["endpoint"]
        self.envelope: str = data["envelope"]
        self.addressing: str = data.get("addressing", ADDRESSING)
        self._operations: t.Mapping[str, t.Any] = data["operations"]
        self.left_out: t.Mapping[str, str] = data["left_out"]
        self.faults: t.Mapping[str, str] = data.get("faults", {})
        self.types: t.Mapping[str, t.Any] = data["types"]
        self._fields: dict[str, list[SchemaField]] = {}
        self._members: dict[str, dict[str, SchemaField]] = {}
        self.lacks: t.Collection[str] = data.get("lacks", ())
        self.shapes: dict[str, t.Any] = {}  # computed by decoders, for later answers

    def operation(self, name: str) -> SoapOperation:
        """Return the operation; its name may be spelt in any way. Raises InvalidInput."""
        known = (other for other in self._operations if fold(other) == fold(name))
        found = name if name in self._operations else next(known, None)
        if found is None:
            raise self._no_operation(name)
        element, key, answer, answer_key, action = self._operations[found].split(" ", 4)
        return SoapOperation(found, action, (element, key), None if answer == NO_ANSWER else (answer, answer_key))

    def _no_operation(self, name: str) -> InvalidInput:
        for known, why in self.left_out.items():
            if fold(known) == fold(name):
                return InvalidInput(
                    f"The WSDL {self.source} describes {known}, but the operation cannot be used: {why}.",
                    next_step="Save a copy of the WSDL, correct it, and set soap_wsdl to its path.",
                    operation=known,
                )
        near = f"{did_you_mean(name, self._operations)} " if nearest(name, self._operations) else ""
        return InvalidInput(
            f"The WSDL {self.source} has no operation {name!r}.",
            next_step=f"{near}The module fcd.cloud.contract_info lists them.",
            operation=name,
        )

    def operations(self) -> list[str]:
        return list(self._operations)

    def simple(self, key: str) -> t.Mapping[str, t.Any] | None:
        """Return ``{"simple": name, "enum": words}`` if the type is plain text, else None."""
        if key.startswith("xs:"):
            return {"simple": key[3:]}
        entry: str | t.Mapping[str, t.Any] = self.types[key]
        return None if isinstance(entry, str) else entry

    def result_type(self, operation: str) -> str | None:
        """Return the key of the type of what a call returns: of the only member of the answer, or of the answer."""
        output = self.operation(operation).output
        if output is None:
            return None
        fields = self.fields(output[1])
        return fields[0].type if len(fields) == 1 else output[1]

    def inputs(self, operation: str) -> list[SchemaField]:
        """Return the inputs of an operation. Raises InvalidInput if the WSDL does not have it."""
        return self.fields(self.operation(operation).input[1])

    def fields(self, key: str) -> list[SchemaField]:
        """Return all members of a type in the order of the schema, those of its base types first; none if simple."""
        found = self._fields.get(key)
        if found is None:
            entry = "" if self.simple(key) else str(self.types[key])
            words, namespace, found = entry.split(" ")[1:], "", []
            for name, element, kind, flags in zip(words[::4], words[1::4], words[2::4], words[3::4]):
                if element != ".":
                    namespace = element[: len(element) - len(name)]
                place = element if element == OWN_CONTENT else namespace + name
                found.append(SchemaField(name, place, kind, *(flag == "1" for flag in flags)))
            self._fields[key] = found
        return found

    def members(self, key: str) -> dict[str, SchemaField]:
        """Return the members of a complex type by their keys in results."""
        found = self._members.get(key)
        if found is None:
            fields = self.fields(key)
            names = result_names(fields)
            found = self._members[key] = {names[field.name]: field for field in fields}
        return found

    def item(self, key: str) -> SchemaField | None:
        """Return the repeated member of a list type (``ArrayOfX``), None for any other type."""
        fields = self.fields(key)
        return fields[0] if len(fields) == 1 and fields[0].repeated and not self.base(key) else None

    def is_a(self, key: str, base: str) -> bool:
        """Return whether the type is ``base`` or extends it."""
        while key and key != base:
            key = self.base(key)
        return key == base

    def kind_of(self, key: str, name: str) -> str | None:
        """Return the key of the type with this name that is the type ``key`` or extends it; None if there is none."""
        return next((other for other in self.keys(name) if self.is_a(other, key)), None)

    def base(self, key: str) -> str:
        """Return the key of the complex type that this one extends, empty for none."""
        entry = self.types.get(key)
        base = entry.partition(" ")[0] if isinstance(entry, str) else NO_ANSWER
        return "" if base == NO_ANSWER else base

    def keys(self, name: str) -> list[str]:
        """Return the keys of the types with this name, in any namespace and spelling."""
        named = [key for key in self.types if key[0] != "#"]
        exact = [key for key in named if local(key) == name]
        return exact or [key for key in named if fold(local(key)) == fold(name)]

    def type_names(self) -> list[str]:
        """Return the names of the complex types that have one."""
        return sorted({local(key) for key, entry in self.types.items() if isinstance(entry, str) and key[0] != "#"})


def result_names(fields: t.Sequence[SchemaField]) -> dict[str, str]:
    """Return the key of each member in results: snake_case, or the schema's name if two would be the same."""
    short = {field.name: snake(field.name) for field in fields}
    counts: dict[str, int] = {}
    for key in short.values():
        counts[key] = counts.get(key, 0) + 1
    return {name: key if counts[key] == 1 else name for name, key in short.items()}


def contract_file(state_dir: str, wsdl: str) -> str:
    """Return the path of the compiled contract for a WSDL (an address or a file); a changed file has another path."""
    try:
        status = os.stat(expand_home(wsdl))
        version = f"{os.path.abspath(expand_home(wsdl))} {status.st_mtime_ns} {status.st_size}"
    except OSError:
        version = wsdl
    return os.path.join(state_dir, "contracts", digest("contract", CACHE_FORMAT, version) + ".json")


def load_contract(path: str, ttl: float, clock: Clock) -> Contract | None:
    """Return the kept contract if it can be used; ``ttl`` in seconds."""
    data = read_json(path)
    if not isinstance(data, dict) or data.get("format") != CACHE_FORMAT:
        return None
    if not all(isinstance(data.get(name), kind) for name, kind in _PARTS.items()):
        return None
    age = clock.now() - data["read_at"]
    return Contract(data) if 0 <= age <= ttl else None


def save_contract(path: str, data: t.Mapping[str, object], warn: t.Callable[[str], None]) -> None:
    """Keep the data of a contract; a cache that cannot be written only costs time."""
    try:
        write_json(path, data)
    except (FcdError, OSError) as exc:
        warn(f"The compiled SOAP contract cannot be kept in {os.path.dirname(path)}: {exc}")

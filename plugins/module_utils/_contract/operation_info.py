# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation contract_info: what the WSDL says about operations and types.

Nothing but the WSDL is requested. A list type (``ArrayOfX``) is shown as a list of X and not as a type, just as in
inputs and results.
"""

from __future__ import annotations

import typing as t

from .._connection.options import SOAP, OptionSpecs
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import InvalidInput
from .._core.text import did_you_mean, fold, nearest
from .._core.type_aliases import JsonObject
from .._soap.client import is_read
from .._soap.contract import Contract, SchemaField, local, result_names
from .connection import common_fcd
from .search_pages import search_input

INFO_OPTIONS: OptionSpecs = {
    "operation": {"type": "list", "elements": "str"},
    "type": {"type": "list", "elements": "str"},
    "search": {"type": "str"},
}


def describe_operation(contract: Contract, name: str) -> JsonObject:
    """Return the inputs and the result of an operation."""
    found = contract.operation(name)
    paged = search_input(contract, name) is not None
    return {
        "name": name,
        "reads": is_read(name),
        "paged": paged,
        "inputs": _members(contract, found.input[1]),
        "result": None if found.output is None else _result(contract, found.output[1], paged=paged),
        "action": found.action,
    }


def _result(contract: Contract, key: str, *, paged: bool) -> JsonObject | None:
    fields = contract.fields(key)
    if len(fields) != 1:
        return {"type": None, "list": False, "members": _members(contract, key)} if fields else None
    kind = _kind(contract, fields[0])
    lists = [entry["type"] for entry in _members(contract, fields[0].type) if entry["list"]]
    return {**kind, "rows": lists[0]} if paged and lists and not kind["list"] else kind


def describe_types(contract: Contract, operations: t.Iterable[str], keys: t.Sequence[str]) -> list[JsonObject]:
    """Return the types in the messages of these operations, and those given, with all types that they refer to."""
    messages = [side[1] for name in operations for side in contract.operation(name)[2:] if side]
    types = _reach(contract, [*keys, *(field.type for key in messages for field in contract.fields(key))])
    enumerations = [key for key in keys if contract.simple(key) is not None]
    entries = [_describe_type(contract, key) for key in (*types, *enumerations)]
    return sorted(entries, key=lambda entry: str(entry["name"]))


def _reach(contract: Contract, keys: list[str]) -> list[str]:
    """Return these types, those of their members and derived ones, without lists and simple types."""
    found: dict[str, None] = {}
    while keys:
        key = keys.pop()
        if key not in found and contract.simple(key) is None:
            found[key] = None
            keys += [*(field.type for field in contract.fields(key)), *_derived(contract, key)]
    return [key for key in found if contract.item(key) is None]


def _describe_type(contract: Contract, key: str) -> JsonObject:
    simple, base = contract.simple(key), contract.base(key)
    return {
        "name": local(key),
        "namespace": key[1:].rpartition("}")[0],
        "base": simple["simple"] if simple else local(base) if base else None,
        "derived": [local(other) for other in _derived(contract, key)],
        "members": _members(contract, key),
        **({"allowed_values": list(simple.get("enum") or [])} if simple else {}),
    }


def _derived(contract: Contract, key: str) -> list[str]:
    return [other for other in contract.types if contract.base(other) == key]


def _members(contract: Contract, key: str) -> list[JsonObject]:
    fields = contract.fields(key)
    names = result_names(fields)
    return [
        {
            "name": field.name,
            "key": names[field.name],
            **_kind(contract, field),
            "required": field.required,
            "nullable": field.nillable,
        }
        for field in fields
    ]


def _kind(contract: Contract, field: SchemaField) -> JsonObject:
    """Return the type of a member, whether it is a list of it, and the words of an enumeration."""
    item = contract.item(field.type)
    key = field.type if item is None else item.type
    simple = contract.simple(key) or {}
    words = list(simple.get("enum") or [])
    is_named = not simple or (words and key[0] != "#")
    kind: JsonObject = {
        "type": local(key) if is_named else simple["simple"],
        "list": field.repeated or item is not None,
    }
    return {**kind, "allowed_values": words} if words else kind


def run(task: Task, params: Params) -> Result:
    contract = common_fcd(task).contract
    desired, keys = _choose(contract, params)
    chosen = any(params[name] for name in INFO_OPTIONS)
    return {
        "changed": False,
        "source": contract.source,
        "operations": [describe_operation(contract, name) for name in desired],
        "types": describe_types(contract, desired, keys) if chosen else [],
        "left_out": [{"name": name, "why": why} for name, why in sorted(contract.left_out.items())],
    }


def _choose(contract: Contract, params: Params) -> tuple[list[str], list[str]]:
    """Return the requested operations and keys of types; all operations if nothing was requested."""
    every = sorted(contract.operations())
    types = {local(key): key for key in contract.types if key[0] != "#" and contract.item(key) is None}  # no lists
    operations = [contract.operation(word).name for word in params["operation"] or ()]
    keys = [_type_key(contract, word, types) for word in params["type"] or ()]
    if params["search"]:
        found, similar = _find_like(params["search"], every, sorted(types))
        operations, keys = operations + found, keys + [types[name] for name in similar]
    elif not operations and not keys:
        return every, []
    return list(dict.fromkeys(operations)), list(dict.fromkeys(keys))


def _find_like(text: str, operations: list[str], types: list[str]) -> tuple[list[str], list[str]]:
    """Return the names that contain the text, or else the nearest ones."""
    found, similar = ([name for name in known if fold(text) in fold(name)] for known in (operations, types))
    if found or similar:
        return found, similar
    return nearest(text, operations), nearest(text, types)


def _type_key(contract: Contract, word: str, known: t.Iterable[str]) -> str:
    """Return the key of the type that is spelled like this. Raises InvalidInput with the nearest names."""
    found = contract.keys(word)
    if not found:
        near = did_you_mean(word, list(known))
        raise InvalidInput(f"The WSDL {contract.source} has no type {word!r}.", next_step=near, type=word)
    return found[0]


CONTRACT_INFO = Operation("contract_info", (SOAP,), INFO_OPTIONS, run)

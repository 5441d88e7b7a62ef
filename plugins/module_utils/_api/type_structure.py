# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the contract's types are made of: lists in them, base64 in them, rows of a result. Names are those of types."""

from __future__ import annotations

import typing as t

from .._transport.soap.contract import ANY, Contract, SchemaField, local, result_names

BINARY = "base64Binary"
DEEPEST = 4  # levels on which base64 is looked for

Path = t.Tuple[str, ...]  # keys of results, one inside the other


def row_type(contract: Contract, operation: str) -> str | None:
    """Return what an operation gives back one or many of; None where that is a plain value or nothing."""
    output = contract.operation(operation).output
    fields = [] if output is None else contract.fields(output[1])
    return _held(contract, fields[0]) if len(fields) == 1 else None


def entry_type(contract: Contract, type_name: str, key: str) -> str | None:
    """Return what the member with this key in results holds one or many of; None where that is a plain value."""
    for members in _structures(contract, type_name):
        if key in members:
            return _held(contract, members[key])
    return None


def binary_paths(contract: Contract, type_name: str) -> list[Path]:
    """Return where a type has base64, lists left out."""
    structures = _structures(contract, type_name)
    return list(_binaries(contract, structures[0], ())) if structures else []


def _structures(contract: Contract, type_name: str) -> list[dict[str, SchemaField]]:
    """Return the members, by their keys in results, of the complex types that have the name."""
    return [_members(contract, key) for key in contract.keys(type_name) if contract.simple(key) is None]


def _members(contract: Contract, key: str) -> dict[str, SchemaField]:
    fields = contract.fields(key)
    names = result_names(fields)
    return {names[field.name]: field for field in fields}


def _held(contract: Contract, field: SchemaField) -> str | None:
    key = field.type
    if not field.repeated and contract.simple(key) is None:
        item = contract.item(key)
        key = key if item is None else item.type
    return local(key) if contract.simple(key) is None else None


def _binaries(contract: Contract, members: t.Mapping[str, SchemaField], above: Path) -> t.Iterator[Path]:
    for name, field in members.items():
        path = (*above, name)
        if field.repeated or field.type == ANY or len(path) > DEEPEST:
            continue
        simple = contract.simple(field.type)
        if simple is not None:
            if simple["simple"] == BINARY:
                yield path
        elif contract.item(field.type) is None:
            yield from _binaries(contract, _members(contract, field.type), path)

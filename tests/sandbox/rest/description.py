# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""``operations.yaml`` at run time: the operation of a request, and the forms that it and its answer may have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml

from sandbox.rest.schemas import Schema, Schemas, of_line
from sandbox.rest.seeding import LOADER

FILE = Path(__file__).with_name("operations.yaml")
PREFIX = "/beta"
LATER = "D2"
INTEGER = re.compile(r"-?[0-9]{1,19}")
BOOLEANS = {"true": True, "false": False}
MAX_FAULTS = 10

Types = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Members by name of each type by name."""


class Checker:
    """One schema, compiled on first use."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    @cached_property
    def _validator(self) -> jsonschema_rs.Draft202012Validator:
        return jsonschema_rs.Draft202012Validator(self._schema)

    def faults(self, value: Any) -> list[str]:
        """What is wrong with a value, in the validator's words; nothing when it is valid."""
        if self._validator.is_valid(value):
            return []
        found = []
        for error in self._validator.iter_errors(value):
            place = "/".join(map(str, error.instance_path))
            found.append(f"{place}: {error.message}" if place else error.message)
        return found[:MAX_FAULTS]


class Parameters:
    """The parameters of one operation in the path or in the query, checked as one object."""

    def __init__(self, declared: Mapping[str, Mapping[str, Any]], schemas: Schemas, line: str) -> None:
        self._types = {name: one["type"] for name, one in declared.items()}
        self.lists = frozenset(name for name, one in declared.items() if one.get("repeated"))
        properties = {name: schemas.given(one) for name, one in declared.items()}
        required = [name for name, one in declared.items() if line in one.get("required", [])]
        self._checker = Checker({"type": "object", "properties": properties, "required": required})

    def read(self, texts: Mapping[str, str | list[str]]) -> tuple[dict[str, Any], list[str]]:
        """Typed values of the known parameters, and what is wrong with them."""
        values = {
            name: [_typed(self._types[name].partition(" of ")[2], one) for one in text]
            if isinstance(text, list)
            else _typed(self._types[name], text)
            for name, text in texts.items()
            if name in self._types
        }
        return values, self._checker.faults(values)

    def unknown(self, texts: Iterable[str]) -> list[str]:
        """The parameters that the operation does not have."""
        return [name for name in texts if name not in self._types]


def _typed(kind: str, text: str) -> Any:
    if kind in ("int32", "int64") and INTEGER.fullmatch(text):
        return int(text)
    return BOOLEANS.get(text, text) if kind == "bool" else text


class Operation:
    """One operation of a line."""

    def __init__(self, data: Mapping[str, Any], schemas: Schemas, line: str) -> None:
        self._schemas = schemas
        self.id: str = data["id"]
        self.method: str = data["verb"]
        self.path: str = data["path"]
        self.writes = self.method != "GET"
        self.body_type: str | None = data.get("body")
        (self.success, self.answer_type), *_ = data["returns"].items()
        nullable = data.get("nullable", False)
        self.silent = self.answer_type in ("none", "empty_object")
        path = {name: {"type": kind, "required": [line]} for name, kind in data.get("params", {}).items()}
        self.path_parameters = Parameters(path, schemas, line)
        self.query_parameters = Parameters(of_line(data.get("query", {}), line), schemas, line)
        self._body = Checker(schemas.body(self.body_type)) if self.body_type else None
        answer = {} if self.silent else schemas.answer(self.answer_type)
        self._answer = None if self.silent else Checker({"anyOf": [answer, {"type": "null"}]} if nullable else answer)

    def body_faults(self, body: Any) -> list[str]:
        """What is wrong with a request's body."""
        return self._body.faults(body) if self._body else ["this operation takes no body"]

    def unknown_members(self, body: Mapping[str, Any]) -> list[str]:
        """The members of a body that the line does not have."""
        return self._schemas.unknown(self.body_type, body) if self.body_type else []

    def answer_faults(self, body: Any) -> list[str]:
        """What is wrong with a good answer."""
        return self._answer.faults(body) if self._answer else ["this answer has no body"]


@cache
def document() -> Mapping[str, Any]:
    """The whole file; shared, so nobody may change it."""
    found: Mapping[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), Loader=LOADER)
    return found


class Description:
    """The operations of one line; ``find`` is its router."""

    def __init__(self, line: str) -> None:
        self.schemas = Schemas(document()["types"], line)
        self.operations: dict[str, Operation] = {}
        self._routes: dict[str, Any] = {}
        for data in document()["operations"]:
            if line in data.get("in", [line]):
                self._add(Operation(data, self.schemas, line))

    def _add(self, operation: Operation) -> None:
        self.operations[operation.id] = operation
        node = self._routes
        names = []
        for segment in operation.path.split("/"):
            dynamic = segment.startswith("{")
            if dynamic:
                names.append(segment[1:-1])
            node = node.setdefault("{}" if dynamic else segment, {})
        node.setdefault("methods", {})[operation.method] = (operation, names)

    def find(self, method: str, path: str) -> tuple[Operation, dict[str, str]] | int:
        """The operation with the texts of its path parameters, or the status that says why there is none."""
        if not path.startswith(PREFIX + "/"):
            return 404
        node, texts = self._routes, []
        for segment in path[len(PREFIX) :].split("/"):
            if segment and segment not in node:
                texts.append(segment)
                node = node.get("{}", {})
            else:
                node = node.get(segment, {})
        methods = node.get("methods", {})
        if method not in methods:
            return 405 if methods else 404
        operation, names = methods[method]
        return operation, dict(zip(names, texts, strict=True))


@cache
def described(line: str = LATER) -> Description:
    """The description of a line; compiled once in a process, since nothing changes it."""
    return Description(line)

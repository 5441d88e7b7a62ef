# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenAPI description at run time: routes, and compiled validators for requests and answers."""

from __future__ import annotations

import re
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml

from sandbox.rest.seeding import LOADER

FILE = Path(__file__).with_name("openapi.yaml")
METHODS = ("get", "put", "post", "delete")
INTEGER = re.compile(r"-?[0-9]{1,19}")
BOOLEANS = {"true": True, "false": False}
MOST_FAULTS = 10


class Checker:
    """One compiled schema; compiled when it is used for the first time."""

    def __init__(self, schema: dict[str, Any], components: dict[str, Any]) -> None:
        """Keep the schema with the components it may refer to."""
        self._schema = {**schema, "components": components}

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
        return found[:MOST_FAULTS]


class Parameters:
    """The parameters of one operation in the path or in the query, checked as one object."""

    def __init__(self, declared: list[dict[str, Any]], document: dict[str, Any]) -> None:
        """Take the declared parameters, references resolved."""
        schemas = {one["name"]: one["schema"] for one in declared}
        self._types = {name: follow(schema, document).get("type") for name, schema in schemas.items()}
        required = [one["name"] for one in declared if one.get("required", False)]
        schema = {"type": "object", "properties": schemas, "required": required, "additionalProperties": False}
        self._checker = Checker(schema, document["components"])

    def read(self, texts: dict[str, str]) -> tuple[dict[str, Any], list[str]]:
        """Typed values, and what is wrong with them."""
        values = {name: self._typed(name, text) for name, text in texts.items()}
        return values, self._checker.faults(values)

    def _typed(self, name: str, text: str) -> Any:
        kind = self._types.get(name)
        if kind == "integer" and INTEGER.fullmatch(text):
            return int(text)
        if kind == "boolean":
            return BOOLEANS.get(text, text)
        return text


class Operation:
    """One operation of the description."""

    def __init__(self, document: dict[str, Any], method: str, path: str, item: dict[str, Any]) -> None:
        """Prepare the checks of one method of one path item."""
        data = item[method]
        declared = [follow(one, document) for one in [*item.get("parameters", []), *data.get("parameters", [])]]
        self.id: str = data["operationId"]
        self.method = method.upper()
        self.path = path
        self.writes = method != "get"
        self.path_parameters = Parameters([one for one in declared if one["in"] == "path"], document)
        self.query_parameters = Parameters([one for one in declared if one["in"] == "query"], document)
        body = data.get("requestBody")
        self.takes_body = body is not None
        self.body_required: bool = self.takes_body and body.get("required", False)
        self._body = Checker(body["content"]["application/json"]["schema"], document["components"]) if body else None
        self._answers = {code: _content(one, document) for code, one in data["responses"].items()}
        self.success = next(int(code) for code in self._answers if code.startswith("2"))

    def body_faults(self, body: Any) -> list[str]:
        """What is wrong with a request's body."""
        return self._body.faults(body) if self._body else ["this operation takes no body"]

    @property
    def silent(self) -> bool:
        """Whether the good answer has no body."""
        return self._answers[str(self.success)] is None

    def answer_faults(self, status: int, body: Any) -> list[str]:
        """What is wrong with an answer."""
        checker = self._answers.get(str(status), self._answers["default"])
        return checker.faults(body) if checker else ["this answer has no body"]


def follow(node: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """The node itself, or what its reference points to."""
    while "$ref" in node:
        found: Any = document
        for step in node["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        node = found
    return node


def _content(response: dict[str, Any], document: dict[str, Any]) -> Checker | None:
    content = follow(response, document).get("content")
    return Checker(content["application/json"]["schema"], document["components"]) if content else None


class Description:
    """The whole document; ``find`` is its router."""

    def __init__(self, file: Path = FILE) -> None:
        """Read the document and prepare all operations."""
        self.document: dict[str, Any] = yaml.load(file.read_text(encoding="utf-8"), Loader=LOADER)
        self.prefix: str = self.document["servers"][0]["url"]
        self.operations: dict[str, Operation] = {}
        self._routes: dict[str, Any] = {}
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    self._add(Operation(self.document, method, path, item))

    def schema(self, name: str) -> Checker:
        """The checker of one component schema."""
        return Checker({"$ref": f"#/components/schemas/{name}"}, self.document["components"])

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
        if not path.startswith(self.prefix + "/"):
            return 404
        node, texts = self._routes, []
        for segment in path[len(self.prefix) :].split("/"):
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
def described() -> Description:
    """The description of this service; read and compiled once in a process, since nothing changes it."""
    return Description()

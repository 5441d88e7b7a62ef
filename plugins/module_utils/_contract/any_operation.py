# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Any operation of the WSDL by its name: for the module contract_call, and for lookups with a cache.

A call is an action, not a state: a write is sent once in each task, and never repeated by itself.
"""

from __future__ import annotations

import re
import typing as t

from .._connection.options import SOAP, OptionSpecs, check_least
from .._connection.result_cache import ResultCache
from .._connection.secret_inputs import find_secrets, join_inputs, result_holds_secrets
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import FcdError, InvalidInput, outcome_unknown
from .._core.text import fold, join_names, names_a_secret, snake
from .._core.type_aliases import JsonMapping, JsonObject
from .._soap.client import LOGON, SoapClient, is_read
from .._soap.codec import TYPE_KEY, Encoder, desired_type, from_text, is_value, with_zeros
from .._soap.contract import ANY, OWN_CONTENT, TYPE, XSD, Contract, SchemaField, local
from .._soap.messages import Node, SoapMessage, XmlTree, declare
from .connection import common_fcd
from .search_pages import all_rows, search_input

MAX_ENUM_WORDS = 10  # of an enumeration, in a sentence
CALL_OPTIONS: OptionSpecs = {
    "operation": {"type": "str", "required": True},
    "inputs": {"type": "dict"},
    "secret_inputs": {"type": "dict", "no_log": True},
    "all_pages": {"type": "bool", "default": False},
    "limit": {"type": "int"},
    "read_only": {"type": "bool"},
    "allow_missing_inputs": {"type": "bool", "default": False},
}
MAX_NAMED = 20  # members in a sentence
_REPLACES_NOTHING = re.compile(f"(Create(?!Or[A-Z])|Delete|Block|Unblock|{LOGON})(?![a-z])")
CONCEALED_VALUE = "(hidden)"
CACHE_KEY_SETTINGS = ("soap_url", "soap_wsdl", "soap_to", "soap_user_prefix", "username")


class AnyOperation:
    """One operation. ``reads`` overrides what its name says about it, which decides what may be sent again.

    Inputs count in any spelling; None is sent as null. Errors: those of SoapClient.message, then those of its send.
    """

    def __init__(self, client: SoapClient, name: str, reads: bool | None = None) -> None:
        """Look the operation up. Raises InvalidInput with the nearest names."""
        self._client = client
        self._reads_option = reads
        self.name = client.contract.operation(name).name
        self.reads = is_read(self.name) if reads is None else reads

    def call(self, values: JsonMapping) -> t.Any:
        result = self._client.send(self._client.message(self.name, values, reads=self._reads_option))
        contract = self._client.contract
        key = contract.result_type(self.name)
        return result if key is None else with_zeros(contract, key, result)

    def rows(self, values: JsonMapping, limit: int | None = None) -> list[JsonObject]:
        """Return all rows of a paged search, at most ``limit``. Raises InvalidInput for any other operation."""
        if not self.reads or search_input(self._client.contract, self.name) is None:
            raise InvalidInput(
                f"{self.name} has no pages. Only a read operation whose single input is a search has them.",
                next_step="Omit all_pages and limit.",
                operation=self.name,
                option="all_pages",
            )
        self._client.message(self.name, values)  # wrong inputs are reported by their own names
        criteria = next((value for key, value in values.items() if key != TYPE_KEY), None)
        return all_rows(
            self._client.contract, lambda _operation, page: self.call(page), self.name, criteria or {}, limit
        )

    def missing(self, values: JsonMapping) -> dict[str, str]:
        """Return the inputs that should not be left out, as dotted paths, each with a description.

        An operation that may replace something replaces all of its inputs, also inside given objects; so null has to be
        said. Others only need those without a null: the service fills in a default of its own. If no input is given at
        all, they are all inputs. Raises InvalidInput for wrong inputs.
        """
        contract = self._client.contract
        element, key = contract.operation(self.name).input
        encoder = Encoder(contract)
        encoder.message(element, key, values)
        start = local(element)
        given = any(name != TYPE_KEY for name in values)
        left_out = encoder.left_out if given else [(f"{start}.{each.name}", each) for each in contract.fields(key)]
        if given and _REPLACES_NOTHING.match(self.name):
            left_out = [(path, each) for path, each in left_out if each.defaulted and is_value(contract, each)]
        paths = {
            path[len(start) + 1 :]: _description(contract, field) + (" or null" if field.nillable else "")
            for path, field in left_out
        }
        return {re.sub(r"[^.\[\]]+", lambda name: snake(name[0]), path): words for path, words in paths.items()}

    def related_reads(self) -> list[str]:
        """Return the operations that read what this one writes, going by their names, at most four."""
        if is_read(self.name):
            return []
        _verb, *words = re.findall("[A-Z][a-z0-9]*", self.name) or [""]
        every = [name for name in self._client.contract.operations() if is_read(name)]
        for thing in ("".join(words).rstrip("s"), *words[:1]):
            found = [name for name in every if thing and re.match(f"([A-Z][a-z]+)?{thing}", name)]
            if found:
                return sorted(found, key=len)[:4]
        return []


def _description(contract: Contract, field: SchemaField) -> str:
    """Return what an input has to be, in words."""
    simple = contract.simple(field.type)
    if field.repeated or contract.item(field.type) is not None:
        return "a list"
    if simple is None:
        return f"a dictionary ({local(field.type)})"
    if simple.get("enum"):
        return f"{'any' if simple['simple'] == 'list' else 'one'} of {join_names(simple['enum'], MAX_ENUM_WORDS)}"
    return "a guid" if local(field.type) == "guid" else desired_type(simple["simple"])


def preview_message(contract: Contract, message: SoapMessage, secrets: JsonMapping) -> JsonObject:
    """Return the members of a message by the names of the schema; those also in ``secrets`` are concealed.

    It is decoded from the XML itself, so it shows exactly what the service would get.
    """
    root = XmlTree(f"<message{declare(message.prefixes)}>{message.text}</message>".encode()).root
    return _preview_members(contract, root.children[0], message.operation.input[1], secrets)


def _preview_members(contract: Contract, node: Node, key: str, secrets: JsonMapping) -> dict[str, object]:
    stated = node.attributes.get(TYPE)
    shown: JsonObject = {TYPE_KEY: local(stated)} if stated else {}
    fields = {field.element: field for field in contract.fields(stated or key)}
    if OWN_CONTENT in fields:
        return {fields[OWN_CONTENT].name: _preview_member(contract, node, fields[OWN_CONTENT], secrets)}
    for child in node.children:
        field = fields[child.tag]
        value = _preview_member(contract, child, field, secrets)
        if field.repeated:
            shown.setdefault(field.name, []).append(value)
        else:
            shown[field.name] = value
    return shown


def _preview_member(contract: Contract, node: Node, field: SchemaField, secrets: JsonMapping) -> object:
    """Return a member; all of it is secret if ``secrets`` has a value for it that is not a dictionary."""
    hidden = [value for name, value in secrets.items() if fold(str(name)) == fold(field.name)][:1]
    inside = [value for value in hidden if isinstance(value, t.Mapping)]
    value = _preview_value(contract, node, field.type, *(inside or [{}]))
    if value is None:
        return None
    concealed = len(hidden) > (0 if isinstance(value, list) else len(inside))
    return CONCEALED_VALUE if concealed or names_a_secret(field.name) else value


def _preview_value(contract: Contract, node: Node, key: str, secrets: JsonMapping) -> object:
    if node.nil:
        return None
    stated = node.attributes.get(TYPE, key)
    if stated.startswith(f"{{{XSD}}}"):
        return from_text(local(stated), node.text, "")
    simple = None if key == ANY and stated != key else contract.simple(key)
    if simple is not None:
        return from_text(simple["simple"], node.text, "")
    item = contract.item(key)
    if item is None:
        return _preview_members(contract, node, key, secrets)
    return [_preview_value(contract, child, item.type, {}) for child in node.children]


def run(task: Task, params: Params) -> Result:
    """Call the operation, or in check mode report what would be sent."""
    secrets = params["secret_inputs"] or {}
    values = join_inputs(task, params["inputs"] or {}, secrets)
    check_least(params, limit=1)
    client = common_fcd(task).client
    operation = AnyOperation(client, params["operation"], params["read_only"])
    result: Result = {"changed": not operation.reads, "operation": operation.name}
    if params["all_pages"] or params["limit"] is not None:
        result["result"] = operation.rows(values, params["limit"])
    elif operation.reads:
        result["result"] = operation.call(values)
    else:
        if not params["allow_missing_inputs"]:
            _require_all(operation, values)
        if task.check_mode:
            preview = preview_message(client.contract, client.message(operation.name, values), secrets)
            return {**result, "would_send": {"operation": operation.name, "inputs": preview}}
        result["result"] = _write(operation, values)
    unknown = list(client.unknown)[:MAX_NAMED]
    if unknown:
        task.warn(
            f"{operation.name}: the response has members that are not in the WSDL and are left out: "
            f"{', '.join(unknown)}. If the service has a newer WSDL, set soap_contract_ttl to 1 to read it again."
        )
    return {**result, "unknown_members": unknown}


def _require_all(operation: AnyOperation, values: t.Mapping[str, object]) -> None:
    """Raise InvalidInput for a write that lacks inputs: what is not sent can arrive, and be written, as 0 or null."""
    missing = operation.missing(values)
    if missing:
        named = [f"{path}: {words}" for path, words in missing.items()]
        more = [f"and {len(named) - MAX_NAMED} more"] if len(named) > MAX_NAMED else []
        raise InvalidInput(
            f"inputs: {operation.name} writes, and these inputs are missing: {'; '.join(named[:MAX_NAMED] + more)}.",
            next_step=f"Give {'it' if len(missing) == 1 else 'them'}, or set allow_missing_inputs to call it without.",
            option="inputs",
            operation=operation.name,
            missing=list(missing),
        )


def _write(operation: AnyOperation, values: t.Mapping[str, object]) -> object:
    """Call an operation that writes; if the outcome is unknown, the error says how to find out."""
    try:
        return operation.call(values)
    except FcdError as problem:
        if outcome_unknown(problem):
            reads = operation.related_reads()
            way = f" with {' or '.join(reads)}" if reads else ""
            problem.next_step = f"It may have been done. Check{way} before you send it again."
        raise


CONTRACT_CALL = Operation(
    "contract_call",
    (SOAP,),
    CALL_OPTIONS,
    run,
    returns_secrets=lambda result: result_holds_secrets(result.get("result")),
)


class ReadRequest(t.NamedTuple):
    """The parameters of a read."""

    inputs: t.Mapping[str, t.Any]
    all_pages: bool = False
    limit: int | None = None


class CachedOperations:
    """Reads for one task, with a cache. The client is only created if something has to be requested."""

    def __init__(self, task: Task, cache_seconds: float) -> None:
        self._task = task
        self._cache = ResultCache(task, cache_seconds, CACHE_KEY_SETTINGS)
        self._client: SoapClient | None = None

    def answer(self, name: str, question: ReadRequest) -> t.Any:
        """Return the result of an operation. Raises InvalidInput for one that writes, and what a call raises."""
        check_least({"limit": question.limit}, limit=1)
        path = self._cache.path(name, question._asdict())
        secret = any(find_secrets(question.inputs))
        return self._cache.answer(
            path, lambda: self._read(name, question), lambda result: not secret and not result_holds_secrets(result)
        )

    def _read(self, name: str, question: ReadRequest) -> t.Any:
        if self._client is None:
            self._client = common_fcd(self._task).client
        operation = AnyOperation(self._client, name)
        if not operation.reads:
            raise InvalidInput(
                f"{operation.name} changes something, and a lookup only reads.",
                next_step="Call it with the module fcd.cloud.contract_call.",
                operation=operation.name,
            )
        if question.all_pages or question.limit is not None:
            return operation.rows(question.inputs, question.limit)
        return operation.call(question.inputs)

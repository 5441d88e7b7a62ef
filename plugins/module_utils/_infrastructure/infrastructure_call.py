# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Any operation of the infrastructure interface by its name: for the module infrastructure_call, and for lookups.

A call is an action, not a state: a write is sent once in each task, and again only if its object was locked.
"""

from __future__ import annotations

import re
import typing as t

from .._connection.options import REST, REST_ACCOUNT, OptionSpecs
from .._connection.result_cache import ResultCache
from .._connection.secret_inputs import find_secrets, join_inputs, result_holds_secrets
from .._connection.task import WAIT_OPTIONS, Operation, Params, Result, Task
from .._core.errors import (
    GATEWAY,
    CannotDetermine,
    ChangeTracker,
    Conflict,
    FcdError,
    Forbidden,
    InvalidInput,
    NotFound,
    Rejected,
    note_change,
    outcome_unknown,
)
from .._core.text import HIDDEN, either, fold, join_names, names_a_secret, shortened, snake
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import (
    ChangeContext,
    is_lock_refusal,
    is_locked,
    is_unlocked,
    run_to_end,
    send_when_free,
    wait_for_object,
    wait_for_ticket,
)
from .._engine.scheduler import Job
from .api import Infrastructure, infrastructure
from .operation_inputs import (
    PAGE,
    PAGE_INPUTS,
    PUT,
    TICKET,
    BuiltRequest,
    DescribedOperation,
    find_operation,
    reads_of,
)
from .rest_client import ANY, LIST, ONE, PAGES, RestRead

CALL_OPTIONS: OptionSpecs = {
    "operation": {"type": "str", "required": True},
    "inputs": {"type": "dict"},
    "secret_inputs": {"type": "dict", "no_log": True},
    "allow_missing_inputs": {"type": "bool", "default": False},
    **WAIT_OPTIONS,
}
ROWS = "Items"
BLANKS: t.Tuple[object, ...] = (None, "", False, 0, [], {})


def run(task: Task, params: Params) -> Result:
    """Call the operation, or in check mode report what would be sent."""
    secrets = params["secret_inputs"] or {}
    values = join_inputs(task, params["inputs"] or {}, secrets)
    operation = find_operation(params["operation"])
    api = infrastructure(task)
    request = operation.request(values, api.is_older_line)
    result: Result = {"changed": not operation.reads, "operation": operation.name}
    if operation.reads:
        return {**result, "result": read(api, operation, request)}
    if operation.verb == PUT and not params["allow_missing_inputs"]:
        _require_all(api, operation, request)
    if task.check_mode:
        return {**result, "would_send": _preview(operation, request, secrets)}
    return {**result, "result": _in_snake_case(_write(task, params, api, operation, request))}


def read(api: Infrastructure, operation: DescribedOperation, request: BuiltRequest) -> t.Any:
    """Return what the operation reads: a list as its rows, whatever its pages are, anything else as it is.

    Not every answer has the declared form (docs/service/infrastructure.md, "Lists").
    """
    query = {name: tuple(one) if isinstance(one, list) else one for name, one in request.query.items()}
    order = query.get("orderBy")
    orders = operation.orders if order is None else (str(order),)
    is_page = any(query.get(name) is not None for name in PAGE_INPUTS)
    whole = RestRead(
        operation.name,
        request.path,
        PAGES,
        {snake(name): value for name, value in query.items() if is_page or name != "orderBy"},
        orders=orders,
    )
    found = api.read(whole._replace(shape=ANY if is_page else _shape(api, operation, request)))
    if isinstance(found, dict) and isinstance(found.get(ROWS, ""), (list, type(None))):
        found = api.read(whole) if operation.has_pages and not is_page else found[ROWS] or []
    return _in_snake_case(found)


def _shape(api: Infrastructure, operation: DescribedOperation, request: BuiltRequest) -> str:
    """Return what an operation reads; the rows of a list that is no kind of object may be anything."""
    if not operation.returns.startswith(PAGE):
        return ONE if operation.path.endswith("}") else ANY
    return PAGES if operation.has_pages else LIST if api.kind_at(request.path) else ANY


def _in_snake_case(value: t.Any) -> t.Any:
    """Return an answer with its members in snake_case."""
    if isinstance(value, dict):
        return {snake(name): _in_snake_case(one) for name, one in value.items()}
    return [_in_snake_case(one) for one in value] if isinstance(value, list) else value


# ---------------------------------------------------------------- what a PUT replaces


def _require_all(api: Infrastructure, operation: DescribedOperation, request: BuiltRequest) -> None:
    """Raise InvalidInput for a PUT that lacks members: the service may replace them with nothing.

    What is read at the same path tells whether there is something to lose.

    Source: docs/service/infrastructure.md, "Conventions".
    """
    left_out = operation.left_out(request.body or {}, api.is_older_line)
    if not left_out:
        return
    reads = [one for one in map(find_operation, reads_of(operation.path)) if one.path == operation.path]
    current = read(api, reads[0], BuiltRequest(request.path, {}, None)) if reads else None
    lost = {snake(name): _lost(name, said, current) for name, said in left_out.items()}
    named = [f"{name} ({words})" for name, words in lost.items() if words]
    if named:
        raise InvalidInput(
            f"inputs: {operation.name} may replace what is left out: {join_names(named)}.",
            next_step="Give what is to stay and null for the rest, or set allow_missing_inputs to call it without.",
            option="inputs",
            operation=operation.name,
            missing=[name for name, words in lost.items() if words],
        )


def _lost(name: str, said: JsonMapping, current: object) -> str:
    """Return, in words, what would be lost of a member; empty if there is nothing."""
    if names_a_secret(name):
        return "a secret"
    known = _members_of(current)
    spelled = fold(name), fold(re.sub("Id(s?)$", r"\1", name))  # TypeId is Type there, and TypeIds are Types
    found = [known[one] for one in spelled if one in known]
    if not found:
        return "its value cannot be read"
    return "" if found[0] in BLANKS and not said.get("default") else f"now {shortened(repr(_id(found[0])))}"


def _members_of(current: object) -> JsonObject:
    """Return the members of an object, and of the objects in it."""
    known: JsonObject = {}
    for name, value in current.items() if isinstance(current, dict) else ():
        known = {**_members_of(value), **known, fold(name): value}
    return known


def _id(value: t.Any) -> t.Any:
    """Return what a request has in place of a value of an answer: IDs."""
    if isinstance(value, list):
        return [_id(one) for one in value]
    return value["id"] if isinstance(value, dict) and "id" in value else value


# ---------------------------------------------------------------- writes


def _preview(operation: DescribedOperation, request: BuiltRequest, secrets: JsonMapping) -> JsonObject:
    """Return what would be sent, without what is secret."""
    hidden = set(map(fold, secrets))

    def shown(values: JsonMapping | None) -> JsonObject | None:
        if values is None:
            return None
        return {name: HIDDEN if fold(name) in hidden or names_a_secret(name) else one for name, one in values.items()}

    return {
        "method": operation.verb,
        "path": request.path,
        "query": shown(request.query),
        "body": shown(request.body),
    }


class _Owner(t.NamedTuple):
    """Reads the object that an operation is about, as far as it is one: what is at the last ID in the path."""

    api: Infrastructure
    path: str

    def by_id(self, _number: int) -> JsonObject | None:
        """Return its members, None if there are none to see."""
        try:
            found = _in_snake_case(self.api.read_json("Read whether it is locked", self.path)) if self.path else None
        except (Forbidden, NotFound):
            return None
        return found if isinstance(found, dict) else None


def _path_of_owner(operation: DescribedOperation, request: BuiltRequest) -> str:
    """Return the longest part of the path that ends with an ID and can be read, empty if there is none."""
    parts, filled = operation.path.split("/"), request.path.split("/")
    for count in range(len(parts), 1, -1):
        path = "/".join(parts[:count])
        if path.endswith("}") and any(one.path == path for one in map(find_operation, reads_of(path))):
            return "/".join(filled[:count])
    return ""


def _write(
    task: Task, params: Params, api: Infrastructure, operation: DescribedOperation, request: BuiltRequest
) -> t.Any:
    """Send a write, and return its answer; a ticket as it has ended."""
    deadline = task.deadline.within(params["wait_timeout"], "wait")
    owner = _Owner(api, _path_of_owner(operation, request))
    context = ChangeContext(task, owner, deadline, params["wait"], grace=0.0, changes=ChangeTracker())
    return run_to_end(context, _writing(context, owner, operation, request))


def _writing(context: ChangeContext, owner: _Owner, operation: DescribedOperation, request: BuiltRequest) -> Job[t.Any]:
    """Send a write, again only if it was refused because its object is locked, and wait for its ticket."""
    name = operation.name

    def for_lock(refusal: Rejected) -> bool:
        if not owner.path or GATEWAY in refusal.details:
            return False
        return isinstance(refusal, Conflict) or is_lock_refusal(refusal, owner.by_id(0))

    def free() -> Job[bool]:
        was_locked = is_locked(owner.by_id(0))
        if was_locked:
            yield from wait_for_object(context, 0, is_unlocked, name)
        return was_locked

    answer = yield from send_when_free(lambda: _send(owner.api, operation, request), for_lock, free, name)
    if operation.returns != TICKET:
        return answer
    context.note_start(answer)
    if not context.wait:
        return answer
    ended = yield from wait_for_ticket(context, answer, name)
    if ended is None:
        raise CannotDetermine(
            f"{name}: ticket {answer['Id']} does not tell how it ended.",
            next_step="Check the object that it was to change.",
            ticket=answer["Id"],
        )
    return ended


def _send(api: Infrastructure, operation: DescribedOperation, request: BuiltRequest) -> t.Any:
    what = operation.name, operation.verb, request.path
    try:
        if operation.returns == TICKET:
            return api.start(*what, request.query, request.body)
        return api.change_silently(*what, request.body, request.query)
    except FcdError as problem:
        if outcome_unknown(problem) or GATEWAY in problem.details:
            note_change(problem)
            ways = either(reads_of(operation.path))
            problem.next_step = f"It may have been done. Check with {ways} before you send it again."
        raise


def _holds_secrets(result: Result) -> bool:
    """Return whether an answer is secret, or has something secret in it."""
    return result_holds_secrets({result["operation"]: result.get("result")})


INFRASTRUCTURE_CALL = Operation("infrastructure_call", (REST,), CALL_OPTIONS, run, returns_secrets=_holds_secrets)


class CachedReads:
    """Reads for one task, with a cache. The client is only created if something has to be requested."""

    def __init__(self, task: Task, cache_seconds: float) -> None:
        self._task = task
        self._cache = ResultCache(task, cache_seconds, REST_ACCOUNT)

    def answer(self, name: str, inputs: JsonMapping) -> t.Any:
        """Return the result of an operation. Raises InvalidInput for one that writes, and what a call raises."""
        operation = find_operation(name)
        if not operation.reads:
            raise InvalidInput(
                f"{operation.name} changes something, and a lookup only reads.",
                next_step="Call it with the module fcd.cloud.infrastructure_call.",
                operation=operation.name,
            )

        def ask() -> t.Any:
            api = infrastructure(self._task)
            return read(api, operation, operation.request(inputs, api.is_older_line))

        secret = any(find_secrets(inputs))
        return self._cache.answer(
            self._cache.path(operation.name, inputs),
            ask,
            lambda result: not secret and not result_holds_secrets({operation.name: result}),
        )

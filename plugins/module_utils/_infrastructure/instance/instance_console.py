# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The remote console of an instance: opened for one source address and some time, changed, closed and read.

Source: docs/service/infrastructure.md, "Console and screenshot". An instance has one at most, and it has no ID.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import typing as t

from ..._connection.options import REST
from ..._connection.task import STATE, Operation, Params, Result, Task, result_of
from ..._core.errors import ChangeTracker, InvalidInput, OperationFailed
from ..._core.later import LATER
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.change import SETTLE, Change, ChangeContext, make_changes, run_to_end
from ..._engine.plan import Created, Field, reconcile, require_values, write_only
from ..api import infrastructure
from ..rest_records import check_numbers, item_members, plain_members
from .instance_acts import (
    TARGET,
    TARGET_RULES,
    missing_instance,
    named_instance,
    require_instance,
    unlisted_instance,
)
from .instance_records import InstanceSearch

if t.TYPE_CHECKING:
    from ..._engine.scheduler import Job

MINUTES = (30, 360)
_PLAIN = {
    "source_ip": "SourceIp",
    "address": "Address",
    "port": "Port",
    "password": "Password",
    "open_until": "OpenUntil",
}
FIELDS = (
    Field("source_ip", follows=("open_until",)),
    Field("open_until"),
    Field("password", write_only, secret=True),
)


def console_record(console: JsonMapping) -> JsonObject:
    """Return the record of a remote console."""
    return {**plain_members(console, _PLAIN), **item_members(console, {"instance": "Instance"})}


def of_instance(console: JsonMapping, instance: JsonMapping) -> JsonObject:
    """Return the console with its instance, which the service may leave out."""
    return {**console, "instance": {"id": instance["id"], "label": instance["name"]}}


def is_open(console: JsonMapping, now: float) -> bool:
    """Return whether its time is not over at ``now``; one that is not shown or understood does not close it."""
    try:
        moment = dt.datetime.fromisoformat(str(console["open_until"]).replace("Z", "+00:00"))
    except ValueError:
        return True
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=dt.timezone.utc)
    return zoned.timestamp() > now


class ConsoleReader:
    """Reads an instance together with its remote console, None where none is open."""

    def __init__(self, search: InstanceSearch) -> None:
        self.api = search.api
        self._search = search

    def by_id(self, number: int) -> JsonObject | None:
        """Return whether the instance is locked, and its console; None if there is no such instance."""
        instance = self._search.by_id(number)
        return instance and {"is_locked": instance["is_locked"], "console": self.console(number)}

    def console(self, number: int) -> JsonObject | None:
        """Return the record of the console of that instance."""
        found = self.api.get_console(number)
        return None if found is None else console_record(found)


class DeclaredConsole:
    """The remote console that the options declare."""

    kind = "remote console"
    fields = FIELDS

    def __init__(self, task: Task, search: InstanceSearch, params: Params, instance: JsonMapping) -> None:
        reader = ConsoleReader(search)
        self._task = task
        self._params = params
        self._instance = instance
        self._context = ChangeContext(task, reader, task.deadline, wait=True, grace=SETTLE, changes=ChangeTracker())
        self._api = search.api
        self._shown = reader.console(instance["id"])
        self._answer: JsonObject = {}

    def run_job(self, job: Job[t.Any]) -> t.Any:
        """Run a job to its end."""
        return run_to_end(self._context, job)

    def find(self, desired: JsonMapping) -> JsonObject | None:
        """Return the console unless its time is over."""
        del desired
        return self._named(self._shown) if self._shown and self._is_open(self._shown) else None

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that opens the console."""
        return Created((yield from self.update({}, values)))

    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject]:
        """Return the job that opens or changes the console; both set its time anew."""
        del current
        body: JsonObject = {"TimeoutInMinutes": self._params["minutes"]}
        before, source = self._shown or {}, self._params["source_ip"]
        if source or before.get("source_ip"):
            body["SourceIp"] = source or before["source_ip"]
        request = self._api.change_console if before else self._api.create_console

        def send() -> None:
            answer = request(self._instance["id"], body)
            self._answer = console_record(answer) if isinstance(answer, dict) else {}

        def is_done(seen: JsonObject | None) -> bool:
            shown = (seen or {}).get("console")
            if shown is None or not self._is_open(shown) or source not in (None, shown["source_ip"]):
                return False
            return not before or shown["open_until"] != before["open_until"]

        what = f"{'Changing' if before else 'Opening'} {self._title}"
        seen = yield from self._make(Change(self._context, self._instance["id"], what, send, is_done))
        shown = (seen or {}).get("console")
        if shown is None:
            raise OperationFailed(
                f"{what}: the service has accepted it, but shows no open console.", next_step="Run the task again."
            )
        require_values(self, changes, {**shown, "name": self._instance["name"]})
        password = shown["password"] or self._answer.get("password")
        self._task.redactor.add(password)
        if password is None:
            self._task.warn(
                f"The service does not show the password of the {self.kind}. Close it and open it again to get one."
            )
        return self._named({**shown, "password": password})

    def delete(self, current: JsonMapping) -> Job[None]:
        """Return the job that closes the console."""
        del current

        def send() -> None:
            self._api.delete_console(self._instance["id"])

        def is_closed(seen: JsonObject | None) -> bool:
            return (seen or {}).get("console") is None

        what = f"Closing {self._title}"
        seen = yield from self._make(Change(self._context, self._instance["id"], what, send, is_closed))
        if not is_closed(seen):
            raise OperationFailed(
                f"{what}: the service has accepted it, but the console is still open.",
                next_step="Run the task again later.",
            )

    @property
    def _title(self) -> str:
        return f"the {self.kind} of instance {self._instance['name']!r}"

    def _make(self, change: Change) -> Job[JsonObject | None]:
        return (yield from make_changes([change], lambda _ticket: None))

    def _is_open(self, record: JsonMapping) -> bool:
        return is_open(record, self._task.clock.now())

    def _named(self, record: JsonMapping) -> JsonObject:
        return of_instance(record, self._instance)


def run(task: Task, params: Params) -> Result:
    """Open, change or close the remote console of an instance."""
    check_numbers(params)
    params = {**params, "source_ip": _checked_source(params)}
    search = InstanceSearch(infrastructure(task))
    instance = named_instance(search, params) or unlisted_instance(task, search, params)
    if instance is None:
        if params["state"] == "absent":
            return {"changed": False, "action": "none", "console": None, "diff": {"before": {}, "after": {}}}
        raise missing_instance(search, params)
    desired: JsonObject = {} if params["source_ip"] is None else {"source_ip": params["source_ip"]}
    if params["renew"]:
        desired["open_until"] = LATER
    console = DeclaredConsole(task, search, params, instance)
    return result_of("console", reconcile(console, desired, params["state"], check_mode=task.check_mode))


def read_console(task: Task, params: Params) -> Result:
    """Return the open console of an instance. Raises InvalidInput if there is no such instance, Ambiguous."""
    check_numbers(params)
    search = InstanceSearch(infrastructure(task))
    instance = require_instance(task, search, params)
    console = ConsoleReader(search).console(instance["id"])
    if console is not None and not is_open(console, task.clock.now()):
        console = None
    return {"changed": False, "console": console and of_instance(console, instance)}


def _checked_source(params: Params) -> str | None:
    """Return the source address. Raises InvalidInput for a time or an address that the service does not accept."""
    (least, most), source = MINUTES, params["source_ip"]
    if not least <= params["minutes"] <= most:
        raise InvalidInput(f"minutes: {params['minutes']} is not between {least} and {most}.", option="minutes")
    try:
        return None if source is None else str(ipaddress.IPv4Address(source.strip()))
    except ValueError:
        raise InvalidInput(
            f"source_ip: {source!r} is not an IPv4 address.",
            next_step="Give one address, such as 203.0.113.7, without a prefix length.",
            option="source_ip",
        ) from None


def returns_password(result: Result) -> bool:
    """Return whether a result has the password of a console."""
    return bool((result.get("console") or {}).get("password"))


OPERATION = Operation(
    "instance_console",
    (REST,),
    {
        **STATE,
        **TARGET,
        "source_ip": {"type": "str"},
        "minutes": {"type": "int", "default": 60},
        "renew": {"type": "bool", "default": False},
    },
    run,
    TARGET_RULES,
    returns_secrets=returns_password,
    fields=FIELDS,
    members=tuple(console_record({})),
)

INFO = Operation(
    "instance_console_info", (REST,), {**TARGET}, read_console, TARGET_RULES, returns_secrets=returns_password
)

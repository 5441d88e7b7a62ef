# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tasks of one run in check mode would create, change and remove, as later tasks of that run find it.

A promised object has a number of its own, above all numbers of the service. It never leaves a task: results and
messages say "(known after apply)" in its place, and an option with that text refers to what was promised.
"""

from __future__ import annotations

import base64
import json
import os
import re
import time
import typing as t
import zlib

from .._core.text import digest
from .._engine.plan import LATER

if t.TYPE_CHECKING:
    from .task import Operation, Params, Result, Task

FIRST = 8 * 10**15  # no number of the service is as large; this one stands for "(known after apply)" in options
SPAN = 10**14
VARIABLE = "FCD_CHECK_MODE_PROMISES"
MEMBER = "check_mode_promises"  # of the result of a module that got some; the twin takes it out
_NUMBER = re.compile(r"(?<!\d)80\d{14}(?!\d)")

Record = t.Dict[str, t.Any]
Entry = t.List[t.Any]
"""The account, the kind, the number or name, and the record; None for what would be removed."""

RESULTS = {
    "ssh_key": ("ssh_key", "ssh_key"),
    "private_network": ("private_network", "private_network"),
    "disk": ("disk", "disk"),
    "ip_address": ("ip_address", "ip_address"),
    "snapshot": ("snapshot", "snapshot"),
    "instance": ("instance", "instances"),
    "instance_fleet": ("instance", "instances"),
    "instance_clone": ("instance", "instance"),
    "instance_to_template": ("template", "template"),
    "storage_container": ("container", "container"),
    "storage_account": ("account", "account"),
    "storage_object": ("object", "object"),
    "warehouse": ("warehouse", "warehouse"),
    "client_user": ("client_user", "client_user"),
}
"""The kind of object that a module has, by the name of the module, and the member of its result that shows it."""

REFERENCES = {
    **dict.fromkeys(("instance", "instances", "instance_id"), "instance"),
    **dict.fromkeys(("ssh_keys",), "ssh_key"),
    **dict.fromkeys(("private_networks",), "private_network"),
    **dict.fromkeys(("ip_addresses", "ip_address_id", "address"), "ip_address"),
    **dict.fromkeys(("template", "template_id"), "template"),
    **dict.fromkeys(("user_id", "sid"), "client_user"),
    "warehouse_id": "warehouse",
}
"""What an option refers to; ``id`` means an object of the module's own kind."""

OWN_KINDS = {
    **{name: kind for name, (kind, _key) in RESULTS.items()},
    **dict.fromkeys(("instance_power", "instance_clone", "instance_to_template"), "instance"),
    "snapshot_restore": "snapshot",
    **{f"{name}_info": kind for name, (kind, _key) in RESULTS.items()},
    "client_user_password": "client_user",
}


STORED, OF_CONTRACT = ("account", "container", "object"), ("warehouse", "client_user")
NAMES = {"ip_address": "comment", "client_user": "user_name"}
"""What stands for the name of an object, where that is not ``name``."""


def is_promised(number: object) -> bool:
    """Return whether a number is that of a promised object."""
    return isinstance(number, int) and FIRST <= number < FIRST + SPAN


def masked(value: t.Any, entries: t.Iterable[Entry]) -> t.Any:
    """Return plain data with "(known after apply)" for the numbers of promised objects, and for no other numbers."""
    return _masked(value, {FIRST, *(entry[2] for entry in entries if is_promised(entry[2]))})


def _masked(value: t.Any, numbers: t.Set[int]) -> t.Any:
    if isinstance(value, dict):
        return {name: _masked(part, numbers) for name, part in value.items()}
    if isinstance(value, list):
        return [_masked(part, numbers) for part in value]
    if isinstance(value, str):
        return _NUMBER.sub(lambda found: LATER if int(found[0]) in numbers else found[0], value)
    return LATER if isinstance(value, int) and value in numbers else value


def packed_promises(entries: t.Sequence[Entry]) -> str:
    """Return promises as a short text, for a variable of the environment of a module."""
    return base64.b64encode(zlib.compress(json.dumps(entries).encode())).decode()


def received_promises() -> Promises | None:
    """Return the promises that the twin has given to this module, None where it has not."""
    text = os.environ.get(VARIABLE)
    return None if not text else Promises(json.loads(zlib.decompress(base64.b64decode(text))))


class Promises:
    """The promises of a run so far; ``new`` are those of this task."""

    def __init__(self, earlier: t.Iterable[Entry] = ()) -> None:
        self._known = list(earlier)
        self.new: list[Entry] = []

    def of(self, task: Task, kind: str) -> dict[t.Any, Record | None]:
        """Return the promised objects of a kind in the task's account, by number or name; None was removed."""
        account = _account(task, kind)
        found: dict[t.Any, Record | None] = {}
        for owner, its_kind, key, record in self._known:
            if owner == account and its_kind == kind:
                found[tuple(key) if isinstance(key, list) else key] = record
        return found

    def promised(self, task: Task, kind: str) -> list[Record]:
        """Return the records of what would be new."""
        return [record for key, record in self.of(task, kind).items() if is_promised(key) and record is not None]

    def add(self, task: Task, kind: str, key: t.Any, record: Record | None) -> None:
        """Promise an object, or that one is removed."""
        entry = [_account(task, kind), kind, key, record]
        self._known.append(entry)
        self.new.append(entry)

    def hand_over(self, result: Result) -> None:
        """Put what this task has promised into the result of a module, for the twin to keep."""
        result[MEMBER] = self.new

    def kept(self, task: Task, operation: Operation, params: Params) -> Result:
        """Run an operation in check mode with what is promised, and promise what it would do."""
        task.promises = self
        result = operation.run(task, self.resolved(task, operation.name, dict(params)))
        self.add_result(task, operation, result)
        return result

    def add_result(self, task: Task, operation: Operation, result: Result) -> None:
        """Promise what a result in check mode shows; what is new gets a number in it, and all members it will have."""
        if operation.name not in RESULTS or not result.get("changed"):
            return
        kind, key = RESULTS[operation.name]
        for diff in _all(result.get("diff")):
            before, after = diff.get("before"), diff.get("after")
            if before and (not after or (kind not in STORED and after.get("id") == LATER)):  # removed, or replaced
                self.add(task, kind, _key(kind, before), None)
        for record in filter(None, _all(result.get(key))):
            self._add_record(task, operation, kind, record)

    def _add_record(self, task: Task, operation: Operation, kind: str, record: Record) -> None:
        new = "id" in record and record["id"] is None
        if new:
            record["id"] = self.number()
        self.add(task, kind, _key(kind, record), task.redactor.value(_known_part(record)))
        if new:
            record.update((name, LATER) for name in (*operation.told, *record) if record.get(name) is None)

    def number(self) -> int:
        """Return a number for a new object."""
        return FIRST + (time.time_ns() // 1000 + len(self.new)) % SPAN

    def resolved(
        self, task: Task, operation: str, value: t.Any, option: str = "", beside: Record | None = None
    ) -> t.Any:
        """Return the options after ``accepted`` with the number of a promised object for each first number.

        Of several objects, it is that with the name ``beside`` the ID, else the newest.
        """
        if isinstance(value, dict):
            return {name: self.resolved(task, operation, part, name, value) for name, part in value.items()}
        if isinstance(value, list):
            return [self.resolved(task, operation, part, option) for part in value]
        kind = _referred(operation, option)
        if str(value) != str(FIRST) or kind is None:
            return value
        found = self.promised(task, kind)
        if not found:
            return value
        number = _meant(kind, found, option, beside or {})["id"]
        return number if isinstance(value, int) else str(number)


def _meant(kind: str, found: t.Sequence[Record], option: str, beside: Record) -> Record:
    """Return the newest of the objects, of those with the name ``beside`` the ID if there are any."""
    label = NAMES.get(kind, "name")
    named = [one for one in found if option == "id" and label in beside and one.get(label) == beside[label]]
    return (named or found)[-1]


def accepted(operation: str, value: t.Any, option: str = "") -> t.Any:
    """Return arguments with the first number for "(known after apply)" where an object is meant."""
    if isinstance(value, dict):
        return {name: accepted(operation, part, str(name)) for name, part in value.items()}
    if isinstance(value, list):
        return [accepted(operation, part, option) for part in value]
    return str(FIRST) if value == LATER and _referred(operation, option) else value


def _referred(operation: str, option: str) -> str | None:
    return OWN_KINDS.get(operation) if option == "id" else REFERENCES.get(option)


def _all(value: t.Any) -> list[t.Any]:
    return value if isinstance(value, list) else [value or {}]


def _known_part(record: Record) -> Record:
    return {name: value for name, value in record.items() if value not in (None, LATER)}


def _key(kind: str, record: t.Mapping[str, t.Any]) -> t.Any:
    if kind == "object":
        return [record.get("container"), record.get("name")]
    return record.get("name") if kind == "container" else record.get("id")


def _account(task: Task, kind: str) -> str:
    """Return what stands for the account in which a task finds objects of that kind."""
    settings = task.settings
    if kind in STORED:
        return digest(str(settings["storage_base"]).rstrip("/"), settings["storage_user"])
    if kind in OF_CONTRACT:
        return digest(str(settings["soap_url"]).rstrip("/"), settings["username"])
    return digest(str(settings["base_url"]).rstrip("/"), settings["username"] or "", settings["access_token"] or "")

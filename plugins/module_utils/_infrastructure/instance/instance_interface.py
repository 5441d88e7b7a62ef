# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A network interface of an instance, moved from one private network to another.

Source: docs/service/infrastructure.md, "Interfaces". To attach and to detach networks is up to the instance.
"""

from __future__ import annotations

import typing as t
from functools import partial

from ..._connection.options import REST
from ..._connection.task import WAIT_OPTIONS, Operation, Params, Result, Task, result_of
from ..._core.errors import ChangeTracker, InvalidInput
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.change import SETTLE, Change, ChangeContext, Ticket, make_changes, run_to_end
from ..._engine.plan import Field, reconcile
from ..api import infrastructure
from ..reference_names import resolve_item
from ..rest_records import check_not_empty, check_numbers, same_item
from .instance_acts import TARGET, TARGET_RULES, require_instance
from .instance_records import InstanceSearch, interface_record

if t.TYPE_CHECKING:
    from ..._engine.scheduler import Job

FIELDS = (Field("private_network", same_item, follows=("mac_address", "address", "address_v6")),)


class InterfaceReader:
    """Reads an instance together with one of its interfaces.

    An interface that is moved may get another ID: ``known`` are those that the instance had before, and one in the
    network ``target`` that is not among them is meant, too.
    """

    def __init__(self, search: InstanceSearch, interface_id: int, known: t.Container[int], target: int) -> None:
        self.api = search.api
        self._search = search
        self._interface_id = interface_id
        self._known = known
        self._target = target

    def by_id(self, number: int) -> JsonObject | None:
        """Return whether the instance is locked, and the interface; None if there is no such instance."""
        instance = self._search.by_id(number)
        return instance and {"is_locked": instance["is_locked"], "interface": self._interface(number)}

    def _interface(self, number: int) -> JsonObject | None:
        there = [interface_record(one) for one in self.api.list_instance_interfaces(number)]
        same = [one for one in there if one["interface_id"] == self._interface_id]
        new = [one for one in there if one["interface_id"] not in self._known and _network_of(one) == self._target]
        return next(iter([*same, *new]), None)


class MovedInterface:
    """The interface that the options mean, in the private network that they name."""

    kind = "interface"
    fields = FIELDS

    def __init__(self, task: Task, search: InstanceSearch, params: Params, instance: JsonMapping) -> None:
        self._api = search.api
        self._instance = instance
        self._there = [interface_record(one) for one in self._api.list_instance_interfaces(instance["id"])]
        self._record = _meant(self._there, params, str(instance["name"]))
        self.target = resolve_item(
            params["private_network"],
            self._record["private_network"],
            self._api.list_networks,
            "private_network",
            "the account's private networks",
        )
        known = {one["interface_id"] for one in self._there}
        reader = InterfaceReader(search, self._record["interface_id"], known, self.target["id"])
        deadline = task.deadline.within(params["wait_timeout"], "wait")
        self._context = ChangeContext(task, reader, deadline, params["wait"], SETTLE, ChangeTracker())
        self.ticket: int | None = None

    def run_job(self, job: Job[t.Any]) -> t.Any:
        """Run a job to its end."""
        return run_to_end(self._context, job)

    def find(self, desired: JsonMapping) -> JsonObject:
        """Return the interface."""
        del desired
        return self._record

    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject | None]:
        """Return the job that moves it, and returns it as it is then, None if that is only started."""
        del changes
        number, interface_id, target = self._instance["id"], current["interface_id"], self.target["id"]
        what = f"Moving interface {interface_id} of instance {self._instance['name']!r}"
        send = partial(self._api.change_interface, number, interface_id, target)
        change = Change(self._context, number, what, send, lambda seen: _network_of(_interface_in(seen)) == target)
        return _interface_in((yield from make_changes([change], self._note_ticket)))

    def _note_ticket(self, ticket: Ticket) -> None:
        self.ticket = ticket["Id"]


def _interface_in(seen: JsonObject | None) -> JsonObject | None:
    return (seen or {}).get("interface")


def _network_of(record: JsonMapping | None) -> int | None:
    return ((record or {}).get("private_network") or {}).get("id")


def _meant(there: t.Sequence[JsonObject], params: Params, name: str) -> JsonObject:
    """Return the interface that the options mean. Raises InvalidInput."""
    option = "interface_id" if params["interface_id"] is not None else "mac_address"
    given = params[option]
    for one in there:
        if given == one["interface_id"] or (option == "mac_address" and _letters(given) == _letters(one[option])):
            return one
    known = [f"{one['interface_id']} ({one['mac_address']})" for one in there]
    raise InvalidInput(
        f"{option}: instance {name!r} has no interface {given}.",
        next_step=f"It has: {', '.join(known)}." if known else "It has none.",
        option=option,
    )


def _letters(mac_address: object) -> str:
    """Return a MAC address for a comparison."""
    return str(mac_address or "").strip().lower().replace("-", ":")


def run(task: Task, params: Params) -> Result:
    """Move the interface, unless it is in that private network already."""
    check_numbers(params)
    check_not_empty(params, "private_network", "mac_address")
    search = InstanceSearch(infrastructure(task))
    interface = MovedInterface(task, search, params, require_instance(task, search, params))
    outcome = reconcile(
        t.cast("t.Any", interface), {"private_network": interface.target}, "present", check_mode=task.check_mode
    )
    return {**result_of("interface", outcome), "ticket": interface.ticket}


OPERATION = Operation(
    "instance_interface",
    (REST,),
    {
        **TARGET,
        "interface_id": {"type": "int"},
        "mac_address": {"type": "str"},
        "private_network": {"type": "str", "required": True},
        **WAIT_OPTIONS,
    },
    run,
    {
        "required_one_of": [*TARGET_RULES["required_one_of"], ("interface_id", "mac_address")],
        "mutually_exclusive": [*TARGET_RULES["mutually_exclusive"], ("interface_id", "mac_address")],
    },
    fields=FIELDS,
    members=tuple(interface_record({})),
)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating an instance from an import (docs/service/infrastructure.md, "Imports").

The service names the instance, and does not tell whether an import was run: so the instance of the name that the user
declares decides whether there is anything to do, and a new one gets this name in a second step.
"""

from __future__ import annotations

import typing as t

from ..._connection.options import REST
from ..._connection.task import CREATE_OPTIONS, ManagedObject, Operation, Params, Result, Task
from ..._core.errors import CannotDetermine, InvalidInput, NotFound, OperationFailed, mark_changed_on_error
from ..._core.text import is_alike
from ..._engine.change import SUCCEEDED, status_of_ticket, wait_for_new_object
from ..._engine.plan import Created
from ..api import infrastructure
from ..create_trace import RequestedObject
from ..rest_creation import create_resource
from ..rest_records import check_not_empty, check_numbers
from .instance_acts import WAIT_AND_GRACE, creation_result, resource_of
from .instance_creation import instance_create_note
from .instance_import import DeclaredImport, ImportSearch
from .instance_options import Labels, check_instance_name, known_id
from .instance_planning import DeclaredInstance
from .instance_records import InstanceSearch, instance_record, is_busy, is_idle, only_instance

if t.TYPE_CHECKING:
    from ..._core.type_aliases import JsonMapping, JsonObject
    from ..._engine.change import Ticket
    from ..._engine.scheduler import Job


class ImportedSearch(InstanceSearch):
    """Finds instances; a new one of an import may have any name at first."""

    def is_named(self, record: JsonObject, name: str) -> bool:
        """Return True: it can still get the name."""
        del record, name
        return True

    def has_name(self, record: JsonObject, name: str) -> bool:
        """Return whether an instance has the name already; a ticket may name another one."""
        return bool(record["name"] == name)


class ImportedInstance(DeclaredInstance):
    """The instance that is to be created and named."""

    def __init__(self, task: Task, params: Params, labels: Labels, source: JsonObject, body: JsonObject) -> None:
        super().__init__(task, ImportedSearch(labels.api, labels), params, params["instance_name"])
        self.source_ids = (source["id"],)
        self._before: set[int] | None = None  # the instances before the create, if this task has sent it
        self._source = source
        self._body = body

    def create_request(self, values: JsonMapping) -> t.Callable[[], Ticket]:
        """Return what creates the instance."""
        del values
        return lambda: self.search.api.run_import(self._source["id"], self._body)

    def facts_before_create(self) -> JsonObject:
        """Return the instances of such names; the ticket may not tell which one is new."""
        names = {one["Id"]: str(one.get("Name")) for one in self.search.complete(self.search.list_items())}
        self._before = {*names}
        return {"alike": [number for number, name in names.items() if name != self.name and is_alike(self.name, name)]}

    def find_duplicates(self, record: JsonObject, listed: t.Sequence[JsonObject]) -> dict[int, str]:
        """Return possible duplicates; an older instance may have the name that the service has chosen."""
        found = super().find_duplicates(record, listed)
        return {number: text for number, text in found.items() if number not in (self._before or ())}

    def is_ready(self, record: JsonObject) -> bool:
        """Return whether no operation is running on it."""
        return is_idle(record)

    def find_leftover(self, facts: t.Mapping[str, object], values: JsonMapping) -> RequestedObject | None:
        """Return what an earlier create has left. Raises OperationFailed if only its other name is known."""
        return self._find_by_ticket(t.cast("t.Optional[int]", facts.get("ticket"))) or super().find_leftover(
            facts, values
        )

    def creation_job(self) -> Job[Created]:
        """Return the job that creates the instance, with whatever name."""
        try:
            return (yield from create_resource(self, {"name": self.name}))
        except CannotDetermine:
            found = self._find_by_ticket(self.ticket)
            if found is None or found.id is None:
                raise
        what = f"Creating instance {self.name!r}"
        return Created((yield from wait_for_new_object(self.context, found.id, self.is_ready, what)))

    def renaming(self, record: JsonObject) -> Job[JsonObject]:
        """Return the job that gives the instance its name."""
        values = {"name": self.name}
        return (yield from self.update(record, values)) or {**record, **values}

    def _find_by_ticket(self, number: int | None) -> RequestedObject | None:
        """Return the instance that a ticket calls otherwise. Raises OperationFailed if that may be several."""
        try:
            ticket = {} if number is None else self.search.api.get_ticket(number)
        except NotFound:
            return None
        name, own = ticket.get("ObjectName"), ticket.get("ObjectId")
        if status_of_ticket(ticket) != SUCCEEDED or name in (None, "", self.name) or self.params["force_create"]:
            return None
        if own is None or own in self.source_ids:
            named = self.search.match(str(name), self.search.list_items())
            new = [one for one in named if self._before is not None and one["id"] not in self._before]
        else:
            found = self.search.by_id(own)
            if found is None:
                return None
            new = [found] if found["name"] == name else []
        if len(new) == 1:
            self.trace(self.name).note.set_lead(id=new[0]["id"])
            return RequestedObject(new[0]["id"], record=new[0])
        raise OperationFailed(
            f"Import {self._source['name']!r} was run, and ticket {number} calls the instance {name!r}.",
            next_step=f"Give it the name {self.name!r} with the module instance, by its ID; this task then finds it.",
            ticket=number,
        )


def run(task: Task, params: Params) -> Result:
    """Create an instance from the import, unless there is one of that name."""
    check_numbers(params)
    check_not_empty(params, "name", "instance_name", "type", "disk_class", "subregion")
    name, api = params["instance_name"], infrastructure(task)
    check_instance_name(name, "instance_name")
    labels = Labels(api)
    search = InstanceSearch(api, labels)
    networks = [_network(labels, one) for one in params["networks"]]
    present = only_instance(name, search.by_names([name])[name])
    if present is not None:
        instance_create_note(task, name).keep(present["id"])
        if is_busy(present) and params["wait"] and not task.check_mode:
            found = resource_of(task, search, params, present)
            present = found.run_job(
                wait_for_new_object(found.context, present["id"], is_idle, f"Waiting for instance {name!r}")
            )
        return creation_result(None, present, None)
    body: JsonObject = {"TypeId": known_id(labels, "type", params["type"]), "Network": networks}
    if params.get("subregion") is not None:
        body["SubregionId"] = known_id(labels, "subregion", params["subregion"])
    tier = known_id(labels, "disk_class", params["disk_class"])
    source = DeclaredImport(task, ImportSearch(api), {**params, "state": "present"}).find_current()
    if source is None:
        raise InvalidInput(
            f"There is no import {params['name']!r}, and no instance {name!r}.",
            next_step="instance_import creates an import; instance_import_info lists those there are.",
            option="name",
        )
    if task.check_mode:
        return creation_result("create", {"id": None, "name": name}, None)
    disks = api.list_import_disks(source["id"])
    body["Disks"] = [{"ImportDiskId": disk["Id"], "TierId": tier} for disk in disks]
    made = ImportedInstance(task, params, labels, source, body)
    created = made.run_job(made.creation_job())
    record = created.record
    if record["name"] == name:
        return creation_result("create" if created.by_us else None, record, made.ticket)
    with mark_changed_on_error(created.by_us):
        return creation_result("create", made.run_job(made.renaming(record)), made.ticket)


def _network(labels: Labels, params: Params) -> JsonObject:
    """Return one interface as the service takes it: public with any address or a given one, or private."""
    check_not_empty(params, "ip_address", "private_network")
    address, network = params.get("ip_address"), params.get("private_network")
    public = params.get("public")
    if public is None:
        public = network is None
    if public is (network is not None) or (address is not None and not public):
        raise InvalidInput(
            "networks: each one is either public, perhaps with an ip_address, or has a private_network.",
            option="networks",
        )
    if network is not None:
        return {"Public": False, "OpnId": known_id(labels, "private_network", network)}
    number = {} if address is None else {"PublicIpId": known_id(labels, "ip_address", address)}
    return {"Public": True, **number}


OPERATION = Operation(
    "instance_import_run",
    (REST,),
    {
        "name": {"type": "str"},
        "id": {"type": "int", "aliases": ["import_id"]},
        "instance_name": {"type": "str", "required": True},
        "type": {"type": "str", "required": True, "aliases": ["type_id"]},
        "disk_class": {"type": "str", "required": True, "aliases": ["tier_id"]},
        "networks": {
            "type": "list",
            "elements": "dict",
            "required": True,
            "options": {
                "public": {"type": "bool"},
                "ip_address": {"type": "str", "aliases": ["public_ip_id"]},
                "private_network": {"type": "str", "aliases": ["opn_id"]},
            },
        },
        "subregion": {"type": "str", "aliases": ["subregion_id"]},
        **WAIT_AND_GRACE,
        "force_create": CREATE_OPTIONS["force_create"],
    },
    run,
    {"required_one_of": [("name", "id")]},
    members=tuple(instance_record({})),
    manages=ManagedObject("instance", "instance"),
)

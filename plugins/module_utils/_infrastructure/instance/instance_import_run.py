# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating an instance from an import (docs/service/infrastructure.md, "Imports").

The service names the instance, and does not tell whether an import was run: so the instance of the name that the user
expects decides whether there is anything to do.
"""

from __future__ import annotations

import typing as t

from ..._connection.options import REST
from ..._connection.task import CREATE_OPTIONS, ManagedObject, Operation, Params, Result, Task
from ..._core.errors import CannotDetermine, InvalidInput, NotFound, OperationFailed
from ..._engine.change import SUCCEEDED, status_of_ticket, wait_for_new_object
from ..api import infrastructure
from ..rest_creation import create_resource
from ..rest_records import check_not_empty, check_numbers
from .instance_acts import WAIT_AND_GRACE, creation_result, resource_of
from .instance_creation import instance_create_note
from .instance_import import DeclaredImport, ImportSearch
from .instance_options import Labels, known_id
from .instance_planning import DeclaredInstance
from .instance_records import InstanceSearch, instance_record, is_busy, is_idle, only_instance

if t.TYPE_CHECKING:
    from ..._core.type_aliases import JsonMapping, JsonObject
    from ..._engine.change import Ticket
    from ..._engine.plan import Created
    from ..._engine.scheduler import Job
    from ..create_trace import RequestedObject


class ImportedInstance(DeclaredInstance):
    """The instance that is to be created: it should have the expected name."""

    def __init__(
        self, task: Task, search: InstanceSearch, params: Params, source: JsonObject, body: JsonObject
    ) -> None:
        super().__init__(task, search, params, params["instance_name"])
        self.source_ids = (source["id"],)
        self._source = source
        self._body = body

    def create_request(self, values: JsonMapping) -> t.Callable[[], Ticket]:
        """Return what creates the instance."""
        del values
        return lambda: self.search.api.run_import(self._source["id"], self._body)

    def facts_before_create(self) -> JsonObject:
        """Return the instances of such names; the ticket may not tell which one is new."""
        return {"alike": [one["id"] for one in self.search.find_alike(str(self.name))]}

    def is_ready(self, record: JsonObject) -> bool:
        """Return whether no operation is running on it."""
        return is_idle(record)

    def find_leftover(self, facts: t.Mapping[str, object], values: JsonMapping) -> RequestedObject | None:
        """Return what a create that failed has left. Raises OperationFailed if there is an instance of another name."""
        self._require_name(t.cast("t.Optional[int]", facts.get("ticket")))
        return super().find_leftover(facts, values)

    def creation_job(self) -> Job[Created]:
        """Return the job that creates the instance. Raises OperationFailed if it gets another name."""
        try:
            return (yield from create_resource(self, {"name": self.name}))
        except CannotDetermine:
            self._require_name(self.ticket)
            raise

    def _require_name(self, number: int | None) -> None:
        try:
            ticket = {} if number is None else self.search.api.get_ticket(number)
        except NotFound:
            return
        name = ticket.get("ObjectName")
        if status_of_ticket(ticket) == SUCCEEDED and name not in (None, "", self.name):
            raise OperationFailed(
                f"Import {self._source['name']!r} was run, and ticket {number} calls the instance {name!r}.",
                next_step="Give that name in instance_name.",
                ticket=number,
            )


def run(task: Task, params: Params) -> Result:
    """Create an instance from the import, unless there is one of that name."""
    check_numbers(params)
    check_not_empty(params, "name", "instance_name", "type", "disk_class", "subregion")
    name, api = params["instance_name"], infrastructure(task)
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
    declared = DeclaredImport(task, ImportSearch(api), {**params, "state": "present"})
    source = declared.find_current()
    if params["id"] is not None:
        declared.require_same(source)
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
    made = ImportedInstance(task, search, params, source, body)
    created = made.run_job(made.creation_job())
    return creation_result("create" if created.by_us else None, created.record, made.ticket)


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

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports from the object storage: found by name or ID, started, waited for, removed and listed.

Source: docs/service/infrastructure.md, "Imports". An instance is made of one by instance_import_run.py.
"""

from __future__ import annotations

import re
import typing as t

from ..._connection.options import REST
from ..._connection.task import CREATE_OPTIONS, STATE, WAIT_OPTIONS, ManagedObject, Operation, Params, Result, Task
from ..._core.errors import InvalidInput, OperationFailed
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.plan import Field, in_words
from ..api import infrastructure
from ..rest_changes import removal_of
from ..rest_records import RestSearch, check_name, check_not_empty, record_of, require_options
from ..rest_resource import RestResource, reconcile_resource, rest_reader
from ..storage_project import project_id

if t.TYPE_CHECKING:
    from ..._engine.change import Change

FAILED, REMOVED = 883, 886
PENDING = (1115, 899, 881)  # waiting, starting, running
OVER = (882, 884, 885)  # success, ready to be run, run that failed
MAX_IMPORT_NAME, MAX_LOCATION = 300, 1000  # characters
OVF = re.compile(r".+/.+\.ovf")
_PLAIN = {
    "id": "Id",
    "name": "Name",
    "size": "Size",
    "disks_count": "DisksCount",
    "network_interfaces_count": "NetworkInterfacesCount",
    "creation_date": "CreationDate",
    "start_date": "StartDate",
    "end_date": "EndDate",
}


def import_record(entry: JsonMapping) -> JsonObject:
    """Return the record of an import."""
    return record_of(entry, _PLAIN, {"status": "Status"})


def _status(entry: JsonMapping) -> int | None:
    return (entry.get("Status") or {}).get("Id")


class ImportSearch(RestSearch):
    """Finds imports; removed ones, which the service may go on to show, do not count."""

    kind = "import"
    describe = staticmethod(import_record)

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the imports that the service lists."""
        return [one for one in self.api.list_imports(**filters) if _status(one) != REMOVED]

    def read(self, number: int) -> JsonObject:
        """Return one import."""
        return self.api.get_import(number)

    def by_id(self, number: int) -> JsonObject | None:
        """Return the import with this ID, or None."""
        record = super().by_id(number)
        return None if record is not None and (record["status"] or {}).get("id") == REMOVED else record


class DeclaredImport(RestResource):
    """The import that the options declare; the service does not return what it is of."""

    search: ImportSearch
    fields = (Field("name", on_update=False),)

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired name."""
        if current is None:
            require_options(self.params, self.kind, str(self.name), ("name", "location", "project"))
        return {} if self.name is None else {"name": self.name}

    def title(self, record: JsonMapping) -> str:
        """Return the name of an existing import in messages."""
        return f"Import {self.name_of(record)!r}"

    def is_ready(self, record: JsonObject) -> bool:
        """Return whether it can be run. Raises OperationFailed if it has failed and is not to be removed."""
        status = (record["status"] or {}).get("id")
        ended = record["end_date"] is not None and status not in PENDING
        if self.params["state"] == "absent" or status in OVER:
            return status in (*OVER, FAILED) or ended
        if status == FAILED or ended:
            raise OperationFailed(
                f"{self.title(record)} ({record['id']}) has failed: its status is {in_words(record['status'])}.",
                next_step="Check the file and its location; remove the import with state: absent, and try again.",
                id=record["id"],
                status=record["status"],
            )
        return False

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what starts the import."""
        project = project_id(self.search.api, self.params["project"])
        body = {"Name": values["name"], "OcsFileLocation": self.params["location"], "OcsProjectId": project}
        return lambda: self.search.api.create_import(body)

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it; the answer is empty."""
        return [removal_of(self, current, self.search.api.delete_import)]


def run(task: Task, params: Params) -> Result:
    """Bring the import to its state."""
    check_name(params.get("name"), MAX_IMPORT_NAME)
    check_not_empty(params, "project")
    location = params.get("location")
    if location is not None and (len(location) > MAX_LOCATION or not OVF.fullmatch(location)):
        raise InvalidInput(
            f"location: {location!r} is not the place of a file whose name ends in .ovf.",
            next_step=f"Give container and path, such as exports/web/web.ovf; up to {MAX_LOCATION} characters.",
            option="location",
        )
    return reconcile_resource(DeclaredImport(task, ImportSearch(infrastructure(task)), params), "instance_import")


OPERATION = Operation(
    "instance_import",
    (REST,),
    {
        **STATE,
        "name": {"type": "str"},
        "id": {"type": "int", "aliases": ["import_id"]},
        "location": {"type": "str", "aliases": ["ocs_file_location"]},
        "project": {"type": "str", "aliases": ["ocs_project_id"]},
        **WAIT_OPTIONS,
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("name", "id")]},
    fields=DeclaredImport.fields,
    members=tuple(import_record({})),
    manages=ManagedObject("import", "instance_import"),
)


INFO = rest_reader(
    "instance_import_info",
    "instance_imports",
    lambda api, _params: ImportSearch(api),
    {"name": {"type": "str"}},
    {"mutually_exclusive": [("id", "name")]},
)

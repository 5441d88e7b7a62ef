# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a container to its wanted state."""

from __future__ import annotations

import typing as t

from ..._api.object_storage import Headers, ObjectStorage
from ..._core.errors import Conflict
from ..._engine.converge import Created, converge
from ..._engine.fields import Field, Fields, Record
from ..._engine.plan import DELETE
from ..._session.object_storage import object_storage, require_settings, service_limits
from ..._session.operation import STATE, Operation, Params, Result
from ..._session.task import Task
from .metadata import SECRET, check_text, from_headers, settled, wishes
from .names import Limits, check_container
from .result import foreseen, storage_result

FIELDS: Fields = (Field("name"), Field("metadata"), Field("read_acl"), Field("write_acl"))
ACL_HEADERS = {"read_acl": "X-Container-Read", "write_acl": "X-Container-Write"}
REFERRERS = (".r", ".ref", ".referer", ".referrer")  # four spellings of one thing; the service stores the first

OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True, "aliases": ["container"]},
    "metadata": {"type": "dict"},
    "purge_metadata": {"type": "bool", "default": False},
    "read_acl": {"type": "str"},
    "write_acl": {"type": "str"},
    "force": {"type": "bool", "default": False},
    **STATE,
}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    limits = Limits(lambda: service_limits(task))
    name = check_container(params["name"], limits)
    wanted: Record = {}
    given = params["metadata"]
    wanted_metadata = None if given is None else wishes(given, limits, empty_removes=True)
    acls = {option: acl(check_text(option, params[option])) for option in ACL_HEADERS if params[option] is not None}

    containers = Containers(object_storage(task), name, task, force=params["force"])
    current = containers.current
    if params["state"] == "present":
        have = {} if current is None else current["metadata"]
        after = settled(wanted_metadata, have, limits, purge=params["purge_metadata"])
        wanted = {"name": name, "metadata": after, **acls}
    outcome = converge(containers, wanted, params["state"], check_mode=task.check_mode)
    if task.check_mode:
        if outcome.action == DELETE:
            containers.refuse_filled()
        outcome = foreseen(outcome, new=("storage_policy",))
    return storage_result("container", outcome, UNKNOWN, SECRET)


class Containers:
    """One container. It is read once, when this is made."""

    kind = "container"
    fields = FIELDS

    def __init__(self, storage: ObjectStorage, name: str, task: Task, *, force: bool) -> None:
        self._storage = storage
        self._name = name
        self._task = task
        self._force = force
        self.current = self._read()

    def find(self, wanted: Record) -> dict[str, t.Any] | None:
        """Return the container as it was when this was made."""
        del wanted
        return self.current

    def create(self, values: Record) -> Created:
        """Make the container."""
        self._storage.create_container(self._name, _changes({}, values))
        return Created(self._read() or {**UNKNOWN, **values})

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Send the differences only: the service merges them into what is there."""
        self._storage.update_container_metadata(self._name, _changes(current, changes))
        return self._read() or {**current, **changes}

    def delete(self, current: Record) -> None:
        """Remove the container, with ``force`` together with its contents."""
        del current
        try:
            self._storage.delete_container(self._name)
        except Conflict as exc:
            if not self._force:
                raise self._filled(exc.details) from None
            from .emptying import empty_and_delete

            empty_and_delete(self._storage, self._name, self._task)

    def refuse_filled(self) -> None:
        """Raise in check mode what the removal of a container that is not empty would end with."""
        if self.current and self.current["object_count"] and not self._force:
            raise self._filled({})

    def _filled(self, details: t.Mapping[str, t.Any]) -> Conflict:
        count = (self.current or {}).get("object_count") or 0
        holds = f"it holds {count} objects" if count else "its count is 0, so objects came just now or have expired"
        return Conflict(
            f"The container {self._name!r} is not empty ({holds}).",
            next_step="Set force to remove it with its contents. Expired objects count until the service clears them.",
            **details,
        )

    def _read(self) -> dict[str, t.Any] | None:
        headers = self._storage.container_metadata(self._name)
        return None if headers is None else record_of(self._name, headers)


UNKNOWN: dict[str, t.Any] = {
    "name": None,
    "object_count": 0,
    "bytes_used": 0,
    "metadata": {},
    "read_acl": "",
    "write_acl": "",
    "storage_policy": None,
}


def record_of(name: str, headers: Headers) -> dict[str, t.Any]:
    """Return a container as a result shows it, except that secret metadata is still in it."""
    return {
        "name": name,
        "object_count": int(headers.get("x-container-object-count", 0)),
        "bytes_used": int(headers.get("x-container-bytes-used", 0)),
        "metadata": from_headers(headers, "container"),
        "read_acl": headers.get("x-container-read", ""),
        "write_acl": headers.get("x-container-write", ""),
        "storage_policy": headers.get("x-storage-policy"),
    }


def acl(text: str) -> str:
    """Return an access list in the spelling in which the service stores and returns it."""
    parts = (part.strip() for part in text.split(","))
    return ",".join(_acl_part(part) for part in parts if part)


def _acl_part(part: str) -> str:
    first, colon, second = (piece.strip() for piece in part.partition(":"))
    if not colon or first not in REFERRERS:
        return part
    minus = "-" if second.startswith("-") else ""
    host = second[len(minus) :].strip()
    return f".r:{minus}{host[1:].strip() if host.startswith('*') and host != '*' else host}"


def _changes(current: Record, values: Record) -> Headers:
    """Return the headers that turn the current container into the wanted one; an empty value removes."""
    headers = {ACL_HEADERS[option]: values[option] for option in ACL_HEADERS if option in values}
    if "metadata" in values:
        have, want = current.get("metadata", {}), values["metadata"]
        differing = {name: want.get(name, "") for name in {**have, **want} if have.get(name) != want.get(name)}
        headers.update({f"X-Container-Meta-{name}": value for name, value in differing.items()})
    return headers


OPERATION = Operation(name="storage_container", services=("storage",), options=OPTIONS, run=run)

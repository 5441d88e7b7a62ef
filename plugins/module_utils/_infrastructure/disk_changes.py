# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The requests that change a disk, and in which order they are sent (wire-facts section 6)."""

from __future__ import annotations

import typing as t

from .._core.errors import NotFound, OperationFailed
from .._engine.plan import Record

if t.TYPE_CHECKING:
    from .._engine.change import Change, Test, Ticket
    from .disk import DeclaredDisk


def creation_body(values: Record, *, older: bool) -> dict[str, t.Any]:
    """Return the body of POST /disks; the older line of the service requires a member that the later one has not."""
    return {**disk_body(values), **({"IsShared": values.get("shared_disk_type") is not None} if older else {})}


def disk_body(values: Record) -> dict[str, t.Any]:
    """Return what POST and PUT of a disk have in common."""
    plain = {"DiskName": values["name"], "SpaceCapacity": values["size"], "TierId": values["disk_class"]["id"]}
    shared = values.get("shared_disk_type")
    more = {} if shared is None else {"SharedDiskTypeId": shared["id"]}
    return {**plain, "SubregionId": values["subregion"]["id"], **more}


def changes_of_disk(resource: DeclaredDisk, current: Record, changes: Record) -> list[Change]:
    """Return the requests of a change: detach first, for a disk is moved only while it is free, and attach last."""
    now = {one["id"] for one in current["instances"]}
    wanted = {one["id"] for one in changes["instances"]} if "instances" in changes else now
    moved = "subregion" in changes
    leaving = sorted(now if moved else now - wanted)
    staying = now - set(leaving)
    plain = _Changes(resource, current, sorted(staying))
    return [
        *(detaching(resource, current, one) for one in leaving),
        *(
            getattr(plain, name)(changes[name])
            for name in ("subregion", "disk_class", "size", "name")
            if name in changes
        ),
        *(_attaching(resource, current, one) for one in sorted(wanted - staying)),
    ]


def removal_of_disk(resource: DeclaredDisk, current: Record) -> list[Change]:
    """Return the requests of a removal: a disk has to be detached before it is deleted."""
    number = current["id"]
    gone = resource.change(
        number,
        f"Removing disk {current['name']!r}",
        lambda: resource.search.api.delete_disk(number),
        lambda record: record is None,
        removes=True,
    )
    return [*(detaching(resource, current, one["id"]) for one in current["instances"]), gone]


def detaching(resource: DeclaredDisk, current: Record, instance_id: int) -> Change:
    """Return the request that takes the disk off an instance."""
    number = current["id"]
    return resource.change(
        number,
        f"Detaching disk {current['name']!r} from instance {instance_id}",
        lambda: resource.search.api.detach_disk(number, instance_id),
        lambda record: record is not None and instance_id not in _owners(record),
        [instance_id],
    )


def _attaching(resource: DeclaredDisk, current: Record, instance_id: int) -> Change:
    number = current["id"]
    return resource.change(
        number,
        f"Attaching disk {current['name']!r} to instance {instance_id}",
        lambda: resource.search.api.attach_disk(number, instance_id),
        lambda record: record is not None and instance_id in _owners(record),
        [instance_id],
    )


class _Changes:
    """One request for each attribute; ``holders`` are the instances that are locked meanwhile."""

    def __init__(self, resource: DeclaredDisk, current: Record, holders: t.Sequence[int]) -> None:
        self._resource = resource
        self._number: int = current["id"]
        self._called = f"disk {current['name']!r}"
        self._holders = holders

    def subregion(self, item: t.Any) -> Change:
        api, number = self._resource.search.api, item["id"]
        return self._change(
            "Moving", lambda: api.change_disk_subregion(self._number, number), _has_item("subregion", number)
        )

    def disk_class(self, item: t.Any) -> Change:
        api, number = self._resource.search.api, item["id"]
        return self._change(
            "Changing the class of",
            lambda: api.change_disk_tier(self._number, number),
            _has_item("disk_class", number),
        )

    def size(self, value: t.Any) -> Change:
        api = self._resource.search.api
        return self._change("Extending", lambda: api.extend_disk(self._number, value), _has("size", value))

    def name(self, value: t.Any) -> Change:
        return self._change("Renaming", lambda: self._renamed(value), _has("name", value))

    def _change(self, doing: str, send: t.Callable[[], Ticket], arrived: Test) -> Change:
        return self._resource.change(self._number, f"{doing} {self._called}", send, arrived, self._holders)

    def _renamed(self, name: str) -> Ticket:
        """Send everything as it is now but for the name: PUT replaces all, and what is left out is lost."""
        record = self._resource.search.by_id(self._number)
        if record is None:
            raise NotFound(f"Disk {self._number} is not there any more.", status=404)
        unknown = [name for name in ("size", "disk_class", "subregion") if record[name] is None]
        if unknown:
            raise OperationFailed(
                f"Renaming {self._called}: the service does not tell its {', '.join(unknown)}, which have to be sent "
                "along, or they would be lost.",
                next_step="Run the task again later, or rename it in the panel.",
                id=self._number,
            )
        whole = disk_body({**record, "name": name, "shared_disk_type": None})
        return self._resource.search.api.replace_disk(
            self._number, {**whole, "InstanceIdsList": sorted(_owners(record))}
        )


def _owners(record: Record) -> set[int]:
    return {one["id"] for one in record["instances"]}


def _has(name: str, value: t.Any) -> Test:
    return lambda record: record is not None and record.get(name) == value


def _has_item(name: str, number: int) -> Test:
    return lambda record: record is not None and (record.get(name) or {}).get("id") == number

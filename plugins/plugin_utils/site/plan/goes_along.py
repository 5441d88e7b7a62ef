# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes along with something that is removed or replaced is guarded like the thing itself.

These are the disks and automatic addresses of an instance, and the objects of a container or a folder. The registries
of all sites in the same place say what is protected, and so does the site file. They are guarded themselves, too.
"""

from __future__ import annotations

import os
import typing as t

from ....module_utils._connection.task import Params, Task
from ....module_utils._core.errors import FcdError, InvalidInput, NotFound
from ....module_utils._core.text import join_names
from ....module_utils._core.type_aliases import JsonMapping
from ....module_utils._infrastructure.api import infrastructure
from ....module_utils._infrastructure.disk import disk_record
from ....module_utils._infrastructure.ip_address import ip_address_record
from ....module_utils._object_storage.connection import object_storage
from ....module_utils._object_storage.properties import segment_container
from ....module_utils._object_storage.segments import Layout
from ....module_utils._object_storage.small_objects import REGISTRY_PREFIX
from ....module_utils._object_storage.tree_merge import Filter
from ..model import ADDRESSES, CONTAINERS, DISKS, FOLDERS, INSTANCES, OBJECTS
from ..registry.registry_document import Owned
from ..registry.registry_places import WHOLE_SITE, object_name
from ..stages import Read
from .removal_checks import AUTOMATIC, goes_before, reference_numbers

Protected = t.Tuple[Owned, str]
"""What must not be destroyed, and the other site that says so; no name for this one."""


class ProtectedContents:
    """What must not be destroyed, looked for in what is removed or replaced."""

    def __init__(self, task: Task, reads: t.Iterable[Read], protected: t.Iterable[Protected]) -> None:
        self._task = task
        self._reads = {(one.entry.kind, number): one for one in reads for number in reference_numbers(one.before)}
        self._protected = list(protected)

    def refusal(self, read: Read) -> FcdError | None:
        """Return the error for an entry that would take something protected along."""
        if not read.may_change:
            return None
        held: list[Protected] = []
        what = "removed: it contains objects"
        try:
            if read.entry.kind == FOLDERS:
                held, what = self._of_folder(read), "published: with delete: true it would remove objects"
            elif read.goes and read.entry.kind == CONTAINERS:
                held = [*(pair for pair, _name in self._objects(read.entry.name)), *self._folders(read.entry.name)]
            elif read.goes and read.entry.kind == INSTANCES:
                held = self._of_instance(read)
                what = f"{'removed' if read.removes else 'replaced'}: it would take along disks or addresses"
        except FcdError as error:
            return error
        if not held:
            return None
        names = join_names([f"{one.name} (of the site {site})" if site else one.name for one, site in held], 3)
        return InvalidInput(
            f"It is not {what} with lifecycle.prevent_destroy in their entries: {names}.",
            next_step="To remove them, first apply their entries without prevent_destroy.",
            option="lifecycle",
        )

    def _objects(self, container: str) -> t.Iterator[tuple[Protected, str]]:
        """Yield the objects in a container, or with segments in it, each with a name that it has there."""
        for pair in self._protected:
            place, name = pair[0].identity.get("container"), str(pair[0].identity.get("name"))
            if pair[0].kind != OBJECTS:
                continue
            if place == container:
                yield pair, name
            elif (pair[0].identity.get("segment_container") or segment_container(str(place))) == container:
                yield from ((pair, segment) for segment in self._segments(container, name))

    def _folders(self, container: str) -> list[Protected]:
        folders = [pair for pair in self._protected if pair[0].kind == FOLDERS]
        return [pair for pair in folders if pair[0].identity.get("container") == container]

    def _segments(self, container: str, name: str) -> list[str]:
        """Return the name of the first segment that an object has in a container."""
        prefix = Layout(container, name, "", 0, 0).folder
        try:
            found = object_storage(self._task).list_objects(container, prefix=prefix, limit=1)
        except NotFound:
            found = []
        return [str(one["name"]) for one in found]

    def _of_folder(self, read: Read) -> list[Protected]:
        """Return the objects that a folder removes, since it has no file of that name."""
        params = read.entry.params
        if read.planned is None or not read.planned.record.get("deleted"):
            return []
        names = [(pair, selected_name(params, name)) for pair, name in self._objects(params["container"])]
        return [pair for pair, name in names if name and not os.path.isfile(os.path.join(params["path"], name))]

    def _of_instance(self, read: Read) -> list[Protected]:
        known = {
            (one.kind, str(one.id)): (one, site) for one, site in self._protected if one.kind in (DISKS, ADDRESSES)
        }
        if not known:
            return []
        number = (reference_numbers(read.before) or [str(read.registered)])[0]
        going: list[tuple[str, str]] = []
        kinds = {kind for kind, _number in known}
        if DISKS in kinds:
            going += [(DISKS, disk) for disk in self._disks_of(read, number)]
        if ADDRESSES in kinds:
            going += [(ADDRESSES, address) for address in self._addresses_of(number)]
        return [known[one] for one in going if one in known]

    def _disks_of(self, read: Read, number: str) -> t.Iterator[str]:
        """Yield the disks that go with an instance: its system disk, with ``delete_disks`` all that it still has."""
        for disk in map(disk_record, infrastructure(self._task).list_disks()):
            own = str(disk["id"])
            declared = self._reads.get((DISKS, own))
            is_gone = declared is not None and declared.acts and goes_before(declared, read, number)
            along = disk["is_system_disk"] or (read.entry.params.get("delete_disks") and not is_gone)
            if along and number in reference_numbers(*disk["instances"]):
                yield own

    def _addresses_of(self, number: str) -> t.Iterator[str]:
        """Yield the automatic addresses of an instance, but for those that it has no longer when it goes."""
        for address in map(ip_address_record, infrastructure(self._task).list_ip_addresses()):
            own = str(address["id"])
            is_automatic = (address["type"] or {"id": AUTOMATIC})["id"] == AUTOMATIC
            if number in reference_numbers(address["instance"]) and is_automatic:
                declared = self._reads.get((ADDRESSES, own))
                if declared is None or not declared.changes or _is_lost(declared.after, number):
                    yield own


def _folder_has_registry(read: Read, sites: t.Iterable[str]) -> bool:
    """Return whether a folder is one of registries, or removes what it has no file of, such as a registry."""
    params = read.entry.params
    if f"{params['prefix']}/".startswith(REGISTRY_PREFIX):
        return True
    return bool(params["delete"]) and any(selected_name(params, object_name(site, WHOLE_SITE)) for site in sites)


_REGISTRY_RULES: t.Mapping[str, tuple[t.Callable[[Read, t.Iterable[str]], bool], str, str]] = {
    CONTAINERS: (
        lambda read, _sites: read.goes,
        "the registry of this site is in it, and has to outlive it",
        "Keep the container, or first move the registry of each site that has its own in it.",
    ),
    OBJECTS: (
        lambda read, _sites: str(read.entry.params["name"]).startswith(REGISTRY_PREFIX),
        f"only sites themselves write and remove what is in {REGISTRY_PREFIX}",
        "Remove the entry from the site file.",
    ),
    FOLDERS: (
        _folder_has_registry,
        f"it would change or remove the registry, which is in {REGISTRY_PREFIX}",
        f"Give another prefix, or exclude: [{REGISTRY_PREFIX}].",
    ),
}
"""By kind: whether an entry would do what it must not where these sites have their registries, why not, and advice."""


def registry_refusal(read: Read, container: str, sites: t.Iterable[str]) -> InvalidInput | None:
    """Return the error for an entry that would remove or change the registry of the run, or those of others beside it.

    ``container`` is what they are in, ``sites`` are their owners.
    """
    kind = read.entry.kind
    where = read.entry.name if kind == CONTAINERS else read.entry.params.get("container")
    if not container or where != container or not read.acts or kind not in _REGISTRY_RULES:
        return None
    applies, problem, advice = _REGISTRY_RULES[kind]
    if not applies(read, sites):
        return None
    what = "published" if kind == FOLDERS else "removed" if read.removes else "changed"
    return InvalidInput(f"It is not {what}: {problem}.", next_step=advice, option="registry")


def selected_name(params: Params, name: str) -> str:
    """Return what an object is called in a folder, nothing for one that the folder is not about."""
    prefix = f"{params['prefix'].rstrip('/')}/".lstrip("/")
    inside = name[len(prefix) :] if name.startswith(prefix) else ""
    return inside if Filter(params["include"], params["exclude"]).selects(inside) else ""


def _is_lost(after: JsonMapping, number: str) -> bool:
    """Return whether an address is to be automatic, and that of this instance, when a run has changed it."""
    return not after.get("static") and number in reference_numbers(after.get("instance"))

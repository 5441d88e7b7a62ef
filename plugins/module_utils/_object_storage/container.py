# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a container to its desired state."""

from __future__ import annotations

import typing as t

from .._connection.task import STATE, Operation, Params, Result, Task
from .._core.errors import Conflict, InvalidInput, Rejected, mark_changed_on_error
from .._engine.plan import DELETE, Field, Fields, Record
from .._engine.reconcile import Created, reconcile
from .api import Headers, ObjectStorage
from .connection import object_storage, require_settings, service_features
from .limits import Features, Limits, check_container
from .metadata import (
    MetadataOptions,
    check_item_features,
    check_text,
    item_fields,
    item_options,
    metadata_changes,
    secret_options,
)
from .records import (
    ACL_HEADERS,
    CONTAINER_ITEMS,
    DISABLED,
    STOP_ELSEWHERE,
    UNKNOWN_CONTAINER,
    VERSIONING_OPTIONS,
    check_versioning,
    container_record,
    desired_versioning,
    may_hold_versions,
    normalized_acl,
    outcome_in_check_mode,
    storage_result,
    versioning_steps,
)

SECRET = secret_options(CONTAINER_ITEMS)
FIELDS: Fields = (
    Field("name"),
    Field("metadata"),
    Field("read_acl"),
    Field("write_acl"),
    Field("storage_policy", on_update=False),
    Field("versioning"),
    Field("versions_location"),
    *item_fields(CONTAINER_ITEMS),
)

OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True, "aliases": ["container"]},
    "metadata": {"type": "dict"},
    "purge_metadata": {"type": "bool", "default": False},
    "read_acl": {"type": "str"},
    "write_acl": {"type": "str"},
    "storage_policy": {"type": "str"},
    **VERSIONING_OPTIONS,
    **item_options(CONTAINER_ITEMS),
    "force": {"type": "bool", "default": False, "aliases": ["delete_with_all_objects"]},
    **STATE,
}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    features = Features(lambda: service_features(task))
    limits = Limits(features.limits)
    name = check_container(params["name"], limits)
    metadata = MetadataOptions(CONTAINER_ITEMS, params, limits, task.redactor)
    access = {option: check_text(option, params[option]) for option in ACL_HEADERS if params[option] is not None}
    versioning = desired_versioning(params, limits)

    container = StorageContainer(object_storage(task), name, task, features, force=params["force"])
    desired: Record = {}
    if params["state"] == "present":
        desired = {
            "name": name,
            **{option: normalized_acl(text) for option, text in access.items()},
            **versioning,
            **metadata.desired(container.current or {}),
            **container.policy(params["storage_policy"]),
        }
    outcome = reconcile(container, desired, params["state"], check_mode=task.check_mode)
    if task.check_mode:
        if outcome.action == DELETE:
            container.foresee_removal()
        if outcome.record is not None:  # the result tells of a secret that it would be set
            outcome = outcome._replace(record={**outcome.record, **metadata.secrets})
        outcome = outcome_in_check_mode(outcome, new=("storage_policy",))
    return storage_result("container", outcome, {**UNKNOWN_CONTAINER, "url": container.url}, SECRET)


class StorageContainer:
    """One container. It is read once, when this is made."""

    kind = "container"
    fields = FIELDS

    def __init__(self, storage: ObjectStorage, name: str, task: Task, features: Features, *, force: bool) -> None:
        self._storage = storage
        self._name = name
        self._task = task
        self._features = features
        self._force = force
        self._headers: Headers | None = None
        self.url = storage.address(name)
        self.current = self._read()

    def find(self, wanted: Record) -> dict[str, t.Any] | None:
        """Return the container as it was when this was made."""
        del wanted
        return self.current

    def policy(self, given: str | None) -> dict[str, str]:
        """Return the desired storage policy, if any, as the service spells it. Raises InvalidInput."""
        if not given:
            return {}
        given, have = check_text("storage_policy", given), (self.current or {}).get("storage_policy")
        if have is not None and have.casefold() == given.casefold():
            return {"storage_policy": have}
        return {"storage_policy": self._features.policy(given)}

    def verify(self, action: str | None, values: Record, current: Record | None) -> None:
        """Raise InvalidInput when the service has no use for what is to be set."""
        del current
        if action == DELETE:
            return
        check_item_features(CONTAINER_ITEMS, values, self._features)
        check_versioning(values, self._features)
        location = values.get("versions_location")
        if location and self._storage.container_metadata(location) is None:
            text = f"versions_location: there is no container {location!r}."
            if not self._task.check_mode:
                raise InvalidInput(text, next_step="Make it first, with another task.", option="versions_location")
            self._task.warn(f"{text} Unless an earlier task makes it, this one will fail outside check mode.")

    def create(self, values: Record) -> Created:
        """Make the container."""
        self.verify(None, values, None)
        headers = _changes({}, values)
        if values.get("versioning", DISABLED) != DISABLED:
            headers.update(versioning_steps({}, values)[0])
        self._storage.create_container(self._name, headers)
        with mark_changed_on_error():
            return Created(self._read() or {**UNKNOWN_CONTAINER, **values})

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Send the differences only: the service merges them into what is there."""
        headers = [_changes(current, changes)]
        if "versioning" in changes or "versions_location" in changes:
            headers += versioning_steps(self._headers or {}, {**current, **changes})
        for number, one in enumerate(one for one in headers if one):
            with mark_changed_on_error(number > 0):
                self._storage.update_container_metadata(self._name, one)
        with mark_changed_on_error():
            return self._read() or {**current, **changes}

    def delete(self, current: Record) -> None:
        """Remove the container, with ``force`` together with its contents."""
        try:
            self._storage.delete_container(self._name)
        except Conflict as exc:
            if not self._force:
                raise self._filled(exc.details) from None
            self._empty_and_delete(current)

    def _empty_and_delete(self, current: Record) -> None:
        from .deletion import empty_and_delete

        self._tell_what_stays(current)
        if current["versions_location"]:  # or each deletion would bring a version back, or add one there
            self._storage.update_container_metadata(self._name, STOP_ELSEWHERE)
        with_versions = may_hold_versions(self._headers or {})
        with mark_changed_on_error(bool(current["versions_location"])):
            empty_and_delete(self._storage, self._name, self._task, versions=with_versions)

    def _tell_what_stays(self, current: Record) -> None:
        """Warn of containers with what belonged to the objects, as far as they are known by name and there."""
        from .limits import segment_container

        known = {"Versions": current["versions_location"], "Segments": segment_container(self._name)}
        for what, place in known.items():
            if place and self._is_there(place):
                self._task.warn(f"{what} of objects of {self._name!r} stay in the container {place!r}.")

    def _is_there(self, container: str) -> bool:
        try:
            return self._storage.container_metadata(container) is not None
        except Rejected:  # such as a name that is too long; what is asked for matters to nothing but a warning
            return False

    def foresee_removal(self) -> None:
        """Raise in check mode what the removal of a container that is not empty would end with, or warn as it would."""
        if self.current and (self.current["object_count"] or self._has_bytes_of_versions()):
            if not self._force:
                raise self._filled({})
            self._tell_what_stays(self.current)

    def _has_bytes_of_versions(self) -> bool:
        return may_hold_versions(self._headers or {}) and bool((self.current or {}).get("bytes_used"))

    def _filled(self, details: t.Mapping[str, t.Any]) -> Conflict:
        count = (self.current or {}).get("object_count") or 0
        holds = f"it holds {count} objects" if count else "its count is 0, so objects came just now or have expired"
        if not count and may_hold_versions(self._headers or {}):
            holds = "it holds versions of objects"
        return Conflict(
            f"The container {self._name!r} is not empty ({holds}).",
            next_step="Set force to remove it with its contents. Expired objects count until the service clears them.",
            **details,
        )

    def _read(self) -> dict[str, t.Any] | None:
        self._headers = self._storage.container_metadata(self._name)
        return None if self._headers is None else container_record(self._name, self.url, self._headers)


def _changes(current: Record, values: Record) -> Headers:
    """Return the headers that turn the current container into the desired one; an empty value removes."""
    headers = {ACL_HEADERS[option]: values[option] for option in ACL_HEADERS if option in values}
    if "storage_policy" in values and not current:
        headers["X-Storage-Policy"] = values["storage_policy"]
    metadata = metadata_changes(CONTAINER_ITEMS, current, values)
    headers.update({f"X-Container-Meta-{name}": value for name, value in metadata.items()})
    return headers


OPERATION = Operation(name="storage_container", services=("storage",), options=OPTIONS, run=run)

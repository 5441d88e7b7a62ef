# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a container to its wanted state."""

from __future__ import annotations

import typing as t

from .._core.errors import Conflict, InvalidInput, Rejected
from .._engine.change_tracking import mark_changed_on_error
from .._engine.converge import Created, Outcome, converge
from .._engine.fields import Field, Fields, Record
from .._engine.plan import DELETE
from .._session.operation import STATE, Operation, Params, Result
from .._session.task import Task
from . import container_versioning as versioning
from . import known_items
from .api import Headers, ObjectStorage
from .connection import object_storage, require_settings, service_features
from .container_record import ACL_HEADERS, ITEMS, UNKNOWN, acl, record_of
from .features import Features
from .metadata import check_amount, check_text, misplaced_secrets, settled, wishes
from .names import Limits, check_container
from .result import foreseen, storage_result

SECRET = known_items.secrets_of(ITEMS)
FIELDS: Fields = (
    Field("name"),
    Field("metadata"),
    Field("read_acl"),
    Field("write_acl"),
    Field("storage_policy", on_update=False),
    Field("versioning"),
    Field("versions_location"),
    *known_items.fields_of(ITEMS),
)

OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True, "aliases": ["container"]},
    "metadata": {"type": "dict"},
    "purge_metadata": {"type": "bool", "default": False},
    "read_acl": {"type": "str"},
    "write_acl": {"type": "str"},
    "storage_policy": {"type": "str"},
    **versioning.OPTIONS,
    **known_items.options_of(ITEMS),
    "force": {"type": "bool", "default": False, "aliases": ["delete_with_all_objects"]},
    **STATE,
}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    features = Features(lambda: service_features(task))
    limits = Limits(features.limits)
    name = check_container(params["name"], limits)
    for secret in (*(params[option] for option in SECRET), *misplaced_secrets(params["metadata"])):
        task.redactor.add(secret)
    asked = _asked(params, limits)
    wanted_metadata = _wanted_metadata(params, limits)

    containers = Containers(object_storage(task), name, task, features, force=params["force"])
    wanted: Record = {}
    if params["state"] == "present":
        have = {} if containers.current is None else containers.current["metadata"]
        after = settled(wanted_metadata, have, limits, purge=params["purge_metadata"])
        wanted = {"name": name, "metadata": after, **asked, **containers.policy(params["storage_policy"])}
        _check_all_metadata(wanted, containers.current or {}, limits)
    outcome = converge(containers, wanted, params["state"], check_mode=task.check_mode)
    if task.check_mode:
        if outcome.action == DELETE:
            containers.foresee_removal()
        outcome = _foreseen(outcome, wanted)
    return storage_result("container", outcome, {**UNKNOWN, "url": containers.url}, SECRET)


def _asked(params: Params, limits: Limits) -> dict[str, t.Any]:
    """Return the wanted values that do not depend on what is there. Raises InvalidInput."""
    return {
        **{option: acl(check_text(option, params[option])) for option in ACL_HEADERS if params[option] is not None},
        **versioning.asked_for(params, limits),
        **known_items.asked_for(ITEMS, params, limits),
    }


def _wanted_metadata(params: Params, limits: Limits) -> dict[str, str | None] | None:
    given = params["metadata"]
    if given is None:
        return None
    return wishes(given, limits, empty_removes=True, own_options=known_items.own_options(ITEMS))


def _check_all_metadata(wanted: Record, current: Record, limits: Limits) -> None:
    items = known_items.as_metadata(ITEMS, {**current, **wanted})
    check_amount({**wanted["metadata"], **{name: value for name, value in items.items() if value}}, limits)


def _foreseen(outcome: Outcome, wanted: Record) -> Outcome:
    """Return the outcome in check mode; the result tells of a secret that it would be set."""
    if outcome.record is not None:
        secrets = {option: wanted[option] for option in SECRET if option in wanted}
        outcome = outcome._replace(record={**outcome.record, **secrets})
    return foreseen(outcome, new=("storage_policy",))


class Containers:
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
        """Return the wanted storage policy, if any, as the service spells it. Raises InvalidInput."""
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
        known_items.check_features(ITEMS, values, self._features)
        versioning.check_feature(values, self._features)
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
        if values.get("versioning", versioning.DISABLED) != versioning.DISABLED:
            headers.update(versioning.steps({}, values)[0])
        self._storage.create_container(self._name, headers)
        with mark_changed_on_error():
            return Created(self._read() or {**UNKNOWN, **values})

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Send the differences only: the service merges them into what is there."""
        headers = [_changes(current, changes)]
        if "versioning" in changes or "versions_location" in changes:
            headers += versioning.steps(self._headers or {}, {**current, **changes})
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
        from .emptying import empty_and_delete

        self._tell_what_stays(current)
        if current["versions_location"]:  # or each deletion would bring a version back, or add one there
            self._storage.update_container_metadata(self._name, versioning.STOP_ELSEWHERE)
        with_versions = versioning.may_hold_versions(self._headers or {})
        with mark_changed_on_error(bool(current["versions_location"])):
            empty_and_delete(self._storage, self._name, self._task, versions=with_versions)

    def _tell_what_stays(self, current: Record) -> None:
        """Warn of containers with what belonged to the objects, as far as they are known by name and there."""
        from .segments import segment_container

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
        return versioning.may_hold_versions(self._headers or {}) and bool((self.current or {}).get("bytes_used"))

    def _filled(self, details: t.Mapping[str, t.Any]) -> Conflict:
        count = (self.current or {}).get("object_count") or 0
        holds = f"it holds {count} objects" if count else "its count is 0, so objects came just now or have expired"
        if not count and versioning.may_hold_versions(self._headers or {}):
            holds = "it holds versions of objects"
        return Conflict(
            f"The container {self._name!r} is not empty ({holds}).",
            next_step="Set force to remove it with its contents. Expired objects count until the service clears them.",
            **details,
        )

    def _read(self) -> dict[str, t.Any] | None:
        self._headers = self._storage.container_metadata(self._name)
        return None if self._headers is None else record_of(self._name, self.url, self._headers)


def _changes(current: Record, values: Record) -> Headers:
    """Return the headers that turn the current container into the wanted one; an empty value removes."""
    headers = {ACL_HEADERS[option]: values[option] for option in ACL_HEADERS if option in values}
    if "storage_policy" in values and not current:
        headers["X-Storage-Policy"] = values["storage_policy"]
    metadata = known_items.as_metadata(ITEMS, values)
    if "metadata" in values:
        have, want = current.get("metadata", {}), values["metadata"]
        metadata.update({name: want.get(name, "") for name in {**have, **want} if have.get(name) != want.get(name)})
    headers.update({f"X-Container-Meta-{name}": value for name, value in metadata.items()})
    return headers


OPERATION = Operation(name="storage_container", services=("storage",), options=OPTIONS, run=run)

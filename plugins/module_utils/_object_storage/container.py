# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a container to its desired state."""

from __future__ import annotations

import typing as t

from .._connection.options import OptionSpecs
from .._connection.task import STATE, ManagedObject, Operation, Params, Result, Task
from .._core.errors import InvalidInput, mark_changed_on_error
from .._core.text import Redactor
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import DELETE, Created, Field, Fields, reconcile
from .._http.messages import number_of
from .api import Headers, ObjectStorage
from .connection import features_of, object_storage
from .container_settings import (
    ACL_HEADERS,
    CONTAINER_ITEMS,
    VERSIONING_OPTIONS,
    MetadataOptions,
    desired_versioning,
    item_fields,
    item_options,
    pop_items,
    secret_options,
    versioning_of,
)
from .container_writes import (
    check_item_features,
    check_versioning,
    container_changes,
    container_headers,
    create_container,
    update_container_metadata,
    versioning_steps,
)
from .deletion import ContainerRemoval
from .features import UNLIMITED, Features, list_in
from .object_properties import moment_of
from .option_values import check_acl, check_text, normalize_acl
from .properties import (
    check_container,
    metadata_of,
    outcome_in_check_mode,
    storage_result,
)


def container_record(name: str, url: str, headers: Headers) -> JsonObject:
    """Return a container as a result shows it, except that secrets are still in it."""
    metadata = metadata_of(headers, "container")
    items = pop_items(CONTAINER_ITEMS, metadata)
    return {
        "name": name,
        "url": url,
        "object_count": number_of(headers, "x-container-object-count", "0"),
        "bytes_used": number_of(headers, "x-container-bytes-used", "0"),
        "metadata": metadata,
        "read_acl": headers.get("x-container-read", ""),
        "write_acl": headers.get("x-container-write", ""),
        "storage_policy": headers.get("x-storage-policy"),
        "last_modified": moment_of(headers.get("last-modified", "")),
        **versioning_of(headers),
        **items,
    }


UNKNOWN_CONTAINER: dict[str, object] = {**container_record("", "", {}), "name": None, "url": None}


SECRET_OPTIONS = secret_options(CONTAINER_ITEMS)
CONTAINER_FIELDS: Fields = (
    *map(Field, ("name", "metadata", "read_acl", "write_acl", "versioning", "versions_location")),
    Field("storage_policy", on_update=False),
    *item_fields(CONTAINER_ITEMS),
)
CONTAINER_OPTIONS: OptionSpecs = {
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


class ContainerOptions(t.NamedTuple):
    """What the options of a container say."""

    name: str
    metadata: MetadataOptions
    settings: JsonObject
    """Access lists and versioning."""


def container_options(params: Params, features: Features, redactor: Redactor) -> ContainerOptions:
    """Return what the options say. Secrets among them join ``redactor``. Raises InvalidInput."""
    name = check_container(params["name"], features)
    metadata = MetadataOptions(CONTAINER_ITEMS, params, features, redactor)
    return ContainerOptions(name, metadata, {**_access_lists(params), **desired_versioning(params, features)})


def _check(params: Params) -> None:
    container_options(params, UNLIMITED, Redactor())


def run(task: Task, params: Params) -> Result:
    features = features_of(task)
    name, metadata, settings = container_options(params, features, task.redactor)
    container = StorageContainer(object_storage(task), name, task, features, force=params["force"])
    desired: JsonMapping = {}
    if params["state"] == "present":
        desired = {
            "name": name,
            **settings,
            **metadata.desired(container.current or {}),
            **container.policy(params["storage_policy"]),
        }
    outcome = reconcile(container, desired, params["state"], check_mode=task.check_mode)
    if task.check_mode:
        if outcome.action == DELETE:
            container.foresee_removal()
        if outcome.record is not None:  # the result says that a secret would be set
            outcome = outcome._replace(record={**outcome.record, **metadata.secrets})
        outcome = outcome_in_check_mode(outcome, new=("storage_policy",), changed=("last_modified",))
    return storage_result("container", outcome, {**UNKNOWN_CONTAINER, "url": container.url}, SECRET_OPTIONS)


def _access_lists(params: Params) -> dict[str, str]:
    """Return the access lists that are given, in the spelling of the service. Raises InvalidInput."""
    given = {option: params[option] for option in ACL_HEADERS if params[option] is not None}
    if not given:
        return {}

    return {option: normalize_acl(check_acl(option, text)) for option, text in given.items()}


class StorageContainer:
    """One container, read once, in the constructor."""

    kind = "container"
    fields = CONTAINER_FIELDS

    def __init__(self, storage: ObjectStorage, name: str, task: Task, features: Features, *, force: bool) -> None:
        self._storage = storage
        self._name = name
        self._task = task
        self._features = features
        self._force = force
        self._headers: Headers | None = None
        self.url = storage.address(name)
        self.current = self._read()

    def find(self, desired: JsonMapping) -> JsonObject | None:
        """Return the container as the constructor read it."""
        del desired
        return self.current

    def policy(self, given: str | None) -> dict[str, str]:
        """Return the desired storage policy, if any, as the service spells it. Raises InvalidInput."""
        if not given:
            return {}

        given, have = check_text("storage_policy", given), (self.current or {}).get("storage_policy")
        if have is not None and have.casefold() == given.casefold():
            return {"storage_policy": have}
        return {"storage_policy": policy_of(self._features, given)}

    def verify(self, action: str | None, values: JsonMapping, current: JsonMapping | None) -> None:
        """Raise InvalidInput if the service does not support the values."""
        del current
        if action == DELETE:
            return

        check_item_features(CONTAINER_ITEMS, values, self._features)
        check_versioning(values, self._features)
        location = values.get("versions_location")
        if location and self._storage.container_metadata(location) is None:
            missing = InvalidInput(
                f"versions_location: there is no container {location!r}.",
                next_step="Create it first, with another task.",
                option="versions_location",
            )
            self._task.refuse_missing(missing)

    def create(self, values: JsonMapping) -> Created:
        """Create the container. If somebody else was quicker, theirs now has these values as well."""
        self.verify(None, values, None)

        by_us, changed = create_container(self._storage, self._name, container_headers(values))
        return Created(self._read_back(), by_us=by_us, changed=changed)

    def update(self, current: JsonMapping, changes: JsonMapping) -> JsonObject:
        """Send the differences only: the service merges them into what is there."""
        headers = [container_changes(current, changes)]
        if "versioning" in changes or "versions_location" in changes:
            headers += versioning_steps(self._headers or {}, {**current, **changes})
        for number, one in enumerate(one for one in headers if one):
            with mark_changed_on_error(number > 0):
                update_container_metadata(self._storage, self._name, one)
        return self._read_back()

    def delete(self, current: JsonMapping) -> None:
        """Remove the container, with ``force`` together with its contents."""
        self._removal(current).run()

    def foresee_removal(self) -> None:
        """In check mode, raise the error of removing a container that is not empty, or warn as the removal would."""
        if self.current is not None:
            self._removal(self.current).foresee()

    def _removal(self, current: JsonMapping) -> ContainerRemoval:
        return ContainerRemoval(self._storage, current, self._headers or {}, self._task, force=self._force)

    def _read_back(self) -> JsonObject:
        self._headers = self._storage.written(self._name)
        return container_record(self._name, self.url, self._headers)

    def _read(self) -> JsonObject | None:
        self._headers = self._storage.container_metadata(self._name)
        return None if self._headers is None else container_record(self._name, self.url, self._headers)


def policy_of(features: Features, name: str) -> str:
    """Return the storage policy as the service spells it. Raises InvalidInput when it lists no such policy."""
    told = list_in(features.section("swift"), "policies")
    policies = [one for one in told if isinstance(one, dict) and one.get("name")]
    for policy in policies:
        names = [str(policy["name"]), *str(policy.get("aliases", "")).split(",")]
        if name.casefold() in [one.strip().casefold() for one in names]:
            return str(policy["name"])
    if not policies:
        return name
    raise InvalidInput(
        f"storage_policy: there is no policy {name!r}.",
        next_step=f"There are: {', '.join(str(policy['name']) for policy in policies)}.",
        option="storage_policy",
    )


OPERATION = Operation(
    "storage_container",
    ("storage",),
    CONTAINER_OPTIONS,
    run,
    manages=ManagedObject("container", "container"),
    check=_check,
)

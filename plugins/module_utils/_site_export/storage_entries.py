# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Containers and objects of an account as entries, and the content of objects as files."""

from __future__ import annotations

import contextlib
import os
import re
import typing as t
from functools import cached_property, partial

from .._core.errors import FcdError, Forbidden, InvalidInput
from .._core.private_files import open_regular
from .._core.type_aliases import JsonObject
from .._object_storage.access import administrator_missing
from .._object_storage.api import Headers, ObjectStorage
from .._object_storage.connection import features_of, object_storage
from .._object_storage.container import container_record
from .._object_storage.container_settings import (
    ACL_HEADERS,
    CONTAINER_ITEMS,
    DISABLED,
    VERSIONING_OPTIONS,
    options_by_item,
    secret_options,
    versioning_of,
)
from .._object_storage.download import download, version_of
from .._object_storage.features import Features
from .._object_storage.file_places import NameClashes, check_file_name, longest_part
from .._object_storage.listing import list_containers, listing_entries
from .._object_storage.object_properties import OPTIONS_BY_HEADER, object_record
from .._object_storage.option_values import desired_metadata, normalize_acl
from .._object_storage.properties import check_container, check_object, segment_container
from .._object_storage.small_objects import REGISTRY_PREFIX
from .._object_storage.source_file import file_content
from .exported_account import HIDDEN_REASON, IN_IT, ExportedAccount, ExportedKind, ExportTable

SECRETS = secret_options(CONTAINER_ITEMS)
PROPERTIES = tuple(option for option in CONTAINER_ITEMS if option not in SECRETS)
CONTAINERS = ExportTable(
    "storage_containers",
    ("name",),
    ("storage_policy", "read_acl", "write_acl", "versioning", "versions_location", *PROPERTIES, "metadata"),
    withheld=dict.fromkeys(SECRETS, HIDDEN_REASON),
)
OBJECT_TABLE = ExportTable(
    "storage_objects", ("container", "name"), (*OPTIONS_BY_HEADER.values(), "metadata", "src", "content")
)
OTHERWISE = "the module would write it differently"
VARIABLE_IN_PATH = re.compile(r"\$(\w|\{)", re.ASCII)  # resolved in paths of a site file, as in those of each task
VAULTED = b"$ANSIBLE_VAULT;"
READ = (200, 206)  # all of it, or the part that was asked for
ExportedOptions = t.Dict[str, t.Tuple[object, bool]]
"""By option: the value, and whether the module would read it back as the current one."""


class StorageExport:
    """Reads the kinds of the object storage."""

    def __init__(self, account: ExportedAccount) -> None:
        """Raise MissingSettings."""
        self._account = account
        self._storage = object_storage(account.task)
        self._limits = features_of(account.task)  # only requested if a usual limit is exceeded

    @cached_property
    def _containers(self) -> dict[str, Headers]:
        """The containers with their headers, by name; one that has gone in the meantime is left out."""
        try:
            names = [str(one["name"]) for one in listing_entries(partial(list_containers, self._storage), None)]
        except Forbidden as exc:
            raise administrator_missing(exc, "Listing the containers of the account", "") from None
        headers = self._account.each(names, self._storage.container_metadata)
        return {name: one for name, one in zip(names, headers) if one is not None}

    def storage_containers(self) -> ExportedKind:
        found, limits = ExportedKind(CONTAINERS), self._limits
        for name, headers in sorted(self._containers.items()):
            if not self._account.is_selected(CONTAINERS.kind, name):
                continue
            try:
                check_container(name, limits)
            except InvalidInput as wrong:
                found.leave(name, wrong.message)
                continue
            if self._holds_registry(name, headers):
                found.leave(name, "it holds what a site owns; each run of that site makes sure that it is there")
                continue
            record = container_record(name, "", headers)
            values: JsonObject = {"name": name}
            for option, (value, fits) in {**_access(record), **_properties(record, limits)}.items():
                if fits:
                    values[option] = value
                else:
                    found.leave(name, OTHERWISE, option)
            own = options_by_item(CONTAINER_ITEMS)
            found.add({**values, "metadata": _kept_metadata(found, name, record["metadata"], limits, own)})
        return found

    def _holds_registry(self, name: str, headers: Headers) -> bool:
        has_objects = headers.get("x-container-object-count") not in (None, "0")
        return has_objects and bool(self._storage.list_objects(name, prefix=REGISTRY_PREFIX, limit=1))

    def storage_objects(self) -> ExportedKind:
        objects = ObjectEntries(self._account, self._storage, self._limits)
        for container in sorted(self._containers):
            objects.read(container, _set_aside(container, self._containers))
        return objects.found


def _access(record: JsonObject) -> ExportedOptions:
    """Return the access, the policy and the versioning of a container."""
    told: ExportedOptions = {}
    for option in ACL_HEADERS:
        text = record[option]
        if text:
            told[option] = (text, normalize_acl(text) == text and text.strip(" \t") == text)
    versioning = () if record["versioning"] == DISABLED else VERSIONING_OPTIONS
    told.update({option: (record[option], True) for option in ("storage_policy", *versioning) if record[option]})
    return told


def _properties(record: JsonObject, limits: Features) -> ExportedOptions:
    told: ExportedOptions = {}
    for option in PROPERTIES:
        value, kind = record[option], CONTAINER_ITEMS[option].kind
        if value is False or value in (None, "", []):
            continue
        given = str(value) if kind.spec["type"] == "str" else value
        try:
            fits = kind.parse(option, given) == value
            limits.check_limit("max_meta_value_length", len(kind.text(value).encode("utf-8")), option)
        except FcdError:
            fits = False
        told[option] = (given, fits)
    return told


def _kept_metadata(
    found: ExportedKind,
    name: str,
    metadata: t.Mapping[str, str],
    limits: Features,
    own: t.Mapping[str, str] | None = None,
) -> dict[str, str] | None:
    """Return the metadata that the module takes and would leave unchanged, None if there is none."""
    kept = {}
    for item, value in metadata.items():
        try:
            fits = desired_metadata({item: value}, limits, empty_removes=False, own_options=own) == {item: value}
        except FcdError:
            fits = False
        if fits:
            kept[item] = value
        else:
            found.leave(name, f"the module does not take the item {item!r}", "metadata")
    return kept or None


def _set_aside(container: str, containers: t.Mapping[str, Headers]) -> str | None:
    """Return why the objects of a container are not exported as objects of their own."""
    for other, headers in containers.items():
        if segment_container(other) == container:
            return f"segments of large objects of {other!r} are in it"
        if versioning_of(headers)["versions_location"] == container:
            return f"old versions of objects of {other!r} are in it"
    return None


class ReadObject(t.NamedTuple):
    """An object as it was read: its headers and, if requested, its content."""

    headers: Headers
    data: bytes | None


class ObjectEntries:
    """Reads the objects of containers and adds entries for them to ``found``."""

    def __init__(self, account: ExportedAccount, storage: ObjectStorage, limits: Features) -> None:
        self._account, self._storage, self._limits = account, storage, limits
        self._inline: int = account.params["inline_limit"]
        self._most: int = account.params["object_limit"]
        self._files: ObjectFiles | None = None
        if account.params["folder"] is not None:
            self._files = ObjectFiles(account, storage)
        self.found = ExportedKind(OBJECT_TABLE)

    def read(self, container: str, why: str | None) -> None:
        """Read the objects of a container, or only say why they are left out."""
        listed = self._listed(container)
        if not listed:
            return
        if why is None and len(listed) > self._most:
            why = f"there are more than {self._most} (object_limit)"
        if why is not None:
            self.found.leave(f"{container}/*", why)
            return
        chosen = [entry for entry in listed if self._may_be_read(container, entry)]
        contents = self._account.each(chosen, lambda entry: self._content(container, entry))
        for entry, content in zip(chosen, contents):
            if content is not None:
                self._add(container, str(entry["name"]), content)
        self.found.changed = self._files is not None and self._files.changed

    def _listed(self, container: str) -> list[JsonObject]:
        """Return the selected objects, at most one more than the limit."""
        listed: list[JsonObject] = []
        for entry in listing_entries(partial(self._storage.list_objects, container), None):
            name = str(entry["name"])
            if self._account.is_selected(OBJECT_TABLE.kind, f"{container}/{name}") and not name.startswith(
                REGISTRY_PREFIX
            ):
                listed.append(entry)
            if len(listed) > self._most:
                break
        return listed

    def _may_be_read(self, container: str, entry: JsonObject) -> bool:
        """Return whether an object can be declared, as far as the listing says; those that cannot cost no request."""
        why = None
        try:
            check_object(str(entry["name"]), self._limits)
        except FcdError as wrong:
            why = wrong.message
        if entry.get("slo_etag"):
            why = "it is a large object of segments"
        elif int(entry["bytes"]) > self._inline and self._files is None:
            why = f"it has {entry['bytes']} bytes, more than inline_limit, and no folder is given"
        if why is not None:
            self.found.leave(f"{container}/{entry['name']}", why)
        return why is None

    def _content(self, container: str, entry: JsonObject) -> ReadObject | None:
        """Return headers and content, or only headers if it is too large for an entry; None if it is gone.

        No more than fits is read: a large object can be listed with the size of its manifest, mostly 0.
        """
        name, size = str(entry["name"]), int(entry["bytes"])
        if 0 < size <= self._inline:
            data = bytearray()
            part = {"Range": f"bytes=0-{self._inline}"}
            answer = self._storage.read_object(container, name, data.extend, part, self._inline)
            if answer.status in READ and len(data) == size:
                return ReadObject(dict(answer.headers), bytes(data))
        headers = self._storage.object_metadata(container, name)
        return None if headers is None else ReadObject(headers, b"" if headers.get("content-length") == "0" else None)

    def _add(self, container: str, name: str, content: ReadObject) -> None:
        """Add the entry of an object, or say why there is none."""
        called, record = f"{container}/{name}", object_record(container, name, content.headers)
        source = self._source(container, name, content, record)
        if isinstance(source, str):
            self.found.leave(called, source)
            return
        values: JsonObject = {"container": container, "name": name, **source}
        for option in OPTIONS_BY_HEADER.values():
            text = record[option] or ""
            if text and text == text.strip(" \t"):
                values[option] = text
            elif text:
                self.found.leave(called, OTHERWISE, option)
        metadata = _kept_metadata(self.found, called, record["metadata"], self._limits)
        self.found.add({**values, "metadata": metadata})

    def _source(self, container: str, name: str, content: ReadObject, record: JsonObject) -> dict[str, str] | str:
        """Return the option for the content of the object, or why there is none."""
        if record["large_object"]:
            return "it is a large object of segments"
        if record["expires_at"]:
            return f"it expires at {record['expires_at']}"
        if content.data is not None:
            with contextlib.suppress(UnicodeDecodeError):
                text = content.data.decode("utf-8")
                return IN_IT if self._account.holds_secret(text) else {"content": text}
        if self._files is None:
            return "it is not text, or has changed in the meantime, and no folder is given"
        return self._files.fetched(container, name, record, content.headers)


class ObjectFiles:
    """The files below the option ``folder``, one for each object: ``<folder>/<container>/<object>``, mode 0600."""

    def __init__(self, account: ExportedAccount, storage: ObjectStorage) -> None:
        self._account, self._storage = account, storage
        self._folder = os.path.abspath(account.params["folder"])
        called = account.params["folder_in_site"]
        self._called = self._folder if called is None else called
        self._longest = longest_part(self._folder)
        self._clashes = NameClashes()
        self.changed = False

    def fetched(self, container: str, name: str, record: JsonObject, headers: Headers) -> dict[str, str] | str:
        """Download an object; return the option for its file, or why there is none. In check mode, write nothing.

        Call it in the order of the objects' names.
        """
        place = f"{container}/{name}"
        why = self._why_unfit(place)
        if why is not None:
            return why
        path = os.path.join(self._folder, place)
        held = _holds(path, record)
        if (_start_of(path) if held else self._start(container, name)) == VAULTED:
            return "a site would decrypt its file with Ansible Vault and store other content"
        if not held:
            self.changed = True
            if not self._account.task.check_mode:
                _make_folder(os.path.dirname(path))
                version = version_of(self._storage, record, headers)
                download(self._storage, (container, name), path, version, option="folder")
        return {"src": os.path.join(self._called, place)}

    def _start(self, container: str, name: str) -> bytes:
        start = bytearray()

        def take(piece: bytes) -> None:  # the whole object, if something in between drops the range
            start.extend(piece[: len(VAULTED) - len(start)])

        part = {"Range": f"bytes=0-{len(VAULTED) - 1}"}
        self._storage.read_object(container, name, take, part, len(VAULTED))
        return bytes(start)

    def _why_unfit(self, place: str) -> str | None:
        wrong = check_file_name(place, self._longest)
        if wrong is not None:
            return wrong.message
        if VARIABLE_IN_PATH.search(place):
            return "a part of its name would be taken for a variable of the environment"
        if self._account.holds_secret(place):
            return "a secret of this task is in its name"
        other = self._clashes.find_object_above(place) or self._clashes.find_equivalent(place)
        return f"its file would replace that of {other!r}" if other else None


def _make_folder(path: str) -> None:
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"folder: {path} cannot be created: {error.strerror}.",
            next_step="Give a folder that exists or can be created, and make sure that no file has its name.",
            option="folder",
        ) from None


def _holds(path: str, record: JsonObject) -> bool:
    """Whether the file already has the content of the object."""
    try:
        content = file_content(path)
        return bool(content.size == record["size"] and content.etag == record["etag"])
    except FcdError:
        return False


def _start_of(path: str) -> bytes:
    with open_regular(path) as file:
        return file.read(len(VAULTED))

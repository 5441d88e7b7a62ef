# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Containers and objects of an account as entries, and the content of objects as files."""

from __future__ import annotations

import functools
import os
import re
import typing as t

from .._core.errors import FcdError, InvalidInput
from .._object_storage.connection import features_of
from .._object_storage.container import ACL_HEADERS, CONTAINER_ITEMS, container_record, normalized_acl
from .._object_storage.content import of_file
from .._object_storage.download import download, version_of
from .._object_storage.file_places import NameClashes, check_file_name, longest_part
from .._object_storage.limits import Features, check_container, check_object, segment_container
from .._object_storage.listing import listing_entries
from .._object_storage.metadata_items import options_by_item, secret_options
from .._object_storage.properties import OPTIONS_BY_HEADER, desired_metadata, object_record
from .._object_storage.versions import DISABLED, ELSEWHERE, VERSIONING_OPTIONS
from .account import CONCEALED, HOW, IN_IT, NOT_DECLARED, ExportedAccount, ExportedKind, Exporter, ExportTable, Record

if t.TYPE_CHECKING:
    from .._object_storage.api import Headers


SECRETS = secret_options(CONTAINER_ITEMS)
PROPERTIES = tuple(option for option in CONTAINER_ITEMS if option not in SECRETS)
CONTAINERS = ExportTable(
    "storage_containers",
    ("name",),
    (
        "storage_policy",
        "read_acl",
        "write_acl",
        "versioning",
        "versions_location",
        *PROPERTIES,
        "metadata",
    ),
    withheld=dict.fromkeys(SECRETS, CONCEALED),
    of_tasks={"state": "all of them are there", "purge_metadata": NOT_DECLARED, "force": HOW},
)


def limits_of(account: ExportedAccount) -> Features:
    """Return the limits of the service; it is asked for them only where a usual one is passed."""
    return features_of(account.task)


def export_containers(account: ExportedAccount) -> ExportedKind:
    """Return the containers."""
    found, limits = ExportedKind(CONTAINERS), limits_of(account)
    for name, headers in sorted(account.containers.items()):
        if not account.wanted(CONTAINERS.kind, name):
            continue
        try:
            check_container(name, limits)
        except InvalidInput as wrong:
            found.leave(name, wrong.message)
            continue
        record = container_record(name, "", headers)
        values = {**_access(record), **_versions(record), **_properties(record, limits)}
        for option, (_value, fits) in values.items():
            if not fits:
                found.leave(name, "the module would write it in another way", option)
        metadata = kept_metadata(found, name, record["metadata"], limits, options_by_item(CONTAINER_ITEMS))
        told = {option: value for option, (value, fits) in values.items() if fits}
        found.add({"name": name, **told, "metadata": metadata})
    return found


def kept_metadata(
    found: ExportedKind,
    name: str,
    metadata: t.Mapping[str, str],
    limits: Features,
    own: t.Mapping[str, str] | None = None,
) -> dict[str, str] | None:
    """Return the metadata that the module takes and would leave as it is, None when there is none."""
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


Told = t.Dict[str, t.Tuple[t.Any, bool]]  # by option: the value, and whether the module reads it as what is there


def _access(record: Record) -> Told:
    told = {option: record[option] for option in (*ACL_HEADERS, "storage_policy") if record[option]}
    return {
        option: (value, option == "storage_policy" or (normalized_acl(value) == value and value.strip(" \t") == value))
        for option, value in told.items()
    }


def _versions(record: Record) -> Told:
    if record["versioning"] == DISABLED:
        return {}
    return {option: (record[option], True) for option in VERSIONING_OPTIONS if record[option]}


def _properties(record: Record, limits: Features) -> Told:
    told: Told = {}
    for option in PROPERTIES:
        value = record[option]
        if value is False or value in (None, "", []):
            continue
        given = str(value) if CONTAINER_ITEMS[option].kind.spec["type"] == "str" else value
        try:
            fits = CONTAINER_ITEMS[option].kind.parse(option, given) == value
            limits.check_limit(
                "max_meta_value_length", len(CONTAINER_ITEMS[option].kind.text(value).encode("utf-8")), option
            )
        except FcdError:
            fits = False
        told[option] = (given, fits)
    return told


VARIABLE = re.compile(r"\$(\w|\{)", re.ASCII)  # in paths of a site file they are resolved, as in those of each task
VAULTED = b"$ANSIBLE_VAULT;"


class ObjectFiles:
    """The files below ``folder``, one for each object: ``<folder>/<container>/<object>``, mode 0600.

    ``called`` is what stands for the folder in the site file, None for the folder itself.
    """

    def __init__(self, account: ExportedAccount, folder: str, called: str | None) -> None:
        self._account = account
        self._folder = os.path.abspath(folder)
        self._called = self._folder if called is None else called
        self._longest = longest_part(self._folder)
        self._clashes = NameClashes()
        self.changed = False

    def fetched(
        self, container: str, name: str, record: Record, headers: dict[str, str]
    ) -> tuple[dict[str, str] | None, str | None]:
        """Have an object as a file; return the option for it, or why there is none. In check mode nothing is written.

        Objects have to come in the order of their names.
        """
        place = f"{container}/{name}"
        why = self._unfit(place)
        if why is not None:
            return None, why
        path = os.path.join(self._folder, place)
        held = _holds(path, record)
        if (_start_of(path) if held else self._start(container, name)) == VAULTED:
            return None, "a site would decrypt its file with Ansible Vault, and make another object of it"
        if not held:
            self.changed = True
            if not self._account.task.check_mode:
                storage = self._account.storage
                _make_folder(os.path.dirname(path))
                download(storage, (container, name), path, version_of(storage, record, headers), option="folder")
        return {"src": os.path.join(self._called, place)}, None

    def _start(self, container: str, name: str) -> bytes:
        start = bytearray()

        def take(piece: bytes) -> None:  # all of the object, where somebody on the way leaves out the range
            start.extend(piece[: len(VAULTED) - len(start)])

        part = {"Range": f"bytes=0-{len(VAULTED) - 1}"}
        self._account.storage.read_object(container, name, take, part, len(VAULTED))
        return bytes(start)

    def _unfit(self, place: str) -> str | None:
        wrong = check_file_name(place, self._longest)
        if wrong is not None:
            return wrong.message
        if VARIABLE.search(place):
            return "a part of its name would be taken for a variable of the environment"
        if self._account.holds_secret(place):
            return "a secret of this task is in its name"
        other = self._clashes.below_object(place) or self._clashes.alike(place)
        return f"its file would be in the place of that of {other!r}" if other else None


def _make_folder(path: str) -> None:
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"folder: {path} cannot be made: {error.strerror}.",
            next_step="Give a folder that is there or can be made, and see that no file has its name.",
            option="folder",
        ) from None


def _holds(path: str, record: Record) -> bool:
    """Whether the file has the content of the object already."""
    try:
        content = of_file(path)
        return bool(content.size == record["size"] and content.etag == record["etag"])
    except FcdError:
        return False


def _start_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(len(VAULTED))


READ = (200, 206)  # all of it, or the part that was asked for
REGISTRY = ".fcd-sites/"  # what sites note in their own container
OBJECTS = ExportTable(
    "storage_objects",
    ("container", "name"),
    (*OPTIONS_BY_HEADER.values(), "metadata", "src", "content"),
    of_tasks={
        "state": "all of them are there",
        "remote_src": HOW,
        "copy_from": "nothing tells what an object was copied from",
        "overwrite": HOW,
        "purge_metadata": NOT_DECLARED,
        "expires_at": "an object that goes by itself is not exported",
        "expires_in": "an object that goes by itself is not exported",
        "segment_threshold": "large objects are not exported",
        "segment_size": "large objects are not exported",
        "segment_container": "large objects are not exported",
    },
)
Entry = t.Dict[str, t.Any]


class ReadObject(t.NamedTuple):
    """An object as it was read: its headers, and its bytes where they were wanted."""

    headers: Headers
    data: bytes | None


class ObjectExport:
    """Reads the objects of the account."""

    def __init__(self, account: ExportedAccount) -> None:
        self._account = account
        self._limits = limits_of(account)
        self._inline: int = account.params["inline_limit"]
        self.found = ExportedKind(OBJECTS)
        self._files: ObjectFiles | None = None
        if account.params["folder"] is not None:
            self._files = ObjectFiles(account, account.params["folder"], account.params["folder_in_site"])

    def read(self) -> ExportedKind:
        """Return what was found."""
        containers = self._account.containers
        for container in sorted(containers):
            why = _set_aside(container, containers)
            listed = self._listed(container)
            if why is None and len(listed) > self._account.params["object_limit"]:
                why = f"there are more than {self._account.params['object_limit']} (object_limit)"
            if not listed:
                continue
            if why is None:
                self._read_all(container, listed)
            else:
                self.found.leave(f"{container}/*", why)
        self.found.changed = self._files is not None and self._files.changed
        return self.found

    def _listed(self, container: str) -> list[Entry]:
        """Return the objects that are wanted, one more than the limit at most."""
        limit = self._account.params["object_limit"] + 1
        listed: list[Entry] = []
        for entry in listing_entries(functools.partial(self._account.storage.list_objects, container), None):
            name = str(entry["name"])
            if self._account.wanted(OBJECTS.kind, f"{container}/{name}") and not name.startswith(REGISTRY):
                listed.append(entry)
            if len(listed) == limit:
                break
        return listed

    def _read_all(self, container: str, listed: t.Sequence[Entry]) -> None:
        chosen = [entry for entry in listed if self._may_be_read(container, entry)]
        contents = self._account.each(chosen, lambda entry: self._content(container, entry))
        for entry, content in zip(chosen, contents):
            if content is not None:
                self._take_in(container, str(entry["name"]), content)

    def _may_be_read(self, container: str, entry: Entry) -> bool:
        """Return whether an object can be declared, as far as the listing tells; what cannot costs no request."""
        name = f"{container}/{entry['name']}"
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
            self.found.leave(name, why)
        return why is None

    def _content(self, container: str, entry: Entry) -> ReadObject | None:
        """Return headers and content, or headers alone of what is too much for an entry; None when it is gone.

        No more than may be told is read: a large object can be listed with the size of its manifest, mostly 0.
        """
        storage, name = self._account.storage, str(entry["name"])
        size = int(entry["bytes"])
        if 0 < size <= self._inline:
            pieces: list[bytes] = []
            part = {"Range": f"bytes=0-{self._inline}"}
            answer = storage.read_object(container, name, pieces.append, part, self._inline)
            data = b"".join(pieces)
            if answer.status in READ and len(data) == size:
                return ReadObject(dict(answer.headers), data)
        headers = storage.object_metadata(container, name)
        return None if headers is None else ReadObject(headers, b"" if headers.get("content-length") == "0" else None)

    def _take_in(self, container: str, name: str, content: ReadObject) -> None:
        """Add the entry of an object, or say why there is none."""
        called, record = f"{container}/{name}", object_record(container, name, content.headers)
        why = _why_unfit(record)
        source = None
        if why is None:
            source, why = self._source(container, name, content, record)
        if source is None:
            self.found.leave(called, str(why))
            return
        texts = {option: record[option] for option in OPTIONS_BY_HEADER.values() if record[option]}
        told = {option: text for option, text in texts.items() if text == text.strip(" \t")}
        for option in [option for option in texts if option not in told]:
            self.found.leave(called, "the module would write it in another way", option)
        metadata = kept_metadata(self.found, called, record["metadata"], self._limits)
        self.found.add({"container": container, "name": name, **told, "metadata": metadata, **source})

    def _source(
        self, container: str, name: str, content: ReadObject, record: Record
    ) -> tuple[dict[str, str] | None, str | None]:
        """Return the option that says what is in the object, or why there is none."""
        text = _text_of(content.data)
        if text is not None and self._account.holds_secret(text):
            return None, IN_IT
        if text is not None:
            return {"content": text}, None
        if self._files is None:
            return None, "it is no text, or has changed meanwhile, and no folder is given"
        return self._files.fetched(container, name, record, content.headers)


def export_objects(account: ExportedAccount) -> ExportedKind:
    """Return the objects."""
    return ObjectExport(account).read()


def _set_aside(container: str, containers: t.Mapping[str, Headers]) -> str | None:
    """Return why the objects of a container are not things of their own."""
    for other, headers in containers.items():
        if segment_container(other) == container:
            return f"segments of large objects of {other!r} are in it"
        for header in ELSEWHERE.values():
            if headers.get(header.lower()) and _location(headers) == container:
                return f"old versions of objects of {other!r} are in it"
    return None


def _location(headers: Headers) -> str | None:
    from .._object_storage.versions import versioning_of

    return t.cast("t.Optional[str]", versioning_of(headers)["versions_location"])


def _why_unfit(record: Record) -> str | None:
    if record["large_object"]:
        return "it is a large object of segments"
    if record["expires_at"]:
        return f"it goes by itself, at {record['expires_at']}"
    return None


def _text_of(data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


EXPORTS: dict[str, Exporter] = {
    "storage_containers": export_containers,
    "storage_objects": export_objects,
}

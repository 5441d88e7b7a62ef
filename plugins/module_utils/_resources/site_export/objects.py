# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects: small texts with their content, all others as files in a folder, where one is given."""

from __future__ import annotations

import functools
import typing as t

from ..._core.errors import FcdError
from ..._object_storage.limits import check_object, segment_container
from ..._object_storage.listing import listing_entries
from ..._object_storage.records import ELSEWHERE, OPTIONS_BY_HEADER, object_record
from .account import Account, Record
from .containers import kept_metadata, limits_of
from .found import HOW, IN_IT, NOT_DECLARED, Found, Table

if t.TYPE_CHECKING:
    from ..._object_storage.api import Headers
    from .object_files import ObjectFiles

READ = (200, 206)  # all of it, or the part that was asked for
REGISTRY = ".fcd-sites/"  # what sites note in their own container
TABLE = Table(
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


class Content(t.NamedTuple):
    """An object as it was read: its headers, and its bytes where they were wanted."""

    headers: Headers
    data: bytes | None


class Objects:
    """Reads the objects of the account."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._limits = limits_of(account)
        self._inline: int = account.params["inline_limit"]
        self.found = Found(TABLE)
        self._files: ObjectFiles | None = None
        if account.params["folder"] is not None:
            from .object_files import ObjectFiles

            self._files = ObjectFiles(account, account.params["folder"], account.params["folder_in_site"])

    def read(self) -> Found:
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
            if self._account.wanted(TABLE.kind, f"{container}/{name}") and not name.startswith(REGISTRY):
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

    def _content(self, container: str, entry: Entry) -> Content | None:
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
                return Content(dict(answer.headers), data)
        headers = storage.object_metadata(container, name)
        return None if headers is None else Content(headers, b"" if headers.get("content-length") == "0" else None)

    def _take_in(self, container: str, name: str, content: Content) -> None:
        """Add the entry of an object, or say why there is none."""
        called, record = f"{container}/{name}", object_record(container, name, content.headers)
        why = _unfit(record)
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
        self, container: str, name: str, content: Content, record: Record
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


def objects(account: Account) -> Found:
    """Return the objects."""
    return Objects(account).read()


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
    from ..._object_storage.records import versioning_of

    return t.cast("t.Optional[str]", versioning_of(headers)["versions_location"])


def _unfit(record: Record) -> str | None:
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

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the objects below a prefix for a sync, in the order of names, with one page ahead."""

from __future__ import annotations

import functools
import threading
import typing as t

from .._core.errors import InvalidInput, NotFound, Unusable
from .._core.type_aliases import JsonObject
from .._http.messages import number_of
from .api import ListingPage, ObjectStorage, name_of, pages_of

MARKER_TYPE = "application/directory"  # of an empty object that stands for a folder
EMPTY_MD5 = "d41d8cd98f00b204e9800998ecf8427e"


def content_text(size: int, etag: str | None) -> str:
    """Return a content as a diff shows it."""
    return f"{size} bytes, MD5 {etag}" if etag else f"{size} bytes"


class Remote(t.NamedTuple):
    """An object as a listing shows it; ``size`` in bytes. ``large``: MD5 of the MD5s of the segments, where listed.

    ``hash`` is the MD5 of what is stored, which is the manifest for a large object.
    """

    name: str
    size: int
    hash: str
    content_type: str
    large: str | None = None

    @property
    def is_folder(self) -> bool:
        """Whether it only represents a folder."""
        return not self.size and (self.name.endswith("/") or self.content_type.partition(";")[0] == MARKER_TYPE)

    @property
    def may_be_dynamic(self) -> bool:
        """Whether it may be a dynamic large object, which listings show as empty."""
        return not self.size and self.hash == EMPTY_MD5 and not self.is_folder

    @property
    def digest(self) -> str:
        """What identifies the content in a listing."""
        return self.large or self.hash

    def __str__(self) -> str:
        return content_text(self.size, self.digest)


def objects_below(
    storage: ObjectStorage, container: str, prefix: str, first: str = "", last: str = "", *, trust_count: bool = False
) -> t.Iterator[Remote]:
    """Yield the objects whose names begin with ``prefix``, by the rest of their names, in order.

    ``first`` and ``last`` leave most of those out that are not between them.

    One request for a page, and one for the empty page that is the end, unless one has reached ``last``. With
    ``trust_count``, a first page with as many entries as the container counts is the only one: a count may lag behind,
    so this is for listings in which a missing object does no harm. While one page is gone through, the next one is on
    its way. Raises InvalidInput when there is no such container, Unusable when the order is not that of UTF-8, without
    which the two sides could not be compared.
    """
    reached = ""
    for page in pages_of(_Pages(storage, container, prefix, (first, last), trust_count).next):
        for entry in page:
            name = str(entry["name"])
            if name <= reached or not name.startswith(prefix):
                raise Unusable(
                    f"The listing of {container!r} is not in the order of its names: {name!r} comes after {reached!r}.",
                    next_step="Nothing was done, since the two sides cannot be compared.",
                    operation="List objects",
                )
            reached = name
            if name != prefix:
                large = str(entry["slo_etag"]).strip('"') if entry.get("slo_etag") else None
                content_type = str(entry.get("content_type") or "")
                yield Remote(name[len(prefix) :], int(entry["bytes"]), str(entry["hash"]), content_type, large)


class _Pages:
    """The pages of a listing; while one is gone through, the next one is on its way. After the last, they are empty."""

    def __init__(
        self, storage: ObjectStorage, container: str, prefix: str, ends: tuple[str, str], trust_count: bool
    ) -> None:
        first, last = (f"{prefix}{end}" if end else "" for end in ends)
        self._container = container
        self._last = last
        self._may_be_whole = trust_count and not (prefix or first or last)
        self._request = functools.partial(_PrefetchedPage, storage, container, prefix, f"{last} " if last else "")
        self._requested: _PrefetchedPage | None = self._request(first[:-1])

    def next(self, **_query: str) -> list[JsonObject]:
        """Return the next page. Raises InvalidInput when there is no such container."""
        if self._requested is None:
            return []
        try:
            page = self._requested.page()
        except NotFound as exc:
            raise InvalidInput(
                f"There is no container {self._container!r}.",
                next_step=f"Create it first, with fcd.cloud.storage_container and name: {self._container}.",
                container=self._container,
            ) from exc
        self._requested = None if self._is_last(page) else self._request(name_of(page.entries[-1]))
        self._may_be_whole = False  # from the second page on
        return page.entries

    def _is_last(self, page: ListingPage) -> bool:
        count = len(page.entries)
        if not count or (self._may_be_whole and number_of(page.headers, "x-container-object-count") == count):
            return True
        return bool(self._last) and name_of(page.entries[-1]) >= self._last


class _PrefetchedPage:
    """A page that a thread asks for. It ends with the process: an interrupt must not wait for the service."""

    def __init__(self, storage: ObjectStorage, container: str, prefix: str, end: str, marker: str) -> None:
        self._page: ListingPage | None = None
        self._error: BaseException | None = None
        query = {"marker": marker, "end_marker": end, "prefix": prefix}
        self._list = lambda: storage.page("List objects", container, query)
        self._thread = threading.Thread(target=self._ask, name="fcd-cloud-page", daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        try:
            self._page = self._list()
        except BaseException as error:  # noqa: BLE001 - it is raised where the page is wanted
            self._error = error

    def page(self) -> ListingPage:
        """Return the page. Raises what the request has raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        if self._page is None:  # the thread ended before it asked: no page is not an empty page
            self._page = self._list()
        return self._page

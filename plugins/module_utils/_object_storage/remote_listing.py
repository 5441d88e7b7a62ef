# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects below a prefix, page by page."""

from __future__ import annotations

import re
import threading
import typing as t

from .._core.errors import InvalidInput, NotFound, Unusable
from .._session.task import Task
from .api import ObjectStorage
from .entries import Remote
from .sync_options import PULL, Wish

SEGMENT = re.compile(r".+/slo/[^/]+/[0-9]+/[0-9]+/[0-9]{8}", re.DOTALL)  # as storage.segments calls them


def taking_part(task: Task, storage: ObjectStorage, wish: Wish, place: tuple[str, str]) -> t.Iterator[Remote]:
    """Yield the objects at ``place`` (container, prefix) that the filter takes; segments of large objects never are.

    A container that is not there is empty in check mode, for an earlier task may be going to make it.
    """
    try:
        for entry in listed(storage, *place):
            if wish.names.takes(entry.name.rstrip("/")) and not (
                place[0] == wish.segment_container and SEGMENT.fullmatch(entry.name)
            ):
                yield entry
    except InvalidInput as error:
        if wish.mode == PULL or place == wish.source:
            error.next_step = "Check its name, and the account of storage_user."
        if not task.check_mode:
            raise
        task.warn(f"{error.message} Unless an earlier task makes it, this one will fail outside check mode.")


def listed(storage: ObjectStorage, container: str, prefix: str) -> t.Iterator[Remote]:
    """Yield the objects whose names begin with ``prefix``, by the rest of their names, in order.

    One request for a page, and one for the empty page that is the end. Raises InvalidInput when there is no such
    container, Unusable when the order is not that of UTF-8, without which the two sides could not be compared.
    """
    last = ""
    for page in _pages(storage, container, prefix):
        for entry in page:
            name = str(entry["name"])
            if name <= last or not name.startswith(prefix):
                raise _disorder(container, last, name)
            last = name
            if name != prefix:
                yield _remote(name[len(prefix) :], entry)


def _pages(storage: ObjectStorage, container: str, prefix: str) -> t.Iterator[list[dict[str, t.Any]]]:
    """Yield the pages; while one is gone through, the next one is on its way."""
    asked = _Asked(storage, container, prefix, "")
    while True:
        try:
            page = asked.page()
        except NotFound as exc:
            raise no_container(container) from exc
        if not page:
            return
        asked = _Asked(storage, container, prefix, str(page[-1]["name"]))
        yield page


class _Asked:
    """A page that a thread asks for. It ends with the process: an interrupt must not wait for the service."""

    def __init__(self, storage: ObjectStorage, container: str, prefix: str, marker: str) -> None:
        self._page: list[dict[str, t.Any]] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(
            target=self._ask, args=(storage, container, prefix, marker), name="fcd-cloud-page", daemon=True
        )
        self._thread.start()

    def _ask(self, storage: ObjectStorage, container: str, prefix: str, marker: str) -> None:
        try:
            self._page = storage.list_objects(container, marker=marker, prefix=prefix)
        except BaseException as error:  # noqa: BLE001 - it is raised where the page is wanted
            self._error = error

    def page(self) -> list[dict[str, t.Any]]:
        """Return the page. Raises what the request has raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._page


def no_container(container: str) -> InvalidInput:
    """Return the error for a container that is not there."""
    return InvalidInput(
        f"There is no container {container!r}.",
        next_step=f"Create it first, with fcd.cloud.storage_container and name: {container}.",
        container=container,
    )


def _remote(name: str, entry: t.Mapping[str, t.Any]) -> Remote:
    large = entry.get("slo_etag")
    return Remote(
        name,
        int(entry["bytes"]),
        str(entry["hash"]),
        str(entry.get("content_type") or ""),
        str(large).strip('"') if large else None,
    )


def _disorder(container: str, before: str, name: str) -> Unusable:
    return Unusable(
        f"The listing of {container!r} is not in the order of its names: {name!r} comes after {before!r}.",
        next_step="Nothing was done, since the two sides cannot be compared so.",
        operation="List objects",
    )

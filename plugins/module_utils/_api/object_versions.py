# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Versions of objects in a container that keeps them itself: what the open-source interface has beyond the contract.

Source: contract object-storage.md ("fully compatible"), wire-facts 10.7 (``X-Versions-Enabled``).
"""

from __future__ import annotations

import typing as t

from .._transport.client import Response
from .object_storage import GONE, ObjectStorage

DELETED = "application/x-deleted;swift_versions_deleted=1"  # content type of a mark of a deletion in a listing


class OneVersion(ObjectStorage):
    """A client whose requests for objects are for one version: reading them, and copying them elsewhere."""

    def __init__(self, storage: ObjectStorage, version: str) -> None:
        self.__dict__.update(storage.__dict__)
        self._version = version

    def send(self, operation: str, method: str, url: str, **more: t.Any) -> Response:
        """Send as for the current version, except that a request for an object names the version."""
        if "/" in url[len(self.address()) + 1 :]:
            more["params"] = {**(more.get("params") or {}), "version-id": self._version}
        return super().send(operation, method, url, **more)


def list_versions(storage: ObjectStorage, container: str, **query: str | int | None) -> list[dict[str, t.Any]]:
    """Return one page of all versions in a container, marks of deletions among them; an empty page is the end.

    Entries have ``version_id`` and ``is_latest`` besides what a listing has. ``query``: ``marker`` (a name) together
    with ``version_marker`` (a version of it), ``prefix``, ``limit``.
    """
    return storage.listing("List versions", storage.address(container), {"versions": "true", **query})


def delete_version(storage: ObjectStorage, container: str, name: str, version: str) -> None:
    """Delete one version of an object for good; one that is gone already is fine."""
    storage.send(
        "Delete version",
        "DELETE",
        storage.address(container, name),
        params={"version-id": version},
        accept_statuses=GONE,
    )

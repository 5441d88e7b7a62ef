# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Object storage for planning: nobody asks for what is in a container that is known not to be there."""

from __future__ import annotations

import typing as t

from ...module_utils._core.errors import NotFound
from ...module_utils._object_storage.api import Headers, ObjectStorage


class BulkObjectStorage(ObjectStorage):
    """The object storage; objects of a container that was not found are not there either.

    Of the containers in ``prefixes``, which are listed anyway, the listing brings the headers that describe them.
    """

    _missing: set[str]
    _prefixes: t.Mapping[str, str]

    @classmethod
    def over(cls, api: ObjectStorage, prefixes: t.Mapping[str, str]) -> BulkObjectStorage:
        """Return one with the same connection, which has to remember what it has read."""
        bulk = cls.__new__(cls)
        vars(bulk).update(vars(api), _missing=set(), _prefixes=prefixes)
        return bulk

    def container_metadata(self, container: str) -> Headers | None:
        """Return the headers of a container, None when it is not there."""
        found = (
            self._listed_metadata(container) if container in self._prefixes else super().container_metadata(container)
        )
        if found is None:
            self._missing.add(container)
        return found

    def _listed_metadata(self, container: str) -> Headers | None:
        headers: Headers = {}
        query = {"prefix": self._prefixes[container]}
        try:
            self.listing("Container metadata", self.address(container), query, headers.update)
        except NotFound:
            return None
        return headers

    def list_objects(self, container: str, **query: str | int | None) -> list[dict[str, t.Any]]:
        """Return a page of a container. Raises NotFound, of a container that was not found without another request."""
        if container in self._missing:
            raise NotFound(f"There is no container {container!r}.", operation="List objects", status=404)
        try:
            return super().list_objects(container, **query)
        except NotFound:
            self._missing.add(container)
            raise

    def object_metadata(self, container: str, name: str) -> Headers | None:
        """Return the headers of an object, None when it or its container is not there."""
        return None if container in self._missing else super().object_metadata(container, name)

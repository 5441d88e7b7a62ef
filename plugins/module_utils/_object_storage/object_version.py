# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One version of an object, in a container that keeps versions itself."""

from __future__ import annotations

from .._core.errors import InvalidInput, Rejected
from .api import Headers, ObjectStorage
from .object_versions import OneVersion

BAD_REQUEST = 400  # no version id at all, or a container that keeps no versions


def read_version(
    storage: ObjectStorage, place: tuple[str, str], version: str, option: str
) -> tuple[ObjectStorage, Headers]:
    """Return a client that reads this version of the object in place of the current one, and the headers of it.

    Raises InvalidInput when there is no such version, or when it only marks a deletion.
    """
    reader = OneVersion(storage, version)
    try:
        headers = reader.object_metadata(*place)
    except Rejected as error:
        if error.status != BAD_REQUEST:
            raise
        headers = None
    if headers is None:
        container, name = place
        raise InvalidInput(
            f"{option}: {container!r} has no version {version!r} of {name!r} to read.",
            next_step="List the versions with fcd.cloud.storage_object_info and versions: true.",
            option=option,
        )
    return reader, headers

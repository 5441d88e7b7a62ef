# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of an object whose content stays."""

from __future__ import annotations

import typing as t

from .._core.errors import CannotDetermine
from .api import Headers, ObjectStorage
from .header_rules import Wanted
from .object_headers import headers_of, record_of


def update_headers(
    storage: ObjectStorage, place: tuple[str, str], wanted: Wanted, headers: Headers | None, *, write: bool
) -> tuple[str, str] | None:
    """Have the object as wanted; return what is described before and after, None when it is so already.

    ``headers`` are the object's, where they are known. All others that it has are sent again, for the service would
    drop them. Raises CannotDetermine when the object has gone.
    """
    headers = storage.object_metadata(*place) if headers is None else headers
    if headers is None:
        raise CannotDetermine(f"{'/'.join(place)} has gone meanwhile.", next_step="Run the task again.")
    record = record_of(*place, headers)
    names = wanted.differing(record)
    if not names:
        return None
    after = wanted.over(record)
    if write:
        sent = headers_of(after, headers, wanted.expires_in)
        if headers.get("x-object-manifest"):
            sent["x-object-manifest"] = headers["x-object-manifest"]  # without it the object would become empty
        storage.update_object_metadata(*place, sent)
    return _described(record, names), _described(after, names)


def _described(record: t.Mapping[str, t.Any], names: t.Sequence[str]) -> str:
    return ", ".join(f"{name}: {record.get(name)}" for name in names)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``storage_object``, and what they mean after their checks."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._session.operation import STATE, Params
from .cutting import OPTIONS as CUTTING
from .cutting import check_cutting
from .metadata import check_text, wishes
from .names import Limits, check_container, check_object, source_of_copy, version_of_copy
from .object_headers import OPTIONS_BY_HEADER, expiry

TEXTS = tuple(OPTIONS_BY_HEADER.values())
SOURCES = ("content", "src", "copy_from")
OPTIONS: dict[str, dict[str, t.Any]] = {
    "container": {"type": "str", "required": True},
    "name": {"type": "str", "required": True, "aliases": ["object"]},
    "content": {"type": "raw"},
    "src": {"type": "path"},
    "remote_src": {"type": "bool", "default": False},
    "copy_from": {"type": "raw"},
    "overwrite": {"type": "bool", "default": True},
    "content_type": {"type": "str"},
    "content_disposition": {"type": "str"},
    "content_encoding": {"type": "str"},
    "cache_control": {"type": "str"},
    "metadata": {"type": "dict"},
    "purge_metadata": {"type": "bool", "default": False},
    "expires_at": {"type": "str", "aliases": ["delete_at"]},
    "expires_in": {"type": "int", "aliases": ["delete_after"]},
    **CUTTING,
    **STATE,
}
RULES = {"mutually_exclusive": [SOURCES, ("expires_at", "expires_in")]}


class Wish(t.NamedTuple):
    """The options after their checks. None: not given."""

    container: str
    name: str
    texts: dict[str, str | None]
    metadata: dict[str, str | None] | None
    purge: bool
    copy_from: tuple[str, str] | None
    copy_version: str | None
    overwrite: bool
    expires_in: int | None
    expires_at: tuple[str | None] | None  # in a tuple, for None is a value here: never
    segment_container: str | None

    @property
    def place(self) -> tuple[str, str]:
        """Container and object."""
        return self.container, self.name


def checked(params: Params, limits: Limits) -> Wish:
    """Return what is wanted. Raises InvalidInput."""
    seconds, moment = params["expires_in"], params["expires_at"]
    if seconds is not None and seconds < 1:
        raise InvalidInput(f"expires_in: {seconds} seconds; it must be at least 1.", option="expires_in")
    check_cutting(params["segment_threshold"], params["segment_size"])
    given, copy_from = params["metadata"], params["copy_from"]
    container = check_container(params["container"], limits, "container")
    segments = params["segment_container"]
    wish = Wish(
        container=container,
        name=check_object(params["name"], limits),
        texts=_texts(params),
        metadata=None if given is None else wishes(given, limits, empty_removes=False),
        purge=params["purge_metadata"],
        copy_from=None if copy_from is None else source_of_copy(copy_from, limits),
        copy_version=version_of_copy(copy_from),
        overwrite=params["overwrite"],
        expires_in=seconds,
        expires_at=None if moment is None else (expiry(moment),),
        segment_container=check_container(segments, limits, "segment_container") if segments else None,
    )
    if wish.copy_from == wish.place and wish.copy_version is None:
        raise InvalidInput(
            "copy_from: an object cannot be made by copying itself.",
            next_step="An older version of it can be copied: name its version_id.",
            option="copy_from",
        )
    return wish


def _texts(params: Params) -> dict[str, str | None]:
    texts = {option: check_text(option, params[option]) or None for option in TEXTS if params[option] is not None}
    if "content_type" in texts and texts["content_type"] is None:
        raise InvalidInput("content_type: every object has one, so it cannot be empty.", option="content_type")
    return texts

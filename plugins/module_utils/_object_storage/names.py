# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of containers and objects: what the service takes, told before anything is sent."""

from __future__ import annotations

import os
import typing as t

from .._core.errors import InvalidInput
from .stated import number

DEFAULT_LIMITS: dict[str, int] = {  # wire-facts 10.6; the service's own values are read from /info when one is passed
    "max_container_name_length": 256,
    "max_object_name_length": 1024,
    "max_meta_name_length": 128,
    "max_meta_value_length": 256,
    "max_meta_count": 90,
    "max_meta_overall_size": 4096,
    "max_file_size": 5368709122,
}


class Limits:
    """The limits of the service. ``ask`` returns what it says itself, and is called only where a default is passed."""

    def __init__(self, ask: t.Callable[[], t.Mapping[str, t.Any]]) -> None:
        self._ask = ask
        self._told: t.Mapping[str, t.Any] | None = None

    def check(self, limit: str, used: int, what: str, unit: str = "bytes", *, ask: bool = False) -> None:
        """Raise InvalidInput when ``used`` passes the limit. ``ask``: the service may allow less than is usual."""
        if (ask or used > DEFAULT_LIMITS[limit]) and used > self.value(limit):
            allowed = self.value(limit)
            raise InvalidInput(f"{what}: {used} {unit} are too many, the service takes {allowed}.", limit=allowed)

    def value(self, limit: str) -> int:
        """Return a limit as the service states it, or the usual one where it states none."""
        if self._told is None:
            self._told = self._ask()
        return number(self._told, limit, DEFAULT_LIMITS[limit])


def check_container(name: str, limits: Limits, option: str = "name") -> str:
    """Return ``name`` when a container may be called so. Raises InvalidInput."""
    if not name or "/" in name or name in (".", ".."):
        raise InvalidInput(
            f"{option}: {name!r} cannot be the name of a container.",
            next_step="It needs at least one character, no slash, and may not be a dot or two.",
            option=option,
        )
    limits.check("max_container_name_length", in_bytes(name, option), f"{option} (name of a container)")
    return name


def check_object(name: str, limits: Limits, option: str = "name") -> str:
    """Return ``name`` when an object may be called so. Raises InvalidInput."""
    if not name:
        raise InvalidInput(f"{option}: the name of an object is missing.", option=option)
    if {".", ".."} & set(name.split("/")):
        raise InvalidInput(
            f"{option}: {name!r} has a part that is only a dot or two dots.",
            next_step="Programs on the way to the service shorten such paths, so that another object would be meant.",
            option=option,
        )
    limits.check("max_object_name_length", in_bytes(name, option), f"{option} (name of an object)")
    return name


def check_path(path: str, option: str) -> str:
    """Return ``path`` when a file may be called so on this system. Raises InvalidInput."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise InvalidInput(
            f"{option}: the encoding of this system has not all characters of {path!r}.", option=option
        ) from None
    if b"\0" in encoded:
        raise InvalidInput(f"{option}: {path!r} holds a zero byte.", option=option)
    return path


def version_of_copy(value: t.Any) -> str | None:
    """Return the version in the dictionary that ``source_of_copy`` takes, if there is one. Raises InvalidInput."""
    version = value.get("version_id") if isinstance(value, t.Mapping) else None
    if version is None or (isinstance(version, str) and version):
        return version
    raise InvalidInput(
        f"copy_from: version_id: {version!r} is no text.",
        next_step="Put it in quotes, as storage_object_info tells it: as a number it would lose digits.",
        option="copy_from",
    )


def source_of_copy(value: t.Any, limits: Limits) -> tuple[str, str]:
    """Return container and object behind ``container/object`` or a dictionary with these two keys.

    The dictionary may have a ``version_id`` too, see ``version_of_copy``. Raises InvalidInput.
    """
    if isinstance(value, t.Mapping):
        unknown = sorted(str(key) for key in value if key not in ("container", "object", "name", "version_id"))
        container, name = value.get("container"), value.get("object", value.get("name"))
        if unknown or not isinstance(container, str) or not isinstance(name, str):
            raise InvalidInput(
                "copy_from: as a dictionary it needs 'container' and 'object', both strings; besides it takes only "
                "'version_id'.",
                option="copy_from",
            )
    elif isinstance(value, str):
        container, _slash, name = value.lstrip("/").partition("/")
    else:
        raise InvalidInput("copy_from: a text 'container/object' or a dictionary is expected.", option="copy_from")
    return check_container(container, limits, "copy_from"), check_object(name, limits, "copy_from")


def in_bytes(text: str, option: str) -> int:
    """Return the length of a name, or of a part of one, in bytes. Raises InvalidInput when no name has it."""
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(f"{option}: {text!r} cannot be written as UTF-8.", option=option) from None
    if b"\0" in encoded:
        raise InvalidInput(f"{option}: {text!r} holds a zero byte.", option=option)
    return len(encoded)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service offers and takes: features, limits, names. Source: wire-facts 10.6."""

from __future__ import annotations

import os
import typing as t

from .._connection.options import BYTES
from .._core.errors import InvalidInput

Stated = t.Mapping[str, t.Any]
DEFAULT_LIMITS: dict[str, int] = {  # wire-facts 10.6; the service's own values are read from /info when one is passed
    "max_container_name_length": 256,
    "max_object_name_length": 1024,
    "max_meta_name_length": 128,
    "max_meta_value_length": 256,
    "max_meta_count": 90,
    "max_meta_overall_size": 4096,
    "max_file_size": 5368709122,
}


def feature_section(stated: Stated, feature: str) -> Stated | None:
    """Return what is stated about a feature, None when the feature is not offered."""
    found = stated.get(feature)
    return None if found is None else found if isinstance(found, dict) else {}


def stated_number(stated: Stated, name: str, usual: int) -> int:
    """Return a number of at least 1, the usual one where none is stated."""
    found = stated.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else usual


def stated_list(stated: Stated, name: str) -> list[t.Any]:
    """Return a list, an empty one where none is stated."""
    found = stated.get(name)
    return found if isinstance(found, list) else []


class Features:
    """The features and limits of the service, asked for at most once, and only when they matter.

    ``ask`` returns what the service states about itself, nothing where it is silent. Then no feature is refused here:
    the request is sent, and the service answers.
    """

    def __init__(self, ask: t.Callable[[], Stated] = dict) -> None:
        self._ask = ask
        self._stated: Stated | None = None

    @property
    def stated(self) -> Stated:
        """All that the service states at /info, by the names of its features."""
        if self._stated is None:
            self._stated = self._ask()
        return self._stated

    def section(self, feature: str) -> Stated:
        """Return what is stated about a feature, nothing when it is not offered."""
        return feature_section(self.stated, feature) or {}

    def check(self, feature: str, option: str, flag: str | None = None) -> None:
        """Raise InvalidInput when the service states its features and this one is not among them.

        ``flag`` is one of the kinds of the feature; a service that names no kinds is taken to have all.
        """
        if not self.stated:
            return
        found = feature_section(self.stated, feature)
        kinds = stated_list(found or {}, "allowed_flags")
        if found is None or (flag and kinds and flag not in kinds):
            raise InvalidInput(
                f"{option}: this object storage does not offer it; {flag or feature} is not among its features.",
                next_step="The module storage_account_info shows what it offers.",
                option=option,
            )

    def limit(self, name: str) -> int:
        """Return a limit as the service states it, or the usual one where it states none."""
        return stated_number(self.section("swift"), name, DEFAULT_LIMITS[name])

    def check_limit(self, name: str, used: int, what: str, unit: str = "bytes", *, ask: bool = False) -> None:
        """Raise InvalidInput when ``used`` passes the limit. ``ask``: the service may allow less than is usual."""
        if (ask or used > DEFAULT_LIMITS[name]) and used > self.limit(name):
            allowed = self.limit(name)
            raise InvalidInput(f"{what}: {used} {unit} are too many; the service allows {allowed}.", limit=allowed)


def check_container(name: str, features: Features, option: str = "name") -> str:
    """Return ``name`` when a container may be called so. Raises InvalidInput."""
    if not name or "/" in name or name in (".", ".."):
        raise InvalidInput(
            f"{option}: {name!r} cannot be the name of a container.",
            next_step="It must have at least one character and no slash, and must not be one or two dots.",
            option=option,
        )
    features.check_limit("max_container_name_length", in_bytes(name, option), f"{option} (name of a container)")
    return name


def check_object(name: str, features: Features, option: str = "name") -> str:
    """Return ``name`` when an object may be called so. Raises InvalidInput."""
    if not name:
        raise InvalidInput(f"{option}: the name of an object is missing.", option=option)
    if {".", ".."} & set(name.split("/")):
        raise InvalidInput(
            f"{option}: {name!r} has a part that is only a dot or two dots.",
            next_step="Programs between here and the service shorten such paths, which would then name another object.",
            option=option,
        )
    features.check_limit("max_object_name_length", in_bytes(name, option), f"{option} (name of an object)")
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


def is_utf8(text: str) -> bool:
    """Return whether a text can be written as UTF-8; bytes of something else that have become a text cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def in_bytes(text: str, option: str) -> int:
    """Return the length of a name, or of a part of one, in bytes. Raises InvalidInput when no name has it."""
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(f"{option}: {text!r} cannot be written as UTF-8.", option=option) from None
    if b"\0" in encoded:
        raise InvalidInput(f"{option}: {text!r} holds a zero byte.", option=option)
    return len(encoded)


AT_A_TIME = 4  # requests, where each is long or more of them gain little: segments, deletions
ASK_FROM = 1 << 20  # bytes; a larger body cannot be refused cleanly while it is sent, so the limit is read before
SEGMENT_OPTIONS: dict[str, dict[str, t.Any]] = {
    "segment_threshold": {"type": BYTES},
    "segment_size": {"type": BYTES},
    "segment_container": {"type": "str"},
}


def segment_container(container: str) -> str:
    """Return the usual name of the container for the segments of objects in ``container``."""
    return f"{container}_segments"

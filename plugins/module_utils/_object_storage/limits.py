# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service offers and takes: features, limits, sizes of segments, names. Source: wire-facts 10.6."""

from __future__ import annotations

import os
import typing as t

from .._core.errors import InvalidInput

Told = t.Mapping[str, t.Any]


def feature_section(told: Told, feature: str) -> Told | None:
    """Return what is stated about a feature, None when the feature is not offered."""
    found = told.get(feature)
    return None if found is None else found if isinstance(found, dict) else {}


def told_number(told: Told, name: str, usual: int) -> int:
    """Return a number of at least 1, the usual one where none is stated."""
    found = told.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else usual


def told_list(told: Told, name: str) -> list[t.Any]:
    """Return a list, an empty one where none is stated."""
    found = told.get(name)
    return found if isinstance(found, list) else []


SHOW = "The module storage_account_info shows what it offers."


class Features:
    """Asked at most once, and only when it matters. ``ask`` returns what the service tells, nothing where it is silent.

    Where it is silent nothing is refused here: the request is sent, and the service answers.
    """

    def __init__(self, ask: t.Callable[[], Told]) -> None:
        self._ask = ask
        self._told: Told | None = None

    @property
    def told(self) -> Told:
        """All that the service tells, by the names of its features."""
        if self._told is None:
            self._told = self._ask()
        return self._told

    def limits(self) -> Told:
        """Return the limits that it states, by its names for them."""
        return feature_section(self.told, "swift") or {}

    def check(self, feature: str, option: str, flag: str | None = None) -> None:
        """Raise InvalidInput when the service tells its features and this one is not among them.

        ``flag`` is one of the kinds of the feature; a service that names no kinds is taken to have all.
        """
        if not self.told:
            return
        found = feature_section(self.told, feature)
        kinds = told_list(found or {}, "allowed_flags")
        if found is None or (flag and kinds and flag not in kinds):
            raise InvalidInput(
                f"{option}: this object storage does not offer it; {flag or feature} is not among its features.",
                next_step=SHOW,
                option=option,
            )

    def policy(self, name: str) -> str:
        """Return the storage policy as the service spells it. Raises InvalidInput when it lists no such policy."""
        policies = [one for one in told_list(self.limits(), "policies") if isinstance(one, dict) and one.get("name")]
        if not policies:
            return name
        for policy in policies:
            names = [str(policy["name"]), *str(policy.get("aliases", "")).split(",")]
            if name.casefold() in [one.strip().casefold() for one in names]:
                return str(policy["name"])
        raise InvalidInput(
            f"storage_policy: there is no policy {name!r}.",
            next_step=f"There are: {', '.join(str(policy['name']) for policy in policies)}.",
            option="storage_policy",
        )


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
        return told_number(self._told, limit, DEFAULT_LIMITS[limit])


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


ASK_FROM = 1 << 20  # bytes; a larger body cannot be refused cleanly while it is sent, so the limit is read before

SEGMENT_OPTIONS: dict[str, dict[str, t.Any]] = {
    "segment_threshold": {"type": "int"},
    "segment_size": {"type": "int"},
    "segment_container": {"type": "str"},
}
USUAL_SIZE = 1 << 30  # bytes of a segment
USUAL_NUMBER = 1000  # segments in one manifest: wire-facts 10.6


class Segmentation:
    """``threshold`` and ``segment_size`` are in bytes; None: what the service can take.

    The service is asked for its limits only about contents above a MiB.
    """

    def __init__(self, features: Features, threshold: int | None, segment_size: int | None) -> None:
        self._features = features
        self._limits = Limits(features.limits)
        self._threshold = threshold
        self.segment_size = segment_size

    def each(self, size: int) -> int | None:
        """Return the size of the segments for a content of ``size`` bytes, None where it is stored as one object.

        Raises InvalidInput when it would have to be cut and cannot be.
        """
        if not self._is_large(size):
            return None

        if self._threshold is None and self._features.told and "slo" not in self._features.told:
            self._limits.check("max_file_size", size, "The content", ask=True)
        self._features.check("slo", "segment_threshold")
        slo = feature_section(self._features.told, "slo") or {}
        largest, least = self._limits.value("max_file_size"), told_number(slo, "min_segment_size", 1)
        preferred = self.segment_size
        if preferred is None and largest < USUAL_SIZE:
            preferred = largest
        each = segment_size(size, preferred, told_number(slo, "max_manifest_segments", USUAL_NUMBER))
        if not least <= each <= largest:
            raise InvalidInput(
                f"segment_size: the service takes segments of {least} to {largest} bytes, not of {each}.",
                option="segment_size",
            )
        return each

    def _is_large(self, size: int) -> bool:
        if self._threshold is not None:
            return size > self._threshold
        return size > ASK_FROM and size > self._limits.value("max_file_size")


def check_segmentation(threshold: int | None, preferred: int | None) -> None:
    """Raise InvalidInput when the options cannot be meant."""
    for option, value in (("segment_threshold", threshold), ("segment_size", preferred)):
        if value is not None and value < 1:
            raise InvalidInput(f"{option}: {value} bytes; it must be at least 1.", option=option)


def segment_container(container: str) -> str:
    """Return the usual name of the container for the segments of objects in ``container``."""
    return f"{container}_segments"


def segment_size(size: int, preferred: int | None, most: int = USUAL_NUMBER) -> int:
    """Return the size of the segments of ``size`` bytes: the preferred one, else such that they are enough.

    Raises InvalidInput when it takes more than ``most`` of the preferred size.
    """
    least = -(-size // most)
    if preferred is None:
        return max(USUAL_SIZE, -(-least // USUAL_SIZE) * USUAL_SIZE)
    if least > preferred:
        raise InvalidInput(
            f"segment_size: {size} bytes in segments of {preferred} are more than the {most} that an object can have.",
            next_step=f"Set it to {least} or more.",
            option="segment_size",
        )
    return preferred

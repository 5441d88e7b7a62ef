# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Metadata of containers and objects, and other texts that travel as headers."""

from __future__ import annotations

import re
import typing as t

from .._core.errors import InvalidInput
from .names import Limits

Metadata = t.Dict[str, str]
Wishes = t.Mapping[str, t.Optional[str]]

SECRET = frozenset(("temp-url-key", "temp-url-key-2"))  # they sign temporary addresses: metadata is shown, so not there
_NAME = re.compile(r"[A-Za-z0-9-]+")
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def wishes(
    given: t.Mapping[t.Any, t.Any],
    limits: Limits,
    *,
    empty_removes: bool,
    own_options: t.Mapping[str, str] | None = None,
) -> dict[str, str | None]:
    """Return the ``metadata`` option with lower-case names and text values; None means that the item is to go.

    ``empty_removes``: the service takes an empty value for a removal (containers, the account) or keeps it (objects).
    ``own_options`` are the items that options of their own set, with these options. Raises InvalidInput.
    """
    wanted: dict[str, str | None] = {}
    for given_name, given_value in given.items():
        name = _name(str(given_name), limits, own_options or {})
        if name in wanted:
            raise InvalidInput(f"metadata: {name!r} is given twice; upper and lower case are the same here.")
        value = None if given_value is None else _value(name, given_value, limits)
        wanted[name] = None if empty_removes and not value else value
    return wanted


def misplaced_secrets(given: t.Mapping[t.Any, t.Any] | None) -> list[str]:
    """Return the values of items that ``wishes`` refuses as secrets: all options are shown beside the error."""
    return [str(value) for name, value in (given or {}).items() if str(name).lower().replace("_", "-") in SECRET]


def settled(wanted: Wishes | None, current: t.Mapping[str, str], limits: Limits, *, purge: bool) -> Metadata:
    """Return the complete metadata after the change. Raises InvalidInput when it is too much altogether.

    Without ``purge`` the wishes are laid over what is there; with it they are all there is to be. Without wishes
    nothing changes.
    """
    if wanted is None:
        return dict(current)
    after = {**({} if purge else current), **{name: value for name, value in wanted.items() if value is not None}}
    for name in [name for name, value in wanted.items() if value is None]:
        after.pop(name, None)
    check_amount(after, limits)
    return dict(sorted(after.items()))


def check_amount(metadata: Metadata, limits: Limits) -> None:
    """Raise InvalidInput when the service takes less metadata altogether."""
    limits.check("max_meta_count", len(metadata), "metadata", "items")
    size = sum(len(name) + len(value.encode("utf-8")) for name, value in metadata.items())
    limits.check("max_meta_overall_size", size, "metadata, names and values together")


def from_headers(headers: t.Mapping[str, str], kind: str) -> Metadata:
    """Return the metadata among the headers of a ``container``, an ``object`` or an ``account``."""
    prefix = f"x-{kind}-meta-"
    found = {name[len(prefix) :]: value for name, value in headers.items() if name.startswith(prefix)}
    return dict(sorted(found.items()))


def check_text(option: str, value: str) -> str:
    """Return ``value`` without blanks around it when a header can carry it. Raises InvalidInput."""
    if _UNSENDABLE.search(value):
        raise InvalidInput(f"{option}: line breaks and control characters cannot be stored.", option=option)
    if not _encodable(value):
        raise InvalidInput(f"{option}: its value cannot be written as UTF-8.", option=option)
    return value.strip(" \t")


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _name(name: str, limits: Limits, own_options: t.Mapping[str, str]) -> str:
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"metadata: {name!r} cannot be the name of an item.",
            next_step="Only letters a to z, digits and hyphens; the service drops names with an underscore silently.",
            option="metadata",
        )
    name = name.lower()
    if name in own_options:
        raise InvalidInput(
            f"metadata: {name!r} has an option of its own: {own_options[name]}.",
            next_step="Set it there; what metadata does or removes leaves it as it is.",
            option="metadata",
        )
    if name in SECRET:
        raise InvalidInput(
            f"metadata: {name!r} is a secret, and metadata is shown in results and diffs.",
            next_step="It belongs to a container or to the account: see storage_container and storage_account.",
            option="metadata",
        )
    limits.check("max_meta_name_length", len(name), f"metadata: name {name[:40]!r}")
    return name


def _value(name: str, value: t.Any, limits: Limits) -> str:
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, (list, tuple, set, t.Mapping)):
        raise InvalidInput(f"metadata: the value of {name!r} must be a text, not a {type(value).__name__}.")
    text = str(value)
    if check_text(f"metadata: {name!r}", text) != text:
        raise InvalidInput(f"metadata: the value of {name!r} begins or ends with a blank, which would get lost.")
    limits.check("max_meta_value_length", len(text.encode("utf-8")), f"metadata: value of {name!r}")
    return text

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the options for metadata, access lists and other settings, and spells them as the service does."""

from __future__ import annotations

import difflib
import re
import typing as t

from .._connection.options import BYTES, WHOLE_SECONDS
from .._core.errors import InvalidInput
from .._core.text import number_in
from .features import Features
from .properties import KEY_ITEMS, is_utf8

_NAME = re.compile(r"[A-Za-z0-9-]+")
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/\s]+")
CANNED_ACLS = ("public", "private", "public-read", "public-read-write", "public_read", "authenticated-read", "everyone")
LISTINGS = ".rlistings"
REFERRERS = (".r", ".ref", ".referer", ".referrer")  # four spellings; the service stores the first


def check_text(option: str, value: str) -> str:
    """Return ``value`` without surrounding blanks if a header can carry it. Raises InvalidInput."""
    if _UNSENDABLE.search(value):
        raise InvalidInput(f"{option}: line breaks and control characters cannot be stored.", option=option)
    if not is_utf8(value):
        raise InvalidInput(f"{option}: its value cannot be written as UTF-8.", option=option)
    return value.strip(" \t")


def desired_metadata(
    given: t.Mapping[t.Any, t.Any],
    features: Features,
    *,
    empty_removes: bool,
    own_options: t.Mapping[str, str] | None = None,
) -> dict[str, str | None]:
    """Return the ``metadata`` option with lower-case names and text values; None removes an item.

    ``empty_removes``: an empty value removes the item (containers, the account) or is kept (objects). ``own_options``
    maps the items that have options of their own to these. Raises InvalidInput.
    """
    desired: dict[str, str | None] = {}
    for given_name, given_value in given.items():
        name = _item_name(str(given_name), features, own_options or {})
        if name in desired:
            raise InvalidInput(f"metadata: {name!r} is given twice; names are case-insensitive.")
        value = None if given_value is None else _item_value(name, given_value, features)
        desired[name] = None if empty_removes and not value else value
    return desired


def _item_name(name: str, features: Features, own_options: t.Mapping[str, str]) -> str:
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
            next_step="Set it there; metadata does not affect it.",
            option="metadata",
        )
    if name in KEY_ITEMS:
        raise InvalidInput(
            f"metadata: {name!r} is a secret, and metadata is shown in results and diffs.",
            next_step="It belongs to a container or to the account: see storage_container and storage_account.",
            option="metadata",
        )
    features.check_limit("max_meta_name_length", len(name), f"metadata: name {name[:40]!r}")
    return name


def _item_value(name: str, value: object, features: Features) -> str:
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, (list, tuple, set, t.Mapping)):
        raise InvalidInput(f"metadata: the value of {name!r} must be a string, not a {type(value).__name__}.")
    text = str(value)
    if check_text(f"metadata: {name!r}", text) != text:
        raise InvalidInput(f"metadata: the value of {name!r} begins or ends with a blank, which would be lost.")
    features.check_limit("max_meta_value_length", len(text.encode("utf-8")), f"metadata: value of {name!r}")
    return text


def check_acl(option: str, text: str) -> str:
    """Return an access list. Raises InvalidInput, also for words of other services, which would name accounts here."""
    if text.strip().lower() in CANNED_ACLS:
        everybody = ", '.r:*,.rlistings' for everybody" if option == "read_acl" else ""
        raise InvalidInput(
            f"{option}: {text!r} is a word of other services; here it would be the name of an account.",
            next_step=f"Write '' for the owner alone{everybody}, or account:user.",
            option=option,
        )
    for part in filter(None, map(str.strip, text.split(","))):
        _check_acl_element(option, part)
    return check_text(option, text)


def _check_acl_element(option: str, part: str) -> None:
    """Raise InvalidInput for what is meant as one of the words that begin with a dot, and is not.

    Source: docs/service/storage.md, "Optional features".
    """
    first, colon, second = (piece.strip() for piece in part.partition(":"))
    dotted = f".{first.lstrip('.').lower()}"
    if colon:
        is_host = first.startswith(".") or second[:1] in ("*", ".", "-")
        wrong = is_host and first not in REFERRERS and (first.startswith(".") or dotted in REFERRERS)
        right = f".r:{second or '*'}"
    else:
        wrong = part != LISTINGS and bool(difflib.get_close_matches(dotted, [LISTINGS], cutoff=0.8))
        right = LISTINGS
    if wrong:
        raise InvalidInput(
            f"{option}: {part!r} is no element of an access list.",
            next_step=f"Did you mean {right!r}? The others are {LISTINGS!r} and account:user.",
            option=option,
        )


def normalize_acl(text: str) -> str:
    """Return an access list in the spelling in which the service stores and returns it."""
    parts = []
    for part in filter(None, map(str.strip, text.split(","))):
        first, colon, second = (piece.strip() for piece in part.partition(":"))
        if not colon or first not in REFERRERS:
            parts.append(part)
            continue
        minus = "-" if second.startswith("-") else ""
        host = second[len(minus) :].strip()
        parts.append(f".r:{minus}{host[1:].strip() if host.startswith('*') and host != '*' else host}")
    return ",".join(parts)


def _text(option: str, given: str) -> str | None:
    if check_text(option, given) != given:
        raise InvalidInput(f"{option}: it begins or ends with a blank, which would be lost.", option=option)
    return given or None


def _number(option: str, given: str) -> int | None:
    number = number_in(given.strip())
    if number is None and given.strip():
        raise InvalidInput(
            f"{option}: {given!r} is not a whole number of 0 or more.",
            next_step="An empty text removes it.",
            option=option,
        )
    return number


def _size(option: str, given: str) -> int | None:
    text = given.strip()
    if not text:
        return None
    try:
        return BYTES.read(option, text)
    except InvalidInput:
        raise InvalidInput(
            f"{option}: {given!r} is not a number of bytes.",
            next_step="Write digits, or digits and a unit such as 500M or 10 GiB; an empty text removes it.",
            option=option,
        ) from None


def _time(option: str, given: str) -> int | None:
    return int(WHOLE_SECONDS.read(option, given)) if given.strip() else None


def _words(option: str, given: t.Sequence[str]) -> list[str]:
    words = [check_text(option, word) for word in given]
    if any(not word or " " in word or "\t" in word for word in words):
        raise InvalidInput(f"{option}: its entries must be single words without blanks.", option=option)
    return words


def _origins(option: str, given: t.Sequence[str]) -> list[str]:
    words = _words(option, given)
    for word in words:
        if word not in ("*", "null") and not _ORIGIN.fullmatch(word):
            raise InvalidInput(
                f"{option}: {word!r} is not an origin as browsers send it.",
                next_step="Write scheme and host, such as https://www.example.com, without a path; or '*' for all.",
                option=option,
            )
    return words


PARSERS: dict[str, t.Callable[[str, t.Any], t.Any]] = {
    "text": _text,
    "number": _number,
    "size": _size,
    "time": _time,
    "words": _words,
    "origins": _origins,
    "flag": lambda _option, given: bool(given),
}

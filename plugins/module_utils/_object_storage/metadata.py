# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Metadata of containers, objects and the account, and the items of it that mean something to the service.

Source: wire-facts 10.7 (quota, temporary addresses); the rest is of the open-source interface that the contract names.
"""

from __future__ import annotations

import re
import typing as t

from .._core.errors import InvalidInput
from .._core.text import Redactor
from .._engine.plan import Field, Record
from .limits import Features, Limits, is_utf8

Metadata = t.Dict[str, str]
DesiredMetadata = t.Mapping[str, t.Optional[str]]

SECRET = frozenset(("temp-url-key", "temp-url-key-2"))  # they sign temporary addresses: metadata is shown, so not there
_NAME = re.compile(r"[A-Za-z0-9-]+")
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def desired_metadata(
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
    desired: dict[str, str | None] = {}
    for given_name, given_value in given.items():
        name = _item_name(str(given_name), limits, own_options or {})
        if name in desired:
            raise InvalidInput(f"metadata: {name!r} is given twice; upper and lower case are the same here.")
        value = None if given_value is None else _item_value(name, given_value, limits)
        desired[name] = None if empty_removes and not value else value
    return desired


def misplaced_secrets(given: t.Mapping[t.Any, t.Any] | None) -> list[str]:
    """Return the values of items that ``desired_metadata`` refuses as secrets: options are shown beside the error."""
    return [str(value) for name, value in (given or {}).items() if str(name).lower().replace("_", "-") in SECRET]


def merged_metadata(
    desired: DesiredMetadata | None, current: t.Mapping[str, str], limits: Limits, *, purge: bool
) -> Metadata:
    """Return the complete metadata after the change. Raises InvalidInput when it is too much altogether.

    Without ``purge`` the changes are laid over what is there; with it they are all there is to be. Without changes
    nothing changes.
    """
    if desired is None:
        return dict(current)
    after = {**({} if purge else current), **{name: value for name, value in desired.items() if value is not None}}
    for name in [name for name, value in desired.items() if value is None]:
        after.pop(name, None)
    check_amount(after, limits)
    return dict(sorted(after.items()))


def check_amount(metadata: Metadata, limits: Limits) -> None:
    """Raise InvalidInput when the service takes less metadata altogether."""
    limits.check("max_meta_count", len(metadata), "metadata", "items")
    size = sum(len(name) + len(value.encode("utf-8")) for name, value in metadata.items())
    limits.check("max_meta_overall_size", size, "metadata, names and values together")


def metadata_of(headers: t.Mapping[str, str], kind: str) -> Metadata:
    """Return the metadata among the headers of a ``container``, an ``object`` or an ``account``."""
    prefix = f"x-{kind}-meta-"
    found = {name[len(prefix) :]: value for name, value in headers.items() if name.startswith(prefix)}
    return dict(sorted(found.items()))


def check_text(option: str, value: str) -> str:
    """Return ``value`` without blanks around it when a header can carry it. Raises InvalidInput."""
    if _UNSENDABLE.search(value):
        raise InvalidInput(f"{option}: line breaks and control characters cannot be stored.", option=option)
    if not is_utf8(value):
        raise InvalidInput(f"{option}: its value cannot be written as UTF-8.", option=option)
    return value.strip(" \t")


def _item_name(name: str, limits: Limits, own_options: t.Mapping[str, str]) -> str:
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


def _item_value(name: str, value: t.Any, limits: Limits) -> str:
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, (list, tuple, set, t.Mapping)):
        raise InvalidInput(f"metadata: the value of {name!r} must be a text, not a {type(value).__name__}.")
    text = str(value)
    if check_text(f"metadata: {name!r}", text) != text:
        raise InvalidInput(f"metadata: the value of {name!r} begins or ends with a blank, which would get lost.")
    limits.check("max_meta_value_length", len(text.encode("utf-8")), f"metadata: value of {name!r}")
    return text


# Items that mean something to the service, each with an option of its own

_SIZE = re.compile(r"([0-9]+)\s*(?:([KMGTP])(?:i?B)?|B)?", re.IGNORECASE)
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/\s]+")
_DIGITS = re.compile(r"[0-9]+")
_POWERS = "KMGTP"
_YES = ("true", "1", "yes", "on", "t", "y")  # as the service reads them


class ItemKind(t.NamedTuple):
    """How the value of an item is given, shown and sent. None is an item that is not there.

    ``parse(option, given)`` returns the value of a record and raises InvalidInput, ``read(text)`` returns it for what
    the service sends, ``text(value)`` what is sent; an empty text removes the item.
    """

    spec: t.Mapping[str, t.Any]
    parse: t.Callable[[str, t.Any], t.Any]
    read: t.Callable[[t.Optional[str]], t.Any]
    text: t.Callable[[t.Any], str]


def _text(option: str, given: str) -> str | None:
    if check_text(option, given) != given:
        raise InvalidInput(f"{option}: it begins or ends with a blank, which would get lost.", option=option)
    return given or None


def _number(option: str, given: str) -> int | None:
    text = given.strip()
    if text and not _DIGITS.fullmatch(text):
        raise InvalidInput(
            f"{option}: {given!r} is not a whole number of 0 or more.",
            next_step="An empty text removes it.",
            option=option,
        )
    return int(text) if text else None


def _size(option: str, given: str) -> int | None:
    text = given.strip()
    if not text:
        return None
    match = _SIZE.fullmatch(text)
    if match is None:
        raise InvalidInput(
            f"{option}: {given!r} is not a number of bytes.",
            next_step="Write digits, or digits and a unit such as 500M or 10 GiB; an empty text removes it.",
            option=option,
        )
    unit = match[2]
    return int(match[1]) * (1024 ** (_POWERS.index(unit.upper()) + 1) if unit else 1)


def _words(option: str, given: t.Sequence[str]) -> list[str]:
    words = [check_text(option, word) for word in given]
    if any(not word or " " in word or "\t" in word for word in words):
        raise InvalidInput(f"{option}: its entries are separate words; none is empty or has a blank.", option=option)
    return words


def _origins(option: str, given: t.Sequence[str]) -> list[str]:
    words = _words(option, given)
    for word in words:
        if word not in ("*", "null") and not _ORIGIN.fullmatch(word):
            raise InvalidInput(
                f"{option}: {word!r} is no origin, as browsers tell theirs.",
                next_step="Write scheme and host, such as https://www.example.com, without a path; or '*' for all.",
                option=option,
            )
    return words


def _digits(text: str | None) -> int | None:
    return int(text) if text and _DIGITS.fullmatch(text) else None


def _shown(value: t.Any) -> str:
    return "" if value is None else str(value)


TEXT = ItemKind({"type": "str"}, _text, lambda text: text or None, _shown)
NUMBER = ItemKind({"type": "str"}, _number, _digits, _shown)
BYTES = ItemKind({"type": "str"}, _size, _digits, _shown)
WORDS = ItemKind({"type": "list", "elements": "str"}, _words, lambda text: (text or "").split(), " ".join)
ORIGINS = WORDS._replace(parse=_origins)
FLAG = ItemKind(
    {"type": "bool"},
    lambda _option, given: bool(given),
    lambda text: (text or "").lower() in _YES,
    lambda value: "true" if value else "",
)


class MetadataItem(t.NamedTuple):
    """One such item: its name as metadata, the feature that it belongs to (None: it always works), its kind."""

    name: str
    feature: str | None
    kind: ItemKind
    secret: bool = False
    aliases: tuple[str, ...] = ()


Items = t.Mapping[str, MetadataItem]
TEMP_URL_KEYS: dict[str, MetadataItem] = {
    "temp_url_key": MetadataItem("temp-url-key", "tempurl", TEXT, secret=True, aliases=("meta_temp_url_key",)),
    "temp_url_key_2": MetadataItem("temp-url-key-2", "tempurl", TEXT, secret=True, aliases=("meta_temp_url_key_2",)),
}


def item_options(items: Items) -> dict[str, dict[str, t.Any]]:
    """Return the options for these items."""
    options = {}
    for option, item in items.items():
        options[option] = dict(item.kind.spec)
        if item.secret:
            options[option]["no_log"] = True
        if item.aliases:
            options[option]["aliases"] = list(item.aliases)
    return options


def item_fields(items: Items) -> tuple[Field, ...]:
    """Return the fields for these items."""
    return tuple(Field(option, secret=item.secret) for option, item in items.items())


def secret_options(items: Items) -> tuple[str, ...]:
    """Return the options whose values never show."""
    return tuple(option for option, item in items.items() if item.secret)


def options_by_item(items: Items) -> dict[str, str]:
    """Return the options by the names of the metadata items."""
    return {item.name: option for option, item in items.items()}


class MetadataOptions:
    """What the options of a container or the account say of its metadata: free items, and ``items`` with own options.

    Secrets are kept out of all messages from here on. Raises InvalidInput.
    """

    def __init__(self, items: Items, params: t.Mapping[str, t.Any], limits: Limits, redactor: Redactor) -> None:
        self._items = items
        self._limits = limits
        self._purge = params["purge_metadata"]
        self._changes: dict[str, str | None] | None = None
        given, secrets = params["metadata"], secret_options(items)
        for secret in (*(params[option] for option in secrets), *misplaced_secrets(given)):
            redactor.add(secret)
        self._values = desired_items(items, params, limits)
        self.secrets = {option: self._values[option] for option in secrets if option in self._values}
        if given is not None:
            own = options_by_item(items)
            self._changes = desired_metadata(given, limits, empty_removes=True, own_options=own)

    def desired(self, current: Record) -> dict[str, t.Any]:
        """Return the desired values, complete metadata among them. Raises InvalidInput when it is too much."""
        metadata = merged_metadata(self._changes, current.get("metadata", {}), self._limits, purge=self._purge)
        items = items_as_metadata(self._items, {**current, **self._values})
        check_amount({**metadata, **{name: value for name, value in items.items() if value}}, self._limits)
        return {"metadata": metadata, **self._values}


def metadata_changes(items: Items, current: Record, values: Record) -> Metadata:
    """Return the items to send for the values to become true; an empty text removes."""
    changes = items_as_metadata(items, values)
    if "metadata" in values:
        have, want = current.get("metadata", {}), values["metadata"]
        changes.update({name: want.get(name, "") for name in {**have, **want} if have.get(name) != want.get(name)})
    return changes


def desired_items(items: Items, params: t.Mapping[str, t.Any], limits: Limits) -> dict[str, t.Any]:
    """Return the desired values of the items that the user gave. Raises InvalidInput."""
    desired = {}
    for option, item in items.items():
        given = params.get(option)
        if given is not None:
            desired[option] = item.kind.parse(option, given)
            limits.check("max_meta_value_length", len(item.kind.text(desired[option]).encode("utf-8")), option)
    return desired


def pop_items(items: Items, metadata: Metadata) -> dict[str, t.Any]:
    """Take these items out of the metadata, and return their values, each option's."""
    return {option: item.kind.read(metadata.pop(item.name, None)) for option, item in items.items()}


def items_as_metadata(items: Items, values: Record) -> Metadata:
    """Return the metadata for those of the values that are of these items; an empty text removes."""
    return {item.name: item.kind.text(values[option]) for option, item in items.items() if option in values}


def check_item_features(items: Items, values: Record, features: Features) -> None:
    """Raise InvalidInput when a value is to be set that this service has no use for; removing is always fine."""
    for option, item in items.items():
        if item.feature and option in values and item.kind.text(values[option]):
            features.check(item.feature, option)


# The time at which a file was changed, as an item of its object. The name and form are those that other clients of the
# interface use: seconds since 1970 with a fraction. Some compare the text, and write six digits, so that whole
# microseconds have six here too.

ITEM = "mtime"
MTIME = f"x-object-meta-{ITEM}"
_SECONDS = re.compile(r"([0-9]{1,11})(?:\.([0-9]{1,9})[0-9]*)?")


def mtime_text(nanoseconds: int) -> str:
    """Return the text for nanoseconds since 1970."""
    seconds, fraction = divmod(nanoseconds, 10**9)
    return f"{seconds}.{fraction:09d}" if fraction % 1000 else f"{seconds}.{fraction // 1000:06d}"


def mtime_of(text: str) -> int | None:
    """Return nanoseconds since 1970, None when the text is no time."""
    found = _SECONDS.fullmatch(text.strip())
    return None if found is None else int(found[1]) * 10**9 + int((found[2] or "").ljust(9, "0"))

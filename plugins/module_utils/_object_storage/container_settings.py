# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of containers and of the account, and the headers that carry them: metadata, access lists, versioning.

Source: docs/service/storage.md, "Optional features"; the rest is from the interface that the contract names.
"""

from __future__ import annotations

import typing as t
from urllib.parse import unquote

from .._connection.options import OptionSpecs
from .._connection.task import Params
from .._core.errors import InvalidInput
from .._core.text import Redactor, number_in
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import Field
from .api import ELSEWHERE, HISTORY, STACK, VERSIONS_HEADER, Headers
from .features import Features
from .option_values import PARSERS, desired_metadata
from .properties import (
    Metadata,
    check_amount,
    check_container,
    merge_metadata,
    misplaced_secrets,
)

_YES = ("true", "1", "yes", "on", "t", "y")  # as the service reads them


class ItemKind(t.NamedTuple):
    """How the value of an item is given, shown and sent. None is a missing item.

    ``read(text)`` returns the value for a record, ``text(value)`` the text to send; an empty text removes the item.
    """

    spec: t.Mapping[str, t.Any]
    form: str  # one of PARSERS
    read: t.Callable[[t.Optional[str]], t.Any]
    text: t.Callable[[t.Any], str]

    def parse(self, option: str, given: t.Any) -> t.Any:
        """Return the value of a record for what an option says. Raises InvalidInput."""
        return PARSERS[self.form](option, given)


def _digits(text: str | None) -> int | None:
    return number_in(text or "")


def _as_text(value: object) -> str:
    return "" if value is None else str(value)


TEXT = ItemKind({"type": "str"}, "text", lambda text: text or None, _as_text)
NUMBER_KIND = ItemKind({"type": "str"}, "number", _digits, _as_text)
TIME = ItemKind({"type": "str"}, "time", _digits, _as_text)
BYTES = ItemKind({"type": "str"}, "size", _digits, _as_text)
WORD_LIST = ItemKind({"type": "list", "elements": "str"}, "words", lambda text: (text or "").split(), " ".join)
ORIGINS = WORD_LIST._replace(form="origins")
FLAG = ItemKind(
    {"type": "bool"},
    "flag",
    lambda text: (text or "").lower() in _YES,
    lambda value: "true" if value else "",
)


class MetadataItem(t.NamedTuple):
    """One item: its name as metadata, the feature that it belongs to (None: it always works), and its kind."""

    name: str
    feature: str | None
    kind: ItemKind
    secret: bool = False
    aliases: tuple[str, ...] = ()


MetadataItems = t.Mapping[str, MetadataItem]
TEMP_URL_KEYS: dict[str, MetadataItem] = {
    "temp_url_key": MetadataItem("temp-url-key", "tempurl", TEXT, secret=True, aliases=("meta_temp_url_key",)),
    "temp_url_key_2": MetadataItem("temp-url-key-2", "tempurl", TEXT, secret=True, aliases=("meta_temp_url_key_2",)),
}
ACCOUNT_ITEMS: dict[str, MetadataItem] = {
    "quota_bytes": MetadataItem("quota-bytes", "account_quotas", BYTES),
    **TEMP_URL_KEYS,
}


def item_options(items: MetadataItems) -> OptionSpecs:
    options = {}
    for option, item in items.items():
        options[option] = dict(item.kind.spec)
        if item.secret:
            options[option]["no_log"] = True
        if item.aliases:
            options[option]["aliases"] = list(item.aliases)
    return options


def item_fields(items: MetadataItems) -> tuple[Field, ...]:
    return tuple(Field(option, secret=item.secret) for option, item in items.items())


def secret_options(items: MetadataItems) -> tuple[str, ...]:
    """Return the options whose values never show."""
    return tuple(option for option, item in items.items() if item.secret)


def options_by_item(items: MetadataItems) -> dict[str, str]:
    """Return the options by the names of the metadata items."""
    return {item.name: option for option, item in items.items()}


class MetadataOptions:
    """The desired metadata of a container or the account: free items, and ``items`` with options of their own.

    Keeps secrets out of all further messages. Raises InvalidInput.
    """

    def __init__(self, items: MetadataItems, params: Params, features: Features, redactor: Redactor) -> None:
        self._items = items
        self._features = features
        self._purge = params["purge_metadata"]
        self._changes: dict[str, str | None] | None = None
        given, secrets = params["metadata"], secret_options(items)
        redactor.add(*(params[option] for option in secrets), *misplaced_secrets(given))
        self._values: JsonObject = {}
        for option, item in items.items():
            if params.get(option) is not None:
                value = self._values[option] = item.kind.parse(option, params[option])
                features.check_limit("max_meta_value_length", len(item.kind.text(value).encode("utf-8")), option)
        self.secrets = {option: self._values[option] for option in secrets if option in self._values}
        if given is not None:
            own = options_by_item(items)
            self._changes = desired_metadata(given, features, empty_removes=True, own_options=own)

    def desired(self, current: JsonMapping) -> JsonObject:
        """Return the desired values, including the complete metadata. Raises InvalidInput if it is too large."""
        metadata = merge_metadata(self._changes, current.get("metadata", {}), self._features, purge=self._purge)
        items = items_as_metadata(self._items, {**current, **self._values})
        check_amount({**metadata, **{name: value for name, value in items.items() if value}}, self._features)
        return {"metadata": metadata, **self._values}


def pop_items(items: MetadataItems, metadata: Metadata) -> JsonObject:
    """Remove these items from the metadata, and return their values by option."""
    return {option: item.kind.read(metadata.pop(item.name, None)) for option, item in items.items()}


def items_as_metadata(items: MetadataItems, values: JsonMapping) -> Metadata:
    """Return the metadata for the values of these items; an empty text removes an item."""
    return {item.name: item.kind.text(values[option]) for option, item in items.items() if option in values}


ENABLED, DISABLED = "enabled", "disabled"
VERSIONING_OPTIONS: OptionSpecs = {
    "versioning": {"type": "str", "choices": [ENABLED, DISABLED, STACK, HISTORY]},
    "versions_location": {"type": "str"},
}


def desired_versioning(params: Params, features: Features) -> JsonObject:
    """Return the desired values; empty if nothing was given. Raises InvalidInput."""
    way, location = params["versioning"], params["versions_location"]
    if way in ELSEWHERE and location is None:
        raise InvalidInput(f"versions_location: versioning {way} requires a container for versions.")
    if way not in ELSEWHERE and location is not None:
        raise InvalidInput(
            "versions_location: it applies only to versioning stack or history.", option="versions_location"
        )
    if way is None:
        return {}
    if location is not None:
        check_container(location, features, "versions_location")
        if location == params["name"]:
            raise InvalidInput("versions_location: a container cannot hold its own versions in this way.")
    return {"versioning": way, "versions_location": location}


def versioning_of(headers: Headers) -> JsonObject:
    """Return how a container keeps versions."""
    for way, header in ELSEWHERE.items():
        if headers.get(header.lower()):
            return {"versioning": way, "versions_location": unquote(headers[header.lower()])}
    return {"versioning": ENABLED if keeps_versions_itself(headers) else DISABLED, "versions_location": None}


def keeps_versions_itself(headers: Headers) -> bool:
    """Whether a container keeps versions itself."""
    return headers.get(VERSIONS_HEADER.lower(), "").lower() == "true"


ACL_HEADERS = {"read_acl": "X-Container-Read", "write_acl": "X-Container-Write"}
QUOTAS, SITES = "container_quotas", "staticweb"  # features, by the service's names
CONTAINER_ITEMS: dict[str, MetadataItem] = {
    "quota_bytes": MetadataItem("quota-bytes", QUOTAS, BYTES),
    "quota_count": MetadataItem("quota-count", QUOTAS, NUMBER_KIND),
    "web_index": MetadataItem("web-index", SITES, TEXT),
    "web_error": MetadataItem("web-error", SITES, TEXT),
    "web_listings": MetadataItem("web-listings", SITES, FLAG),
    "web_listings_css": MetadataItem("web-listings-css", SITES, TEXT),
    "web_listings_label": MetadataItem("web-listings-label", SITES, TEXT),
    "web_directory_type": MetadataItem("web-directory-type", SITES, TEXT),
    "cors_allow_origin": MetadataItem("access-control-allow-origin", None, ORIGINS),
    "cors_max_age": MetadataItem("access-control-max-age", None, TIME),
    "cors_expose_headers": MetadataItem("access-control-expose-headers", None, WORD_LIST),
    **TEMP_URL_KEYS,
}

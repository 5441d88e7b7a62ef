# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Containers of the object storage, with what describes them."""

from __future__ import annotations

import functools
import typing as t

from ..._core.errors import FcdError, Forbidden, InvalidInput
from ..._object_storage.api import administrator_missing, list_containers
from ..._object_storage.connection import service_features
from ..._object_storage.limits import Features, Limits, check_container
from ..._object_storage.listing import listing_entries
from ..._object_storage.metadata import desired_metadata, options_by_item, secret_options
from ..._object_storage.records import (
    ACL_HEADERS,
    CONTAINER_ITEMS,
    DISABLED,
    VERSIONING_OPTIONS,
    container_record,
    normalized_acl,
)
from .account import Account, Record
from .found import CONCEALED, HOW, NOT_DECLARED, Found, Table

SECRETS = secret_options(CONTAINER_ITEMS)
PROPERTIES = tuple(option for option in CONTAINER_ITEMS if option not in SECRETS)
TABLE = Table(
    "storage_containers",
    ("name",),
    (
        "storage_policy",
        "read_acl",
        "write_acl",
        "versioning",
        "versions_location",
        *PROPERTIES,
        "metadata",
    ),
    withheld=dict.fromkeys(SECRETS, CONCEALED),
    of_tasks={"state": "all of them are there", "purge_metadata": NOT_DECLARED, "force": HOW},
)


def containers_of(account: Account) -> dict[str, dict[str, str]]:
    """Return the containers of the account with their headers; one that is gone meanwhile is left out."""
    storage = account.storage
    try:
        names = [str(one["name"]) for one in listing_entries(functools.partial(list_containers, storage), None)]
    except Forbidden as exc:
        raise administrator_missing(exc, "Listing the containers of the account", "") from None
    headers = account.each(names, storage.container_metadata)
    return {name: one for name, one in zip(names, headers) if one is not None}


def limits_of(account: Account) -> Limits:
    """Return the limits of the service; it is asked for them only where a usual one is passed."""
    return Limits(Features(lambda: service_features(account.task)).limits)


def containers(account: Account) -> Found:
    """Return the containers."""
    found, limits = Found(TABLE), limits_of(account)
    for name, headers in sorted(account.containers.items()):
        if not account.wanted(TABLE.kind, name):
            continue
        try:
            check_container(name, limits)
        except InvalidInput as wrong:
            found.leave(name, wrong.message)
            continue
        record = container_record(name, "", headers)
        values = {**_access(record), **_versions(record), **_properties(record, limits)}
        for option, (_value, fits) in values.items():
            if not fits:
                found.leave(name, "the module would write it in another way", option)
        metadata = kept_metadata(found, name, record["metadata"], limits, options_by_item(CONTAINER_ITEMS))
        told = {option: value for option, (value, fits) in values.items() if fits}
        found.add({"name": name, **told, "metadata": metadata})
    return found


def kept_metadata(
    found: Found,
    name: str,
    metadata: t.Mapping[str, str],
    limits: Limits,
    own: t.Mapping[str, str] | None = None,
) -> dict[str, str] | None:
    """Return the metadata that the module takes and would leave as it is, None when there is none."""
    kept = {}
    for item, value in metadata.items():
        try:
            fits = desired_metadata({item: value}, limits, empty_removes=False, own_options=own) == {item: value}
        except FcdError:
            fits = False
        if fits:
            kept[item] = value
        else:
            found.leave(name, f"the module does not take the item {item!r}", "metadata")
    return kept or None


Told = t.Dict[str, t.Tuple[t.Any, bool]]  # by option: the value, and whether the module reads it as what is there


def _access(record: Record) -> Told:
    told = {option: record[option] for option in (*ACL_HEADERS, "storage_policy") if record[option]}
    return {
        option: (value, option == "storage_policy" or (normalized_acl(value) == value and value.strip(" \t") == value))
        for option, value in told.items()
    }


def _versions(record: Record) -> Told:
    if record["versioning"] == DISABLED:
        return {}
    return {option: (record[option], True) for option in VERSIONING_OPTIONS if record[option]}


def _properties(record: Record, limits: Limits) -> Told:
    told: Told = {}
    for option in PROPERTIES:
        value = record[option]
        if value is False or value in (None, "", []):
            continue
        given = str(value) if CONTAINER_ITEMS[option].kind.spec["type"] == "str" else value
        try:
            fits = CONTAINER_ITEMS[option].kind.parse(option, given) == value
            limits.check("max_meta_value_length", len(CONTAINER_ITEMS[option].kind.text(value).encode("utf-8")), option)
        except FcdError:
            fits = False
        told[option] = (given, fits)
    return told

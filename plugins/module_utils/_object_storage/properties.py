# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of containers and objects, their metadata, and the results that show them.

Source: docs/service/storage.md, "Listings", "Metadata" and "Limits".
"""

from __future__ import annotations

import typing as t

from .._connection.options import BYTES, OptionSpecs
from .._connection.task import Result
from .._core.errors import InvalidInput
from .._core.later import LATER
from .._core.text import HIDDEN
from .._core.type_aliases import JsonObject
from .._engine.plan import CREATE, Outcome
from .features import Features


def check_container(name: str, features: Features, option: str = "name") -> str:
    """Return ``name`` if it can be the name of a container. Raises InvalidInput."""
    if not name or "/" in name or name in (".", ".."):
        raise InvalidInput(
            f"{option}: {name!r} cannot be the name of a container.",
            next_step="It must have at least one character and no slash, and must not be one or two dots.",
            option=option,
        )
    features.check_limit("max_container_name_length", in_bytes(name, option), f"{option} (name of a container)")
    return name


def check_object(name: str, features: Features, option: str = "name") -> str:
    """Return ``name`` if it can be the name of an object. Raises InvalidInput."""
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


def is_utf8(text: str) -> bool:
    """Return whether a text can be encoded as UTF-8; bytes in another encoding cannot."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def in_bytes(text: str, option: str) -> int:
    """Return the length of a name, or of a part of one, in bytes. Raises InvalidInput if no name can contain it."""
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(f"{option}: {text!r} cannot be written as UTF-8.", option=option) from None
    if b"\0" in encoded:
        raise InvalidInput(f"{option}: {text!r} holds a zero byte.", option=option)
    return len(encoded)


SEGMENT_OPTIONS: OptionSpecs = {
    "segment_threshold": {"type": BYTES},
    "segment_size": {"type": BYTES},
    "segment_container": {"type": "str"},
}


def segment_container(container: str) -> str:
    """Return the usual name of the container for the segments of objects in ``container``."""
    return f"{container}_segments"


Metadata = t.Dict[str, str]
DesiredMetadata = t.Mapping[str, t.Optional[str]]
KEY_ITEMS = ("temp-url-key", "temp-url-key-2")  # they sign temporary URLs; metadata is shown, so they must not be there


def misplaced_secrets(given: t.Mapping[t.Any, t.Any] | None) -> list[str]:
    """Return the values of items that ``desired_metadata`` refuses as secrets: options are shown with the error."""
    return [str(value) for name, value in (given or {}).items() if str(name).lower().replace("_", "-") in KEY_ITEMS]


def merge_metadata(
    desired: DesiredMetadata | None, current: t.Mapping[str, str], features: Features, *, purge: bool
) -> Metadata:
    """Return the complete metadata after the change. Raises InvalidInput if it is too large in total.

    Without ``purge``, the changes are applied to the current metadata; with it, they replace it.
    """
    if desired is None:
        return dict(current)
    after = {**({} if purge else current), **{name: value for name, value in desired.items() if value is not None}}
    for name in [name for name, value in desired.items() if value is None]:
        after.pop(name, None)
    check_amount(after, features)
    return dict(sorted(after.items()))


def check_amount(metadata: Metadata, features: Features) -> None:
    """Raise InvalidInput if the service takes less metadata in total."""
    features.check_limit("max_meta_count", len(metadata), "metadata", "items")
    size = sum(len(name) + len(value.encode("utf-8")) for name, value in metadata.items())
    features.check_limit("max_meta_overall_size", size, "metadata, names and values together")


def metadata_of(headers: t.Mapping[str, str], kind: str) -> Metadata:
    """Return the metadata among the headers of a ``container``, an ``object`` or an ``account``."""
    prefix = f"x-{kind}-meta-"
    found = {name[len(prefix) :]: value for name, value in headers.items() if name.startswith(prefix)}
    return dict(sorted(found.items()))


# Results: containers, objects and the account have no id, and some of their attributes are secret


def storage_result(
    key: str, outcome: Outcome, unknown: t.Mapping[str, object], secret: t.Collection[str] = ()
) -> Result:
    """Return the result; attributes that are not known yet (in check mode) have the value from ``unknown``."""
    record = None if outcome.record is None else {**unknown, **hide_secrets(_without_id(outcome.record), secret)}
    diff = {name: _without_id(side) for name, side in outcome.diff.items()}
    if outcome.action == CREATE:  # in check mode, it only has the desired values
        diff["after"] = {**unknown, **diff["after"]}
    return {"changed": outcome.changed, key: record, "action": outcome.action or "none", "diff": diff}


def outcome_in_check_mode(outcome: Outcome, *, new: t.Sequence[str] = (), changed: t.Sequence[str] = ()) -> Outcome:
    """Return the outcome in check mode: values that only the service will know are ``(known after apply)``.

    ``new`` names those that it sets on a new object, ``changed`` those that it sets with every change.
    """
    if outcome.record is None or not outcome.changed:
        return outcome
    names = changed
    if outcome.action == CREATE:
        names = [name for name in (*new, *changed) if name not in outcome.record]
    later = dict.fromkeys(names, LATER)
    return outcome._replace(record={**outcome.record, **later}, after={**outcome.after, **later})


def hide_secrets(record: t.Mapping[str, object], secret: t.Collection[str]) -> dict[str, object]:
    """Return the record with ``(hidden)`` in place of the secret attributes that are set."""
    return {name: HIDDEN if name in secret and value else value for name, value in record.items()}


def _without_id(record: t.Mapping[str, object]) -> JsonObject:
    return {name: value for name, value in record.items() if name != "id"}

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of containers and objects, what they are described by, and the records that results show.

Source: wire-facts 10.3 to 10.6.
"""

from __future__ import annotations

import re
import typing as t

from .._connection.options import BYTES, OptionSpecs
from .._connection.task import Result
from .._core.errors import InvalidInput
from .._core.text import HIDDEN
from .._engine.plan import CREATE, LATER, Row

if t.TYPE_CHECKING:
    from .._engine.plan import Outcome
    from .connection import Features


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
    """Return whether a text can be written as UTF-8, which is not so for bytes in another encoding."""
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
KEY_ITEMS = ("temp-url-key", "temp-url-key-2")  # they sign temporary addresses: metadata is shown, so not there
_NAME = re.compile(r"[A-Za-z0-9-]+")
_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def desired_metadata(
    given: t.Mapping[t.Any, t.Any],
    features: Features,
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
        name = _item_name(str(given_name), features, own_options or {})
        if name in desired:
            raise InvalidInput(f"metadata: {name!r} is given twice; names are case-insensitive.")
        value = None if given_value is None else _item_value(name, given_value, features)
        desired[name] = None if empty_removes and not value else value
    return desired


def misplaced_secrets(given: t.Mapping[t.Any, t.Any] | None) -> list[str]:
    """Return the values of items that ``desired_metadata`` refuses as secrets: options are shown beside the error."""
    return [str(value) for name, value in (given or {}).items() if str(name).lower().replace("_", "-") in KEY_ITEMS]


def merge_metadata(
    desired: DesiredMetadata | None, current: t.Mapping[str, str], features: Features, *, purge: bool
) -> Metadata:
    """Return the complete metadata after the change. Raises InvalidInput if it is too much altogether.

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
    """Raise InvalidInput when the service takes less metadata altogether."""
    features.check_limit("max_meta_count", len(metadata), "metadata", "items")
    size = sum(len(name) + len(value.encode("utf-8")) for name, value in metadata.items())
    features.check_limit("max_meta_overall_size", size, "metadata, names and values together")


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


# Results: containers, objects and the account have no id, and some of their attributes are secret


def storage_result(
    key: str, outcome: Outcome, unknown: t.Mapping[str, object], secret: t.Collection[str] = ()
) -> Result:
    """Return the result; what is not known yet (in check mode) is there with the value from ``unknown``."""
    record = None if outcome.record is None else {**unknown, **hide_secrets(_without_id(outcome.record), secret)}
    diff = {name: _without_id(side) for name, side in outcome.diff.items()}
    if outcome.action == CREATE:  # in check mode it has only what is asked for
        diff["after"] = {**unknown, **diff["after"]}
    return {"changed": outcome.changed, key: record, "action": outcome.action or "none", "diff": diff}


def outcome_in_check_mode(outcome: Outcome, *, new: t.Sequence[str] = (), changed: t.Sequence[str] = ()) -> Outcome:
    """Return the outcome in check mode: what only the service will know reads ``(known after apply)``.

    ``new`` names what it decides about something new, ``changed`` what it decides with every change.
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


def _without_id(record: t.Mapping[str, object]) -> Row:
    return {name: value for name, value in record.items() if name != "id"}

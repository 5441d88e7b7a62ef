# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating and changing a container: the requests, and the headers that carry its settings."""

from __future__ import annotations

from urllib.parse import quote

from .._core.errors import (
    FcdError,
    confirm_write,
    mark_changed_on_error,
    outcome_unknown,
)
from .._core.type_aliases import JsonMapping
from .._http.messages import IDEMPOTENT, WRITE, Request, Response
from .api import ELSEWHERE, VERSIONS_HEADER, Headers, ObjectStorage, shows
from .container_settings import (
    ACL_HEADERS,
    CONTAINER_ITEMS,
    DISABLED,
    ENABLED,
    MetadataItems,
    items_as_metadata,
    keeps_versions_itself,
)
from .features import Features
from .properties import Metadata

EXISTED = 202  # status of a create if the container exists already; 201 is a new one
STOP_ELSEWHERE: Headers = {"X-Remove-Versions-Location": "x"}  # for both of them


def create_container(storage: ObjectStorage, container: str, headers: Headers) -> tuple[bool, bool]:
    """Create a container; return whether it is new, and whether anything has changed, or may have.

    Into one that was there, the metadata is merged. After an unclear answer, a container that is there at once is ours.
    One that only appears when the request is repeated may be somebody else's, and counts as such.
    """
    request = Request(operation="Create container", method="PUT", url=storage.address(container), kind=IDEMPOTENT)
    answers: list[Response] = []

    def write(kind: str) -> None:
        confirm_write(
            lambda: answers.append(
                storage.send(request.operation, request.method, request.url, kind=kind, headers=headers)
            ),
            lambda: shows(storage.container_metadata(container), headers),
        )

    try:
        write(WRITE)
    except FcdError as unclear:
        if not outcome_unknown(unclear):
            raise
        storage.exchange.wait_to_repeat(request, unclear)
    else:
        is_new = not any(answer.status == EXISTED for answer in answers)
        return is_new, is_new or bool(headers)
    with mark_changed_on_error():
        write(IDEMPOTENT)
    if any(answer.status != EXISTED for answer in answers):
        return True, True
    storage.warn(
        f"The container {container!r} existed when its create was sent again after an unclear answer: it counts as "
        "somebody else's, which a site does not remove."
    )
    return False, True


def update_container_metadata(storage: ObjectStorage, container: str, headers: Headers) -> None:
    """Set the items that the headers name, or remove them (empty value); all others stay."""
    url = storage.address(container)
    storage.set("Update container metadata", "POST", url, headers, lambda: storage.container_metadata(container))


def container_headers(values: JsonMapping) -> Headers:
    headers = container_changes({}, values)
    if values.get("versioning", DISABLED) != DISABLED:
        headers.update(versioning_steps({}, values)[0])
    return headers


def container_changes(current: JsonMapping, values: JsonMapping) -> Headers:
    """Return the headers that turn the current container into the desired one; an empty value removes."""
    headers = {ACL_HEADERS[option]: values[option] for option in ACL_HEADERS if option in values}
    if "storage_policy" in values and not current:
        headers["X-Storage-Policy"] = values["storage_policy"]
    metadata = metadata_changes(CONTAINER_ITEMS, current, values)
    headers.update({f"X-Container-Meta-{name}": value for name, value in metadata.items()})
    return headers


def metadata_changes(items: MetadataItems, current: JsonMapping, values: JsonMapping) -> Metadata:
    """Return the items to send for these values; an empty text removes an item."""
    changes = items_as_metadata(items, values)
    if "metadata" in values:
        have, want = current.get("metadata", {}), values["metadata"]
        changes.update({name: want.get(name, "") for name in {**have, **want} if have.get(name) != want.get(name)})
    return changes


def versioning_steps(headers: Headers, desired: JsonMapping) -> list[Headers]:
    """Return the headers of the requests, in order, that change the current kind of versioning to the desired one.

    The service refuses to start one kind while another is on, even if the same request ends that one.
    """
    way = desired["versioning"]
    elsewhere = any(headers.get(header.lower()) for header in ELSEWHERE.values())
    ways: list[Headers] = []
    if elsewhere and (way not in ELSEWHERE or keeps_versions_itself(headers)):
        ways.append(dict(STOP_ELSEWHERE))
    if keeps_versions_itself(headers) != (way == ENABLED):
        ways.append({VERSIONS_HEADER: "true" if way == ENABLED else "false"})
    if way in ELSEWHERE:
        ways.append({ELSEWHERE[way]: quote(desired["versions_location"], safe="")})
    return ways


def check_item_features(items: MetadataItems, values: JsonMapping, features: Features) -> None:
    """Raise InvalidInput for values that this service does not support; removing is always possible."""
    for option, item in items.items():
        if item.feature and option in values and item.kind.text(values[option]):
            features.check(item.feature, option)


def check_versioning(desired: JsonMapping, features: Features) -> None:
    """Raise InvalidInput if the service lists its features, and the desired kind is not among them."""
    way = desired.get("versioning")
    if way == ENABLED:
        features.check("object_versioning", "versioning")
    elif way in ELSEWHERE:
        features.check("versioned_writes", "versioning", ELSEWHERE[way].lower())

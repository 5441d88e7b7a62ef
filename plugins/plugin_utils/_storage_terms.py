# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lookups of the object storage are asked for: places, and moments at which signatures end."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import service_limits
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.names import (
    Limits,
    check_container,
    check_object,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.object_headers import expiry, to_unix
from ansible_collections.fcd.cloud.plugins.module_utils._session.task import Task


def places(task: Task, terms: t.Sequence[str], *, whole: bool = True) -> list[tuple[str, str]]:
    """Return container and object of each term ``container/object``; not ``whole``: the object may be missing.

    Raises InvalidInput.
    """
    if not terms:
        raise InvalidInput("Name an object, as container/object.")
    limits = Limits(lambda: service_limits(task))
    return [_place(term, limits, whole=whole) for term in terms]


def _place(term: str, limits: Limits, *, whole: bool) -> tuple[str, str]:
    container, slash, name = term.partition("/")
    if whole and not (slash and name):
        raise InvalidInput(f"{term!r} names no object; write container/object.")
    check_container(container, limits, "container")
    return container, check_object(name, limits, "object") if name else ""


def end_of_signature(params: t.Mapping[str, t.Any], now: float) -> int:
    """Return the moment that ``expires_at`` or ``expires_in`` means, in seconds since 1970. Raises InvalidInput."""
    if params["expires_at"] is not None:
        moment = _moment(params["expires_at"])
        end = to_unix(moment)
        if end <= now:
            raise InvalidInput(f"expires_at: {moment} has passed.", option="expires_at")
        return end
    if params["expires_in"] < 1:
        raise InvalidInput(f"expires_in: {params['expires_in']} seconds; it must be at least 1.", option="expires_in")
    return int(now) + int(params["expires_in"])


def _moment(given: str) -> str:
    advice = "Write seconds since 1970, or ISO 8601 such as 2030-01-31T12:00:00Z."  # no 'never', as objects have it
    try:
        moment = expiry(given)
    except InvalidInput as error:
        error.next_step = advice
        raise
    if moment is None:
        text = "expires_at: a signature has to end at some moment."
        raise InvalidInput(text, next_step=advice, option="expires_at")
    return moment

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds objects by id, or refuses as the service does for each kind (docs/service/infrastructure.md, "Errors")."""

from __future__ import annotations

from sandbox.rest.call import Call
from sandbox.rest.models import Subregion
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import RESOURCES, T


def addressed(call: Call, model: type[T]) -> T:
    """The object with the id in the path; refused with the status of its kind when there is none."""
    found = call.world.table(model).get(call.id)
    if found is None:
        raise missing(call, model)
    return found


def missing(call: Call, model: type) -> Refusal:
    """What says that there is no object with the id in the path."""
    kind = RESOURCES[model]
    status = call.settings[kind.missing] if isinstance(kind.missing, str) else kind.missing
    words = "does not exist or access to it is forbidden" if status == 403 else "does not exist"
    return Refusal(status, f"{kind.title} {call.id} {words}.")


def given(call: Call, model: type[T], number: int, member: str) -> T:
    """The object that a member of the body or of the query refers to; 400 if there is none."""
    found = call.world.table(model).get(number)
    if found is None:
        raise Refusal(400, f"{member}: {number} does not exist.")
    return found


def item(call: Call, dictionary: int, number: int, member: str) -> int:
    """The id of a dictionary item that a member names; 400 when the dictionary does not have it."""
    if not call.world.dictionaries.has(dictionary, number):
        raise Refusal(400, f"{member}: {number} is no item of dictionary {dictionary}.")
    return number


def active_subregion(call: Call, number: int, member: str = "SubregionId") -> Subregion:
    """The subregion that a member names; 400 when there is none or it is inactive."""
    found = given(call, Subregion, number, member)
    if not found.active:
        raise Refusal(400, f"{member}: subregion {found.name} is not active.")
    return found

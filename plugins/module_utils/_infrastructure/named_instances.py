# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances that an option of another object names, by ID or name."""

from __future__ import annotations

import typing as t

from .._connection.task import Params
from .._core.clock import Clock
from .._core.errors import InvalidInput
from .._core.text import did_you_mean, nearest, number_in, shortened
from .._core.type_aliases import JsonObject
from .._engine.change import is_over, object_type_of_ticket
from .create_trace import tickets_of
from .instance.instance_records import InstanceSearch, only_instance
from .reference_names import INSTANCE
from .rest_records import INSTANCE_OBJECT, RestSearch, check_not_empty


def instance_of(search: RestSearch, given: object, present: t.Sequence[JsonObject] = ()) -> JsonObject:
    """Return ``{id, label}`` for what the option instance gives, an ID or name; one of ``present`` costs no request.

    Raises InvalidInput if there is none, Ambiguous if several have the name.
    """
    text = str(given).strip()
    for one in present:
        if text in (str(one["id"]), one["label"]):
            return one
    record = required_instance(search, text, "instance")
    return {"id": record["id"], "label": record["name"]}


def owner_of(search: RestSearch, params: Params) -> JsonObject | None:
    """Return ``{id, label}`` of the instance that an object is of, None if it is not given, or gone with the object.

    Raises InvalidInput if there is none, unless the object is to be absent.
    """
    name = params.get("instance")
    if name is None:
        return None
    record = instance_if_any(search, name.strip())
    if record is not None:
        return {"id": record["id"], "label": record["name"]}
    number = params.get("id")
    if params["state"] == "present" or (number is not None and search.by_id(number) is not None):
        raise no_instance(name, "instance", search.instance_names)
    return None


def required_instance(search: RestSearch, text: str, option: str) -> JsonObject:
    """Return the record of an instance, given by ID or name; a new one may be missing from the list.

    Raises InvalidInput if there is none or it is still being created, Ambiguous if several have the name.
    """
    check_not_empty({option: text}, option)
    record = instance_if_any(search, text)
    if record is None:
        raise no_instance(text, option, search.instance_names)
    return record


def instance_if_any(search: RestSearch, text: str) -> JsonObject | None:
    """Return the same, None if there is none."""
    instances, number, record = InstanceSearch(search.api), number_in(text), None
    if number is not None:
        record = instances.by_id(number)
    elif text:
        record = only_instance(text, instances.by_names([text])[text])
        search.instance_names = instances.listed
        if record is None:
            record = unlisted(instances, text)
    if record is not None:
        search.names.know(INSTANCE, [{"Id": record["id"], "Name": record["name"]}])
    return record


def unlisted(search: InstanceSearch, name: str) -> JsonObject | None:
    """Return the instance of that name that a ticket leads to, or None.

    Raises Ambiguous for several, InvalidInput for one that is being created and has no ID yet.
    """
    listed = tickets_of(search.api, name, Clock().now())
    tickets = [one for one in listed if object_type_of_ticket(one) == INSTANCE_OBJECT]
    numbers = dict.fromkeys(one.get("ObjectId") for one in tickets)
    found = [record for number in numbers if (record := search.by_id_and_name(number, name)) is not None]
    coming = next((one for one in tickets if not is_over(one) and one.get("ObjectId") is None), None)
    if coming and not found:
        raise InvalidInput(
            f"Instance {name!r} is still being created (ticket {coming['Id']}).",
            next_step="Wait for it: with wait: true in its own task, or with ticket_info.",
            ticket=coming["Id"],
        )
    return only_instance(name, found)


def no_instance(text: str, option: str, listed: t.Iterable[str | None]) -> InvalidInput:
    """Return the error for an instance that does not exist; ``listed`` are the names of those that do."""
    near = nearest(text.strip(), filter(None, listed))
    return InvalidInput(
        f"{option}: there is no instance {shortened(text.strip())!r}.",
        next_step=did_you_mean(text.strip(), near) if near else "Check the name or the ID.",
        option=option,
    )

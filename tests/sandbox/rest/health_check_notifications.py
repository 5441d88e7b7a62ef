# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom health checks notify (docs/service/infrastructure.md, "Notifications of health checks")."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.health_checks import MASK
from sandbox.rest.models import Lock
from sandbox.rest.paging import page
from sandbox.rest.resource import Resource, declare
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.visibility import hide, shown

TYPES = 178


@dataclass(slots=True)
class Notification:
    """An address that is notified; ``type`` an item of dictionary 178."""

    id: int
    address: str
    type: int
    lock: Lock = field(default_factory=Lock)


def describe_notification(call: Call, one: Notification) -> dict[str, Any]:
    """The answer's form of a notification."""
    address = {"plain": one.address, "masked": MASK, "null": None}[call.settings["notification_address"]]
    return {"Id": one.id, "Address": address, "NotificationType": call.world.dictionaries.value(TYPES, one.type)}


declare(
    Resource(
        Notification,
        "Notification",
        describe_notification,
        first_id=52101,
        at_once=True,
        name="health_check_notifications",
        truth=lambda _world, one: {"Id": one.id, "Name": one.address, "Type": one.type},
    )
)


@handles("list_health_check_notifications")
def list_notifications(call: Call) -> Any:
    """All notifications."""
    order = {"Address": lambda one: one.address, "Id": lambda one: one.id}
    return page(call, shown(call, Notification), lambda one: describe_notification(call, one), order)


@handles("read_health_check_notification")
def read_notification(call: Call) -> Any:
    """One notification."""
    return describe_notification(call, lookup.addressed(call, Notification))


@handles("create_health_check_notification")
def create_notification(call: Call) -> Any:
    """A new notification, at once."""
    made = Notification(call.world.new_id(Notification), call.body["Address"], _type(call))
    call.world.table(Notification)[made.id] = made
    hide(call, made, made=call.now)
    return describe_notification(call, made)


@handles("update_health_check_notification")
def change_notification(call: Call) -> Any:
    """Another address or type, at once."""
    found = lookup.addressed(call, Notification)
    freeze_listing(call, found)
    release_listing(call, found, call.now)
    found.address, found.type = call.body["Address"], _type(call)
    return describe_notification(call, found)


@handles("delete_health_check_notification")
def delete_notification(call: Call) -> Any:
    """The notification goes."""
    del call.world.table(Notification)[lookup.addressed(call, Notification).id]
    return NOTHING


def _type(call: Call) -> int:
    return lookup.item(call, TYPES, call.body["NotificationTypeId"], "NotificationTypeId")

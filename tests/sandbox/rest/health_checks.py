# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Health checks (docs/service/infrastructure.md, "Health checks"): eleven kinds, each with paths of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.description import document
from sandbox.rest.handlers import handles
from sandbox.rest.models import Lock
from sandbox.rest.paging import page
from sandbox.rest.resource import Resource, declare
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.visibility import hide, shown

KINDS = {
    "dns": 1615,
    "full_page": 1592,
    "full_page_https": 1593,
    "http": 1432,
    "https": 1434,
    "imap": 1616,
    "imap_ssl": 1617,
    "ping": 1433,
    "sip": 1618,
    "smtp": 1536,
    "tcp": 1537,
}
"""Item of the dictionary of kinds, by the word in the names of the operations."""
KIND, STATE, EVENT, TIME = 90101, 90102, 90103, 90104
"""Dictionaries whose numbers are not known."""
DICTIONARIES = {
    "HttpMethod": 166,
    "NotificationEventTypes": EVENT,
    "NotificationTime": TIME,
    "NotificationTypes": 178,
    "RecordType": 186,
}
"""What a member of an answer is an item of; a request calls it by its id or ids."""
PAUSED, UNKNOWN = 1436, 1438
MASK = "********"


@dataclass(slots=True)
class HealthCheck:
    """A check; ``values`` are the members of the last request."""

    id: int
    kind: str
    values: dict[str, Any]
    lock: Lock = field(default_factory=Lock)

    @property
    def name(self) -> str:
        """The name."""
        return str(self.values["Name"])


def describe_check(call: Call, one: HealthCheck) -> dict[str, Any]:
    """All that any answer shows of a check."""
    value = call.world.dictionaries.value
    shown: dict[str, Any] = dict(one.values)
    for member, dictionary in DICTIONARIES.items():
        items = shown.get(_in_request(member))
        if isinstance(items, list):
            shown[member] = [value(dictionary, item) for item in items]
        else:
            shown[member] = call.world.dictionaries.optional(dictionary, items)
    if shown.get("SipPassword") is not None:
        answers = {"masked": MASK, "null": None, "plain": shown["SipPassword"]}
        shown["SipPassword"] = answers[call.settings["sip_password"]]
    return {
        **shown,
        "Id": one.id,
        "ServiceType": value(KIND, KINDS[one.kind]),
        "State": value(STATE, PAUSED if shown["Paused"] else UNKNOWN),
        "Suspended": False,
    }


def _in_request(member: str) -> str:
    return f"{member[:-1]}Ids" if member.endswith("s") else f"{member}Id"


declare(
    Resource(
        HealthCheck,
        "Health check",
        describe_check,
        first_id=51101,
        at_once=True,
        name="health_checks",
        truth=lambda _world, one: {"Id": one.id, "Kind": one.kind, **one.values, "SipPassword": None},
    )
)


@handles("list_health_checks")
def list_checks(call: Call) -> Any:
    """All checks, without what only some kinds have."""
    order = {"Name": lambda one: one.name, "Type": lambda one: one.kind}
    return page(call, shown(call, HealthCheck), lambda one: describe_check(call, one), order)


@handles("read_health_check", *(f"read_health_check_{kind}" for kind in KINDS))
def read_check(call: Call) -> Any:
    """One check; at the path of another kind there is none."""
    return describe_check(call, _addressed(call))


@handles(*(f"create_health_check_{kind}" for kind in KINDS))
def create_check(call: Call) -> Any:
    """A new check, at once; what is left out has the default of the description."""
    kind = call.operation.removeprefix("create_health_check_")
    members = document()["types"][f"health_check_{kind}_request"]
    values = {name: one.get("default") for name, one in members.items()}
    made = HealthCheck(call.world.new_id(HealthCheck), kind, {**values, **_checked(call)})
    call.world.table(HealthCheck)[made.id] = made
    hide(call, made, made=call.now)
    return describe_check(call, made)


@handles(*(f"update_health_check_{kind}" for kind in KINDS))
def change_check(call: Call) -> Any:
    """Other values, at once."""
    found, body = _addressed(call), _checked(call)
    freeze_listing(call, found)
    release_listing(call, found, call.now)
    left_out = dict.fromkeys(found.values) if call.settings["put_empties"] else found.values
    found.values = {**left_out, **body}
    return describe_check(call, found)


@handles("delete_health_check")
def delete_check(call: Call) -> Any:
    """The check goes."""
    del call.world.table(HealthCheck)[_addressed(call).id]
    return NOTHING


def _addressed(call: Call) -> HealthCheck:
    found = lookup.addressed(call, HealthCheck)
    if call.operation not in ("read_health_check", "delete_health_check") and not call.operation.endswith(
        f"_health_check_{found.kind}"
    ):
        raise lookup.missing(call, HealthCheck)
    return found


def _checked(call: Call) -> dict[str, Any]:
    """The body, if all items in it are known."""
    for member, dictionary in DICTIONARIES.items():
        given = call.body.get(_in_request(member))
        for number in given if isinstance(given, list) else [given]:
            if number is not None:
                lookup.item(call, dictionary, number, _in_request(member))
    return call.body

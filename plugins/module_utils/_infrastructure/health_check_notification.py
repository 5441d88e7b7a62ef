# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whom health checks notify: found by address and type or by ID, created, changed, removed and listed.

Source: docs/service/infrastructure.md, "Notifications of health checks".
"""

from __future__ import annotations

import typing as t

from .._connection.options import REST, check_email
from .._connection.task import CREATE_OPTIONS, STATE, ManagedObject, Operation, Params, Result, Task, non_null_options
from .._core.errors import CannotDetermine
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import Field, in_words
from .api import Infrastructure, infrastructure
from .health_check_kinds import NOTIFICATION_TYPES, item_of, known_item
from .rest_changes import change_of, removal_of
from .rest_records import RestSearch, check_not_empty, plain_members, require_options, same_item
from .rest_resource import WholeUpdates, reconcile_resource, rest_reader

if t.TYPE_CHECKING:
    from .._engine.change import Change

NOTIFICATION_KEY = ("address", "type")
MASKED_PART = "**"  # in an address that an answer does not show


def notification_record(notification: JsonMapping) -> JsonObject:
    """Return the record of a notification."""
    plain = plain_members(notification, {"id": "Id", "address": "Address"})
    return {**plain, "type": known_item(notification.get("NotificationType"), NOTIFICATION_TYPES)}


class NotificationSearch(RestSearch):
    """Finds notifications by their addresses; with a ``type``, only those of that type."""

    kind = "health check notification"
    describe = staticmethod(notification_record)
    key = "address"
    member = "Address"

    def __init__(self, api: Infrastructure, type_: JsonObject | None = None) -> None:
        super().__init__(api)
        self.type = type_

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the notifications that the service lists."""
        return self.api.list_health_check_notifications(**filters)

    def read(self, number: int) -> JsonObject:
        """Return one notification."""
        return self.api.get_health_check_notification(number)

    def match(self, name: str, items: t.Iterable[JsonObject], *, wild: bool = False) -> list[JsonObject]:
        """Return the records of those with this address, and of the type if there is one."""
        return [one for one in super().match(name, items, wild=wild) if self._has_type(one)]

    def by_name(self, name: str) -> JsonObject | None:
        """Return the one with this address, or None. Raises CannotDetermine if it may be one that hides its address."""
        found = super().by_name(name)
        unseen = [row for row, own in (self._looked_at or (name, []))[1] if not own or MASKED_PART in own]
        hidden = sorted(one["id"] for one in map(notification_record, unseen) if self._has_type(one))
        if found is None and hidden:
            raise CannotDetermine(
                f"The service does not show the addresses of these {self.kind}s: {in_words(hidden)}. Whether one of "
                f"them is for {name!r} is not known.",
                next_step="Give its ID in id.",
                ids=hidden,
            )
        return found

    def _has_type(self, record: JsonObject) -> bool:
        return self.type is None or same_item(self.type, record["type"])


class DeclaredNotification(WholeUpdates):
    """The notification that the options declare."""

    search: NotificationSearch
    fields = (Field("address"), Field("type", same_item, may_be_unknown=True))

    def scope(self) -> tuple[object, ...]:
        """Return the type: an address may be notified in several ways."""
        return (None if self.search.type is None else self.search.type["id"],)

    def identity(self) -> JsonObject:
        """Return address and type."""
        return super().identity() if self.search.type is None else {**super().identity(), "type": self.search.type}

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values."""
        if current is None:
            require_options(self.params, self.kind, str(self.params.get("address")), NOTIFICATION_KEY)
        desired = non_null_options(self.params, ["address"])
        return desired if self.search.type is None else {**desired, "type": self.search.type}

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what creates the notification."""
        address, number = values["address"], values["type"]["id"]
        return lambda: self.search.api.create_health_check_notification(address, number)

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the request that changes it, which has both values."""
        number, address, type_ = current["id"], self.params["address"], t.cast("JsonObject", self.search.type)

        def is_done(record: JsonObject | None) -> bool:
            return record is not None and all(
                one.compare(changes[one.name], record[one.name]) for one in self.fields if one.name in changes
            )

        def send() -> None:
            self.search.api.change_health_check_notification(number, address, type_["id"])

        return [change_of(self, current, f"Changing {self.title(current)}", send, is_done)]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it; the answer is empty."""
        return [removal_of(self, current, self.search.api.delete_health_check_notification)]


def check_notification(params: Params) -> JsonObject | None:
    """Return the type as an item, None if none is given. Raises InvalidInput for a wrong one, or a wrong address."""
    check_not_empty(params, *NOTIFICATION_KEY)
    given = params.get("type")
    type_ = None if given is None else item_of("type", given, NOTIFICATION_TYPES)
    if type_ is not None and params["state"] != "absent" and str(type_["label"]).startswith("email"):
        check_email("address", params["address"])
    return type_


def run(task: Task, params: Params) -> Result:
    """Bring the notification to its state."""
    type_ = check_notification(params)
    search = NotificationSearch(infrastructure(task), type_)
    return reconcile_resource(DeclaredNotification(task, search, params), "health_check_notification")


OPERATION = Operation(
    "health_check_notification",
    (REST,),
    {
        **STATE,
        "address": {"type": "str"},
        "type": {"type": "str"},
        "id": {"type": "int"},
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("address", "id")], "required_together": [NOTIFICATION_KEY]},
    fields=DeclaredNotification.fields,
    members=tuple(notification_record({})),
    manages=ManagedObject("health_check_notification", "health_check_notification"),
    check=check_notification,
)


INFO = rest_reader(
    "health_check_notification_info",
    "health_check_notifications",
    lambda api, _params: NotificationSearch(api),
    {"address": {"type": "str"}},
    {"mutually_exclusive": [("id", "address")]},
)

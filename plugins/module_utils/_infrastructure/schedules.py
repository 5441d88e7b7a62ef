# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What schedules of instances and of groups share (docs/service/infrastructure.md, "Schedules")."""

from __future__ import annotations

import abc
import typing as t

from .._connection.options import OptionSpecs
from .._connection.task import CREATE_OPTIONS, STATE, Params, non_null_options
from .._core.errors import DOUBT, NotFound, Unclear
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import CREATE, UPDATE, Field
from .rest_changes import change_of, removal_of
from .rest_records import RestSearch, check_name, record_of, require_options
from .rest_resource import WholeUpdates
from .schedule_times import (
    check_times,
    cycle_members,
    every_of,
    local_time,
    next_run,
    read_at,
    read_every,
    same_start,
    starting,
    time_zone,
    warnings_of,
)

if t.TYPE_CHECKING:
    from .._engine.change import Change

DELETED = 113
MAX_SCHEDULE_NAME = 400  # characters
TIMES = ("every", "at", "timezone")
SCHEDULE_OPTIONS: OptionSpecs = {
    **STATE,
    "name": {"type": "str"},
    "id": {"type": "int"},
    "every": {"type": "str"},
    "at": {"type": "str"},
    "timezone": {"type": "str"},
    **CREATE_OPTIONS,
}
SCHEDULE_FIELDS = (
    Field("name"),
    Field("action", may_be_unknown=True, sent_if_unknown=True),
    Field("every", follows=("start_date",), may_be_unknown=True),
    Field("at", same_start, follows=("start_date",), may_be_unknown=True),
    Field("timezone", follows=("start_date",), may_be_unknown=True),
)
NEEDED = {"action": "ActionType", "every": "Type", "at": "StartDate", "timezone": "TimeZoneName"}
"""The members for what each request has."""
_PLAIN = {
    "id": "Id",
    "name": "Name",
    "timezone": "TimeZoneName",
    "start_date": "StartDate",
    "creation_date": "CreationDate",
    "last_change_date": "LastChangeDate",
}


def schedule_record(schedule: JsonMapping, actions: t.Mapping[str, int], named: t.Mapping[str, str]) -> JsonObject:
    """Return what the records of all schedules have; ``named`` are the objects that they refer to.

    What only has our names was planned by an earlier task in check mode.
    """
    number = (schedule.get("ActionType") or {}).get("Id")
    action = next((word for word, known in actions.items() if known == number), schedule.get("Action"))
    return {
        **record_of(schedule, _PLAIN, {**named, "status": "Status"}),
        "action": action,
        "every": every_of(schedule) or schedule.get("Every"),
        "at": local_time(schedule) or schedule.get("At"),
    }


class ScheduleSearch(RestSearch):
    """Finds schedules; ``owner`` is what they are of, None for all."""

    owner: JsonObject | None = None
    owner_kind = ""

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return those that the service lists, without deleted ones; ``filters`` may have the ID of the owner."""
        number = filters.pop(f"{self.owner_kind}_id", (self.owner or {}).get("id"))
        return [one for one in self.list_of(number) if not _is_deleted(one)]

    @abc.abstractmethod
    def list_of(self, number: int | None) -> list[JsonObject]:
        """Return the list of one owner, or of all."""

    @abc.abstractmethod
    def get(self, number: int) -> JsonObject:
        """Return one as the service has it, a deleted one too."""

    def read(self, number: int) -> JsonObject:
        """Return one that is not deleted. Raises Forbidden or NotFound."""
        found = self.get(number)
        if _is_deleted(found):
            raise NotFound(f"The {self.kind} {number} is deleted.", status=404)
        return found

    def match(self, name: str, items: t.Iterable[JsonObject], *, wild: bool = False) -> list[JsonObject]:
        """Return the records of those of the owner with exactly this name, or that fit it as a pattern."""
        return [record for record in super().match(name, items, wild=wild) if self.is_owned(record)]

    def is_owned(self, record: JsonObject) -> bool:
        """Return whether the schedule is of the owner."""
        return self.owner is None or (record[self.owner_kind] or self.owner)["id"] == self.owner["id"]

    def has_name(self, record: JsonObject, name: str) -> bool:
        """Return whether the schedule has that name and is of the owner."""
        return self.is_owned(record) and super().has_name(record, name)


def _is_deleted(schedule: JsonMapping) -> bool:
    return (schedule.get("Status") or {}).get("Id") == DELETED


class DeclaredSchedule(WholeUpdates):
    """A schedule that the options declare; ``actions`` are the items that stand for the words."""

    search: ScheduleSearch
    actions: t.Mapping[str, int]
    required: tuple[str, ...] = ()
    type_member = "SchedulerTypeId"

    @abc.abstractmethod
    def own_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values that only this kind has. Raises InvalidInput."""

    @abc.abstractmethod
    def own_members(self, values: JsonMapping) -> JsonObject:
        """Return the members of a request that only this kind has."""

    @abc.abstractmethod
    def send_create(self, body: JsonMapping) -> JsonObject:
        """Create it."""

    @abc.abstractmethod
    def send_update(self, number: int, body: JsonMapping) -> object:
        """Change it."""

    @abc.abstractmethod
    def send_removal(self, number: int) -> None:
        """Remove it."""

    def require_new(self) -> None:
        """Raise InvalidInput for what a create lacks."""
        require_options(self.params, self.kind, str(self.params.get("name")), ("name", *self.required))

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values."""
        if current is None:
            self.require_new()
        desired = {**non_null_options(self.params, ("name", "action", *TIMES)), **self.own_values(current)}
        values = {**(current or {}), **desired}
        times: list[t.Any] = [values.get(option) for option in TIMES]
        if None not in times:
            every, at, timezone = times
            check_times(every, at)
            if "at" in desired:
                desired["at"] = starting(at, every, time_zone(timezone), self.task.clock.now())
        return desired

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return what each request needs."""
        del current, changes
        return NEEDED

    def identity(self) -> JsonObject:
        """Return name and owner."""
        owner = self.search.owner
        return super().identity() if owner is None else {**super().identity(), self.search.owner_kind: owner}

    def scope(self) -> tuple[object, ...]:
        """Return the ID of the owner, if one was given."""
        return ((self.search.owner or {}).get("id", ""),)

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise InvalidInput for a time that has passed; warn of one that the clocks skip or repeat."""
        super().verify(action, changes, current)
        if action not in (CREATE, UPDATE):
            return
        values = self.whole(current or {}, changes)
        start = self._start(values)
        if set(TIMES) & set(changes):
            for text in warnings_of(values["at"], values["every"], start):
                self.task.warn(text)

    def _start(self, values: JsonMapping) -> t.Any:
        zone = time_zone(values["timezone"])
        return next_run(values["at"], values["every"], zone, self.task.clock.now())

    def _body(self, values: JsonMapping) -> JsonObject:
        return {
            "Name": values["name"],
            "ActionTypeId": self.actions[values["action"]],
            "StartDate": self._start(values).isoformat(),
            "TimeZoneName": values["timezone"],
            **cycle_members(values["every"], self.type_member),
            **self.own_members(values),
        }

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what creates the schedule."""
        self.verify(CREATE, values, None)
        body, owner = self._body(values), self.desired[self.search.owner_kind]["id"]

        def send() -> JsonObject:
            made = self.send_create(body)
            if (made.get(self.search.owner_kind.capitalize()) or {}).get("Id") not in (None, owner):
                raise Unclear(f"Creating {self.kind} {values['name']!r}: the answer is about another.", next_step=DOUBT)
            return made

        return send

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the request that changes it, which has all values."""
        body = self._body(self.whole(current, changes))
        compared = [field for field in self.fields if field.name in changes]

        def is_done(record: JsonObject | None) -> bool:
            return record is not None and not any(one.differs(changes[one.name], record[one.name]) for one in compared)

        def send() -> None:
            self.send_update(current["id"], body)

        return [change_of(self, current, f"Changing {self.title(current)}", send, is_done)]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it."""
        return [removal_of(self, current, self.send_removal)]


def read_schedule_options(params: Params) -> JsonObject:
    """Return the options with those of times as records have them. Raises InvalidInput before anything is sent."""
    check_name(params.get("name"), MAX_SCHEDULE_NAME)
    readers: dict[str, t.Callable[[str], str]] = {"every": read_every, "at": read_at}
    read = {option: reader(params[option]) for option, reader in readers.items() if params.get(option) is not None}
    if len(read) == len(readers):
        check_times(read["every"], read["at"])
    if params.get("timezone") is not None:
        time_zone(params["timezone"])
    return {**params, **read}

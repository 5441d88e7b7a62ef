# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Health checks of eleven kinds: found by name or ID, created, changed, removed and listed.

Source: docs/service/infrastructure.md, "Health checks".
"""

from __future__ import annotations

import contextlib
import typing as t

from .._connection.options import REST, OptionSpecs
from .._connection.task import (
    CREATE_OPTIONS,
    STATE,
    ManagedObject,
    Operation,
    Params,
    Result,
    Task,
    non_null_options,
)
from .._core.errors import ImmutableChange, InvalidInput, NotFound
from .._core.text import join_names
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import UPDATE, Field, Fields, always_sent, write_only
from .api import infrastructure
from .health_check_kinds import (
    ATTRIBUTES,
    CHECK_KINDS,
    KIND_WORDS,
    OF_EVERY_KIND,
    OPTIONAL,
    REQUIRED,
    UNREADABLE,
    CheckAttribute,
    in_request,
    item_of,
    known_item,
    member_of,
    word_of,
)
from .rest_changes import change_of, removal_of
from .rest_records import (
    RestSearch,
    check_name,
    check_not_empty,
    item,
    plain_members,
    require_options,
    same_item,
)
from .rest_resource import WholeUpdates, reconcile_resource, rest_reader

if t.TYPE_CHECKING:
    from .._engine.change import Change

# ---------------------------------------------------------------- records

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "suspended": "Suspended",
    "last_valid_check": "LastValidCheck",
    "last_invalid_check": "LastInvalidCheck",
    "details_location": "DetailsLocation",
}
_SHOWN = {option: member_of(option) for option in ATTRIBUTES if option != UNREADABLE}
_LISTED = ("address", "description", "interval", "paused")


def kind_of(record: JsonMapping) -> str | None:
    """Return the word for the kind of a check, None if it is not known."""
    number = (record["kind"] or {}).get("id")
    return next((word for word, known in KIND_WORDS.items() if known == number), None)


def health_check_record(check: JsonMapping) -> JsonObject:
    """Return the record of a check, without the attributes that the answer does not have.

    What an option takes a word for has that word as its label, as it has in check mode.
    """
    kind, status = known_item(check.get("ServiceType"), KIND_WORDS), item(check.get("State"))
    record = {**plain_members(check, _PLAIN), "kind": kind, "status": status}
    shown = {option: check[member] for option, member in _SHOWN.items() if member in check}
    for option, value in shown.items():
        words = ATTRIBUTES[option].words
        if words is not None:
            several = isinstance(value, list)
            shown[option] = [known_item(one, words) for one in value] if several else known_item(value, words)
    return {**record, **shown}


class HealthCheckSearch(RestSearch):
    """Finds health checks. Lists show what all kinds have; the rest is at the path of the kind."""

    kind = "health check"
    describe = staticmethod(health_check_record)

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the checks that the service lists."""
        return self.api.list_health_checks(**filters)

    def read(self, number: int) -> JsonObject:
        """Return one check with all that its kind has; of an unknown kind, with what all have."""
        return self._with_details(self.api.get_health_check(number))

    def whole(self, rows: t.Iterable[JsonObject]) -> t.Iterator[JsonObject]:
        """Return checks with all that their kinds have, without those that are gone by now."""
        for row in rows:
            with contextlib.suppress(NotFound):
                yield self._with_details(row)

    def _with_details(self, row: JsonObject) -> JsonObject:
        kind = kind_of(health_check_record(row))
        if kind is None:
            return row
        found = self.api.get_health_check_of_kind(kind, row["Id"])
        self.members[row["Id"]] = found.keys()
        return found


# ---------------------------------------------------------------- what is declared

MAX_HEALTH_CHECK_NAME = 2000  # characters
EACH_TIME = "always"  # a choice of update_password


def _fields(kind: str | None = None, *, sends_password: bool = False) -> Fields:
    """Return what is compared of a check of that kind, which may not be known."""
    return (
        Field("name"),
        Field("kind", same_item, on_update=False, may_be_unknown=True),
        *(_field(option, kind) for option in ATTRIBUTES if option != UNREADABLE),
        Field(UNREADABLE, always_sent if sends_password else write_only, secret=True),
    )


def _field(option: str, kind: str | None) -> Field:
    """Return the field of an attribute. If it always has a value, none means that the service does not return it."""
    attribute, own = ATTRIBUTES[option], CHECK_KINDS[kind].attributes if kind else OF_EVERY_KIND
    always = own.get(option, OPTIONAL) is not OPTIONAL or attribute.type == "list"
    return Field(option, attribute.compare, follows=("status",) if option == "paused" else (), may_be_unknown=always)


class DeclaredHealthCheck(WholeUpdates):
    """The health check that the options declare."""

    search: HealthCheckSearch
    fields: Fields = _fields()

    def __init__(self, task: Task, search: HealthCheckSearch, params: Params) -> None:
        super().__init__(task, search, params)
        self.may_replace = bool(params["recreate"])

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values; a new check, or one of another kind, has all that it needs."""
        if current is None:
            require_options(self.params, self.kind, str(self.params.get("name")), ["name", "kind"])
        desired, present = desired_options(self.params), None if current is None else kind_of(current)
        kind = self.params.get("kind") or present
        self.fields = _fields(kind, sends_password=self.params["update_password"] == EACH_TIME)
        if kind is None:
            return desired
        check_options(kind, self.params)
        if kind == present or not (current is None or self.may_replace):
            return desired
        kept = [option for option, value in (current or {}).items() if value is not None and option != "port"]
        return {**_new_values(kind, {*kept, *desired}), **desired}

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what creates the check."""
        kind = t.cast("str", kind_of(values))
        body = self._body(kind, values)
        return lambda: self.search.api.create_health_check(kind, body)

    def _body(self, kind: str, values: JsonMapping) -> JsonObject:
        """Return the body of a request: all known values that the kind has."""
        known = [option for option in CHECK_KINDS[kind].attributes if values.get(option) is not None]
        return {"Name": values["name"], **dict(in_request(option, values[option]) for option in known)}

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return all that the kind has, by its members; no answer has a password that could be sent again."""
        del changes
        own = CHECK_KINDS[t.cast("str", kind_of(current))].attributes
        return {option: "" if option == UNREADABLE else member_of(option) for option in own}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise for a change whose request would lose what the service does not return."""
        if action == UPDATE and current is not None and kind_of(current) is None:
            raise InvalidInput(
                f"The kind of {self.title(current)} is not known, so it cannot be changed.",
                next_step="Change it at the service.",
                id=current["id"],
            )
        super().verify(action, changes, current)

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the request that changes it, which has all values."""
        kind, number = t.cast("str", kind_of(current)), current["id"]
        body = self._body(kind, self.whole(current, changes))
        fields = [one for one in self.fields if one.name in changes and one.name != UNREADABLE]
        answers: list[JsonObject] = []

        def is_done(record: JsonObject | None) -> bool:
            shown = record is not None and all(one.compare(changes[one.name], record.get(one.name)) for one in fields)
            return shown and bool(fields or answers)  # a password alone does not show

        def send() -> None:
            answers.append(self.search.api.change_health_check(kind, number, body))

        return [change_of(self, current, f"Changing {self.title(current)}", send, is_done)]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it; the answer is empty."""
        return [removal_of(self, current, self.search.api.delete_health_check)]


def _new_values(kind: str, given: t.Collection[str]) -> JsonObject:
    """Return the values of a new check for which none is given. Raises InvalidInput if there is none for some."""
    own = {option: value for option, value in CHECK_KINDS[kind].attributes.items() if option not in given}
    missing = [option for option, value in own.items() if value is REQUIRED]
    if missing:
        raise InvalidInput(
            f"A new health check of the kind {kind} needs {', '.join(missing)}.",
            next_step="Give all of them, or check the name.",
            options=missing,
        )
    return {option: ATTRIBUTES[option].desired(option, value) for option, value in own.items() if value is not OPTIONAL}


def desired_options(params: Params) -> JsonObject:
    """Return the desired values that the options stand for. Raises InvalidInput."""
    desired = {
        option: ATTRIBUTES[option].desired(option, given)
        for option, given in non_null_options(params, ATTRIBUTES).items()
    }
    if params.get("kind") is not None:
        desired["kind"] = item_of("kind", params["kind"], KIND_WORDS)
    return {**non_null_options(params, ["name"]), **desired}


def options_of(record: JsonMapping) -> JsonObject:
    """Return the options that declare a check as it is; no value of one that is not known."""
    options = {option: _option(ATTRIBUTES[option], record[option]) for option in ATTRIBUTES if option in record}
    return {"kind": kind_of(record), **options}


def _option(attribute: CheckAttribute, value: t.Any) -> t.Any:
    if attribute.words is None or value is None:
        return value or None if attribute.type == "str" else value
    if isinstance(value, list):
        return [word_of(one, attribute.words) for one in value]
    return word_of(value, attribute.words)


def check_options(kind: str, params: Params) -> None:
    """Raise InvalidInput for options that a kind does not have."""
    wrong = [option for option in non_null_options(params, ATTRIBUTES) if option not in CHECK_KINDS[kind].attributes]
    if wrong:
        own = [option for option in CHECK_KINDS[kind].attributes if option not in OF_EVERY_KIND]
        raise InvalidInput(
            f"{', '.join(wrong)}: a health check of the kind {kind} does not have this.",
            next_step=f"Besides the options of all kinds, it has {join_names(own, len(own))}.",
            options=wrong,
        )


def check_health_check(params: Params) -> None:
    """Raise InvalidInput for options that make no sense, before anything is sent."""
    check_name(params.get("name"), MAX_HEALTH_CHECK_NAME)
    check_not_empty(params, "address", "query_domain")
    if params.get("kind") is not None:
        check_options(params["kind"], params)
    desired_options(params)
    if params["update_password"] == EACH_TIME and params.get(UNREADABLE) is None and params["state"] == "present":
        raise InvalidInput(f"update_password: always requires {UNREADABLE}.", option=UNREADABLE)


def run(task: Task, params: Params) -> Result:
    """Bring the health check to its state."""
    check_health_check(params)
    try:
        resource = DeclaredHealthCheck(task, HealthCheckSearch(infrastructure(task)), params)
        return reconcile_resource(resource, "health_check")
    except ImmutableChange as difference:
        difference.next_step = (
            "Keep the current kind, or set recreate: true to remove and re-create the check, under another ID."
        )
        raise


def _option_specs() -> OptionSpecs:
    specs: OptionSpecs = {}
    for option, attribute in ATTRIBUTES.items():
        spec: dict[str, t.Any] = {"type": attribute.type}
        if attribute.type == "list":
            spec["elements"] = "str"
        if option == UNREADABLE:
            spec["no_log"] = True
        specs[option] = spec
    return specs


OPERATION = Operation(
    "health_check",
    (REST,),
    {
        **STATE,
        "name": {"type": "str"},
        "id": {"type": "int"},
        "kind": {"type": "str", "choices": list(CHECK_KINDS)},
        **_option_specs(),
        "update_password": {
            "type": "str",
            "choices": ["on_create", EACH_TIME],
            "default": "on_create",
            "no_log": False,
        },
        "recreate": {"type": "bool", "default": False},
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("name", "id")]},
    fields=DeclaredHealthCheck.fields,
    members=tuple(health_check_record(dict.fromkeys(map(member_of, _LISTED)))),
    manages=ManagedObject("health_check", "health_check"),
    check=check_health_check,
)


INFO = rest_reader(
    "health_check_info",
    "health_checks",
    lambda api, _params: HealthCheckSearch(api),
    {"name": {"type": "str"}},
    {"mutually_exclusive": [("id", "name")]},
)

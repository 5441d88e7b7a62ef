# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Health checks of eleven kinds: found by name or ID, created, changed, removed and listed.

Source: docs/service/infrastructure.md, "Health checks". ``ATTRIBUTES`` and ``CHECK_KINDS`` say what there is to a
check; options, requests and answers follow from them.
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
from .._engine.plan import UPDATE, Compare, Field, Fields, always_sent, same, same_text, write_only
from .api import infrastructure
from .instance.instance_records import same_items
from .reference_names import resolve_id
from .rest_changes import change_of, removal_of
from .rest_records import (
    RestSearch,
    check_name,
    check_not_empty,
    item,
    item_members,
    plain_members,
    require_options,
    same_host,
    same_item,
)
from .rest_resource import WholeUpdates, reconcile_resource, rest_reader

if t.TYPE_CHECKING:
    from .._engine.change import Change

Words = t.Mapping[str, int]
HTTP_METHODS: Words = {"POST": 1439, "GET": 1440, "HEAD": 1441}
RECORD_TYPES: Words = {
    "A": 1605,
    "NS": 1606,
    "MX": 1607,
    "AAAA": 1608,
    "TXT": 1609,
    "SOA": 1610,
    "CNAME": 1611,
    "PTR": 1612,
    "URL": 1613,
    "MBOXFW": 1614,
}
NOTIFICATION_TYPES: Words = {"email_extended": 1538, "email": 1539, "email_short": 1540, "sms": 1545}
_EVENTS: Words = {"failure": 1601, "recovery": 1602, "failure_continues": 1603, "pause": 1604}
_TIMES: Words = {
    "immediately": 1594,
    "after_1_minute": 1595,
    "after_5_minutes": 1596,
    "after_10_minutes": 1597,
    "after_15_minutes": 1598,
    "after_30_minutes": 1599,
    "never": 1600,
}


class Attribute(t.NamedTuple):
    """One attribute of a check, whose member of an answer has the same name in another spelling.

    ``least`` and ``most`` bound a number. ``words`` are the known items of a dictionary: the option takes a word, or an
    ID, of one of them or, if it is a list, of several. ``is_host``: it is the name of a host.
    """

    type: str = "str"
    least: int | None = None
    most: int | None = None
    words: Words | None = None
    is_host: bool = False

    @property
    def compare(self) -> Compare:
        """Return how the values are compared."""
        if self.words is not None:
            return same_items if self.type == "list" else same_item
        if self.is_host:
            return same_host
        return same_text if self.type == "str" else same

    def desired(self, option: str, given: t.Any) -> t.Any:
        """Return the value that an option stands for. Raises InvalidInput."""
        if self.words is None:
            self._check_bounds(option, given)
            return given
        if self.type == "list":
            return [item_of(option, one, self.words) for one in dict.fromkeys(given)]
        return item_of(option, given, self.words)

    def _check_bounds(self, option: str, given: t.Any) -> None:
        if self.least is not None and self.most is not None and not self.least <= given <= self.most:
            raise InvalidInput(f"{option}: {given} is not within {self.least} and {self.most}.", option=option)


def item_of(option: str, given: str, words: Words) -> JsonObject:
    """Return ``{id, label}`` for a word or an ID. Raises InvalidInput with the most similar words."""
    entries = [{"Id": number, "Label": word} for word, number in words.items()]
    number = resolve_id(option, given, lambda: entries, "the known values")
    return {"id": number, "label": next((word for word, one in words.items() if one == number), None)}


def word_of(value: JsonMapping, words: Words) -> str:
    """Return the word for ``{id, label}``, or the ID as text."""
    return next((word for word, number in words.items() if number == value["id"]), str(value["id"]))


_FLAG, _TEXT, _DURATION = Attribute("bool"), Attribute(), Attribute("int", 1, 120000)
_HOST = Attribute(is_host=True)
ATTRIBUTES: t.Mapping[str, Attribute] = {
    "address": _HOST,
    "description": _TEXT,
    "interval": Attribute("int"),
    "paused": _FLAG,
    "error_tolerance": Attribute("int", 1, 100),
    "locations_failover_enabled": _FLAG,
    "notification_time": Attribute(words=_TIMES),
    "notification_types": Attribute("list", words=NOTIFICATION_TYPES),
    "notification_event_types": Attribute("list", words=_EVENTS),
    "port": Attribute("int", 0, 65535),
    "timeout": Attribute("int", 10, 120000),
    "reply_timeout": _DURATION,
    "http_method": Attribute(words=HTTP_METHODS),
    "content_regular_expression": _TEXT,
    "content_negative_regular_expression": _TEXT,
    "content": _TEXT,
    "content_type": _TEXT,
    "page_timeout": _DURATION,
    "element_timeout": _DURATION,
    "elements_total_timeout": _DURATION,
    "fetch_page_elements": _FLAG,
    "elements_filter": _TEXT,
    "ignored_elements_filter": _TEXT,
    "allowed_element_error_count": Attribute("int", 0, 10000),
    "content_size_limit": Attribute("int", 1, 104857600),
    "max_redirects": Attribute("int", 0, 20),
    "max_parallel_requests": Attribute("int", 0, 20),
    "generate_har": _FLAG,
    "ignore_html_parsing_time": _FLAG,
    "save_cookies": _FLAG,
    "disable_content_encoding": _FLAG,
    "record_type": Attribute(words=RECORD_TYPES),
    "query_domain": _HOST,
    "recurse": _FLAG,
    "expected_response_value": _TEXT,
    "package_size": Attribute("int", 1, 65535),
    "sip_user_name": _TEXT,
    "sip_password": _TEXT,
    "sip_domain": _HOST,
}
"""All attributes but the name."""

UNREADABLE = "sip_password"
REQUIRED, OPTIONAL = object(), object()


class Kind(t.NamedTuple):
    """One kind of checks: its item of the dictionary of kinds, and the attributes that it has.

    Each has the value of a new check for which none is given. The service needs all of them but the ``OPTIONAL`` ones,
    which are then left to it; the ``REQUIRED`` ones have no value.
    """

    number: int
    attributes: t.Mapping[str, t.Any]


_EVERY: t.Mapping[str, t.Any] = {
    "address": REQUIRED,
    "description": OPTIONAL,
    "interval": 60,
    "paused": False,
    "locations_failover_enabled": True,
    "notification_time": "immediately",
    "notification_types": OPTIONAL,
    "notification_event_types": OPTIONAL,
}
_COMMON = {**_EVERY, "error_tolerance": 51}
_CONTENT = dict.fromkeys(
    ("content_regular_expression", "content_negative_regular_expression", "content", "content_type"), OPTIONAL
)
_HTTP = {**_COMMON, "http_method": "GET", "port": 80, "timeout": 7000, **_CONTENT}
_FULL_PAGE = {
    **_COMMON,
    "http_method": "GET",
    "port": 80,
    "page_timeout": 7000,
    "element_timeout": 5000,
    "elements_total_timeout": 10000,
    "fetch_page_elements": REQUIRED,
    "max_redirects": 5,
    "max_parallel_requests": 6,
    "generate_har": True,
    "ignore_html_parsing_time": True,
    "save_cookies": False,
    "disable_content_encoding": False,
    "elements_filter": OPTIONAL,
    "ignored_elements_filter": OPTIONAL,
    "allowed_element_error_count": OPTIONAL,
    "content_size_limit": OPTIONAL,
    **_CONTENT,
}
_DNS = {"record_type": "A", "query_domain": REQUIRED, "recurse": False, "expected_response_value": OPTIONAL}
_SIP = dict.fromkeys(("timeout", "sip_user_name", UNREADABLE, "sip_domain"), OPTIONAL)
CHECK_KINDS: t.Mapping[str, Kind] = {
    "dns": Kind(1615, {**_COMMON, **_DNS, "timeout": OPTIONAL}),
    "full_page": Kind(1592, _FULL_PAGE),
    "full_page_https": Kind(1593, {**_FULL_PAGE, "port": REQUIRED}),
    "http": Kind(1432, _HTTP),
    "https": Kind(1434, {**_HTTP, "port": REQUIRED}),
    "imap": Kind(1616, {**_COMMON, "port": 143, "timeout": 7000}),
    "imap_ssl": Kind(1617, {**_COMMON, "port": REQUIRED, "timeout": 7000}),
    "ping": Kind(1433, {**_COMMON, "package_size": 64, "reply_timeout": 3000}),
    "sip": Kind(1618, {**_EVERY, **_SIP}),
    "smtp": Kind(1536, {**_COMMON, "port": 25, "reply_timeout": 7000, "timeout": 7000}),
    "tcp": Kind(1537, {**_COMMON, "port": REQUIRED, "timeout": 10000}),
}
"""The defaults are those of the description; of kinds whose usual port is another one, the port is required."""
KIND_WORDS: Words = {word: kind.number for word, kind in CHECK_KINDS.items()}


def _member(option: str) -> str:
    """Return the member of an answer."""
    return "".join(map(str.capitalize, option.split("_")))


def _in_request(option: str, value: t.Any) -> tuple[str, t.Any]:
    """Return the member of a request, with its value."""
    member = _member(option)
    if ATTRIBUTES[option].words is None:
        return member, value
    if isinstance(value, list):
        return f"{member[:-1]}Ids", [one["id"] for one in value]
    return f"{member}Id", value["id"]


# ---------------------------------------------------------------- records

_NAMED = {"kind": "ServiceType", "status": "State"}
_PLAIN = {
    "id": "Id",
    "name": "Name",
    "suspended": "Suspended",
    "last_valid_check": "LastValidCheck",
    "last_invalid_check": "LastInvalidCheck",
    "details_location": "DetailsLocation",
}
_SHOWN = {option: _member(option) for option in ATTRIBUTES if option != UNREADABLE}
_LISTED = ("address", "description", "interval", "paused")


def kind_of(record: JsonMapping) -> str | None:
    """Return the word for the kind of a check, None if it is not known."""
    number = (record["kind"] or {}).get("id")
    return next((word for word, known in KIND_WORDS.items() if known == number), None)


def health_check_record(check: JsonMapping) -> JsonObject:
    """Return the record of a check, without the attributes that the answer does not have."""
    record = {**plain_members(check, _PLAIN), **item_members(check, _NAMED)}
    shown = {option: check[member] for option, member in _SHOWN.items() if member in check}
    for option, value in shown.items():
        if ATTRIBUTES[option].words is not None:
            shown[option] = [item(one) for one in value] if isinstance(value, list) else item(value)
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
    attribute, own = ATTRIBUTES[option], CHECK_KINDS[kind].attributes if kind else _EVERY
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
        return {"Name": values["name"], **dict(_in_request(option, values[option]) for option in known)}

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return all that the kind has, by its members; no answer has a password that could be sent again."""
        del changes
        own = CHECK_KINDS[t.cast("str", kind_of(current))].attributes
        return {option: "" if option == UNREADABLE else _member(option) for option in own}

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


def _option(attribute: Attribute, value: t.Any) -> t.Any:
    if attribute.words is None or value is None:
        return value or None if attribute.type == "str" else value
    if isinstance(value, list):
        return [word_of(one, attribute.words) for one in value]
    return word_of(value, attribute.words)


def check_options(kind: str, params: Params) -> None:
    """Raise InvalidInput for options that a kind does not have."""
    wrong = [option for option in non_null_options(params, ATTRIBUTES) if option not in CHECK_KINDS[kind].attributes]
    if wrong:
        own = [option for option in CHECK_KINDS[kind].attributes if option not in _EVERY]
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
    members=tuple(health_check_record(dict.fromkeys(map(_member, _LISTED)))),
    manages=ManagedObject("health_check", "health_check"),
)


INFO = rest_reader(
    "health_check_info",
    "health_checks",
    lambda api, _params: HealthCheckSearch(api),
    {"name": {"type": "str"}},
    {"mutually_exclusive": [("id", "name")]},
)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of health checks and their attributes; options, requests and answers follow from these tables.

Source: docs/service/infrastructure.md, "Health checks".
"""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.later import is_known_now
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import Compare, same, same_text
from .instance.instance_records import same_items
from .reference_names import resolve_id
from .rest_records import item, same_host, same_item

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


class CheckAttribute(t.NamedTuple):
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
            if self.is_host:
                _check_host(option, given)
            return given
        if self.type == "list":
            return [item_of(option, one, self.words) for one in dict.fromkeys(given)]
        return item_of(option, given, self.words)

    def _check_bounds(self, option: str, given: t.Any) -> None:
        if self.least is not None and self.most is not None and not self.least <= given <= self.most:
            raise InvalidInput(f"{option}: {given} is not within {self.least} and {self.most}.", option=option)
        if self.least is not None and given < self.least:
            raise InvalidInput(f"{option}: {given} is less than {self.least}.", option=option)


def _check_host(option: str, given: str) -> None:
    """Raise InvalidInput for what is no name of a host, whichever the service takes: a URL, or blanks in it.

    In check mode, an earlier task may not know it.
    """
    if "://" in given:
        raise InvalidInput(
            f"{option}: {given!r} is a URL.",
            next_step="Give the host without it; kind and port are options of their own.",
            option=option,
        )
    if is_known_now(given) and any(map(str.isspace, given.strip())):
        raise InvalidInput(
            f"{option}: {given!r} has blanks in it.", next_step="Give the name or address of one host.", option=option
        )


def item_of(option: str, given: str, words: Words) -> JsonObject:
    """Return ``{id, label}`` for a word or an ID. Raises InvalidInput with the most similar words."""
    entries = [{"Id": number, "Label": word} for word, number in words.items()]
    number = resolve_id(option, given, lambda: entries, "the known values")
    return {"id": number, "label": next((word for word, one in words.items() if one == number), None)}


def known_item(value: object, words: Words) -> JsonObject | None:
    """Return a dictionary value as ``{id, label}``, with the word that an option takes for it as the label."""
    found = item(value)
    word = None if found is None else next((word for word, number in words.items() if number == found["id"]), None)
    return found if word is None else {**t.cast("JsonObject", found), "label": word}


def word_of(value: JsonMapping, words: Words) -> str:
    """Return the word for ``{id, label}``, or the ID as text."""
    return next((word for word, number in words.items() if number == value["id"]), str(value["id"]))


_FLAG, _TEXT, _DURATION = CheckAttribute("bool"), CheckAttribute(), CheckAttribute("int", 1, 120000)
_HOST = CheckAttribute(is_host=True)
ATTRIBUTES: t.Mapping[str, CheckAttribute] = {
    "address": _HOST,
    "description": _TEXT,
    "interval": CheckAttribute("int", 0),
    "paused": _FLAG,
    "error_tolerance": CheckAttribute("int", 1, 100),
    "locations_failover_enabled": _FLAG,
    "notification_time": CheckAttribute(words=_TIMES),
    "notification_types": CheckAttribute("list", words=NOTIFICATION_TYPES),
    "notification_event_types": CheckAttribute("list", words=_EVENTS),
    "port": CheckAttribute("int", 0, 65535),
    "timeout": CheckAttribute("int", 10, 120000),
    "reply_timeout": _DURATION,
    "http_method": CheckAttribute(words=HTTP_METHODS),
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
    "allowed_element_error_count": CheckAttribute("int", 0, 10000),
    "content_size_limit": CheckAttribute("int", 1, 104857600),
    "max_redirects": CheckAttribute("int", 0, 20),
    "max_parallel_requests": CheckAttribute("int", 0, 20),
    "generate_har": _FLAG,
    "ignore_html_parsing_time": _FLAG,
    "save_cookies": _FLAG,
    "disable_content_encoding": _FLAG,
    "record_type": CheckAttribute(words=RECORD_TYPES),
    "query_domain": _HOST,
    "recurse": _FLAG,
    "expected_response_value": _TEXT,
    "package_size": CheckAttribute("int", 1, 65535),
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


OF_EVERY_KIND: t.Mapping[str, t.Any] = {
    "address": REQUIRED,
    "description": OPTIONAL,
    "interval": 60,
    "paused": False,
    "locations_failover_enabled": True,
    "notification_time": "immediately",
    "notification_types": OPTIONAL,
    "notification_event_types": OPTIONAL,
}
_COMMON = {**OF_EVERY_KIND, "error_tolerance": 51}
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
    "sip": Kind(1618, {**OF_EVERY_KIND, **_SIP}),
    "smtp": Kind(1536, {**_COMMON, "port": 25, "reply_timeout": 7000, "timeout": 7000}),
    "tcp": Kind(1537, {**_COMMON, "port": REQUIRED, "timeout": 10000}),
}
"""The defaults are those of the description; of kinds whose usual port is another one, the port is required."""
KIND_WORDS: Words = {word: kind.number for word, kind in CHECK_KINDS.items()}


def member_of(option: str) -> str:
    """Return the member of an answer."""
    return "".join(map(str.capitalize, option.split("_")))


def in_request(option: str, value: t.Any) -> tuple[str, t.Any]:
    """Return the member of a request, with its value."""
    member = member_of(option)
    if ATTRIBUTES[option].words is None:
        return member, value
    if isinstance(value, list):
        return f"{member[:-1]}Ids", [one["id"] for one in value]
    return f"{member}Id", value["id"]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The attributes of a user: their members at the service, how they are compared, and what is shown of them.

Source: contract/soap-common-fcd.md (inputs of UpdateUserInfoAndPrivileges and UpdateUserSettings), wire-facts 9.4
(UserId, Email, Client, AvailabilityZone, DateFormat, TimeZone and Is24HourClock of User were seen).
"""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._engine.fields import Field, contains, never, same, unordered
from ..member_reading import Attribute, MemberReader

Record = t.Dict[str, t.Any]

_ITEM = ("dictionary_item_id", "id")
SETTINGS = (
    Attribute("language_id", ("Language", "LanguageDict", "LanguageDictId"), _ITEM),
    Attribute("time_zone_id", ("TimeZone",), ("time_zone_id", "id")),
    Attribute("availability_zone", ("AvailabilityZoneId", "AvailabilityZoneDictId"), _ITEM),
    Attribute("date_format_id", ("DateFormat", "DateFormatDict", "DateFormatDictId"), _ITEM),
    Attribute("is_24_hour_clock"),
    Attribute("is_marketing_information_subscriber"),
    Attribute("is_technical_announcement_subscriber"),
)
ATTRIBUTES = (
    Attribute("id", ("UserId",)),
    Attribute("user_name", ("AdLogin", "Login", "LoginName", "AdUserName")),
    Attribute("sid", ("AdSid", "UserSid", "ObjectSid")),
    Attribute("client_id", ("Client",), ("client_id", "id")),
    Attribute("first_name"),
    Attribute("last_name", ("Surname",)),
    Attribute("email", ("EmailAddress",)),
    Attribute("phone_number", ("Phone",), ("phone_number", "number")),
    Attribute("pesel"),
    Attribute("is_default", ("IsDefaultUser",)),
    Attribute("is_blocked", ("Blocked",)),
)
EACH_TIME = "always"  # the choice of update_password
SETTING_NAMES = tuple(item.name for item in SETTINGS)
INFO = ("first_name", "last_name", "email", "phone_number", "pesel", "is_default")
SHOWN_INFO = tuple(name for name in INFO if name != "pesel")
RESULT = ("id", "user_name", "sid", "client_id", *SHOWN_INFO, "is_blocked", "privileges")


def same_text(wanted: t.Any, current: t.Any) -> bool:
    """Return whether both texts are equal; an empty one is as good as none."""
    return bool((wanted or "") == (current or ""))


def differs(wanted: t.Any, current: t.Any) -> bool:
    """Return False: this value is to be sent in any case."""
    del wanted, current
    return False


def merged(current: t.Any, wanted: t.Any) -> Record:
    """Return the settings after an update."""
    return {**(current or {}), **wanted}


FIELDS = (
    Field("user_name", on_update=False),
    Field("client_id", on_update=False),
    Field("first_name", same_text),
    Field("last_name", same_text),
    Field("email", same_text),
    Field("phone_number", same_text),
    Field("pesel", same_text, secret=True),
    Field("is_default"),
    Field("is_blocked"),
    Field("privileges", unordered),
    Field("settings", contains, merge=merged),
    Field("user_password", never, secret=True),
)


def fields(wanted: t.Mapping[str, t.Any], current: Record, *, resend: bool, set_password: bool) -> list[Field]:
    """Return the attributes for a user of whom ``current`` can be read.

    What cannot be read counts as different only when ``resend`` says that an earlier run did not come to send it, and
    the password when it is to be set each time.
    """
    unread = differs if resend else never
    compare = {name: unread for name in wanted if name not in current}
    compare["user_password"] = differs if set_password else never
    if "settings" in wanted and not resend:
        compare["settings"] = _contains_what_can_be_read
    elif "settings" in wanted:
        compare["settings"] = contains
    return [item._replace(compare=compare.get(item.name, item.compare)) for item in FIELDS]


def _contains_what_can_be_read(wanted: t.Any, current: t.Any) -> bool:
    return all(same(value, current[name]) for name, value in wanted.items() if name in current)


def unreadable(wanted: t.Mapping[str, t.Any], current: t.Mapping[str, t.Any]) -> list[str]:
    """Return the wanted options, settings by their own names, that cannot be read of this user."""
    plain = [name for name in wanted if name not in current and name not in ("settings", "user_password", "privileges")]
    settings = current.get("settings", {})
    return plain + [f"settings.{name}" for name in wanted.get("settings", ()) if name not in settings]


def attribute_of(option: str) -> str:
    """Return the attribute behind an option, as soap_member_map names it."""
    return option.rpartition(".")[2]


def shown(record: t.Mapping[str, t.Any] | None) -> Record | None:
    """Return a user as the result shows it: the same keys each time, nothing secret."""
    if record is None:
        return None
    return {**{name: record.get(name) for name in RESULT}, "settings": dict(record.get("settings") or {})}


class UserReader:
    """Reads users from ``User`` and, for what that type lacks, from the rows of a search."""

    def __init__(self, user: MemberReader, row: MemberReader) -> None:
        self.user = user
        self.row = row

    def record(self, user: t.Mapping[str, t.Any] | None, row: t.Mapping[str, t.Any] | None) -> Record:
        """Return what can be read; the settings that can be are together in ``settings``."""
        found = {**(self.row.record(row) if row else {}), **(self.user.record(user) if user else {})}
        settings = {name: found.pop(name) for name in SETTING_NAMES if name in found}
        return {**found, "settings": settings}

    def blank(self) -> Record:
        """Return a user of whom only what the types have no member for is unknown."""
        readable = {item.name: False for item in ATTRIBUTES if self.readable(item.name)}
        return {**readable, "settings": {name: None for name in SETTING_NAMES if self.user.key(name) is not None}}

    def readable(self, name: str) -> bool:
        """Whether one of the types has a member for the attribute."""
        return self.user.key(name) is not None or self.row.key(name) is not None

    def advice(self, options: t.Sequence[str]) -> str:
        """Return how to say which member holds the first of these options."""
        return f'soap_member_map ({{"{self.user.type_name}.{attribute_of(options[0])}": ...}})'

    def check_state(self, wanted: t.Mapping[str, t.Any], record: t.Mapping[str, t.Any] | None = None) -> None:
        """Raise InvalidInput when a user is to be blocked or unblocked and nobody can tell whether it is."""
        known = self.readable("is_blocked") if record is None else "is_blocked" in record
        if "is_blocked" in wanted and not known:
            raise InvalidInput(
                f"The service's type {self.user.type_name} has no member that says whether a user is blocked.",
                next_step=f"If it has one of another name, give it in {self.advice(['is_blocked'])}.",
                option="state",
            )

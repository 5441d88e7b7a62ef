# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Attributes of users and warehouses, and possible names of the members that hold them."""

from __future__ import annotations

import typing as t


class Attribute(t.NamedTuple):
    """An attribute by the name of its option, and other possible names of its member, in any spelling.

    If the member holds an object instead of a plain value, ``inner`` names the members in it that may hold the value.
    """

    name: str
    members: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()


CLIENT_ID = Attribute("client_id", ("Client",), ("client_id", "id"))
_ITEM = ("dictionary_item_id", "id")
USER_SETTINGS = (
    Attribute("language_id", ("Language", "LanguageDict", "LanguageDictId"), _ITEM),
    Attribute("time_zone_id", ("TimeZone",), ("time_zone_id", "id")),
    Attribute("availability_zone", ("AvailabilityZoneId", "AvailabilityZoneDictId"), _ITEM),
    Attribute("date_format_id", ("DateFormat", "DateFormatDict", "DateFormatDictId"), _ITEM),
    Attribute("is_24_hour_clock"),
    Attribute("is_marketing_information_subscriber"),
    Attribute("is_technical_announcement_subscriber"),
)
USER_ATTRIBUTES = (
    Attribute("id", ("UserId",)),
    Attribute("user_name", ("AdLogin", "Login", "LoginName", "AdUserName")),
    Attribute("sid", ("AdSid", "UserSid", "ObjectSid")),
    CLIENT_ID,
    Attribute("first_name"),
    Attribute("last_name", ("Surname",)),
    Attribute("email", ("EmailAddress",)),
    Attribute("phone_number", ("Phone",), ("phone_number", "number")),
    Attribute("pesel"),
    Attribute("is_default", ("IsDefaultUser",)),
    Attribute("is_blocked", ("Blocked",)),
)

CLIENT_NUMBER = Attribute("id", ("ClientId",))
FIXED_AMOUNT_ATTRIBUTES = (
    Attribute("id", ("ClientFixedAmountId", "FixedAmountId")),
    CLIENT_ID,
    Attribute("amount", ("FixedAmount", "Value")),
    Attribute("date_from", ("From", "StartDate", "ValidFrom")),
    Attribute("date_to", ("To", "EndDate", "ValidTo")),
    Attribute("description", ("Comment",)),
)
PRICELIST_ATTRIBUTES = (Attribute("id", ("PricelistId",)), Attribute("name", ("PricelistName",)))
PRICELIST_OF_CLIENT = (CLIENT_ID, Attribute("pricelist_id", ("Pricelist",), ("pricelist_id", "id")))
PRIVILEGE_ATTRIBUTES = (Attribute("id", ("PrivilegeId",)), Attribute("name", ("PrivilegeName", "DisplayName")))
KIND_OF_PRIVILEGE = Attribute("id", ("DictionaryItemId",))
PRIVILEGE_OF_USER = Attribute("privilege_id", ("Privilege",), ("privilege_id", "id"))
WAREHOUSE_KEY = ("partner_id", "template_id", "data_store_number")
WAREHOUSE_ATTRIBUTES = (
    Attribute("id", ("WarehouseId",)),
    Attribute("name", ("WarehouseName",)),
    Attribute("partner_id", ("Partner",), ("partner_id", "client_id", "id")),
    Attribute("template_id", ("Template",), ("template_id", "id")),
    Attribute("data_store_number", ("DataStore",), ("data_store_number", "number")),
    Attribute("queue_length", ("QueueCapacity", "Queue"), ("length", "queue_length")),
)

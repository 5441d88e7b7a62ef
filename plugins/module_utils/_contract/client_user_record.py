# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users as the service returns them: their attributes and privileges, and how to find one.

Source: docs/service/contract.md, "Users and credentials" and "Types": of User some members were seen, of privileges
none. It is not known what a search text is compared with, nor whether a search requires a client. So each row is
compared exactly here, and a login only counts as missing if IsUserNameAlreadyTaken says so too.
"""

from __future__ import annotations

import typing as t

from .._connection.options import resolve_label
from .._connection.task import Task
from .._core.errors import (
    PLAIN_REFUSALS,
    Forbidden,
    InvalidInput,
    Rejected,
    ServiceError,
    Unauthorized,
    Unclear,
    Unusable,
)
from .._core.text import fold, number_in, quoted, snake
from .._core.type_aliases import JsonObject
from .._soap.codec import missing_in
from .api import (
    SEARCH_TEXT,
    CommonFcd,
    MemberReader,
    may_mean_absent,
    member_advice,
    no_such_ids,
    read_if_exists,
    require_single,
)
from .attributes import (
    KIND_OF_PRIVILEGE,
    PRIVILEGE_ATTRIBUTES,
    PRIVILEGE_OF_USER,
    USER_ATTRIBUTES,
    USER_SETTINGS,
    Attribute,
)
from .typed_values import TypedValues

DICTIONARY_ITEMS = "GetDictionaryItems"
SETTING_NAMES = tuple(item.name for item in USER_SETTINGS)
USER_INFO = ("first_name", "last_name", "email", "phone_number", "pesel", "is_default")
USER_RESULT = ("id", "user_name", "sid", "client_id", *filter("pesel".__ne__, USER_INFO), "is_blocked", "privileges")
CLIENT_ADDRESS = "127.0.0.1"  # the address that clients pass to LogonUser
LOGIN_MEMBERS = ("AdLogin", "Login", "LoginName")
OWN_NUMBER_UNKNOWN = "The ID of the user that logs in is not known, so it was not compared with the user to change"
UserRows = t.List[JsonObject]


def user_result(record: t.Mapping[str, t.Any]) -> JsonObject:
    """Return a user as results show it: always the same keys, and nothing secret."""
    return {**{name: record.get(name) for name in USER_RESULT}, "settings": dict(record.get("settings") or {})}


class UserReader:
    """Reads users from ``User`` and, for attributes that it lacks, from the rows of a search."""

    def __init__(self, api: CommonFcd, row_type: str = "UserResultItem", needed: t.Sequence[str] = ()) -> None:
        """Match the members; those that are ``needed`` are in every row.

        Raises InvalidInput when the WSDL has no such types or soap_member_map is wrong.
        """
        self.user = MemberReader(api.members("User"), (*USER_ATTRIBUTES, *USER_SETTINGS))
        self.row = MemberReader(api.members(row_type), USER_ATTRIBUTES, needed)

    def record(self, user: t.Mapping[str, object] | None, row: t.Mapping[str, object] | None) -> JsonObject:
        """Return what can be read; readable settings are in ``settings``."""
        found = self.row.record(row) if row else {}
        own = self.user.record(user) if user else {}
        found.update({name: value for name, value in own.items() if value is not None or found.get(name) is None})
        for name in (*USER_INFO, *SETTING_NAMES):
            if found.get(name, "") is None and self.user.key(name) in missing_in(user):
                del found[name]  # nobody knows it, so an update cannot keep it
        if "is_blocked" in found:
            found["is_blocked"] = bool(found["is_blocked"])  # it is left out if it is false
        settings = {name: found.pop(name) for name in SETTING_NAMES if name in found}
        return {**found, "settings": settings}

    def readable(self, name: str) -> bool:
        """Whether one of the types has a member for the attribute."""
        return self.user.key(name) is not None or self.row.key(name) is not None

    def advice(self, options: t.Sequence[str]) -> str:
        """Return the advice to name the member that holds the first of these options."""
        return member_advice(self.user.type_name, options[0].rpartition(".")[2])

    def check_state(self, desired: t.Mapping[str, object], record: t.Mapping[str, object] | None = None) -> None:
        """Raise InvalidInput if a user is to be blocked or unblocked and its current state is unreadable."""
        known = self.readable("is_blocked") if record is None else "is_blocked" in record
        if "is_blocked" in desired and not known:
            raise InvalidInput(
                f"The service's type {self.user.type_name} has no member that says whether a user is blocked.",
                next_step=f"If it has one of another name, give it in {self.advice(['is_blocked'])}.",
                option="state",
            )


PrivilegeItems = t.Sequence[t.Tuple[int, str]]


def privilege_items(api: CommonFcd, type_id: int) -> PrivilegeItems:
    """Return the numbers and names of the privileges of a type."""
    reader = MemberReader(api.members("Privilege"), PRIVILEGE_ATTRIBUTES, ("id", "name"))
    records = map(reader.record, api.records("GetPrivileges", type_dict_id=type_id))
    return [(record["id"], record["name"] or "") for record in records]


def privilege_numbers(
    api: CommonFcd, given: t.Sequence[str], type_id: int | None, items: PrivilegeItems | None = None
) -> list[int]:
    """Return the numbers of the privileges in rising order; ``items`` are those of the type, if already read.

    Otherwise, names are looked up at the service.

    Raises InvalidInput for an unknown name, Ambiguous for one that exists twice.
    """
    texts = [str(entry).strip() for entry in given]
    names = [text for text in texts if number_in(text) is None]
    numbers = {int(text) for text in texts if text not in names}
    return sorted({*numbers, *(_resolve_names(api, names, type_id, items) if names else ())})


def _resolve_names(
    api: CommonFcd, names: t.Sequence[str], type_id: int | None, items: PrivilegeItems | None
) -> list[int]:
    if type_id is None:
        raise InvalidInput(
            f"privileges: names require privilege_type_id: {', '.join(map(repr, names))}.",
            next_step=f"Give it as the ID of a dictionary item, which {_kinds_of_privileges(api)} lists, or give the "
            "privileges by ID.",
            option="privilege_type_id",
        )
    items = privilege_items(api, type_id) if items is None else items
    if not items:
        raise InvalidInput(
            f"privileges: the service lists no privileges of type {type_id}, so none of these names: "
            f"{', '.join(map(quoted, names))}.",
            next_step=f"Check privilege_type_id ({type_id}).",
            option="privilege_type_id",
        )
    where = f"the privileges of type {type_id}"
    return [resolve_label(name, items, option="privileges", where=where) for name in names]


def require_privileges(api: CommonFcd, numbers: t.Collection[int]) -> None:
    """Raise InvalidInput if there are no privileges with these numbers, as far as their kinds can be listed."""
    reader = MemberReader(api.members("DictionaryItem"), [KIND_OF_PRIVILEGE])
    known: set[int] = set()
    try:
        for dictionary in _dictionaries_of_kinds(api) if numbers else ():
            for kind in map(reader.record, api.records(DICTIONARY_ITEMS, dictionary=dictionary)):
                known.update(number for number, _name in privilege_items(api, kind["id"]))
    except ServiceError as problem:
        if not isinstance(problem, Forbidden) and not may_mean_absent(problem):
            raise
        return
    if known and not known.issuperset(numbers):
        raise no_such_ids("privileges", "privilege", set(numbers) - known)


def _dictionaries_of_kinds(api: CommonFcd) -> list[str]:
    """Return the dictionaries of the kinds of privileges, if the contract names them."""
    typed = TypedValues(api.contract)
    kinds = [field.type for field in typed.inputs(DICTIONARY_ITEMS)] if typed.offers(DICTIONARY_ITEMS) else []
    words = [word for kind in kinds for word in (api.contract.simple(kind) or {}).get("enum", ())]
    return [word for word in words if "privilege" in word.lower()]


def _kinds_of_privileges(api: CommonFcd) -> str:
    """Return a task that lists the kinds of privileges, if the contract names their dictionary."""
    found = [snake(word) for word in _dictionaries_of_kinds(api)]
    return f"fcd.cloud.catalogue_info with dictionary: {' or '.join(found)}" if found else "fcd.cloud.catalogue_info"


def privileges_of(api: CommonFcd, user: int) -> list[int]:
    """Return the numbers of the privileges that a user has, in rising order."""
    reader = MemberReader(api.members("UserPrivilege"), [PRIVILEGE_OF_USER], ("privilege_id",))
    return sorted({reader.record(row)["privilege_id"] for row in api.records("GetUserPrivileges", user_id=user)})


def read_user(api: CommonFcd, user: t.Mapping[str, object]) -> JsonObject:
    """Return what can be read of a user, in the shape of the module client_user."""
    return UserReader(api, "User").record(user, None)


def user_of_log_on(api: CommonFcd, answer: t.Mapping[str, object] | None) -> JsonObject | None:
    """Return the user, None if nobody has logged on: then the answer has no number of a user or client (0 is none)."""
    if not answer:
        return None
    found = read_user(api, user_in_log_on(answer))
    numbers = {"id": found.get("id") or None, "client_id": found.get("client_id") or client_of_log_on(answer)}
    return {**found, **numbers} if any(numbers.values()) else None


def client_of_log_on(answer: t.Mapping[str, object]) -> int | None:
    """Return the number of the client from a log-on: from its user or, in older services, from the answer itself.

    A number that was left out arrives as 0, which is no client.
    """
    inside = user_in_log_on(answer)
    client = _member_of(inside, "client")
    number = _member_of(client, "clientid") if isinstance(client, dict) else _member_of(inside, "clientid")
    return number or None if isinstance(number, int) and not isinstance(number, bool) else None


def user_in_log_on(answer: t.Mapping[str, object]) -> t.Mapping[str, object]:
    """Return the user in the answer of LogonUser; in older services, the answer is the user."""
    user = _member_of(answer, "user")
    return user if isinstance(user, dict) else answer


def _member_of(value: t.Mapping[str, object], name: str) -> object:
    return next((entry for key, entry in value.items() if fold(key) == name), None)


class UserSearch:
    """Finds users; a record has the attributes that can be read.

    ``unlisted``: the login that was looked for last belongs to a user that no search returns. If no member says whether
    a user is the default one, and ``default_matters``, the client is read. ``other_options`` help if no member has the
    login.
    """

    def __init__(
        self,
        task: Task,
        api: CommonFcd,
        client_id: int | None,
        *,
        default_matters: bool = False,
        other_options: str = "id or email",
    ) -> None:
        """Match the members. Raises InvalidInput when the number of a user cannot be read."""
        self._task = task
        self._api = api
        self._client_id = client_id
        self._default_matters = default_matters
        self._other_options = other_options
        self.reader = UserReader(api, needed=("id",))
        self._inputs = api.members("UsersSearchParams")
        client = self._inputs.find_if_any("client_id", "Client")
        self._client: JsonObject = {} if client is None or client_id is None else {client: client_id}
        self._may_need_client = client if client_id is None else None
        self.unlisted = False

    def by_login(self, login: str, email: str | None) -> JsonObject | None:
        """Return the row of the user with this login, or None. Raises Ambiguous.

        ``email`` helps if no member has the login.
        """
        if email is None and not self.reader.readable("user_name"):
            raise InvalidInput(
                f"The user {quoted(login)} cannot be found by login: neither {self.reader.row.type_name} nor "
                f"{self.reader.user.type_name} has a member for it.",
                next_step=f"Give {self._other_options}, or name the member in {self.reader.advice(['user_name'])}.",
                option="user_name",
            )
        text = self._inputs.find_if_any("user_name", *LOGIN_MEMBERS) or self._inputs.find_if_any(*SEARCH_TEXT)
        found = self._match(self._rows({} if text is None else {text: login}), login, email)
        self.unlisted = False
        if found is None and self._api.is_true("IsUserNameAlreadyTaken", user_name=login):
            if text is not None:  # all rows, or those of the account's own client
                found = self._match(self._rows({}), login, email)
            if found is None and self._restrict_to_own_client():
                found = self._match(self._rows({}), login, email)
            self.unlisted = found is None
        return found

    def user(self, row: JsonObject) -> JsonObject:
        """Return all that can be read of the user in this row."""
        user = self._api.record("GetUser", user_id=self.reader.row.record(row)["id"])
        return self._with_default(self.reader.record(user, row))

    def by_id(self, number: int) -> JsonObject | None:
        """Return the user with this number, or None."""
        user = read_if_exists(lambda: self._api.record("GetUser", user_id=number))
        if user is not None:
            return self._with_default({"id": number, **self.reader.record(user, None)})
        rows = [row for row in self._rows({}) if self.reader.row.record(row)["id"] == number]
        return self._with_default(self.reader.record(None, rows[0])) if rows else None

    def by_sid(self, sid: str) -> JsonObject | None:
        """Return the user with this security identifier, or None."""
        self.reader.user.require_members("id")
        user = self._api.record("GetUserBySid", sid=sid)
        if user is None:
            return None
        record = self.reader.record(user, None)
        if record.get("id") is None:
            raise Unusable(f"GetUserBySid: the user {quoted(sid)} has no ID.", operation="GetUserBySid")
        if str(record.get("sid") or sid).casefold() != sid.casefold():
            problem = f"GetUserBySid: the answer is about another object: sid is {record['sid']} instead of {sid}."
            raise Unusable(problem, operation="GetUserBySid")
        return self._with_default(record)

    def blank(self) -> JsonObject:
        """Return a user with all attributes that have a member, unset."""
        reader = self.reader
        blank: JsonObject = {item.name: False for item in USER_ATTRIBUTES if reader.readable(item.name)}
        knows_client = self._client_id is not None or "client_id" in blank
        if self._default_matters and knows_client and self._default_user().key("id") is not None:
            blank["is_default"] = False
        return {**blank, "settings": {name: None for name in SETTING_NAMES if reader.user.key(name) is not None}}

    def _default_user(self) -> MemberReader:
        return MemberReader(self._api.members("UserSimple"), [Attribute("id", ("UserId",))])

    def _with_default(self, record: JsonObject) -> JsonObject:
        """Return the record with the flag of the default user, if it can be found out."""
        client = record.get("client_id", self._client_id)
        if not self._default_matters or record.get("is_default") is not None or client is None:
            return record
        reader = self._default_user()
        if reader.key("id") is None:
            return record
        try:
            user = self._api.record("GetClientDefaultUserSimple", client_id=client)
        except Rejected as refusal:
            if isinstance(refusal, PLAIN_REFUSALS):
                raise
            return record
        return {**record, "is_default": user is not None and reader.record(user)["id"] == record["id"]}

    def _rows(self, criteria: JsonObject) -> UserRows:
        try:
            rows = self._api.search("GetUsers", {**criteria, **self._client})
        except Rejected as refusal:
            if isinstance(refusal, PLAIN_REFUSALS) or not self._restrict_to_own_client():
                raise
            rows = self._api.search("GetUsers", {**criteria, **self._client})
        if self._client_id is None or self.reader.row.key("client_id") is None:
            return rows
        return [row for row in rows if self.reader.row.record(row).get("client_id") == self._client_id]

    def _restrict_to_own_client(self) -> bool:
        """Restrict searches, once, to the client of the account that logs in, and return whether that is possible."""
        member, self._may_need_client = self._may_need_client, None
        if member is None:
            return False
        unknown = "The client of the account is not known, so users of all clients are searched"
        number = client_of_log_on(self._logged_on(unknown))
        if number is not None:
            self._client = {member: number}
        return number is not None

    def own_number(self) -> int | None:
        """Return the number of the user that logs in; None, with a warning, if it cannot be found out."""
        answer = self._logged_on(OWN_NUMBER_UNKNOWN)
        number = self.reader.user.record(user_in_log_on(answer)).get("id") if answer else None
        if answer and not number:
            self._task.warn(f"{OWN_NUMBER_UNKNOWN}.")
        return number or None

    def _logged_on(self, unknown: str) -> JsonObject:
        """Return the answer of LogonUser for the account; empty, with a warning, if there is none."""
        settings = self._task.settings
        login = settings["username"].rpartition("\\")[2]
        try:
            password = settings["password"]
            return self._api.record("LogonUser", user=login, password=password, ip_address=CLIENT_ADDRESS) or {}
        except (Unauthorized, Forbidden):
            raise
        except (ServiceError, Unclear, InvalidInput) as problem:
            self._task.warn(f"{unknown}: {problem}")
            return {}

    def _match(self, rows: UserRows, login: str, email: str | None) -> JsonObject | None:
        by_number = {self.reader.row.record(row)["id"]: row for row in rows}
        if self.reader.row.key("user_name") is not None:
            found = [n for n, row in by_number.items() if self.reader.row.record(row)["user_name"] == login]
        else:
            found = self._found_one_by_one(by_number, login, email)
        require_single(sorted(found), f"{len(found)} users match {quoted(login)}", "id")
        return by_number[found[0]] if found else None

    def _found_one_by_one(self, rows: t.Mapping[int, JsonObject], login: str, email: str | None) -> list[int]:
        """Return the users whose own record has the login or, if that has none either, the e-mail address."""
        likely = [n for n, row in rows.items() if email and self.reader.row.record(row).get("email") == email]
        if self.reader.user.key("user_name") is None:
            return likely
        for number in (*likely, *(number for number in rows if number not in likely)):
            user = self._api.record("GetUser", user_id=number)
            if user is not None and self.reader.user.record(user).get("user_name") == login:
                return [number]
        return []

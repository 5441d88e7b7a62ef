# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation client_user: a user of a client, brought to its state.

Remote operations: docs/service/contract.md, "Users and credentials".
"""

from __future__ import annotations

import typing as t

from .._connection.options import SOAP, OptionSpecs
from .._connection.task import (
    CREATE_OPTIONS,
    ManagedObject,
    Operation,
    Params,
    Result,
    Settings,
    Task,
    non_null_options,
    result_of,
)
from .._core.errors import InvalidInput, reading_back
from .._core.text import quoted
from .._core.type_aliases import JsonMapping
from .._core.type_aliases import JsonObject as User
from .._engine.plan import (
    CREATE,
    DELETE,
    UPDATE,
    Compare,
    Created,
    Field,
    always_sent,
    in_words,
    same_elements,
    same_text,
    write_only,
)
from .api import CommonFcd
from .attributes import USER_SETTINGS
from .client_user_record import (
    SETTING_NAMES,
    USER_INFO,
    USER_RESULT,
    UserSearch,
    privilege_items,
    privilege_numbers,
    privileges_of,
    require_privileges,
    user_result,
)
from .connection import common_fcd
from .soap_changes import SoapRequest, incomplete_update, send_in_order
from .soap_resource import SoapResource

EACH_TIME = "always"  # a choice of update_password
INT, TEXT = {"type": "int"}, {"type": "str"}
CLIENT_USER_OPTIONS: OptionSpecs = {
    "id": {"type": "int", "aliases": ["user_id"]},
    "sid": {"type": "str", "aliases": ["ad_sid"]},
    "user_name": {"type": "str", "aliases": ["login"]},
    "user_password": {"type": "str", "no_log": True},
    "update_password": {"type": "str", "choices": ["on_create", EACH_TIME], "default": "on_create", "no_log": False},
    "client_id": INT,
    "first_name": TEXT,
    "last_name": TEXT,
    "email": {"type": "str", "aliases": ["email_address"]},
    "phone_number": TEXT,
    "pesel": {"type": "str", "aliases": ["national_id"], "no_log": True},
    "is_default": {"type": "bool"},
    "privileges": {"type": "list", "elements": "str"},
    "privilege_type_id": INT,
    "settings": {
        "type": "dict",
        "options": {item.name: {"type": "bool"} if item.name.startswith("is_") else INT for item in USER_SETTINGS},
    },
    "state": {"type": "str", "choices": ["present", "absent", "blocked", "unblocked"], "default": "present"},
    **CREATE_OPTIONS,
}


CLIENT_USER_FIELDS = (
    Field("user_name", on_update=False),
    Field("client_id", on_update=False),
    Field("first_name", same_text),
    Field("last_name", same_text),
    Field("email", same_text),
    Field("phone_number", same_text),
    Field("pesel", same_text, secret=True),
    Field("is_default", may_be_unknown=True, sent_if_unknown=True),
    Field("is_blocked"),
    Field("privileges", same_elements),
    Field("settings", merge=lambda current, desired: {**(current or {}), **desired}),
    Field("user_password", write_only, secret=True),
)
INFO_AND_PRIVILEGES = (*USER_INFO, "privileges")
PLAIN_OPTIONS = tuple(
    item.name for item in CLIENT_USER_FIELDS if item.name not in ("is_blocked", "privileges", "settings")
)


def same_login(login: str | None, own: str) -> bool:
    """Return whether two logins are the same; a domain only counts if both have one, and case does not."""
    if login is None:
        return False
    names = [login.casefold(), own.casefold()]
    if not all("\\" in name for name in names):
        names = [name.rpartition("\\")[2] for name in names]
    return names[0] == names[1]


def own_user_error(params: Params) -> InvalidInput:
    option = next(name for name in ("id", "sid", "user_name") if params[name] is not None)
    who = quoted(params[option]) if option == "user_name" else params[option]
    return InvalidInput(
        f"{option}: {who} is the user that the module logs in as, so it cannot be made {params['state']}.",
        next_step="Log in as another user to do so.",
        option=option,
    )


class DeclaredUser(SoapResource):
    """A user of a client."""

    kind = "user"
    key_options = ("user_name",)

    def __init__(self, task: Task, params: Params, api: CommonFcd, desired: User) -> None:
        super().__init__(task, params, api)
        self.desired = desired
        default_matters = any(name in desired for name in INFO_AND_PRIVILEGES)
        self.search = UserSearch(task, api, params["client_id"], default_matters=default_matters)
        self._current: User = {}

    @property
    def fields(self) -> t.Sequence[Field]:
        """The attributes; those that could not be read of the last user always count as different."""

        def has_settings(desired: t.Any, settings: t.Any) -> bool:
            holds, readable = self.search.reader.user.holds, self._current.get("settings", {})
            return all(name in readable and holds(name, value, settings.get(name)) for name, value in desired.items())

        def compare(item: Field) -> Compare:
            if item.name == "user_password":
                return always_sent if self.params["update_password"] == EACH_TIME else write_only
            if item.name in self._current or item.name not in self.desired:
                return has_settings if item.name == "settings" else item.compare
            return always_sent if item.on_update else write_only  # what finds a user is not changed

        return [item._replace(compare=compare(item)) for item in CLIENT_USER_FIELDS]

    def unreadable(self, desired: JsonMapping, record: JsonMapping) -> list[str]:
        """Return the desired options (settings by their own names) that cannot be read of this user."""
        plain = [name for name in desired if name not in (*record, "settings", "user_password", "privileges")]
        settings = record.get("settings", {})
        return plain + [f"settings.{name}" for name in desired.get("settings", ()) if name not in settings]

    def find(self, desired: JsonMapping) -> User | None:
        """Return the user, or None. Raises Ambiguous; InvalidInput for a number or an identifier that is not there."""
        del desired
        number, sid, missing = self.params["id"], self.params["sid"], None
        if sid is not None:
            record, missing = self.search.by_sid(sid), self.missing_error("sid", "security identifier")
        elif number is not None:
            record, missing = self.search.by_id(number), self.missing_error("id", "ID")
        else:
            record = self.by_login()
        if record is not None:
            record = self.adopt(record)
            self.note_listed(self.login_key(), record["id"])
        elif sid is None and number is None:
            record = self.find_noted(self.login_key())
            if record is not None:
                record = self.adopt(record)
            elif self.absent and self.search.unlisted:
                login = quoted(self.params["user_name"])
                self.task.warn(f"The login {login} belongs to a user that no search returns.")
        elif missing is not None and not self.absent:
            raise missing
        return record

    def adopt(self, record: User) -> User:
        """Return the record, with the privileges if they are desired; it is the one compared from now on."""
        self._current = record
        if record.get("pesel"):
            self.task.redactor.add(str(record["pesel"]))
        if self.absent:
            return record
        self.search.reader.check_state(self.desired, record)
        if "privileges" in self.desired:
            record["privileges"] = privileges_of(self.api, record["id"])
        self.note_unreadable(
            record,
            lambda names: (
                "These cannot be compared, since no member of the service's types shows them, so they are sent each "
                f"time: {', '.join(names)}. If members of other names do, give them in "
                f"{self.search.reader.advice(names)}."
            ),
        )
        return record

    def reread(self, current: JsonMapping) -> User | None:
        """Return the user as it is now, or None if it is gone."""
        record = self.search.by_id(current["id"])
        if record is not None and "privileges" in self.desired:
            record["privileges"] = privileges_of(self.api, current["id"])
        return record

    def create(self, values: JsonMapping) -> Created:
        """Create the user exactly once, then set what the create does not take."""
        from .client_user_creation import create_user

        return create_user(self, values)

    def update(self, current: JsonMapping, changes: JsonMapping) -> User:
        """Change the user; the service takes names, addresses and privileges together, and all settings together."""
        self.check_complete(current, changes)
        return self.send_changes(current, changes, "exists")

    def check_complete(self, current: JsonMapping, changes: JsonMapping) -> None:
        """Raise InvalidInput if a value that must be sent along is neither given nor readable."""
        missing: list[str] = []
        if any(name in changes for name in INFO_AND_PRIVILEGES):
            known = {**self.desired, **current, **changes}
            missing = [name for name in USER_INFO if name not in known]
            if known.get("is_default", False) is None:  # it cannot be null in the contract
                missing.append("is_default")
        if "settings" in changes:
            settings = {**current.get("settings", {}), **self.desired.get("settings", {})}
            missing += [f"settings.{name}" for name in SETTING_NAMES if name not in settings]
        if missing:
            raise incomplete_update(missing, self.search.reader.advice(missing))

    def send_changes(self, current: JsonMapping, changes: JsonMapping, exists: str) -> User:
        """Change the user and return it as it is then. An error says what was done and what was not."""
        number, login = current["id"], current.get("user_name") or self.desired.get("user_name")
        who = f"The user {quoted(login)} (ID {number})" if login else f"The user with the ID {number}"
        send_in_order(self, current, self._requests(current, changes), f"{who} {exists}")
        with reading_back():
            record = self.reread(current) or {}
        sent = {name: value for name, value in changes.items() if name != "user_password"}
        settings = {**(current.get("settings") or {}), **sent.get("settings", {})}
        return {**current, **sent, "settings": settings, **record}

    def _requests(self, current: JsonMapping, changes: JsonMapping) -> list[SoapRequest]:
        """Return the requests to send: blocking comes before everything else, and unblocking after it."""

        def request(operation: str, names: tuple[str, ...], inputs: t.Callable[[], User] = dict) -> SoapRequest:
            return SoapRequest(names, lambda: self.api.call(operation, user_id=current["id"], **inputs()))

        info = tuple(name for name in INFO_AND_PRIVILEGES if name in changes)
        requests: list[SoapRequest] = []
        if info:
            requests.append(request("UpdateUserInfoAndPrivileges", info, lambda: self._info(current, changes)))
        if "settings" in changes:
            requests.append(request("UpdateUserSettings", ("settings",), lambda: self._all_settings(current)))
        if "user_password" in changes:
            password = request(
                "SetUserPassword", ("user_password",), lambda: {"new_password": changes["user_password"]}
            )
            requests.append(password._replace(readable=False))
        if changes.get("is_blocked"):
            return [request("BlockUser", ("is_blocked",)), *requests]
        if "is_blocked" in changes:
            requests.append(request("UnblockUser", ("is_blocked",)))
        return requests

    def _all_settings(self, current: JsonMapping) -> User:
        known = {name: value for name, value in current.get("settings", {}).items() if value is not None}
        return {**known, **self.desired.get("settings", {})}

    def _info(self, current: JsonMapping, changes: JsonMapping) -> User:
        """Return the inputs of UpdateUserInfoAndPrivileges; privileges that are not given are read now."""
        known = {**self.desired, **current, **changes}
        values = {"email_address" if name == "email" else name: known[name] for name in USER_INFO}
        privileges = self.desired.get("privileges", current.get("privileges"))
        return {**values, "privileges": privileges_of(self.api, current["id"]) if privileges is None else privileges}

    def delete(self, current: JsonMapping) -> None:
        """Remove the user; one that is gone already is no error."""
        self.send_removal(current, "DeleteUsers", user_ids=[current["id"]])

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise when the service would refuse the plan, or when it cannot or must not be carried out."""
        if current is not None and (action == DELETE or changes.get("is_blocked")):
            login = current.get("user_name")  # the service is only asked who logs in if nothing else tells
            own = same_login(login, self.task.settings["username"])
            if own if login else self.search.own_number() == current["id"]:
                raise own_user_error(self.params)
        if action == CREATE:
            from .client_user_creation import verify_create

            verify_create(self, changes)
        elif action == UPDATE and current is not None:
            from .client_user_creation import check_user_values, refuse_taken

            check_user_values(self.api, changes)
            self.check_complete(current, changes)
            require_privileges(self.api, set(changes.get("privileges", [])) - set(current.get("privileges") or []))
            refuse_taken(self.api, changes, current)

    def login_key(self) -> tuple[object, ...]:
        """Return what identifies the user in locks and notes: service, account and login."""
        login = self.params["user_name"] or self._current.get("user_name")
        return self.note_key("client_user", login or self._current.get("id") or self.params["id"] or self.params["sid"])

    def find_created(self, facts: JsonMapping) -> User | None:
        """Return the user that a create with these facts has made; None if it is gone or of another client."""
        record, client = super().find_created(facts), self.params["client_id"]
        return None if record is not None and client not in (None, record.get("client_id", client)) else record

    def is_same(self, sent: object, kept: object) -> bool:
        """Return whether a login was kept as it was sent; a domain before it does not matter."""
        return str(sent).rpartition("\\")[2] == str(kept).rpartition("\\")[2]

    def by_login(self) -> User | None:
        """Return the user that a search shows, without what only ``adopt`` reads."""
        row = self.search.by_login(self.params["user_name"], self.params["email"])
        if row is None:
            return None
        return self.search.reader.record(None, row) if self.absent else self.search.user(row)


def _check_login(params: Params) -> None:
    """Raise InvalidInput if the options give the login another password than the settings: the user's was meant."""
    own = params.get("password")
    if own is None or params["user_password"] is not None:
        return
    elsewhere = Settings.resolve({**params, "username": None, "password": None}, (SOAP,))
    if elsewhere["password"] not in (None, own) and params.get("username") in (None, elsewhere["username"]):
        raise InvalidInput(
            f"password: it is what {quoted(elsewhere['username'])} logs in with, for whom another one is set in the "
            "environment or the profile. Nothing was sent.",
            next_step="The password of the user itself is user_password. To log in as somebody else, give username "
            "too.",
            option="password",
        )


def run(task: Task, params: Params) -> Result:
    _check_login(params)
    task.redactor.add(params["user_password"], params["pesel"])
    _check(task, params)
    api = common_fcd(task)
    desired = _desired(params)
    items = None
    if "privileges" in desired:
        type_id = params["privilege_type_id"]
        items = None if type_id is None else privilege_items(api, type_id)
        desired["privileges"] = privilege_numbers(api, params["privileges"], type_id, items)
    outcome = DeclaredUser(task, params, api, desired).reconcile()
    result = {**result_of("client_user", outcome), "client_user": outcome.record and user_result(outcome.record)}
    return result if items is None else _with_names(result, dict(items))


def _with_names(result: Result, names: t.Mapping[int, str]) -> Result:
    """Return the result with the names of privileges: next to the numbers in the user, with them in the diff."""
    user = result["client_user"]
    if user is not None and user["privileges"] is not None:
        user["privilege_names"] = [names.get(number) for number in user["privileges"]]
    sides = {side: dict(values) for side, values in result["diff"].items()}
    for values in sides.values():
        if values.get("privileges"):
            values["privileges"] = [in_words({"id": one, "label": names.get(one)}) for one in values["privileges"]]
    return {**result, "diff": sides}


def _check(task: Task, params: Params) -> None:
    """Raise InvalidInput for mistakes that show without asking the service."""
    if params["user_password"] == "" and params["state"] != "absent":
        raise InvalidInput(
            "user_password is empty.",
            next_step="If it comes from a variable of the environment, check that the variable is set.",
            option="user_password",
        )
    if params["state"] in ("absent", "blocked") and same_login(params["user_name"], task.settings["username"]):
        raise own_user_error(params)
    if params["update_password"] == EACH_TIME and params["user_password"] is None and params["state"] != "absent":
        raise InvalidInput("update_password: always requires user_password.", option="user_password")


def _desired(params: Params) -> User:
    """Return the given values by attribute."""
    if params["state"] == "absent":
        return {}
    desired = non_null_options(params, (*PLAIN_OPTIONS, "privileges"))
    settings = {name: value for name, value in (params["settings"] or {}).items() if value is not None}
    if settings:
        desired["settings"] = settings
    if params["state"] in ("blocked", "unblocked"):
        desired["is_blocked"] = params["state"] == "blocked"
    return desired


OPERATION = Operation(
    "client_user",
    (SOAP,),
    CLIENT_USER_OPTIONS,
    run,
    {"required_one_of": [["id", "sid", "user_name"]], "mutually_exclusive": [["id", "sid"]]},
    members=(*USER_RESULT, "privilege_names", "pesel", "settings"),
    manages=ManagedObject("client_user", "client_user"),
)

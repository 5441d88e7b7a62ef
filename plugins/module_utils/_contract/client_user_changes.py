# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a user is found, compared, changed and removed.

Remote operations: docs/service/contract.md, "Users and credentials".
"""

from __future__ import annotations

import typing as t

from .._connection.task import Params, Task
from .._core.errors import InvalidInput, reading_back
from .._core.text import quoted
from .._core.type_aliases import JsonMapping
from .._core.type_aliases import JsonObject as User
from .._engine.plan import Compare, Field, always_sent, same_elements, same_text, write_only
from .api import CommonFcd
from .client_user_record import SETTING_NAMES, USER_INFO, UserSearch, privileges_of
from .soap_changes import SoapRequest, incomplete_update, send_in_order
from .soap_resource import SoapResource

EACH_TIME = "always"  # a choice of update_password
CLIENT_USER_FIELDS = (
    Field("user_name", lambda desired, current: same_login(current, desired), on_update=False),
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


STATE_WORDS = {"absent": "removed", "blocked": "blocked"}


def own_user_error(params: Params) -> InvalidInput:
    option = next(name for name in ("id", "sid", "user_name") if params[name] is not None)
    who = quoted(params[option]) if option == "user_name" else params[option]
    return InvalidInput(
        f"{option}: {who} is the user that the module logs in as, so it cannot be {STATE_WORDS[params['state']]}.",
        next_step="Log in as another user to do so.",
        option=option,
    )


class FoundUser(SoapResource):
    """A user of a client, as far as one that exists is concerned."""

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
            reader = self.search.reader.user
            return all(
                reader.key(name) and reader.holds(name, value, settings.get(name)) for name, value in desired.items()
            )

        def compare(item: Field) -> Compare:
            if item.name == "user_password":
                return always_sent if self.params["update_password"] == EACH_TIME else write_only
            if self._is_readable(item.name, self._current) or item.name not in self.desired:
                return has_settings if item.name == "settings" else item.compare
            return always_sent if item.on_update else write_only  # what finds a user is not changed

        return [item._replace(compare=compare(item)) for item in CLIENT_USER_FIELDS]

    def unreadable(self, desired: JsonMapping, record: JsonMapping) -> list[str]:
        """Return the desired options (settings by their own names) that cannot be read of this user."""
        apart = ("settings", "user_password", "privileges")
        plain = [name for name in desired if name not in apart and not self._is_readable(name, record)]
        has_member = self.search.reader.user.key
        return plain + [f"settings.{name}" for name in desired.get("settings", ()) if has_member(name) is None]

    def _is_readable(self, name: str, record: JsonMapping) -> bool:
        """Return whether an attribute of a user can be compared; one that its answer lacks counts as empty."""
        return name in record or (name in USER_INFO and self.search.reader.user.key(name) is not None)

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
        if missing is not None and self.absent:
            self.require_same(record, self.by_login, "id" if sid is None else "sid")
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
            found = self.reread(current)
        record = {} if found is None else self.with_blanks(found)
        sent = {name: value for name, value in changes.items() if name != "user_password"}
        settings = {**(current.get("settings") or {}), **sent.get("settings", {})}
        return {**current, **sent, "settings": settings, **record}

    def with_blanks(self, record: User) -> User:
        """Return the record with null for what the answer lacks."""
        has_member = self.search.reader.user.key
        info, settings = (
            {name: None for name in names if has_member(name) is not None} for names in (USER_INFO, SETTING_NAMES)
        )
        return {**info, **record, "settings": {**settings, **record["settings"]}}

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

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The requests that make and change a user, and what is checked before the first of them is sent.

CreateUserWithPrivileges takes login, password, a User and privileges, and returns the number of the new user. Which
members a User has is only known from the WSDL; settings and the mark of a blocked user are always set afterwards. Each
change is one request, and what the service takes together is read, merged and sent together.
"""

from __future__ import annotations

import typing as t

from .._core.clock import wait_until
from .._core.errors import (
    CannotDetermine,
    FcdError,
    InvalidInput,
    Unclear,
    WaitTimeout,
    mark_changed_on_error,
    note_change,
)
from .._core.text import fold, quoted
from .._engine.create_once import NO_EFFECT, Intent, create_once
from .._engine.plan import Record, make_plan
from .._engine.reconcile import Created
from .api import CommonFcd
from .client_user_record import FIELDS, INFO, SETTING_NAMES, settings_after, unreadable_options
from .confirmed_writes import SoapRequest, confirmed, send_in_order
from .members import MemberReader, would_be_lost
from .typed_values import TypedValues

if t.TYPE_CHECKING:
    from .client_user import ClientUsers

INPUTS: dict[str, dict[str, str]] = {
    "CreateUserWithPrivileges": {"user_name": "ad_login"},
    "UpdateUserInfoAndPrivileges": {**{name: name for name in (*INFO, "privileges")}, "email": "email_address"},
    "SetUserPassword": {"user_password": "new_password"},
}
"""By operation, the input that takes an attribute."""
NEEDED = ("user_password", "first_name", "last_name", "email")


def check_user_values(api: CommonFcd, values: t.Mapping[str, t.Any]) -> None:
    """Raise InvalidInput, naming the option, for a value that the service cannot take."""
    typed = TypedValues(api.contract)
    for operation, names in INPUTS.items():
        _check(typed, operation, {names[name]: (name, values[name]) for name in names if name in values})
    settings = values.get("settings") or {}
    told = {name: (f"settings.{name}", settings[name]) for name in SETTING_NAMES if name in settings}
    _check(typed, "UpdateUserSettings", told)


def _check(typed: TypedValues, operation: str, told: t.Mapping[str, tuple[str, t.Any]]) -> None:
    """``told`` has the path and the value for each input."""
    if not told or not typed.offers(operation):
        return
    inputs = {fold(field.name): field for field in typed.inputs(operation)}
    for name, (path, value) in told.items():
        field = inputs.get(fold(name))
        if field is not None:
            typed.checked(field, value, path)


def refuse_taken(api: CommonFcd, values: Record, current: Record | None = None) -> None:
    """Raise InvalidInput, naming all of them at once, when new values are taken.

    ``values`` has the values to be sent, for ``current`` those that change.
    """
    taken = [option for option, ask in _questions(api, values, current) if ask()]
    if taken:
        told = " and ".join(f"{option} {quoted(values[option])}" if option != "pesel" else option for option in taken)
        raise InvalidInput(
            f"Taken by another user: {told}.",
            next_step="Take another value, or give the id of that user.",
            taken=taken,
        )


def _questions(api: CommonFcd, values: Record, current: Record | None) -> t.Iterator[tuple[str, t.Callable[[], bool]]]:
    login, email, pesel = (values.get(name) for name in ("user_name", "email", "pesel"))
    if login:
        yield "user_name", lambda: api.is_user_name_already_taken(login)
    if email and email.casefold() != str((current or {}).get("email")).casefold():  # the user's own is no other's
        yield "email", lambda: api.is_email_already_taken(email)
    if pesel and current is None:
        yield "pesel", lambda: api.is_pesel_already_taken(pesel)
    elif pesel and current is not None:
        number = current["id"]
        yield "pesel", lambda: api.is_pesel_already_taken_by_other_user(pesel, number)


class UserUpdates:
    """Changes one user."""

    def __init__(self, users: ClientUsers) -> None:
        self._users = users
        self._api = users.api

    def check(self, current: Record, changes: Record) -> None:
        """Raise InvalidInput when something that has to be sent along is neither given nor readable."""
        missing = self._missing(current, changes)
        if missing:
            raise would_be_lost(missing, self._users.search.reader.advice(missing))

    def apply(self, current: Record, changes: Record, *, new: bool = False) -> dict[str, t.Any]:
        """Make the changes and return the user as it is then. An error tells what was done and what was not."""
        self.check(current, changes)
        send_in_order(self._requests(current, changes), f"{self._name(current)} {'was created' if new else 'exists'}")
        with mark_changed_on_error():
            return self._reread(current, changes)

    def _name(self, current: Record) -> str:
        login = current.get("user_name") or self._users.wanted.get("user_name")
        return (
            f"The user {quoted(login)} (number {current['id']})"
            if login
            else f"The user with the number {current['id']}"
        )

    def _requests(self, current: Record, changes: Record) -> list[SoapRequest]:
        """Return the requests to send: a user is blocked before, and unblocked after everything else."""
        number = current["id"]
        info = tuple(name for name in (*INFO, "privileges") if name in changes)
        requests: list[SoapRequest] = []
        if info:
            requests.append(SoapRequest(info, lambda: self._send_info(number, current, changes)))
        if "settings" in changes:
            requests.append(SoapRequest(("settings",), lambda: self._send_settings(number, current)))
        if "user_password" in changes:
            password = changes["user_password"]
            requests.append(SoapRequest(("user_password",), lambda: self._api.set_user_password(number, password)))
        if "is_blocked" in changes:
            blocked = changes["is_blocked"]
            request = SoapRequest(("is_blocked",), lambda: self._send_blocked(number, blocked=blocked))
            requests = [request, *requests] if blocked else [*requests, request]
        return requests

    def _send_blocked(self, number: int, *, blocked: bool) -> None:
        send = self._api.block_user if blocked else self._api.unblock_user
        self._confirmed(lambda: send(number), number, ["is_blocked"])

    def _send_info(self, number: int, current: Record, changes: Record) -> None:
        values = self._info(current, changes)
        email = values.pop("email")
        privileges = self._privileges(current)
        self._confirmed(
            lambda: self._api.update_user_info_and_privileges(
                number, email_address=email, privileges=privileges, **values
            ),
            number,
            [name for name in (*INFO, "privileges") if name in changes],
        )

    def _send_settings(self, number: int, current: Record) -> None:
        settings = self._settings(current)
        self._confirmed(lambda: self._api.update_user_settings(number, **settings), number, ["settings"])

    def _info(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Return what there is of names, addresses and marks: the changes, else as it is, else as given."""
        known = {**self._users.wanted, **current, **changes}
        return {name: known[name] for name in INFO if name in known}

    def _privileges(self, current: Record) -> list[int]:
        for source in (self._users.wanted, current):
            if "privileges" in source:
                return t.cast("list[int]", source["privileges"])
        return self._users.privileges(current["id"])

    def _settings(self, current: Record) -> dict[str, t.Any]:
        return {**current.get("settings", {}), **self._users.wanted.get("settings", {})}

    def _missing(self, current: Record, changes: Record) -> list[str]:
        missing = []
        if any(name in changes for name in (*INFO, "privileges")):
            values = self._info(current, changes)
            missing = [name for name in INFO if name not in values]
            if values.get("is_default", False) is None:  # the contract has no null for it
                missing.append("is_default")
        if "settings" in changes:
            known = self._settings(current)
            missing += [f"settings.{name}" for name in SETTING_NAMES if name not in known]
        return missing

    def _confirmed(self, write: t.Callable[[], None], number: int, names: t.Sequence[str]) -> None:
        confirmed(write, lambda: self._holds(number, names))

    def _holds(self, number: int, names: t.Sequence[str]) -> bool:
        """Return whether all of these have the wanted values; False when one of them cannot be read."""
        record = self._users.search.by_id(number)
        if record is None:
            return False
        wanted = {name: self._users.wanted[name] for name in names}
        if unreadable_options(wanted, record):
            return False
        if "privileges" in names:
            record["privileges"] = self._users.privileges(number)
        return not make_plan(FIELDS, wanted, record, "present").changed

    def _reread(self, current: Record, changes: Record) -> dict[str, t.Any]:
        record = self._users.search.by_id(current["id"]) or {}
        if "privileges" in self._users.wanted:
            record["privileges"] = self._users.privileges(current["id"])
        sent = {name: value for name, value in changes.items() if name != "user_password"}
        settings = {"settings": settings_after(current.get("settings"), sent.get("settings", {}))}
        return {**current, **sent, **settings, **record}


def create_user(users: ClientUsers, values: Record) -> Created:
    """Make the user exactly once, and set the rest in the same run."""
    later = _sent_later(users, values)
    if later:
        users.unfinished().write()
    what = f"the user {quoted(values['user_name'])}"
    try:
        created = create_once(users.task.once(users.grace), users.identity(), what, UserCreation(users, values))
    except NO_EFFECT:
        users.unfinished().clear()
        raise
    if not created.by_us:
        return created
    with mark_changed_on_error():
        return Created(_completed(users, created.record, later))


def verify_create(users: ClientUsers, values: Record) -> None:
    """Raise when the create would be refused or could not be completed."""
    _sent_later(users, values)
    refuse_taken(users.api, values)


def _completed(users: ClientUsers, record: dict[str, t.Any], later: Record) -> dict[str, t.Any]:
    changeable = [item for item in users.fields if item.on_update]
    plan = make_plan(changeable, users.wanted, record, "present", kind=users.kind)
    changes = {name: value for name, value in {**plan.values, **later}.items() if name != "user_password"}
    if not changes:
        return record
    done = UserUpdates(users).apply(record, changes, new=True)
    users.unfinished().clear()
    return done


def _sent_later(users: ClientUsers, values: Record) -> dict[str, t.Any]:
    """Return what has to be sent after the create although nobody can read it back.

    Raises InvalidInput when the create cannot be completed for lack of something.
    """
    missing = [name for name in NEEDED if name not in values]
    if missing:
        raise InvalidInput(
            f"There is no user {quoted(values['user_name'])}; to create one, these are needed too: "
            f"{', '.join(missing)}.",
            next_step="Give them, or check user_name.",
            missing=missing,
        )
    check_user_values(users.api, values)
    reader = users.search.reader
    reader.check_state(users.wanted)
    if "client_id" in values:
        reader.user.needed("client_id")
    later = _unsendable(reader.user, values)
    settings = {"settings": values["settings"]} if values.get("settings") else {}
    UserUpdates(users).check(users.search.blank(), {**later, **settings})
    return later


def _unsendable(user: MemberReader, values: Record) -> dict[str, t.Any]:
    """Return what the type of a new user has no member for; settings all together."""
    later = {name: values[name] for name in INFO if name in values and user.key(name) is None}
    settings = values.get("settings", {})
    if any(user.key(name) is None for name in settings):
        later["settings"] = settings
    return later


class UserCreation:
    """One create; what it finds or makes is a record."""

    def __init__(self, users: ClientUsers, values: Record) -> None:
        self._users = users
        self._values = values

    def find(self) -> dict[str, t.Any] | None:
        """Return the user, if a search shows it."""
        return self._users.find(self._users.wanted)

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        """Return the user that an earlier run has made: by its number, if that run came to note it."""
        number = facts.get("number")
        record = self._users.search.by_id(number) if number is not None else None
        if record is not None and record.get("user_name", self._values["user_name"]) == self._values["user_name"]:
            return self._users.known(record)
        return self.find()

    def verify(self) -> None:
        """Raise InvalidInput when login, e-mail address or national id are taken."""
        refuse_taken(self._users.api, self._values)

    def send(self, intent: Intent) -> dict[str, t.Any]:
        """Send the create, note the number, and wait until a search shows the user."""
        number = self._users.api.create_user_with_privileges(
            self._values["user_name"],
            self._values["user_password"],
            self._user(),
            self._values.get("privileges", []),
        )
        if not isinstance(number, int) or isinstance(number, bool):
            raise Unclear("CreateUserWithPrivileges: the answer has no number.", operation="CreateUserWithPrivileges")
        intent.add(number=number)
        try:
            return self._read_back(number)
        except FcdError as problem:
            unread = CannotDetermine(
                f"The service made the user {quoted(self._values['user_name'])} (number {number}), but it could "
                f"not be read back: {problem.message}",
                next_step="Run the task again; it goes on with the user of this number.",
                id=number,
                cause=type(problem).__name__,
            )
            note_change(unread)
            raise unread from problem

    def _user(self) -> dict[str, t.Any]:
        """Return the User to send: the members that its type has for what was given."""
        key = self._users.search.reader.user.key
        user = {key(name): self._values[name] for name in INFO if name in self._values and key(name) is not None}
        client = key("client_id")
        if "client_id" in self._values and client is not None:
            number = self._values["client_id"]
            user[client] = {"client_id": number} if client == "client" else number
        return t.cast("t.Dict[str, t.Any]", user)

    def _read_back(self, number: int) -> dict[str, t.Any]:
        limit = self._users.task.deadline.within(self._users.grace, "wait for the new user")
        what = f"the user {quoted(self._values['user_name'])}"
        try:
            record = wait_until(self.find, lambda found: found is not None, limit, what=what, longest=2.0)
        except WaitTimeout:
            record = self._users.search.by_id(number)
            if record is None:
                raise
            self._users.task.warn(
                f"{what[0].upper()}{what[1:]} is there (number {number}), but no search shows it by its login; "
                "until one does, give the number in id."
            )
            self._users.known(record)
        return t.cast("t.Dict[str, t.Any]", record)

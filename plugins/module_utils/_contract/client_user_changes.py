# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The requests that make and change a user, and what is checked before the first of them is sent.

CreateUserWithPrivileges takes login, password, a User and privileges, and returns the number of the new user. Which
members a User has is only known from the WSDL; settings and the mark of a blocked user are always set afterwards. Each
change is one request, and what the service takes together is read, merged and sent together.
"""

from __future__ import annotations

import contextlib
import typing as t

from .._connection.task import non_null_options
from .._core.clock import wait_until
from .._core.errors import (
    PLAIN_REFUSALS,
    CannotDetermine,
    FcdError,
    InvalidInput,
    Rejected,
    Unclear,
    WaitTimeout,
    mark_changed_on_error,
    note_change,
    reading_back,
)
from .._core.text import fold, quoted
from .._engine.create_once import NO_EFFECT, Intent
from .._engine.plan import Created, Record, make_plan
from .api import CommonFcd, incomplete_update
from .api import Record as User
from .client_user_record import INFO, SETTING_NAMES, privileges_of
from .soap_resource import SoapRequest, send_in_order
from .typed_values import TypedValues

if t.TYPE_CHECKING:
    from .client_user import DeclaredUser

INFO_AND_PRIVILEGES = (*INFO, "privileges")
INPUTS: dict[str, dict[str, str]] = {
    "CreateUserWithPrivileges": {"user_name": "ad_login"},
    "UpdateUserInfoAndPrivileges": {**{name: name for name in INFO_AND_PRIVILEGES}, "email": "email_address"},
    "SetUserPassword": {"user_password": "new_password"},
    "UpdateUserSettings": {f"settings.{name}": name for name in SETTING_NAMES},
}
"""By operation, the input that takes an attribute."""
NEEDED = ("user_password", "first_name", "last_name", "email")


def check_user_values(api: CommonFcd, values: Record) -> None:
    """Raise InvalidInput, naming the option, for a value that the service cannot take."""
    typed = TypedValues(api.contract)
    settings = {f"settings.{name}": value for name, value in (values.get("settings") or {}).items()}
    told = {**values, **settings}
    for operation, names in INPUTS.items():
        options = {fold(names[name]): name for name in names if name in told}
        for field in typed.inputs(operation) if options and typed.offers(operation) else ():
            option = options.get(fold(field.name))
            if option is not None:
                typed.check(field, told[option], option)


def refuse_taken(api: CommonFcd, values: Record, current: Record | None = None) -> None:
    """Raise InvalidInput, naming all of them at once, when new values are taken.

    ``values`` has the values to be sent, for ``current`` those that change.
    """
    questions = {"user_name": "IsUserNameAlreadyTaken", "email": "IsEmailAlreadyTaken", "pesel": "IsPeselAlreadyTaken"}
    further: User = {}
    if current is not None:
        questions["pesel"], further = "IsPeselAlreadyTakenByOtherUser", {"user_id": current["id"]}
        if str(values.get("email")).casefold() == str(current.get("email")).casefold():
            del questions["email"]  # the user's own is no other's
    taken = [
        name
        for name, operation in questions.items()
        if values.get(name) and api.is_true(operation, **{name: values[name]}, **(further if name == "pesel" else {}))
    ]
    if taken:
        told = " and ".join(f"{option} {quoted(values[option])}" if option != "pesel" else option for option in taken)
        raise InvalidInput(
            f"Taken by another user: {told}.",
            next_step="Choose another value, or give the ID of that user in id.",
            taken=taken,
        )


class UserUpdate:
    """The change of one user from what it is now, ``current``."""

    def __init__(self, users: DeclaredUser, current: Record, changes: Record) -> None:
        self._users = users
        self._current = current
        self._changes = changes
        # what there is of names, addresses and marks, and of settings: the changes, else as it is, else as given
        self._known = {**users.desired, **current, **changes}
        self._settings = {**current.get("settings", {}), **users.desired.get("settings", {})}

    def check(self) -> None:
        """Raise InvalidInput when something that has to be sent along is neither given nor readable."""
        missing: list[str] = []
        if any(name in self._changes for name in INFO_AND_PRIVILEGES):
            missing = [name for name in INFO if name not in self._known]
            if self._known.get("is_default", False) is None:  # the contract has no null for it
                missing.append("is_default")
        if "settings" in self._changes:
            missing += [f"settings.{name}" for name in SETTING_NAMES if name not in self._settings]
        if missing:
            raise incomplete_update(missing, self._users.search.reader.advice(missing))

    def apply(self, *, new: bool = False) -> User:
        """Change the user and return it as it is then. An error says what was done and what was not."""
        self.check()
        number, login = self._current["id"], self._current.get("user_name") or self._users.desired.get("user_name")
        who = f"The user {quoted(login)} (ID {number})" if login else f"The user with the ID {number}"
        send_in_order(self._requests(number), f"{who} {'was created' if new else 'exists'}")
        with reading_back():
            record = self._users.reread(self._current) or {}
        sent = {name: value for name, value in self._changes.items() if name != "user_password"}
        settings = {**(self._current.get("settings") or {}), **sent.get("settings", {})}
        return {**self._current, **sent, "settings": settings, **record}

    def _requests(self, number: int) -> list[SoapRequest]:
        """Return the requests to send: a user is blocked before, and unblocked after everything else."""
        users, changes = self._users, self._changes

        def request(operation: str, names: tuple[str, ...], inputs: t.Callable[[], User]) -> SoapRequest:
            return SoapRequest(
                names,
                lambda: users.api.call(operation, user_id=number, **inputs()),
                lambda: users.has(self._current, names),
            )

        info = tuple(name for name in INFO_AND_PRIVILEGES if name in changes)
        requests: list[SoapRequest] = []
        if info:
            requests.append(request("UpdateUserInfoAndPrivileges", info, lambda: self._info(number)))
        if "settings" in changes:
            requests.append(request("UpdateUserSettings", ("settings",), lambda: self._settings))
        if "user_password" in changes:  # nobody can read whether it is set
            password = request(
                "SetUserPassword", ("user_password",), lambda: {"new_password": changes["user_password"]}
            )
            requests.append(password._replace(done=None))
        if changes.get("is_blocked"):
            return [request("BlockUser", ("is_blocked",), dict), *requests]
        if "is_blocked" in changes:
            requests.append(request("UnblockUser", ("is_blocked",), dict))
        return requests

    def _info(self, number: int) -> User:
        """Return what UpdateUserInfoAndPrivileges takes; privileges that nobody gave are read now."""
        values = {"email_address" if name == "email" else name: self._known[name] for name in INFO}
        privileges = self._users.desired.get("privileges", self._current.get("privileges"))
        return {**values, "privileges": privileges_of(self._users.api, number) if privileges is None else privileges}


def verify_update(users: DeclaredUser, current: Record, changes: Record) -> None:
    """Raise when a change would be refused or could not be completed."""
    check_user_values(users.api, changes)
    UserUpdate(users, current, changes).check()
    refuse_taken(users.api, changes, current)


def create_user(users: DeclaredUser, values: Record) -> Created:
    """Make the user exactly once, and set the rest in the same run."""
    later = _sent_later(users, values)
    if later:
        users.unfinished().write()
    what = f"the user {quoted(values['user_name'])}"
    try:
        created = users.create_once(users.login_key(), what, UserCreation(users, values, what))
    except NO_EFFECT:
        users.unfinished().clear()
        raise
    if not created.by_us:
        return created
    with mark_changed_on_error():
        changeable = [item for item in users.fields if item.on_update]
        plan = make_plan(changeable, users.desired, created.record, "present", kind=users.kind)
        changes = {name: value for name, value in {**plan.values, **later}.items() if name != "user_password"}
        if not changes:
            return created
        done = UserUpdate(users, created.record, changes).apply(new=True)
        users.unfinished().clear()
    return Created(done)


def verify_create(users: DeclaredUser, values: Record) -> None:
    """Raise when the create would be refused or could not be completed."""
    _sent_later(users, values)
    refuse_taken(users.api, values)


def _sent_later(users: DeclaredUser, values: Record) -> User:
    """Return what has to be sent after the create although nobody can read it back; settings all together.

    Raises InvalidInput when the create cannot be completed for lack of something.
    """
    missing = [name for name in NEEDED if name not in values]
    if missing:
        raise InvalidInput(
            f"There is no user {quoted(values['user_name'])}; to create one, these options are required as well: "
            f"{', '.join(missing)}.",
            next_step="Give them, or check user_name.",
            missing=missing,
        )
    check_user_values(users.api, values)
    reader = users.search.reader
    reader.check_state(users.desired)
    if "client_id" in values:
        reader.user.require_members("client_id")
    later: User = non_null_options({name: None if reader.user.key(name) else values.get(name) for name in INFO}, INFO)
    every = {**later, **non_null_options(values, ["settings"])}
    UserUpdate(users, users.search.blank(), every).check()
    return every if any(reader.user.key(name) is None for name in every.get("settings", ())) else later


class UserCreation:
    """One create; what it finds or makes is a record."""

    def __init__(self, users: DeclaredUser, values: Record, what: str) -> None:
        self._users = users
        self._values = values
        self._what = what

    def find(self) -> User | None:
        """Return the user, if a search shows it."""
        return self._users.find(self._users.desired)

    def resume(self, facts: t.Mapping[str, t.Any]) -> User | None:
        """Return the user that an earlier run has made: by its number, if that run came to note it."""
        number = facts.get("number")
        record = self._users.search.by_id(number) if number is not None else None
        if record is not None and record.get("user_name", self._values["user_name"]) == self._values["user_name"]:
            return self._users.known(record)
        return self.find()

    def verify(self) -> None:
        """Raise InvalidInput when login, e-mail address or national id are taken."""
        free = () if self._users.search.unlisted else ("user_name",)  # so the look under the lock has been told
        refuse_taken(self._users.api, {name: value for name, value in self._values.items() if name not in free})

    def send(self, intent: Intent) -> User:
        """Send the create, note the number, and wait until a search shows the user."""
        values, key = self._values, self._users.search.reader.user.key
        user = {str(key(name)): values[name] for name in INFO if name in values and key(name) is not None}
        client = key("client_id")
        if "client_id" in values and client is not None:
            user[client] = {"client_id": values["client_id"]} if client == "client" else values["client_id"]
        number = self._sent(user)
        if not isinstance(number, int) or isinstance(number, bool):
            raise Unclear("CreateUserWithPrivileges: the response has no ID.", operation="CreateUserWithPrivileges")
        intent.add(number=number)
        try:
            return self._read_back(number)
        except FcdError as problem:
            unread = CannotDetermine(
                f"The service created {self._what} (ID {number}), but it could not be read back: {problem.message}",
                next_step="Run the task again; it continues with this user.",
                id=number,
                cause=type(problem).__name__,
            )
            note_change(unread)
            raise unread from problem

    def _sent(self, user: User) -> t.Any:
        """Send the create and return what should be the number.

        Raises Unclear when the login is refused as taken that was free under the lock a moment ago: a second delivery
        of the request was refused then, and the first one has made the user.
        """
        values, users = self._values, self._users
        try:
            return users.api.call(
                "CreateUserWithPrivileges",
                ad_login=values["user_name"],
                ad_password=values["user_password"],
                user=user,
                privileges=values.get("privileges", []),
            )
        except Rejected as refused:
            taken = False
            with contextlib.suppress(FcdError):
                plain = isinstance(refused, PLAIN_REFUSALS)
                taken = not plain and users.api.is_true("IsUserNameAlreadyTaken", user_name=values["user_name"])
            if not taken:
                raise
            users.task.warn(
                f"{refused.message} It was free just before, so this task is taken to have created the user."
            )
            raise Unclear(refused.message, **refused.details) from refused

    def _read_back(self, number: int) -> User:
        limit = self._users.task.deadline.within(self._users.params["create_grace"], "wait for the new user")
        try:
            return wait_until(lambda: self.find() or {}, bool, limit, what=self._what, longest=2.0)
        except WaitTimeout:
            record = self._users.search.by_id(number)
            if record is None:
                raise
            self._users.task.warn(
                f"{self._what[0].upper()}{self._what[1:]} exists (ID {number}), but no search returns it by its login "
                "yet. Until then, give the ID in id."
            )
            return self._users.known(record)

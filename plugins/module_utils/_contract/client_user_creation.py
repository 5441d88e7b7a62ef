# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating a user, and the checks before anything is sent about a user.

CreateUserWithPrivileges takes login, password, a User and privileges, and returns the number of the new user. Which
members a User has is only known from the WSDL; settings and the mark of a blocked user are always set afterwards.
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
    OperationFailed,
    Rejected,
    Unclear,
    WaitTimeout,
    mark_changed_on_error,
    note_change,
)
from .._core.text import fold, quoted
from .._core.type_aliases import JsonMapping
from .._core.type_aliases import JsonObject as User
from .._engine.create_once import CreateNote
from .._engine.plan import CREATE, DELETE, UPDATE, Created, make_plan
from .api import CommonFcd, require_clients
from .client_user_changes import FoundUser, own_user_error, same_login
from .client_user_record import SETTING_NAMES, USER_INFO, require_privileges
from .typed_values import TypedValues

INPUTS: dict[str, dict[str, str]] = {
    "CreateUserWithPrivileges": {"user_name": "ad_login"},
    "UpdateUserInfoAndPrivileges": {**{name: name for name in (*USER_INFO, "privileges")}, "email": "email_address"},
    "SetUserPassword": {"user_password": "new_password"},
    "UpdateUserSettings": {f"settings.{name}": name for name in SETTING_NAMES},
}
"""The input for each attribute, by operation."""
REQUIRED_VALUES = ("user_password", "first_name", "last_name", "email")


def check_user_values(api: CommonFcd, values: JsonMapping) -> None:
    """Raise InvalidInput, naming the option, for a value that the service cannot take."""
    typed = TypedValues(api.contract)
    settings = {f"settings.{name}": value for name, value in (values.get("settings") or {}).items()}
    by_option = {**values, **settings}
    for operation, names in INPUTS.items():
        options = {fold(names[name]): name for name in names if name in by_option}
        for field in typed.inputs(operation) if options and typed.offers(operation) else ():
            option = options.get(fold(field.name))
            if option is not None:
                typed.check(field, by_option[option], option)


def refuse_taken(api: CommonFcd, values: JsonMapping, current: JsonMapping | None = None) -> None:
    """Raise InvalidInput, naming all of them at once, if new values are taken.

    ``values`` has the values to be sent, for ``current`` those that change.
    """
    questions = {"user_name": "IsUserNameAlreadyTaken", "email": "IsEmailAlreadyTaken", "pesel": "IsPeselAlreadyTaken"}
    further: User = {}
    if current is not None:
        questions["pesel"], further = "IsPeselAlreadyTakenByOtherUser", {"user_id": current["id"]}
        if str(values.get("email")).casefold() == str(current.get("email")).casefold():
            del questions["email"]  # its own address is not taken
    taken = [
        name
        for name, operation in questions.items()
        if values.get(name) and api.is_true(operation, **{name: values[name]}, **(further if name == "pesel" else {}))
    ]
    if taken:
        listed = " and ".join(f"{option} {quoted(values[option])}" if option != "pesel" else option for option in taken)
        raise InvalidInput(
            f"Taken by another user: {listed}.",
            next_step="Choose another value, or give the ID of that user in id.",
            taken=taken,
        )


class UserCreation:
    """One create; it finds and makes records."""

    def __init__(self, resource: FoundUser, values: JsonMapping, what: str) -> None:
        self._resource = resource
        self._values = values
        self._what = what

    def find(self) -> User | None:
        """Return the user, if a search shows it."""
        return self._resource.find(self._resource.desired)

    def resume(self, facts: t.Mapping[str, t.Any]) -> User | None:
        """Return the user that an earlier run has created: by its number, if that run noted it."""
        record = self._resource.find_created(facts)
        return self.find() if record is None else self._resource.adopt(record)

    def has_failed(self, facts: t.Mapping[str, t.Any], *, looked: bool) -> bool:
        """Return whether the user that was created is gone."""
        return looked and self._resource.is_gone(facts)

    def verify(self) -> None:
        """Raise InvalidInput when login, e-mail address or national id are taken."""
        # Where users are listed, IsUserNameAlreadyTaken was asked under the lock.
        free = () if self._resource.search.unlisted else ("user_name",)
        refuse_taken(self._resource.api, {name: value for name, value in self._values.items() if name not in free})

    def send(self, intent: CreateNote) -> User:
        """Send the create, note the number, and wait until a search shows the user."""
        values, key = self._values, self._resource.search.reader.user.key
        user = {str(key(name)): values[name] for name in USER_INFO if name in values and key(name) is not None}
        client = key("client_id")
        if "client_id" in values and client is not None:
            user[client] = {"client_id": values["client_id"]} if client == "client" else values["client_id"]
        number = self._sent(user)
        if not isinstance(number, int) or isinstance(number, bool):
            raise Unclear("CreateUserWithPrivileges: the response has no ID.", operation="CreateUserWithPrivileges")
        intent.add_answer(id=number)
        try:
            return self._read_back(number)
        except OperationFailed:
            raise
        except FcdError as problem:
            unread = CannotDetermine(
                f"The service created {self._what} (ID {number}), but it could not be read back: {problem.message}",
                next_step="Run the task again; it continues with this user.",
                id=number,
                cause=type(problem).__name__,
            )
            note_change(unread)
            raise unread from problem

    def _sent(self, user: User) -> object:
        """Send the create and return its answer, which should be the number.

        Raises Unclear if the login is refused as taken although it was free under the lock a moment ago: then the
        request was delivered twice, and the first delivery has made the user.
        """
        values, resource = self._values, self._resource
        try:
            return resource.api.call(
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
                taken = not plain and resource.api.is_true("IsUserNameAlreadyTaken", user_name=values["user_name"])
            if not taken:
                raise
            resource.task.warn(
                f"{refused.message} It was free just before, so this task is taken to have created the user."
            )
            raise Unclear(refused.message, **refused.details) from refused

    def _read_back(self, number: int) -> User:
        limit = self._resource.task.deadline.within(self._resource.params["create_grace"], "wait for the new user")
        try:
            found = wait_until(lambda: self._resource.by_login() or {}, bool, limit, what=self._what, longest=2.0)
            return self._resource.adopt(found)
        except WaitTimeout:
            record = self._resource.find_created({"id": number})
            if record is None:
                raise
            self._resource.task.warn(
                f"{self._what[0].upper()}{self._what[1:]} exists (ID {number}), but no search returns it by its login "
                "yet. Until then, give the ID in id."
            )
            return self._resource.adopt(record)


class DeclaredUser(FoundUser):
    """A user of a client, brought to its state."""

    def create(self, values: JsonMapping) -> Created:
        """Create the user exactly once, and set the rest in the same run."""
        later = self._changes_after_create(values)
        what = f"the user {quoted(values['user_name'])}"
        created = self.create_once(self.login_key(), what, UserCreation(self, values, what))
        if not created.by_us:
            return created
        with mark_changed_on_error():
            if not self._rest(created.record, later):
                return created
            with self.lock(created.record):  # values that are sent along are read under it, as in every update
                # nobody has given a new user anything else, so what its answer lacks can be left out
                current = self.with_blanks(self.reread(created.record) or created.record)
                changes = self._rest(current, later)
                self.check_complete(current, changes)
                return Created(self.send_changes(current, changes, "was created"))

    def _rest(self, record: User, later: User) -> User:
        """Return the values that the new user lacks or that cannot be read back; the password was in the create."""
        changeable = [item for item in self.fields if item.on_update]
        plan = make_plan(changeable, self.desired, record, "present", kind=self.kind)
        return {name: value for name, value in {**plan.values, **later}.items() if name != "user_password"}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise when the service would refuse the plan, or when it cannot or must not be carried out."""
        if current is not None and (action == DELETE or changes.get("is_blocked")):
            login = current.get("user_name")  # the service is only asked who logs in if nothing else tells
            own = same_login(login, self.task.settings["username"])
            if own if login else self.search.own_number() == current["id"]:
                raise own_user_error(self.params)
        if current is not None and action == DELETE:
            self.require_key(current)
        if action == CREATE:
            self._changes_after_create(changes)
            refuse_taken(self.api, changes)
        elif action == UPDATE and current is not None:
            check_user_values(self.api, changes)
            self.check_complete(current, changes)
            require_privileges(self.api, set(changes.get("privileges", [])) - set(current.get("privileges") or []))
            refuse_taken(self.api, changes, current)

    def _changes_after_create(self, values: JsonMapping) -> User:
        """Return what is sent after the create although it cannot be read back; all settings together.

        Raises InvalidInput if the create cannot be completed because a value is missing.
        """
        missing = [name for name in REQUIRED_VALUES if name not in values]
        if missing:
            raise InvalidInput(
                f"There is no user {quoted(values['user_name'])}; to create one, these options are required as well: "
                f"{', '.join(missing)}.",
                next_step="Give them, or check user_name.",
                missing=missing,
            )
        check_user_values(self.api, values)
        reader = self.search.reader
        reader.check_state(self.desired)
        if "client_id" in values:
            reader.user.require_members("client_id")
            require_clients(self.api, [values["client_id"]], "client_id")
        require_privileges(self.api, values.get("privileges", []))
        later: User = non_null_options(
            {name: None if reader.user.key(name) else values.get(name) for name in USER_INFO}, USER_INFO
        )
        every = {**later, **non_null_options(values, ["settings"])}
        self.check_complete(self.search.blank(), every)
        return every if any(reader.user.key(name) is None for name in every.get("settings", ())) else later

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The create of one user, for create_once, and what has to be set afterwards since a new user does not take it.

CreateUserWithPrivileges takes login, password, a User and privileges, and returns the number of the new user. Which
members a User has is only known from the WSDL; settings and the mark of a blocked user are always set afterwards.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import CannotDetermine, FcdError, InvalidInput, Unclear, WaitTimeout
from ..._core.names import quoted
from ..._engine.change_tracking import mark_changed_on_error, note_change
from ..._engine.converge import Created
from ..._engine.create_once import NO_EFFECT, create_once
from ..._engine.fields import Record
from ..._engine.journal import Intent
from ..._engine.plan import make_plan
from ..._engine.waiting import wait_until
from .record import INFO
from .taken import refuse_taken
from .updates import Updates
from .values import check_values

if t.TYPE_CHECKING:
    from .users import ClientUsers

NEEDED = ("user_password", "first_name", "last_name", "email")


def create(users: ClientUsers, values: Record) -> Created:
    """Make the user exactly once, and set the rest in the same run."""
    later = _checked(users, values)
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


def verify(users: ClientUsers, values: Record) -> None:
    """Raise when the create would be refused or could not be completed."""
    _checked(users, values)
    refuse_taken(users.api, values)


def _completed(users: ClientUsers, record: dict[str, t.Any], later: Record) -> dict[str, t.Any]:
    changeable = [item for item in users.fields if item.on_update]
    plan = make_plan(changeable, users.wanted, record, "present", kind=users.kind)
    changes = {name: value for name, value in {**plan.values, **later}.items() if name != "user_password"}
    if not changes:
        return record
    done = Updates(users).apply(record, changes, new=True)
    users.unfinished().clear()
    return done


def _checked(users: ClientUsers, values: Record) -> dict[str, t.Any]:
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
    check_values(users.api, values)
    reader = users.search.reader
    reader.check_state(users.wanted)
    if "client_id" in values:
        reader.user.needed("client_id")
    later = {name: values[name] for name in INFO if name in values and reader.user.key(name) is None}
    settings = values.get("settings", {})
    if any(reader.user.key(name) is None for name in settings):
        later["settings"] = settings
    Updates(users).check(users.search.blank(), {**later, **({"settings": settings} if settings else {})})
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

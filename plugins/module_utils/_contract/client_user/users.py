# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users as the engine wants them. What only a change needs is imported by the functions that change."""

from __future__ import annotations

import typing as t
from urllib.parse import urlsplit

from ..._core.errors import InvalidInput
from ..._core.names import quoted
from ..._engine.converge import Created
from ..._engine.fields import Field, Record
from ..._engine.journal import Intent, note_of_create
from ..._engine.plan import CREATE, DELETE, UPDATE
from ..._session.operation import Params
from ..._session.task import Task
from ..common_fcd import CommonFcd
from .record import EACH_TIME, INFO, fields, unreadable
from .search import UserSearch


class ClientUsers:
    """Users; ``wanted`` has what is wanted of the one at hand, by attribute."""

    kind = "user"

    def __init__(self, task: Task, api: CommonFcd, params: Params, wanted: Record) -> None:
        self.task = task
        self.api = api
        self.wanted = wanted
        self.search = UserSearch(task, api, params["client_id"])
        self.search.default_matters = any(name in wanted for name in (*INFO, "privileges"))
        self.grace: float = params["create_grace"]
        self._params = params
        self._current: dict[str, t.Any] = {}
        self._told: list[str] = []

    @property
    def fields(self) -> t.Sequence[Field]:
        """The attributes, compared as far as the user that was read last can be read."""
        always = self._params["update_password"] == EACH_TIME
        return fields(self.wanted, self._current, resend=self._unsent(), set_password=always)

    def find(self, wanted: Record) -> dict[str, t.Any] | None:
        """Return the user, or None. Raises Ambiguous; InvalidInput for a number or an identifier that is not there."""
        del wanted
        number, sid = self._params["id"], self._params["sid"]
        if number is None and sid is None:
            record = self._by_login()
        else:
            record = self._there(self.search.by_id(number) if sid is None else self.search.by_sid(sid))
        if record is None:
            return None
        known = self.known(record)
        note_of_create(self.task, self.identity()).clear()
        return known

    def known(self, record: dict[str, t.Any]) -> dict[str, t.Any]:
        """Return the record with the privileges in it where they are wanted; it is what is compared from now on."""
        self._current = record
        if record.get("pesel"):
            self.task.redactor.add(str(record["pesel"]))
        if self._params["state"] == "absent":
            return record
        self.search.reader.check_state(self.wanted, record)
        if "privileges" in self.wanted:
            record["privileges"] = self.privileges(record["id"])
        self._tell_unreadable(record)
        return record

    def privileges(self, number: int) -> list[int]:
        """Return the numbers of a user's privileges."""
        from .privileges import of_user

        return of_user(self.api, number)

    def create(self, values: Record) -> Created:
        """Make the user exactly once, then set what the service does not take with a new one."""
        from .creation import create

        return create(self, values)

    def alone(self, current: Record) -> t.ContextManager[None]:
        """Return the context in which no other task changes the user."""
        from ..changing_alone import changing_alone

        return changing_alone(self.task, self.kind, current["id"])

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Change the user; the service takes names, addresses and privileges together, and all settings together."""
        from .updates import Updates

        record = Updates(self).apply(current, changes)
        self.unfinished().clear()
        return record

    def delete(self, current: Record) -> None:
        """Remove the user; one that is gone already is no error."""
        from ..confirmation import confirmed

        number = current["id"]
        confirmed(lambda: self.api.delete_users([number]), lambda: self.search.by_id(number) is None, refusals=True)
        self.unfinished().clear()

    def verify(self, action: str, changes: Record, current: Record | None) -> None:
        """Raise when the service would refuse the plan, or when it cannot or must not be carried out."""
        if current is not None and (action == DELETE or changes.get("is_blocked")):
            from .own import refuse_own

            refuse_own(self, self._params, current["id"], current.get("user_name"))
        if action == CREATE:
            from .creation import verify

            verify(self, changes)
        elif action == UPDATE and current is not None:
            from .taken import refuse_taken
            from .updates import Updates
            from .values import check_values

            check_values(self.api, changes)
            Updates(self).check(current, changes)
            refuse_taken(self.api, changes, current)

    def identity(self) -> tuple[str, ...]:
        """Return what stands for the user in locks and notes: service, account and login."""
        parts = urlsplit(self.task.settings["soap_url"])
        given = self._params["user_name"] or self._current.get("user_name")
        login = given or self._current.get("id") or self._params["id"] or self._params["sid"]
        return f"{parts.scheme}://{parts.netloc}", str(self.task.settings["username"]), "client_user", str(login)

    def unfinished(self) -> Intent:
        """Return the note that something which cannot be read back has yet to be sent to a new user."""
        return note_of_create(self.task, (*self.identity(), "unfinished"))

    def _unsent(self) -> bool:
        return bool(unreadable(self.wanted, self._current)) and self.unfinished().read() is not None

    def _by_login(self) -> dict[str, t.Any] | None:
        row = self.search.by_login(self._params["user_name"], self._params["email"])
        absent = self._params["state"] == "absent"
        if row is not None:
            return self.search.from_row(row) if absent else self.search.user(row)
        if absent and self.search.taken_by_unseen:
            self.task.warn(f"The login {quoted(self._params['user_name'])} belongs to a user that no search shows.")
        return None

    def _there(self, record: dict[str, t.Any] | None) -> dict[str, t.Any] | None:
        """Return a user who is known by a number or an identifier, which nobody can choose for a new one."""
        if record is None and self._params["state"] != "absent":
            option, what = ("id", "number") if self._params["sid"] is None else ("sid", "security identifier")
            raise InvalidInput(
                f"There is no user with the {what} {self._params[option]}.",
                next_step=f"Check the {what}; leave it out to have a new user made.",
                option=option,
            )
        return record

    def _tell_unreadable(self, record: Record) -> None:
        unread = unreadable(self.wanted, record)
        if unread and unread != self._told:
            self._told = unread
            self.task.warn(
                f"These cannot be compared, since the service's types have no member for them: {', '.join(unread)}. "
                f"If they have, name it in {self.search.reader.advice(unread)}."
            )

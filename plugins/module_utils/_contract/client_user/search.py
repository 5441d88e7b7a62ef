# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users found: by login or by number.

A search text may be compared with anything and a search may want a client; neither is known (wire-facts 9.2). So each
row is compared exactly here, and before a login counts as not there, IsUserNameAlreadyTaken has said so too.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import Ambiguous, Forbidden, InvalidInput, Rejected, ServiceError, Unauthorized, Unclear
from ..._core.names import quoted
from ..._session.task import Task
from ..common_fcd import CommonFcd
from ..confirmation import PLAIN, read_or_listed
from ..logged_on import HERE, client_of, user_of
from ..member_reading import SEARCH_TEXT, Attribute, MemberReader
from .record import ATTRIBUTES, SETTINGS, Record, UserReader

LOGIN = ("AdLogin", "Login", "LoginName")

UNKNOWN = "The number of the user that logs in was not learnt, so it was not compared with the one to change"

Rows = t.List[Record]


class UserSearch:
    """Finds users; a record has the attributes that can be read.

    ``taken_by_unseen`` says that the login looked for last belongs to a user that no search shows. Where no member says
    whether a user is the default one, the client is asked, if ``default_matters``.
    """

    def __init__(self, task: Task, api: CommonFcd, client_id: int | None) -> None:
        """Match the members. Raises InvalidInput when the number of a user cannot be read."""
        self._task = task
        self._api = api
        self._client_id = client_id
        user = MemberReader(api.members("User"), (*ATTRIBUTES, *SETTINGS))
        row = MemberReader(api.members("UserResultItem"), ATTRIBUTES)
        row.needed("id")
        self.reader = UserReader(user, row)
        self._inputs = api.members("UsersSearchParams")
        client = self._inputs.find_if_any("client_id", "Client")
        self._client: Record = {} if client is None or client_id is None else {client: client_id}
        self._may_need_client = client if client_id is None else None
        self.taken_by_unseen = False
        self.default_matters = False

    def by_login(self, login: str, email: str | None) -> Record | None:
        """Return the row of the user with this login, or None. Raises Ambiguous.

        ``email`` helps where no member has the login.
        """
        self._check_login_is_known(login, email)
        text = self._inputs.find_if_any("user_name", *LOGIN) or self._inputs.find_if_any(*SEARCH_TEXT)
        found = self._match(self._rows({} if text is None else {text: login}), login, email)
        self.taken_by_unseen = False
        if found is None and self._api.is_user_name_already_taken(login):
            found = self._looked_wider(login, email, everything=text is not None)
            self.taken_by_unseen = found is None
        return found

    def user(self, row: Record) -> Record:
        """Return all that can be read of the user in this row."""
        return self._with_default(self.reader.record(self._api.get_user(self.reader.row.record(row)["id"]), row))

    def from_row(self, row: Record) -> Record:
        """Return what the row says, without another request."""
        return self.reader.record(None, row)

    def by_id(self, number: int) -> Record | None:
        """Return the user with this number, or None."""
        rows: Rows = []
        user = read_or_listed(lambda: self._api.get_user(number), lambda: self._listed(number, rows))
        if user is None:
            return None
        found = self.reader.record(None, rows[0]) if rows else {"id": number, **self.reader.record(user, None)}
        return self._with_default(found)

    def by_sid(self, sid: str) -> Record | None:
        """Return the user with this security identifier, or None."""
        self.reader.user.needed("id")
        user = self._api.get_user_by_sid(sid)
        return None if user is None else self._with_default(self.reader.record(user, None))

    def blank(self) -> Record:
        """Return a user of whom only what nothing tells is unknown."""
        default = self.default_matters and self._default_user().key("id") is not None
        client = self._client_id is not None or self.reader.readable("client_id")
        return {**({"is_default": False} if default and client else {}), **self.reader.blank()}

    def _default_user(self) -> MemberReader:
        return MemberReader(self._api.members("UserSimple"), [Attribute("id", ("UserId",))])

    def _with_default(self, record: Record) -> Record:
        """Return the record with the mark of the default user, as far as it can be learnt."""
        client = record.get("client_id", self._client_id)
        if not self.default_matters or "is_default" in record or client is None:
            return record
        reader = self._default_user()
        if reader.key("id") is None:
            return record
        try:
            user = self._api.get_client_default_user_simple(client)
        except Rejected as refusal:
            if isinstance(refusal, PLAIN):
                raise
            return record
        return {**record, "is_default": user is not None and reader.record(user)["id"] == record["id"]}

    def _listed(self, number: int, found: Rows) -> Record | None:
        found.extend(row for row in self._rows({}) if self.reader.row.record(row)["id"] == number)
        return found[0] if found else None

    def _looked_wider(self, login: str, email: str | None, *, everything: bool) -> Record | None:
        """Return the user from all rows there are, or from those of the account's own client."""
        found = self._match(self._rows({}), login, email) if everything else None
        if found is None and self._may_need_client and self._own_client():
            found = self._match(self._rows({}), login, email)
        return found

    def _rows(self, criteria: Record) -> Rows:
        try:
            rows = self._api.get_users(**{**criteria, **self._client})
        except Rejected as refusal:
            if isinstance(refusal, PLAIN) or not self._may_need_client or not self._own_client():
                raise
            rows = self._api.get_users(**{**criteria, **self._client})
        if self._client_id is None or self.reader.row.key("client_id") is None:
            return rows
        return [row for row in rows if self.reader.row.record(row).get("client_id") == self._client_id]

    def _own_client(self) -> bool:
        """Restrict searches to the client of the account that logs in, and return whether it could be learnt."""
        member, self._may_need_client = self._may_need_client, None
        number = client_of(self._logged_on("The client of the account was not learnt, so users of all clients count"))
        if number is None or member is None:
            return False
        self._client = {member: number}
        return True

    def own_number(self) -> int | None:
        """Return the number of the user that logs in, None with a warning where it cannot be learnt."""
        answer = self._logged_on(UNKNOWN)
        number = self.reader.user.record(user_of(answer)).get("id") if answer else None
        if answer and not number:
            self._task.warn(f"{UNKNOWN}.")
        return number or None

    def _logged_on(self, unknown: str) -> Record:
        """Return what LogonUser says of the account, nothing with a warning where it says nothing."""
        settings = self._task.settings
        login = settings["username"].rpartition("\\")[2]
        try:
            return self._api.logon_user(login, settings["password"], ip_address=HERE) or {}
        except (Unauthorized, Forbidden):
            raise
        except (ServiceError, Unclear, InvalidInput) as problem:
            self._task.warn(f"{unknown}: {problem}")
            return {}

    def _check_login_is_known(self, login: str, email: str | None) -> None:
        if email is None and not self.reader.readable("user_name"):
            raise InvalidInput(
                f"The user {quoted(login)} cannot be found by login: neither {self.reader.row.type_name} nor "
                f"{self.reader.user.type_name} has a member for it.",
                next_step=f"Give id or email, or name the member in {self.reader.advice(['user_name'])}.",
                option="user_name",
            )

    def _match(self, rows: Rows, login: str, email: str | None) -> Record | None:
        by_number = {self.reader.row.record(row)["id"]: row for row in rows}
        if self.reader.row.key("user_name") is not None:
            found = [n for n, row in by_number.items() if self.reader.row.record(row)["user_name"] == login]
        else:
            found = self._found_one_by_one(by_number, login, email)
        if len(found) > 1:
            raise Ambiguous(
                f"{len(found)} users fit {quoted(login)}: {', '.join(map(str, sorted(found)))}.",
                next_step="Say which one is meant with id.",
                ids=sorted(found),
            )
        return by_number[found[0]] if found else None

    def _found_one_by_one(self, rows: t.Mapping[int, Record], login: str, email: str | None) -> list[int]:
        """Return the users whose own record has the login; where not even that tells it, those with the e-mail."""
        likely = [n for n, row in rows.items() if email and self.reader.row.record(row).get("email") == email]
        if self.reader.user.key("user_name") is None:
            return likely
        for number in (*likely, *(number for number in rows if number not in likely)):
            user = self._api.get_user(number)
            if user is not None and self.reader.user.record(user).get("user_name") == login:
                return [number]
        return []

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of a user: each is one request, and what the service takes together is read, merged and sent together."""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError, InvalidInput
from ..._core.names import quoted
from ..._engine.change_tracking import mark_changed_on_error, note_change
from ..._engine.create_once import NO_EFFECT
from ..._engine.fields import Record
from ..._engine.plan import make_plan
from ..confirmation import confirmed
from .record import FIELDS, INFO, SETTING_NAMES, merged, unreadable

if t.TYPE_CHECKING:
    from .users import ClientUsers

Step = t.Tuple[t.Tuple[str, ...], t.Callable[[], None]]


class Updates:
    """Changes one user."""

    def __init__(self, users: ClientUsers) -> None:
        self._users = users
        self._api = users.api

    def check(self, current: Record, changes: Record) -> None:
        """Raise InvalidInput when something that has to be sent along is neither given nor readable."""
        missing = self._missing(current, changes)
        if missing:
            advice = self._users.search.reader.advice(missing)
            raise InvalidInput(
                "The service replaces these together with what changes, and does not tell what they are now: "
                f"{', '.join(missing)}.",
                next_step=f"Give {', '.join(missing)}, or name the member in {advice}.",
                missing=missing,
            )

    def apply(self, current: Record, changes: Record, *, new: bool = False) -> dict[str, t.Any]:
        """Make the changes and return the user as it is then. An error tells what was done and what was not."""
        self.check(current, changes)
        steps = self._steps(current, changes)
        for index, (_names, send) in enumerate(steps):
            try:
                send()
            except FcdError as problem:
                done = [name for finished, _send in steps[:index] for name in finished]
                left = [name for open_, _send in steps[index:] for name in open_]
                told = _told(problem, self._name(current), done, left, new=new)
                if done:
                    note_change(told)
                raise told from problem
        with mark_changed_on_error():
            return self._reread(current, changes)

    def _name(self, current: Record) -> str:
        login = current.get("user_name") or self._users.wanted.get("user_name")
        return (
            f"The user {quoted(login)} (number {current['id']})"
            if login
            else f"The user with the number {current['id']}"
        )

    def _steps(self, current: Record, changes: Record) -> list[Step]:
        """Return the requests to send: a user is blocked before, and unblocked after everything else."""
        number = current["id"]
        info = tuple(name for name in (*INFO, "privileges") if name in changes)
        steps: list[Step] = []
        if info:
            steps.append((info, lambda: self._send_info(number, current, changes)))
        if "settings" in changes:
            steps.append((("settings",), lambda: self._send_settings(number, current)))
        if "user_password" in changes:
            password = changes["user_password"]
            steps.append((("user_password",), lambda: self._api.set_user_password(number, password)))
        if "is_blocked" in changes:
            blocked = changes["is_blocked"]
            step: Step = (("is_blocked",), lambda: self._send_blocked(number, blocked=blocked))
            steps = [step, *steps] if blocked else [*steps, step]
        return steps

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
        if unreadable(wanted, record):
            return False
        if "privileges" in names:
            record["privileges"] = self._users.privileges(number)
        return not make_plan(FIELDS, wanted, record, "present").changed

    def _reread(self, current: Record, changes: Record) -> dict[str, t.Any]:
        record = self._users.search.by_id(current["id"]) or {}
        if "privileges" in self._users.wanted:
            record["privileges"] = self._users.privileges(current["id"])
        sent = {name: value for name, value in changes.items() if name != "user_password"}
        settings = {"settings": merged(current.get("settings"), sent.get("settings", {}))}
        return {**current, **sent, **settings, **record}


def _told(problem: FcdError, who: str, done: list[str], left: list[str], *, new: bool) -> FcdError:
    """Return the error with what is known about the user in front of it."""
    known = f"{who} was created" if new else f"{who} exists"
    finished = f", {', '.join(done)} set" if done else ""
    certain = "" if isinstance(problem, NO_EFFECT) else "certainly "
    return type(problem)(
        f"{known}{finished}, but not {certain}set: {', '.join(left)}. {problem.message}",
        next_step=problem.next_step or "Run the task again; it sets what is missing.",
        **{**problem.details, "done": done, "left": left},
    )

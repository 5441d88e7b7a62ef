# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the objects of the contract: how one is created once, changed by a confirmed request, and removed.

The outcome of a request is never guessed: a read decides.
"""

from __future__ import annotations

import abc
import typing as t

from .._connection.task import Params, Result, Task, non_null_options, result_of
from .._core.errors import InvalidInput, OperationFailed, confirm_write, reading_back
from .._core.type_aliases import JsonMapping as Values
from .._core.type_aliases import JsonObject
from .._engine.create_once import LISTED, CreateSettings, Creation, create_note, create_once, has_create_note
from .._engine.plan import Created, Outcome, Resource, make_plan, no_such_id, other_name, reconcile
from .api import CommonFcd
from .connection import common_fcd


class SoapResource(Resource):
    """One declared object; ``desired`` has the declared values by attribute.

    A noun adds how the object is read, and the requests that create, change and remove it. Updates take several values
    at once and send current values along with new ones, so every update is made under a lock.
    """

    kind = ""
    key_options: tuple[str, ...] = ()
    """The options by which a search finds it; empty if it is not found by a search."""

    known: list[int] | None = None
    """The numbers of what could be taken for it, before the create of one whose answer says nothing."""

    def __init__(self, task: Task, params: Params, api: CommonFcd | None = None) -> None:
        self.task = task
        self.params = params
        self.api = api or common_fcd(task)
        self.desired: JsonObject = {}
        self.unreadable_names: list[str] = []

    @property
    def absent(self) -> bool:
        """Whether the object is to be removed."""
        return bool(self.params["state"] == "absent")

    @abc.abstractmethod
    def reread(self, current: Values) -> JsonObject | None:
        """Return an object that was found before as it is now, or None if it is gone."""

    def reconcile(self) -> Outcome:
        state, expects_new = "absent" if self.absent else "present", self.task.expects_new
        return reconcile(self, self.desired, state, check_mode=self.task.check_mode, expects_new=expects_new)

    def result(self, key: str, blank: JsonObject) -> Result:
        """Bring the object to its state and return the result; ``blank`` has every attribute of an object."""
        outcome = self.reconcile()
        for side in (outcome.before, outcome.after):
            side.pop("members", None)  # the attributes hold the same
        return {**result_of(key, outcome), key: outcome.record and {**blank, **outcome.record}}

    def missing_error(self, option: str, what: str) -> InvalidInput:
        """Return the error that no object has the ``what`` (ID) that is given as ``option``."""
        return InvalidInput(
            f"There is no {self.kind} with the {what} {self.params[option]}.",
            next_step=f"Check the {what}; omit it to create a new {self.kind}.",
            option=option,
        )

    def unreadable(self, desired: Values, record: Values) -> list[str]:
        """Return the desired options that cannot be read back, so that they are not compared."""
        return [name for name in desired if name not in record]

    def note_unreadable(self, record: Values, warning: t.Callable[[t.Sequence[str]], str]) -> None:
        """Note what cannot be read back of the object, and warn once if that matters."""
        names = self.unreadable(self.desired, record)
        if names and names != self.unreadable_names and not self.absent:
            self.task.warn(warning(names))
        self.unreadable_names = names

    def note_key(self, kind: str, *key: object) -> tuple[object, ...]:
        """Return what identifies an object in locks and notes of creates: service, account, kind and key."""
        return (*self.task.account("soap_url"), kind, *key)

    def alike(self) -> list[JsonObject]:
        """Return what could be the object, had the service changed the key that was sent."""
        return []

    def note_listed(self, key: t.Sequence[object], number: int) -> None:
        """Note that the object is listed. Its number stays for a day: the next search may be of a late replica."""
        if has_create_note(self.task, key):
            create_note(self.task, key).keep(number)

    def find_noted(self, key: t.Sequence[object]) -> JsonObject | None:
        """Return the object whose number the note of a create has, although no search shows it by its key."""
        note = create_note(self.task, key)
        lead = note.lead() if has_create_note(self.task, key) else None
        record = None if lead is None else self.find_created(lead)
        if lead is not None and record is None and "id" in lead:
            note.clear_lead(lead)
        return record

    def find_created(self, facts: Values) -> JsonObject | None:
        """Return what a create with these facts has made; None if it is gone, or renamed after it was listed.

        Raises OperationFailed if it never had the key that was sent: a second one would not have it either.
        """
        record = self.reread({"id": facts["id"]}) if "id" in facts else None
        if record is None or self.has_key(record):
            return record
        if facts.get(LISTED):
            return None
        raise self.kept_otherwise(record)

    def is_gone(self, facts: Values) -> bool:
        """Return whether the service has no object of the number that was noted."""
        return "id" in facts and self.find_created(facts) is None

    def has_key(self, record: Values) -> bool:
        """Return whether an object has the key that is declared."""
        return not self._changed_by_service(record, self.key_options)

    def require_same(self, record: JsonObject | None, other: t.Callable[[], JsonObject | None], by: str = "id") -> None:
        """Raise InvalidInput unless the object that ``by`` leads to, or its lack, is what the other options name.

        ``other`` finds the one that these name.
        """
        given = non_null_options(self.params, (*self.key_options, "name"))
        if record is None:
            named = other() if given.keys() >= {*self.key_options} else None
            if named is not None:
                raise no_such_id(self.kind, self.params[by], self.key_options, named["id"], by)
            return
        for option, value in given.items():
            if not self.is_same(value, record.get(option)):
                raise other_name(self.kind, self.params[by], option, value, record.get(option), by)

    def require_key(self, current: Values) -> None:
        """Raise OperationFailed if what a search found by its key has another one when it is read by its number."""
        record = self.reread(current) if self.params["id"] is None else None
        if record is not None and not self.has_key(record):
            raise OperationFailed(
                f"A search shows the {self.kind} {current['id']} as the declared one, but read by its ID it is another "
                "one. Nothing was changed.",
                next_step="Give its ID in id.",
                id=current["id"],
            )

    def kept_otherwise(self, record: Values) -> OperationFailed:
        """Return the error for what was created, and is not called what was sent: the service may change names."""
        changed = self._changed_by_service(record, (*self.key_options, "name"))
        differences = ", ".join(f"its {name} is {record[name]!r} instead of {self.params[name]!r}" for name in changed)
        return OperationFailed(
            f"The {self.kind} was created with the ID {record['id']}, but {differences}.",
            next_step=f"No other one is created. Declare {' and '.join(changed)} as the service has it, or remove this "
            "one by its ID.",
            id=record["id"],
        )

    def _changed_by_service(self, record: Values, names: t.Iterable[str]) -> list[str]:
        """Return those of the options whose values the service shows, and not as they were sent."""
        known = [name for name in names if record.get(name) not in (None, "") and self.params.get(name) is not None]
        return [name for name in known if not self.is_same(self.params[name], record[name])]

    def is_same(self, sent: object, kept: object) -> bool:
        """Return whether the service has kept a value as it was sent."""
        return str(sent) == str(kept)

    def lock(self, current: Values) -> t.ContextManager[None]:
        """Return a context in which no other task of this host changes the object. Entering it may raise Busy."""
        number, (service, _user) = current["id"], self.task.account("soap_url")
        return self.task.change_lock(f"the {self.kind} {number}", service, self.kind, number)

    def has(self, current: Values, names: t.Iterable[str]) -> bool:
        """Read the object and return whether these attributes are as desired; False if one is unreadable."""
        record = self.reread(current)
        if record is None:
            return False
        desired = {name: self.desired[name] for name in names}
        return not self.unreadable(desired, record) and not make_plan(self.fields, desired, record, "present").changed

    def send_update(self, current: Values, changes: Values, operation: str, **inputs: object) -> JsonObject:
        """Send an update that is one request, and return the object as it is then."""
        confirm_write(lambda: self.api.call(operation, **inputs), lambda: self.has(current, changes))
        with reading_back():
            return self.reread(current) or {**current, **changes}

    def send_removal(self, current: Values, operation: str, **inputs: object) -> None:
        """Remove the object; one already gone is no error: after a refusal, the object is read."""
        confirm_write(lambda: self.api.call(operation, **inputs), lambda: self.reread(current) is None, refusals=True)
        self.require_gone(current, operation)

    def require_gone(self, current: Values, operation: str, **details: object) -> None:
        """Raise OperationFailed if the object is still there after its removal."""
        with reading_back():
            left = self.reread(current)
            if left is not None and left["id"] == current["id"]:
                raise OperationFailed(
                    f"The service has accepted {operation} for the {self.kind} {current['id']}, but it is still there.",
                    next_step="Run the task again later; it removes what is there then.",
                    id=current["id"],
                    **details,
                )

    def create_once(self, key: t.Sequence[object], what: str, creation: Creation) -> Created:
        """Create the object, exactly once; ``key`` is its note's, and ``what`` names it in messages."""
        settings = CreateSettings.of(self.task, self.params["create_grace"], force=self.params["force_create"])
        created = create_once(settings, key, what, creation)
        if self.key_options:
            create_note(self.task, key).set_lead(id=created.record["id"])
        return created

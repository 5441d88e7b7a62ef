# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the objects of the contract: how one is created once, changed by a confirmed request, and removed.

The outcome of a request is never guessed: a read decides. Creates are rare, so the engine's part of them is imported
late, as is soap_changes.py, which only some changes need.
"""

from __future__ import annotations

import abc
import typing as t

from .._connection.task import Params, Result, Task, result_of
from .._core.errors import InvalidInput, OperationFailed, confirm_write, reading_back
from .._core.type_aliases import JsonMapping as Values
from .._core.type_aliases import JsonObject
from .._engine.create_once import create_note, create_once, has_create_note
from .._engine.plan import Created, Outcome, Resource, make_plan, reconcile
from .api import CommonFcd
from .connection import common_fcd

if t.TYPE_CHECKING:
    from .._engine.create_once import Creation


class SoapResource(Resource):
    """One declared object; ``desired`` has the declared values by attribute.

    A noun adds how the object is read, and the requests that create, change and remove it. Updates take several values
    at once and send current values along with new ones, so every update is made under a lock.
    """

    kind = ""

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

    def forget_create(self, key: t.Sequence[object]) -> None:
        """Remove the note of a create: the object is there, and the note would be taken for that of the next create."""
        if has_create_note(self.task, key):
            create_note(self.task, key).clear()

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
        settings = self.task.create_settings(self.params["create_grace"], force=self.params["force_create"])
        return create_once(settings, key, what, creation)

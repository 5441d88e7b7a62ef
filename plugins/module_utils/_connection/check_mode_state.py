# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tasks of one run in check mode would create, change and remove, as later tasks of that run find it.

A planned object has a number of its own, above all numbers of the service. It never leaves a task: results and
messages show a placeholder such as "(known after apply: disk data)", and an argument with that text is the number.
"""

from __future__ import annotations

import collections
import os
import re
import typing as t

from .._core.errors import InvalidInput
from .._core.later import LATER
from .._core.text import digest, map_values
from .._core.type_aliases import JsonObject

if t.TYPE_CHECKING:
    from .._engine.create_once import ChangeEnvironment

FIRST_NUMBER, NUMBER_SPAN = 8 * 10**15, 10**14  # no number of the service is as large
_NUMBER = re.compile(r"(?<!\d)80\d{14}(?!\d)")

ObjectKey = t.Any
PlannedEntry = t.List[t.Any]
"""The account, the kind, the number or name, and the record; None for what would be removed."""

STORED = ("account", "container", "object")
ADDRESSES = {**dict.fromkeys(STORED, "storage_base"), **dict.fromkeys(("warehouse", "client_user"), "soap_url")}
"""The option with the address of the service that has a kind of objects; all others are of the infrastructure."""

NAME_OPTIONS = {"ip_address": "comment", "client_user": "user_name"}
"""What stands for the name of an object, where that is not ``name``."""

IDENTITIES = ("id", "address", "sid")
"""Members of a record by which options refer to the object; each is its number as long as it is only planned."""


def is_planned(number: object) -> bool:
    """Return whether a number is that of a planned object."""
    return isinstance(number, int) and FIRST_NUMBER <= number < FIRST_NUMBER + NUMBER_SPAN


def placeholders(entries: t.Iterable[PlannedEntry]) -> dict[int, str]:
    """Return what is shown for the number of each planned object of a run; no two are the same."""
    shown: dict[int, str] = {}
    same: collections.Counter[str] = collections.Counter()
    for _account, kind, number, record in entries:
        if is_planned(number) and record is not None and number not in shown:
            text = f"{kind.replace('_', ' ')} {record.get(NAME_OPTIONS.get(kind, 'name')) or ''}".rstrip()
            same[text] += 1
            shown[number] = f"{LATER[:-1]}: {text}{f' #{same[text]}' if same[text] > 1 else ''})"
    return shown


def with_placeholders(value: t.Any, shown: t.Mapping[int, str]) -> object:
    """Return plain data with the placeholders of planned objects in place of their numbers."""

    def change(one: t.Any) -> t.Any:
        if isinstance(one, str):
            return _NUMBER.sub(lambda found: shown.get(int(found[0]), found[0]), one)
        return shown.get(one, one) if is_planned(one) else one

    return map_values(change, value)


def with_planned_numbers(value: object, shown: t.Mapping[int, str]) -> object:
    """Return arguments with the numbers of planned objects in place of their placeholders."""
    numbers = {text: str(number) for number, text in shown.items()}
    return map_values(lambda one: numbers.get(one, one) if isinstance(one, str) else one, value)


class PlannedObjects:
    """The planned objects of earlier tasks of a run, which this one finds, and the ``new`` ones of this task."""

    def __init__(self, earlier: t.Sequence[PlannedEntry] = ()) -> None:
        self._earlier = earlier
        self._found: dict[tuple[str, str], dict[ObjectKey, JsonObject | None]] = {}
        self.new: list[PlannedEntry] = []

    def in_order(self, task: ChangeEnvironment, *kinds: str) -> t.Iterator[tuple[str, ObjectKey, JsonObject | None]]:
        """Yield kind, number or name, and record of what was planned in the task's account, the oldest first."""
        accounts = {kind: _account(task, kind) for kind in kinds}
        for account, kind, key, record in self._earlier:
            if accounts.get(kind) == account:
                yield kind, tuple(key) if isinstance(key, list) else key, record

    def of(self, task: ChangeEnvironment, kind: str) -> dict[ObjectKey, JsonObject | None]:
        """Return the planned objects of a kind in the task's account, by number or name; None was removed."""
        asked = kind, _account(task, kind)
        if asked not in self._found:
            self._found[asked] = {key: record for _kind, key, record in self.in_order(task, kind)}
        return self._found[asked]

    def planned(self, task: ChangeEnvironment, kind: str) -> list[JsonObject]:
        """Return the records of what would be new."""
        return [record for key, record in self.of(task, kind).items() if is_planned(key) and record is not None]

    def add(self, task: ChangeEnvironment, kind: str, key: ObjectKey, record: JsonObject | None) -> None:
        """Record an object that would be there, or that one would be removed."""
        self.new.append([_account(task, kind), kind, key, record])

    def refuse_foreign(self, task: ChangeEnvironment, params: t.Mapping[str, object]) -> None:
        """Raise InvalidInput for an option with the number of what is planned in another account of the service."""
        foreign = {
            str(key)
            for account, kind, key, _record in self._earlier
            if is_planned(key) and account != _account(task, kind) and task.settings[_address(kind)] is not None
        }
        for option, value in params.items() if foreign else ():
            found = foreign.intersection(_NUMBER.findall(str(value)))
            if found:
                raise InvalidInput(
                    f"{option}: {min(found)} is an object of another account.",
                    next_step="Use an object of the account of this task.",
                    option=option,
                )

    def add_outcome(
        self,
        task: ChangeEnvironment,
        kind: str,
        members: t.Iterable[str],
        diffs: t.Iterable[JsonObject],
        records: t.Iterable[JsonObject],
    ) -> None:
        """Record what an operation would make of its objects; a new one gets a number and all ``members``."""
        for before in filter(None, (_removed(kind, diff) for diff in diffs)):
            self.add(task, kind, _key(kind, before), None)
        for record in records:
            if record.get("id", 0) is None:  # it is new
                number = FIRST_NUMBER + int.from_bytes(os.urandom(8), "big") % NUMBER_SPAN
                later: JsonObject = dict.fromkeys((*members, *record), LATER)
                later.update({name: str(number) for name in IDENTITIES if name in later})
                later["id"] = number
                record.update((name, value) for name, value in later.items() if record.get(name) is None)
            known = {name: value for name, value in record.items() if value != LATER}
            self.add(task, kind, _key(kind, record), task.redactor.value(known))


def _removed(kind: str, diff: JsonObject) -> JsonObject | None:
    """Return the object that would be removed or replaced; None where it would stay, or there is none."""
    before, after = diff.get("before"), diff.get("after")
    if before and (not after or (kind not in STORED and after.get("id") == LATER)):
        return t.cast("JsonObject", before)
    return None


def _key(kind: str, record: t.Mapping[str, object]) -> ObjectKey:
    if kind == "object":
        return [record.get("container"), record.get("name")]
    return record.get("name") if kind == "container" else record.get("id")


def _address(kind: str) -> str:
    return ADDRESSES.get(kind, "base_url")


def _account(task: ChangeEnvironment, kind: str) -> str:
    """Return what stands for the account in which a task finds objects of that kind, however its address is spelt."""
    token = task.settings["access_token"] if kind not in ADDRESSES else None
    return digest(*task.account(_address(kind)), token or "")

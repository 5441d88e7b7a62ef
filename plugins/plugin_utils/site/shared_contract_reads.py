# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""CommonFcd for a site: what is searched by a text or a key is read as a whole list.

In planning that is so after a few searches. Everybody who uses these searches compares each row exactly and, before
something counts as missing, asks the operation that tells whether it is there (see UserSearch, DeclaredWarehouse).
"""

from __future__ import annotations

import functools
import typing as t

from ...module_utils._connection.task import exchange
from ...module_utils._contract.api import CommonFcd, Members, Record, common_fcd
from ...module_utils._core.clock import GATHER, Memory, SharedReading
from ...module_utils._http.messages import WRITE
from ...module_utils._soap.client import Message, SoapClient

if t.TYPE_CHECKING:
    from ...module_utils._connection.task import Task
    from ...module_utils._core.clock import Clock
    from .shared_reads import SearchCounts

WHOLE = {"GetUsers": int, "GetWarehouses": None}
"""Searches that a whole list can answer, and the type of those criteria that it is restricted to."""


def remembering_common_fcd(task: Task, counts: SearchCounts) -> BulkCommonFcd:
    """Return the interface for planning, which sends each read once."""
    api = common_fcd(task, exchange(task, direct=True))
    api.client = RememberingSoapClient.over(api.client)
    return BulkCommonFcd.over(api, counts)


class RememberingSoapClient(SoapClient):
    """A client that calls each reading operation once with the same inputs, and remembers the result."""

    memory: Memory

    @classmethod
    def over(cls, client: SoapClient) -> RememberingSoapClient:
        """Return one that calls in the same way as ``client``."""
        remembering = cls.__new__(cls)
        vars(remembering).update(vars(client))
        remembering.memory = Memory()
        return remembering

    def send(self, message: Message) -> t.Any:
        """Send a read or a log-in, or return what it brought before.

        Raises what SoapClient.send does, or AssertionError.
        """
        if message.kind == WRITE:
            raise AssertionError(f"{message.operation.name} is not sent while planning")
        send = super().send
        question = (message.operation.name, message.text, tuple(sorted(message.prefixes.items())))
        return self.memory.answer(question, lambda: send(message))


class BulkCommonFcd(CommonFcd):
    """The CommonFcd interface; what is searched by a text or a key is read as a whole after a few searches."""

    _counts: SearchCounts
    _types: Memory
    _lists: Memory

    @classmethod
    def over(cls, api: CommonFcd, counts: SearchCounts) -> BulkCommonFcd:
        """Return one with the same connection, which has to remember what it has read."""
        bulk = cls.__new__(cls)
        vars(bulk).update(vars(api), _counts=counts, _types=Memory(), _lists=Memory())
        return bulk

    def members(self, type_name: str) -> Members:
        """Return the members of a type, looked up once. Raises InvalidInput."""
        return self._types.answer(type_name, functools.partial(super().members, type_name))

    def search(self, operation: str, criteria: t.Mapping[str, object], limit: int | None = None) -> list[Record]:
        """Return the rows of a paged search, or those of the whole list in which all values of the criteria stand."""
        if limit is None and operation in WHOLE and criteria and self._counts.are_many(operation, repr(criteria)):
            found = self._from_whole(operation, criteria)
            if found or operation in self._counts.many:
                return found
        return super().search(operation, criteria, limit)

    def _from_whole(self, operation: str, criteria: t.Mapping[str, object]) -> list[Record]:
        """Return the rows of the whole list in which all values of the criteria stand."""
        kept = WHOLE[operation]
        shared = {name: value for name, value in criteria.items() if kept is not None and isinstance(value, kept)}
        desired = {str(value) for name, value in criteria.items() if name not in shared}
        return [row for row, leaves in self._whole(operation, shared) if desired <= leaves]

    def _whole(self, operation: str, criteria: Record) -> list[tuple[Record, set[str]]]:
        """Return all rows, each with what stands in it."""
        search = super().search
        return self._lists.answer(
            (operation, repr(criteria)), lambda: [(row, _leaves(row)) for row in search(operation, criteria)]
        )


class SideBySideCommonFcd(BulkCommonFcd):
    """The CommonFcd interface for entries that are applied side by side.

    Whoever searches in one of the lists that are searched often gets what was asked for after that moment; those who
    search meanwhile, or a moment later, share it. Whether what is not found there is missing, another operation tells.
    """

    _clock: Clock
    _readings: dict[tuple[str, str], SharedReading[list[tuple[Record, set[str]]]]]

    @classmethod
    def of(cls, api: CommonFcd, clock: Clock, counts: SearchCounts) -> SideBySideCommonFcd:
        """Return one with the same connection."""
        shared = cls.__new__(cls)
        vars(shared).update(vars(cls.over(api, counts)), _clock=clock, _readings={})
        return shared

    def search(self, operation: str, criteria: t.Mapping[str, object], limit: int | None = None) -> list[Record]:
        """Return the rows of a paged search, or those of the whole list in which all values of the criteria stand."""
        if limit is None and operation in self._counts.many:
            return self._from_whole(operation, criteria)
        return super(BulkCommonFcd, self).search(operation, criteria, limit)

    def _whole(self, operation: str, criteria: Record) -> list[tuple[Record, set[str]]]:
        search = super(BulkCommonFcd, self).search
        reading = SharedReading(
            lambda: [(row, _leaves(row)) for row in search(operation, criteria)], self._clock, GATHER
        )
        return self._readings.setdefault((operation, repr(criteria)), reading).since()


def _leaves(value: object) -> set[str]:
    """Return all plain values of a row, those of its parts included, as texts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return {leaf for part in value for leaf in _leaves(part)}
    return {str(value)}

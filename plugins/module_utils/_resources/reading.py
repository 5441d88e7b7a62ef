# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of the SOAP contract: a module with a ``subject``, each subject one reading operation.

Without a subject, the options decide: the first that takes all that was given and needs no more. The result has the
subject's name as its key, or the ``key`` that several subjects share. Rows are what the service sends, keys in
snake_case, with the attributes of the subject (``id``, ``name`` and so on) laid over them where the WSDL has members
for them.
"""

from __future__ import annotations

import typing as t

from .._api.common_fcd import CommonFcd
from .._core.errors import InvalidInput
from .._session.common_fcd import common_fcd
from .._session.operation import Operation, Params, Result
from .._session.options import SOAP
from .._session.task import Task
from .member_reading import Attribute, MemberReader

SEARCH_OPTIONS: dict[str, dict[str, t.Any]] = {
    "search_text": {"type": "str", "aliases": ["search"]},
    "filters": {"type": "dict"},
    "limit": {"type": "int"},
}
SEARCH_TEXT = ("search_text", "text", "search_phrase", "phrase")

Row = t.Dict[str, t.Any]
Finish = t.Callable[[CommonFcd, Params, t.Any], t.Any]


class Reading(t.NamedTuple):
    """One thing that a reader can be asked for.

    ``takes`` are the options that it sends, by the names of the operation's inputs; those in ``needs`` have to be
    given. A ``searched`` one is a paged search: it takes SEARCH_OPTIONS besides, and ``takes`` are members of its
    search input. ``rows`` is the WSDL's type of a row, wanted where there are ``attributes`` or where null means that
    there is none. ``finish`` makes the value of the result out of what was read; ``key`` is its key.
    """

    operation: str
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    searched: bool = False
    rows: str = ""
    attributes: tuple[Attribute, ...] = ()
    finish: Finish | None = None
    key: str = ""

    def fits(self, given: Params, general: t.Container[str]) -> bool:
        """Whether it takes all the given options and needs no other."""
        return all(name in given for name in self.needs) and not self.foreign(given, general)

    def foreign(self, given: Params, general: t.Container[str]) -> list[str]:
        """Return the options that were given and have no meaning for it."""
        return [name for name in given if name not in general and name not in self.options]

    @property
    def options(self) -> tuple[str, ...]:
        """All options that have a meaning for it."""
        return (*self.takes, *(SEARCH_OPTIONS if self.searched else ()))


def reader(
    name: str,
    subjects: t.Mapping[str, Reading],
    options: t.Mapping[str, dict[str, t.Any]],
    *,
    required: bool = False,
    general: t.Sequence[str] = (),
) -> Operation:
    """Return the operation of a module that reads ``subjects``; ``general`` options have a meaning for all of them.

    No option may have a default: what is not given is None. With ``required``, the subject has to be said.
    """
    searching = SEARCH_OPTIONS if any(item.searched for item in subjects.values()) else {}
    own = {**options, **searching}

    def run(task: Task, params: Params) -> Result:
        given = {key: params[key] for key in own if params[key] is not None}
        subject = params["subject"] or _fitting(subjects, given, general)
        _check(subjects, subject, given, general)
        reading = subjects[subject]
        return {"changed": False, reading.key or subject: read(common_fcd(task), reading, params)}

    choice = {"subject": {"type": "str", "choices": list(subjects), **({"required": True} if required else {})}}
    return Operation(name, (SOAP,), {**choice, **own}, run)


def read(api: CommonFcd, reading: Reading, params: Params) -> t.Any:
    """Return what the service has: a list of rows, or the plain value that the operation returns."""
    inputs = {name: params[name] for name in reading.takes if params.get(name) is not None}
    if reading.searched:
        found: t.Any = _searched(api, reading.operation, inputs, params)
    else:
        found = api.call(reading.operation, **inputs)
    if isinstance(found, dict) or (found is None and reading.rows):
        found = [found] if found else []
    if reading.attributes:
        found = with_attributes(MemberReader(api.members(reading.rows), reading.attributes), found)
    return found if reading.finish is None else reading.finish(api, params, found)


def with_attributes(reading: MemberReader, rows: t.Sequence[Row]) -> list[Row]:
    """Return the rows with the attributes that can be read of them."""
    return [{**row, **reading.record(row)} for row in rows]


def _searched(api: CommonFcd, operation: str, inputs: Row, params: Params) -> list[Row]:
    criteria = dict(params.get("filters") or {})
    if inputs or params.get("search_text") is not None:
        members = api.search_members(operation)
        criteria.update({members.find(name): value for name, value in inputs.items()})
        if params.get("search_text") is not None:
            criteria[members.find(*SEARCH_TEXT)] = params["search_text"]
    return api.search(operation, criteria, params.get("limit"))


def _fitting(subjects: t.Mapping[str, Reading], given: Params, general: t.Sequence[str]) -> str:
    """Return the subject that was meant: the first that fits, of those with the most needs."""
    fitting = [name for name, reading in subjects.items() if reading.fits(given, general)]
    if fitting:
        return max(fitting, key=lambda name: len(subjects[name].needs))
    raise InvalidInput(
        f"No subject takes {', '.join(given) or 'nothing'} together.",
        next_step=f"Say what is to be read with subject: {', '.join(subjects)}.",
        option="subject",
    )


def _check(subjects: t.Mapping[str, Reading], wanted: str, given: Params, general: t.Sequence[str]) -> None:
    """Raise InvalidInput for options that are missing, or that the subject has no use for."""
    reading = subjects[wanted]
    missing = [name for name in reading.needs if name not in given]
    if missing:
        raise InvalidInput(f"The subject {wanted} needs {', '.join(missing)}.", missing=missing, option=missing[0])
    foreign = reading.foreign(given, general)
    if foreign:
        raise InvalidInput(
            f"{foreign[0]} has no meaning for the subject {wanted}, which takes "
            f"{', '.join(reading.options) or 'nothing'}.",
            next_step=_home(subjects, foreign[0]),
            option=foreign[0],
        )
    if given.get("limit") is not None and given["limit"] < 1:
        raise InvalidInput("limit: must be 1 or more.", option="limit")


def _home(subjects: t.Mapping[str, Reading], option: str) -> str:
    fitting = [name for name, reading in subjects.items() if option in reading.options]
    return f"Leave it out, or take the subject {' or '.join(fitting)}." if fitting else "Leave it out."

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of the SOAP contract: a module with a ``subject``, each subject one question to the service.

Without a subject, the options decide: of the subjects that take all given options, the one that requires the most of
them. The key in the result is the subject's name, or the ``key`` that several subjects share. Rows are the service's,
with keys in snake_case, and with the attributes of the subject (``id``, ``name`` and so on) merged in if the WSDL has
members for them. Secret and personal values are hidden, see ``hidden_values``.
"""

from __future__ import annotations

import typing as t

from .._connection.options import SOAP, OptionSpecs, check_least
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import InvalidInput
from .._core.text import fold
from .._core.type_aliases import JsonObject
from .._soap.codec import with_zeros
from .api import SEARCH_TEXT, CommonFcd, MemberReader, type_key_of
from .attributes import Attribute
from .connection import common_fcd
from .documents import describe_documents
from .hidden_values import hide_personal

SEARCH_OPTIONS: OptionSpecs = {
    "search_text": {"type": "str", "aliases": ["search"]},
    "filters": {"type": "dict"},
    "limit": {"type": "int"},
}
NO_NAMES: t.Mapping[str, str] = {}

INT, TEXT, BOOL = {"type": "int"}, {"type": "str"}, {"type": "bool"}
DOCUMENT_OPTIONS: OptionSpecs = {"include_document": BOOL}


class ReadContext(t.NamedTuple):
    """The task, the service and the options of a reader."""

    task: Task
    api: CommonFcd
    params: Params


Finish = t.Callable[[ReadContext, t.Any], t.Any]


class RowType(t.NamedTuple):
    """Rows: their type in the WSDL, the attributes that are merged into them, and the key in the result."""

    type_name: str
    attributes: tuple[Attribute, ...] = ()
    key: str = ""


class Subject(t.NamedTuple):
    """One thing that a reader can be asked for.

    ``operation`` is the name of the one that it calls, or a function that asks. ``takes`` are the options that it
    sends, by the names of the operation's inputs or of those in ``names``; those in ``needs`` have to be given; the
    ``own_options`` have a meaning and are not sent. ``rows`` says what objects are returned, if any: a list of them,
    also of one or none. A ``searched`` one is a paged search: it takes SEARCH_OPTIONS besides, and ``takes`` are
    members of its search input. One that is ``explicit`` is never meant unless the option subject says so. ``finish``
    returns the value of the result for what was read; ``key`` is the key of the value, where ``rows`` has none. One
    that reads a single record has the option with its ID in ``identity``; ``missing`` in the result shows whether
    there is none.
    """

    operation: str | t.Callable[[ReadContext], t.Any]
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    own_options: tuple[str, ...] = ()
    rows: RowType | None = None
    names: t.Mapping[str, str] = NO_NAMES
    searched: bool = False
    explicit: bool = False
    finish: Finish | None = None
    key: str = ""
    identity: str = ""

    @classmethod
    def needing(cls, operation: str, *needs: str, **more: t.Any) -> Subject:
        """Return a subject whose operation only takes required inputs; ``more`` are further members."""
        return cls(operation, needs, needs, **more)

    @classmethod
    def single(cls, operation: str, identity: str, *needs: str, **more: t.Any) -> Subject:
        """Return a subject that reads the record with this ID; ``needs`` are required as well."""
        return cls.needing(operation, identity, *needs, identity=identity, **more)

    @property
    def options(self) -> tuple[str, ...]:
        """All options that it uses."""
        return (*self.takes, *self.own_options, *(SEARCH_OPTIONS if self.searched else ()))


def subject_reader(name: str, subjects: t.Mapping[str, Subject], options: OptionSpecs) -> Operation:
    """Return the operation of a module that reads ``subjects``; if there is only one, no option selects it.

    No option may have a default: options that are not given are None.
    """
    searching = SEARCH_OPTIONS if any(item.searched for item in subjects.values()) else {}
    own = {**options, **searching}

    def run(task: Task, params: Params) -> Result:
        given = {key: params[key] for key in own if params[key] is not None}
        subject = params.get("subject") or _choose(subjects, given)
        _check(subjects, subject, given)
        return _answer(ReadContext(task, common_fcd(task), params), subjects[subject], subject)

    choice = {"subject": {"type": "str", "choices": list(subjects)}} if len(subjects) > 1 else {}
    return Operation(name, (SOAP,), {**choice, **own}, run)


def _answer(context: ReadContext, subject: Subject, name: str) -> Result:
    """Return the result of a reader: a list of rows, or the plain value that the operation returns."""
    found = hide_personal(context.task, context.params, _read(context, subject))
    rows, key = subject.rows, subject.key or name
    if rows is not None:
        key = rows.key or key
        if not isinstance(found, list):
            found = [found] if found else []
        contract, type_key = context.api.contract, type_key_of(context.api.contract, rows.type_name)
        found = [with_zeros(contract, type_key, row) for row in found]
        if rows.attributes:
            found = with_attributes(context.api, rows, found)
    value = found if subject.finish is None else subject.finish(context, found)
    result: Result = {"changed": False, key: value}
    if subject.identity:
        result["missing"] = [] if found else [context.params[subject.identity]]
    return result


def with_attributes(api: CommonFcd, rows: RowType, found: list[JsonObject]) -> list[JsonObject]:
    """Return rows of a type with the attributes that can be read of them."""
    reader = MemberReader(api.members(rows.type_name), rows.attributes)
    return [{**row, **reader.record(row)} for row in found]


def _read(context: ReadContext, subject: Subject) -> t.Any:
    if not isinstance(subject.operation, str):
        return subject.operation(context)
    inputs = {name: context.params[name] for name in subject.takes if context.params.get(name) is not None}
    names = {name: subject.names.get(name, name) for name in inputs}
    try:
        if subject.searched:
            return _search(context, subject.operation, names)
        return context.api.call(subject.operation, **{names[name]: value for name, value in inputs.items()})
    except InvalidInput as wrong:
        raise _name_option(wrong, names, depth=2 if subject.searched else 1) from None


def _name_option(wrong: InvalidInput, names: t.Mapping[str, str], *, depth: int) -> InvalidInput:
    """Return the error with the option in place of the member of the message that it is sent as."""
    path = str(wrong.details.get("path", ""))
    sent = fold(path.rpartition(".")[2])
    options = [name for name, member in names.items() if sent in (fold(name), fold(member))]
    if path.count(".") != depth or not options:  # deeper members are not options
        return wrong
    words = wrong.message.replace(path, options[0], 1)
    return InvalidInput(words, next_step=wrong.next_step, **{**wrong.details, "option": options[0]})


def _search(context: ReadContext, operation: str, names: t.Mapping[str, str]) -> list[JsonObject]:
    """Return the rows of a search; ``names`` has the member that each option is expected to be, by the options."""
    api, params = context.api, context.params
    filters, criteria = params.get("filters") or {}, {}
    with_text = params.get("search_text") is not None
    if names or with_text:
        members = api.search_members(operation)
        found = {name: members.find(name, candidate) for name, candidate in names.items()}
        if with_text:
            found["search_text"] = members.find(*SEARCH_TEXT)
        given = {fold(str(key)): key for key in filters}
        for name, member in found.items():
            if fold(member) in given:
                raise InvalidInput(f"filters.{given[fold(member)]}: it is already given as {name}.", option="filters")
        criteria = {member: params[name] for name, member in found.items()}
    return api.search(operation, {**filters, **criteria}, params.get("limit"))


def _choose(subjects: t.Mapping[str, Subject], given: Params) -> str:
    """Return the subject that was meant: of those that take all given options, the first that requires most."""
    fitting = [
        name
        for name, reading in subjects.items()
        if not reading.explicit and set(reading.needs) <= set(given) <= set(reading.options)
    ]
    if fitting:
        return max(fitting, key=lambda name: len(subjects[name].needs))
    what = f"No subject takes {', '.join(given)} together." if given else "No subject is given."
    raise InvalidInput(what, next_step=f"Set subject to one of: {', '.join(subjects)}.", option="subject")


def _check(subjects: t.Mapping[str, Subject], desired: str, given: Params) -> None:
    """Raise InvalidInput for options that are missing, or that the subject does not use."""
    subject = subjects[desired]
    missing = [name for name in subject.needs if name not in given]
    if missing:
        raise InvalidInput(f"The subject {desired} needs {', '.join(missing)}.", missing=missing, option=missing[0])
    for option in given:
        if option not in subject.options:
            subjects_with_it = " or ".join(name for name, other in subjects.items() if option in other.options)
            raise InvalidInput(
                f"{option} does not apply to the subject {desired}, which takes "
                f"{', '.join(subject.options) or 'nothing'}.",
                next_step=f"Omit it, or use the subject {subjects_with_it}." if subjects_with_it else "Leave it out.",
                option=option,
            )
    check_least(given, limit=1)


def without_documents(type_name: str) -> Finish:
    """Return a function that describes the documents in records of a type, unless they are requested."""

    def finish(context: ReadContext, found: list[JsonObject]) -> list[JsonObject]:
        if context.params["include_document"]:
            return found
        return describe_documents(context.api.contract, type_name, found)

    return finish

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of the infrastructure interface by name, and their inputs, checked before anything is sent.

Source: docs/service/infrastructure.md, "The two lines" and "Conventions"; described_operations.py has the operations.
"""

from __future__ import annotations

import functools
import json
import re
import typing as t
from urllib.parse import quote

from .._connection.check_mode_state import is_planned
from .._connection.options import FALSE, TRUE
from .._core.errors import InvalidInput
from .._core.text import did_you_mean, fold, join_names, names_a_secret, number_in, shortened, snake
from .._core.type_aliases import JsonMapping, JsonObject
from .described_operations import DESCRIPTION
from .rest_client import OLDER
from .rest_records import check_letters

GET, PUT, TICKET, PAGE = "GET", "PUT", "ticket", "page of "
PAGE_INPUTS = ("pageNumber", "pageSize")
INTEGERS = {"int32": 31, "int64": 63}  # bits without the sign
LISTS, DATE_TIME = "list of ", "date_time"
DATE_OR_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?")
REFUSED_LETTERS = re.compile(r"\^\[\^(.+)\]\*\$")  # a pattern of what may not be in a text
PATTERNS = {
    "^(25": "an IPv4 address",
    "^([0-1]": "a time of day, such as 04:30",
    "^.{1,}": "the path of a file, such as folder/machine.ovf",
    "^[A-Za-z0-9_": "3 to 255 of the characters A-Z a-z 0-9 _ - . and blank",
}
"""Patterns by their beginnings, in words."""
INPUTS = "inputs"  # the option
IsOlder = t.Callable[[], bool]


class BuiltRequest(t.NamedTuple):
    """What is sent: the path with its IDs, and the query or the body, by the names of the service."""

    path: str
    query: JsonMapping
    body: t.Optional[JsonObject]


class DescribedOperation(t.NamedTuple):
    """One operation. Its inputs are those of the path, and those of the query or the body; no two have the same name.

    An input is its type, or a mapping with its ``type`` and whatever limits it.
    """

    name: str
    verb: str
    path: str
    returns: str
    line: str
    params: JsonMapping
    query: JsonMapping
    body: str

    @property
    def reads(self) -> bool:
        """Return whether it changes nothing."""
        return self.verb == GET

    @property
    def has_pages(self) -> bool:
        """Return whether it lists something in pages."""
        return PAGE_INPUTS[0] in self.query

    @property
    def orders(self) -> t.Sequence[str | None]:
        """Return what the pages of its list can be ordered by, as far as it is known."""
        return t.cast("t.Sequence[t.Optional[str]]", _said(self.query.get("orderBy", "")).get("values", (None,)))

    @property
    def inputs(self) -> dict[str, JsonMapping]:
        """Return what is said of each input, by the service's names."""
        path = {name: {"type": kind, "required": True} for name, kind in self.params.items()}
        return {**path, **_all_said(self.query), **_all_said(types().get(self.body, {}))}

    def request(self, values: JsonMapping, is_older: IsOlder) -> BuiltRequest:
        """Return the request. Raises InvalidInput for inputs that cannot be right; they count in any spelling.

        Which line of the interface the service runs is asked last, and only if that matters.
        """
        checked = _checked_members(self.name, self.inputs, values)
        segments = {name: _segment(f"{self.name}.{snake(name)}", checked[name]) for name in self.params}
        if self.line and is_older():
            raise InvalidInput(
                f"{self.name}: the service runs version 2020 of the interface, which does not have this operation.",
                next_step="Set api_version to 2023 if the service runs a later version.",
                operation=self.name,
            )
        _check_line(self.name, self.inputs, checked, is_older)
        rest = {name: value for name, value in checked.items() if name not in segments}
        path = self.path.format(**segments)
        return BuiltRequest(path, {}, rest) if self.body else BuiltRequest(path, rest, None)

    def left_out(self, body: JsonMapping, is_older: IsOlder) -> dict[str, JsonMapping]:
        """Return what is said of the members that a body lacks, as far as this line of the service has them."""
        known = _all_said(types()[self.body])
        return {name: said for name, said in known.items() if name not in body and _is_here(said, is_older)}


@functools.lru_cache(maxsize=None)
def operations() -> dict[str, DescribedOperation]:
    """Return all operations by their names."""
    nothing: JsonObject = {}
    return {
        name: DescribedOperation(
            name,
            one["verb"],
            one["path"],
            one["returns"],
            one.get("line", ""),
            one.get("params", nothing),
            one.get("query", nothing),
            one.get("body", ""),
        )
        for name, one in _description()["operations"].items()
    }


def types() -> dict[str, JsonObject]:
    """Return the members of each type that is sent."""
    return t.cast("t.Dict[str, JsonObject]", _description()["types"])


@functools.lru_cache(maxsize=None)
def _description() -> JsonObject:
    return t.cast("JsonObject", json.loads(DESCRIPTION))


def find_operation(name: str) -> DescribedOperation:
    """Return the operation of that name, or of that method and path: ``GET /disks/{id}``. Raises InvalidInput."""
    known = operations()
    for one in known.values():
        if fold(name) == fold(one.name) or name.split() == [one.verb, one.path]:
            return one
    raise InvalidInput(
        f"There is no operation {shortened(name)!r}.", next_step=did_you_mean(name, known), option="operation"
    )


def reads_of(path: str) -> list[str]:
    """Return the operations that read what is written at a path: there, or at the next path above."""
    while path:
        found = [one.name for one in operations().values() if one.reads and one.path == path]
        if found:
            return found
        path = path.rpartition("/")[0]
    return []


def _said(one: t.Any) -> JsonMapping:
    return {"type": one} if isinstance(one, str) else t.cast("JsonMapping", one)


def _all_said(table: JsonMapping) -> dict[str, JsonMapping]:
    return {name: _said(one) for name, one in table.items()}


def _is_here(said: JsonMapping, is_older: IsOlder) -> bool:
    """Return whether the line of the service has this."""
    line = said.get("line")
    return line is None or (line == OLDER) == is_older()


def _check_line(where: str, said: t.Mapping[str, JsonMapping], given: JsonMapping, is_older: IsOlder) -> None:
    """Raise InvalidInput for what this line of the service does not have, or alone requires."""
    for name, one in said.items():
        if name in given and not _is_here(one, is_older):
            raise InvalidInput(
                f"{where}.{snake(name)}: only version {one['line']} of the interface has it.",
                next_step=f"Omit it, or set api_version to {one['line']} if that is what the service runs.",
                option=INPUTS,
            )
    only = {name: one["required"] for name, one in said.items() if isinstance(one.get("required"), str)}
    _require(where, [name for name in only if name not in given and (only[name] == OLDER) == is_older()])


def _checked_members(where: str, said: t.Mapping[str, JsonMapping], values: JsonMapping) -> JsonObject:
    """Return the values by the service's names. Raises InvalidInput, also for what is missing."""
    names = {fold(name): name for name in said}
    given: JsonObject = {}
    for key, value in ((str(key), value) for key, value in values.items()):
        name = names.get(fold(key))
        if name is None:
            near = did_you_mean(key, map(snake, said))
            raise InvalidInput(f"{where}.{shortened(key)}: there is no such input.", next_step=near, option=INPUTS)
        if name in given:
            raise _wrong(f"{where}.{snake(name)}", "is given twice, in two spellings")
        given[name] = _checked(f"{where}.{snake(name)}", said[name], value)
    _require(where, [name for name, one in said.items() if one.get("required") is True and name not in given])
    return given


def _require(where: str, missing: t.Sequence[str]) -> None:
    if missing:
        names = [snake(name) for name in missing]
        raise InvalidInput(f"{where}: required inputs are missing: {join_names(names)}.", option=INPUTS, missing=names)


def _checked(where: str, said: JsonMapping, value: t.Any) -> t.Any:
    """Return a value in its type. Raises InvalidInput."""
    kind = said["type"]
    if value is None:
        if said.get("required"):
            raise _wrong(where, "may not be null")
        return None
    if kind.startswith(LISTS):
        if not isinstance(value, list):
            raise _wrong(where, "must be a list")
        inside = {"type": kind[len(LISTS) :], "required": True}
        return [_checked(f"{where}[{number}]", inside, one) for number, one in enumerate(value)]
    if kind in types():
        if not isinstance(value, t.Mapping):
            raise _wrong(where, "must be a dictionary")
        return _checked_members(where, _all_said(types()[kind]), value)
    return _SCALARS[kind](where, said, value)


def _whole(where: str, said: JsonMapping, value: t.Any) -> int:
    number = number_in(value) if isinstance(value, str) else value
    if not isinstance(number, int) or isinstance(number, bool):
        raise _wrong(where, "must be a whole number", value)
    limit = 1 << INTEGERS[said["type"]]
    least, most = said.get("min", -limit), said.get("max", limit - 1)
    if not least <= number <= most and not is_planned(number):
        raise _wrong(where, f"must be a number from {least} to {most}", value)
    return number


def _truth(where: str, _said: JsonMapping, value: t.Any) -> bool:
    word = str(value).lower()
    if isinstance(value, bool) or word in TRUE or word in FALSE:
        return word in TRUE
    raise _wrong(where, "must be true or false", value)


def _text(where: str, said: JsonMapping, value: t.Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise _wrong(where, "must be a text")
    text = str(value)
    if said["type"] == DATE_TIME and not DATE_OR_TIME.fullmatch(text):
        raise _wrong(where, "must be a date and time in ISO 8601, such as 2026-11-21T08:30:00Z", value)
    least, most = said.get("min_length", 0), said.get("max_length", len(text))
    if not least <= len(text) <= most:
        raise _wrong(where, f"has {len(text)} characters; {least} to {most} are allowed")
    allowed = said.get("enum")
    if allowed:
        found = [one for one in allowed if fold(one) == fold(text)]
        if not found:
            raise _wrong(where, f"must be one of {join_names(allowed)}", value)
        return str(found[0])
    _check_pattern(where, said.get("pattern", ""), text)
    return text


def _check_pattern(where: str, pattern: str, text: str) -> None:
    refused = REFUSED_LETTERS.fullmatch(pattern)
    if refused:
        check_letters(text, refused[1].replace("\\\\", "\\"), where)
    elif pattern and not re.fullmatch(pattern, text):
        words = next((words for start, words in PATTERNS.items() if pattern.startswith(start)), pattern)
        raise _wrong(where, f"must be {words}", text)


_SCALARS: dict[str, t.Callable[[str, JsonMapping, t.Any], t.Any]] = {
    "string": _text,
    DATE_TIME: _text,
    "bool": _truth,
    **dict.fromkeys(INTEGERS, _whole),
}


def _segment(where: str, value: int | str) -> str:
    """Return an input as a part of the path."""
    if isinstance(value, int) and value < 1:
        raise InvalidInput(f"{where}: {value} is not a valid ID; IDs start at 1.", option=INPUTS)
    if str(value).strip() in ("", ".", ".."):
        raise _wrong(where, "cannot be a part of a path", value)
    return quote(str(value), safe=",;")


def _wrong(where: str, problem: str, value: object = None) -> InvalidInput:
    """Return the error; a value that is secret by its name is not shown."""
    secret = value is None or names_a_secret(re.sub(r"\[\d+\]$", "", where).rpartition(".")[2])
    shown = "" if secret else f", not {shortened(repr(value))}"
    return InvalidInput(f"{where}: {problem}{shown}.", option=INPUTS)

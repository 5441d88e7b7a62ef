# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of connection options as they come from texts and files, in the types that the options have."""

from __future__ import annotations

import json
import math
import os
import typing as t

from .._core.errors import InvalidInput
from .options import Option

TRUE, FALSE = ("true", "yes", "on", "1", "y", "t"), ("false", "no", "off", "0", "n", "f")
EXPECTED = {
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "dict": "a mapping",
    "path": "a path",
}


def converted(name: str, option: Option, value: t.Any, where: str) -> t.Any:
    """Return ``value`` in the type of the option. Raises InvalidInput that names ``where`` it stands."""
    try:
        result = _CONVERTERS[option.type](value)
    except (TypeError, ValueError, OverflowError):
        shown = "" if option.secret else f", not {value!r}"
        raise InvalidInput(
            f"{where} must be {EXPECTED.get(option.type, 'a text in UTF-8')}{shown}.", option=name
        ) from None
    if option.choices and result not in option.choices:
        raise InvalidInput(f"{where} must be one of {', '.join(option.choices)}, not {result!r}.", option=name)
    return result


def _boolean(value: t.Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in TRUE or word in FALSE:
        return word in TRUE
    raise ValueError(word)


def _whole(value: t.Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise TypeError
    return int(value)


def _number(value: t.Any) -> float:
    if isinstance(value, bool):
        raise TypeError
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return number


def _mapping(value: t.Any) -> dict[str, t.Any]:
    if isinstance(value, str):
        value = json.loads(value)
    if not isinstance(value, t.Mapping):
        raise TypeError
    return dict(value)


def _text(value: t.Any) -> str:
    text = _written(value)
    text.encode("utf-8")  # raises for bytes of another encoding, which a variable may hold
    return text


def _path(value: t.Any) -> str:
    text = _written(value)
    if "\0" in text:
        raise ValueError(text)
    return os.path.expanduser(os.path.expandvars(text))


def _written(value: t.Any) -> str:
    if not isinstance(value, str) and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise TypeError
    return str(value)


_CONVERTERS: dict[str, t.Callable[[t.Any], t.Any]] = {
    "bool": _boolean,
    "int": _whole,
    "float": _number,
    "dict": _mapping,
    "str": _text,
    "path": _path,
}

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of options that Ansible takes as text and we read: times and sizes with units, and words with synonyms.

Each is the text ``str``, so that Ansible knows what to do with it; ``read`` makes the value of what is given.
"""

from __future__ import annotations

import math
import re
import typing as t

from .errors import InvalidInput

_QUANTITY = re.compile(r"\s*([+-]?[0-9]+(?:\.[0-9]*)?)\s*([A-Za-z]+)\s*")
_SIZE = re.compile(r"\s*([+-]?[0-9]{1,30})(?:\.([0-9]{0,30}))?\s*([A-Za-z]*)\s*")
SECONDS_OF_UNIT = {"S": 1, "SEC": 1, "M": 60, "MIN": 60, "H": 3600, "D": 86400, "W": 604800}
_LETTERS = "KMGTP"
_BYTES = {f"{letter}{rest}": 1 << 10 * power for power, letter in enumerate(_LETTERS, 1) for rest in ("", "B", "IB")}
_BITS = tuple(f"{letter}{rest}" for letter in _LETTERS for rest in ("b", "ib"))


class OptionType(str):
    """A type that reads what is given; a value that was read is returned as it is."""

    __slots__ = ()

    def __new__(cls, *_given: str, **_how: t.Any) -> OptionType:  # noqa: PYI034 - Self is younger than our Python
        """Be the text that Ansible knows as a type."""
        return super().__new__(cls, "str")

    def read(self, name: str, value: t.Any) -> t.Any:
        """Return the value of the option ``name``. Raises InvalidInput."""
        raise NotImplementedError


class Seconds(OptionType):
    """A time of 0 or more: a number of seconds, or a number and a unit (s, m, h, d, w)."""

    def __init__(self, *_given: str, whole: bool = False) -> None:
        super().__init__()
        self._whole = whole

    def read(self, name: str, value: t.Any) -> float:
        """Return the seconds, as a whole number where only these can be sent."""
        number = quantity(value, SECONDS_OF_UNIT)
        if number is None:
            raise InvalidInput(
                f"{name}: {value!r} is no time. Write seconds, or a number with s, m, h, d or w, such as 10m.",
                option=name,
            )
        if not 0 <= number < math.inf:
            raise InvalidInput(f"{name}: {number:g} is no number of seconds, which are 0 or more.", option=name)
        if self._whole and number != int(number):
            raise InvalidInput(f"{name}: {value!r} is not a whole number of seconds.", option=name)
        return int(number) if self._whole else number


class Size(OptionType):
    """A whole number of ``unit`` (bytes, or GB): a number, or a number and a unit (K, M, G, T, P, with B or iB)."""

    def __init__(self, *_given: str, each: int = 1, unit: str = "bytes") -> None:
        super().__init__()
        self._each, self._unit = each, unit

    def read(self, name: str, value: t.Any) -> int:
        """Return how many of the unit; a letter stands for a power of 1024. It counts exactly, so without floats."""
        plain = int(value) if isinstance(value, float) and value.is_integer() else value
        match = None if isinstance(value, bool) else _SIZE.fullmatch(str(plain))
        unit = "" if match is None else match[3]
        size = {"": self._each, "B": 1, **_BYTES}.get(unit.upper())
        if match is None or size is None or unit in _BITS:
            raise InvalidInput(
                f"{name}: {value!r} is not a size. Write a number of {self._unit}, or a number with K, M, G or T, such "
                "as 10GiB.",
                option=name,
            )
        decimals = match[2] or ""
        number, rest = divmod(int(match[1] + decimals) * size, self._each * int("1" + "0" * len(decimals)))
        if rest:
            raise InvalidInput(f"{name}: {value!r} is not a whole number of {self._unit}.", option=name)
        return number


class Word(OptionType):
    """One of the choices; ``synonyms`` are choices too, and are read as the words that they stand for."""

    def __init__(self, *_given: str, synonyms: t.Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._synonyms = synonyms or {}

    def read(self, name: str, value: t.Any) -> t.Any:
        """Return the word that is meant."""
        del name
        return self._synonyms.get(value, value)


def quantity(value: t.Any, units: t.Mapping[str, float]) -> float | None:
    """Return the number that is given, times its unit; None for what is neither."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    match = _QUANTITY.fullmatch(str(value))
    if match is not None:
        size = units.get(match[2].upper())
        return None if size is None else float(match[1]) * size
    try:
        return float(value) if str(value).isascii() and "_" not in str(value) else None
    except (ValueError, OverflowError):
        return None


SECONDS, WHOLE_SECONDS = Seconds(), Seconds(whole=True)
BYTES, GIGABYTES = Size(), Size(each=1024**3, unit="GB")


def read_option(spec: t.Mapping[str, t.Any], name: str, value: t.Any) -> t.Any:
    """Return what is given to an option, or to options in it, read where its type is one of these."""
    kind, inside = spec.get("type"), spec.get("options")
    if isinstance(kind, OptionType):
        return value if value is None else kind.read(name, value)
    if inside and isinstance(value, list):
        return [read_option({"options": inside}, name, one) for one in value]
    if inside and isinstance(value, t.Mapping):
        return {one: read_option(inside.get(one, {}), one, given) for one, given in value.items()}
    return value

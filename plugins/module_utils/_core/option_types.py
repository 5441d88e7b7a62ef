# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of options that Ansible takes as text and this collection reads: times and sizes with units, synonyms.

Each is a ``str``, which tells Ansible how to treat it; ``read`` turns what is given into the value.
"""

from __future__ import annotations

import abc
import math
import re
import typing as t

from .errors import Ambiguous, InvalidInput
from .text import did_you_mean, listed, number_in, shortened

_QUANTITY = re.compile(r"\s*([+-]?[0-9]+(?:\.[0-9]*)?)\s*([A-Za-z]+)\s*")
_SIZE = re.compile(r"\s*(\+?[0-9]{1,30})(?:\.([0-9]{0,30}))?\s*([A-Za-z]*)\s*")
SECONDS_OF_UNIT = {"S": 1, "SEC": 1, "M": 60, "MIN": 60, "H": 3600, "D": 86400, "W": 604800}
_LETTERS = "KMGTP"
_BYTES = {f"{letter}{rest}": 1 << 10 * power for power, letter in enumerate(_LETTERS, 1) for rest in ("", "B", "IB")}
_BITS = tuple(f"{letter}{rest}" for letter in _LETTERS for rest in ("b", "ib"))


class OptionType(str, abc.ABC):
    """A type that reads what is given; a value that was already read is returned unchanged. Its text is ``str``."""

    __slots__ = ()

    @abc.abstractmethod
    def read(self, name: str, value: t.Any) -> t.Any:
        """Return the value of the option ``name``. Raises InvalidInput."""


class Seconds(OptionType):
    """A duration of 0 or more: a number of seconds, or a number and a unit (s, m, h, d, w)."""

    whole = False

    def read(self, name: str, value: t.Any) -> float:
        """Return the seconds, as a whole number if only these can be sent."""
        number = quantity(value, SECONDS_OF_UNIT)
        if number is None:
            raise InvalidInput(
                f"{name}: {value!r} is not a duration. Write seconds, or a number with s, m, h, d or w, such as 10m.",
                option=name,
            )
        if not 0 <= number < math.inf:
            raise InvalidInput(f"{name}: a duration must be 0 seconds or more, not {number:g}.", option=name)
        if self.whole and number != int(number):
            raise InvalidInput(f"{name}: {value!r} is not a whole number of seconds.", option=name)
        return int(number) if self.whole else number


class WholeSeconds(Seconds):
    """The same for what can only be sent as a whole number."""

    whole = True


class Size(OptionType):
    """A whole number of ``unit``, 0 or more: a number, or a number and a unit (K, M, G, T, P, with B or iB)."""

    each, unit = 1, "bytes"

    def read(self, name: str, value: t.Any) -> int:
        """Return the size in units; a letter stands for a power of 1024. It counts exactly, so without floats."""
        plain = int(value) if isinstance(value, float) and value.is_integer() else value
        match = None if isinstance(value, bool) else _SIZE.fullmatch(str(plain))
        unit = "" if match is None else match[3]
        size = {"": self.each, "B": 1, **_BYTES}.get(unit.upper())
        if match is None or size is None or unit in _BITS:
            raise InvalidInput(
                f"{name}: {value!r} is not a size. Write a number of {self.unit}, or a number with K, M, G or T, such "
                "as 10GiB.",
                option=name,
            )
        decimals = match[2] or ""
        number, rest = divmod(int(match[1] + decimals) * size, self.each * int("1" + "0" * len(decimals)))
        if rest:
            raise InvalidInput(f"{name}: {value!r} is not a whole number of {self.unit}.", option=name)
        return number


class SizeWithUnit(int):
    """A size that was given with its unit, so that nobody has mistaken what is counted."""


class Gigabytes(Size):
    """The same in GB."""

    each, unit = 1024**3, "GB"

    def read(self, name: str, value: t.Any) -> int:
        """Return the size in GB, which tells whether it had a unit."""
        if isinstance(value, SizeWithUnit):
            return value
        number = super().read(name, value)
        return SizeWithUnit(number) if str(value).strip()[-1].isalpha() else number


class Word(OptionType):
    """One of the choices; ``synonyms`` are choices too, and are read as the words that they stand for."""

    synonyms: t.Mapping[str, str] = {}

    def read(self, name: str, value: t.Any) -> t.Any:
        """Return the choice that is meant."""
        del name
        return self.synonyms.get(value, value)


def quantity(value: t.Any, units: t.Mapping[str, float]) -> float | None:
    """Return the given number multiplied by its unit; None for anything else."""
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


SECONDS, WHOLE_SECONDS = Seconds("str"), WholeSeconds("str")
BYTES, GIGABYTES = Size("str"), Gigabytes("str")


def check_least(params: t.Mapping[str, t.Any], **least: int) -> None:
    """Raise InvalidInput for a number that is too small; one that is not given is none."""
    for option, number in least.items():
        if params.get(option) is not None and params[option] < number:
            raise InvalidInput(f"{option}: {params[option]}; it must be at least {number}.", option=option)


def read_option(spec: t.Mapping[str, t.Any], name: str, value: t.Any) -> t.Any:
    """Return what is given to an option, including its suboptions, read where the type is one of these."""
    kind, inside = spec.get("type"), spec.get("options")
    if isinstance(kind, OptionType):
        return value if value is None else kind.read(name, value)
    if inside and isinstance(value, list):
        return [read_option({"options": inside}, name, one) for one in value]
    if inside and isinstance(value, t.Mapping):
        return {one: read_option(inside.get(one, {}), one, given) for one, given in value.items()}
    return value


Label = t.Tuple[int, str]  # an ID and what a person writes instead


def resolve_label(given: int | str, items: t.Sequence[Label], *, option: str, where: str) -> int:
    """Return the ID that ``given``, an ID or a label, stands for among ``items``.

    Labels match exactly, else without regard to case. Raises InvalidInput with the most similar labels, Ambiguous if
    several items have the label.
    """
    text = str(given).strip()
    number = number_in(text)
    if number is not None:
        return _known(number, items, option, where)
    exact = [number for number, label in items if label == text]
    found = exact or [number for number, label in items if label.lower() == text.lower()]
    if len(set(found)) > 1:
        raise Ambiguous(
            f"{option}: {text!r} matches several items of {where}: {', '.join(map(str, sorted(set(found))))}.",
            next_step=f"Give the ID in {option}.",
            ids=sorted(set(found)),
        )
    if found:
        return found[0]
    raise InvalidInput(
        f"{option}: there is no {shortened(text)!r} among {where}.",
        next_step=did_you_mean(shortened(text), [label for _number, label in items]),
        option=option,
    )


def _known(number: int, items: t.Sequence[Label], option: str, where: str) -> int:
    if any(one == number for one, _label in items):
        return number
    known = listed([f"{one} ({label})" for one, label in dict(items).items()], 12)
    raise InvalidInput(
        f"{option}: there is no {number} among {where}.",
        next_step=f"Known: {known}." if items else "There are none.",
        option=option,
    )

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of tasks: types that Ansible takes as text, labels in place of IDs, and the connection options.

A type such as a duration is a ``str``, which tells Ansible how to treat it; ``read`` turns the text into the value.

The connection options are plain data, the same for modules, lookups and the inventory. Each is looked for in the task,
then in the environment, then in the profile file, and then has its default. Text gets the type of its option here, and
values that Ansible accepts but no service does are refused.
"""

from __future__ import annotations

import abc
import json
import math
import os
import re
import typing as t

from .._core.errors import Ambiguous, InvalidInput
from .._core.home import expand_home
from .._core.later import is_known_now
from .._core.text import did_you_mean, join_names, number_in, shortened
from .._http.messages import EXAMPLE_ADDRESS, check_address

REST_ACCOUNT = ("base_url", "username", "api_client_id", "access_token")
"""The settings that stand for an account of the REST interface."""

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
    def read(self, name: str, value: object) -> object:
        """Return the value of the option ``name``. Raises InvalidInput."""


class Seconds(OptionType):
    """A duration of 0 or more: a number of seconds, or a number and a unit (s, m, h, d, w)."""

    whole = False

    def read(self, name: str, value: object) -> float:
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

    def read(self, name: str, value: object) -> int:
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

    def read(self, name: str, value: object) -> int:
        """Return the size in GB, which tells whether it had a unit."""
        if isinstance(value, SizeWithUnit):
            return value
        number = super().read(name, value)
        return SizeWithUnit(number) if str(value).strip()[-1].isalpha() else number


class Word(OptionType):
    """One of the choices; ``synonyms`` are choices too, and are read as the words that they stand for."""

    synonyms: t.Mapping[str, str] = {}

    def read(self, name: str, value: t.Any) -> object:
        """Return the choice that is meant."""
        del name
        return self.synonyms.get(value, value)


def quantity(value: object, units: t.Mapping[str, float]) -> float | None:
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


OptionSpec = t.Dict[str, t.Any]  # what an argument specification says of one option
OptionSpecs = t.Dict[str, OptionSpec]
SECONDS, WHOLE_SECONDS = Seconds("str"), WholeSeconds("str")
BYTES, GIGABYTES = Size("str"), Gigabytes("str")


def check_least(params: t.Mapping[str, t.Any], **least: int) -> None:
    """Raise InvalidInput for a number that is too small; one that is not given is none."""
    for option, number in least.items():
        if params.get(option) is not None and params[option] < number:
            raise InvalidInput(f"{option}: {params[option]}; it must be at least {number}.", option=option)


def check_email(option: str, given: str | None) -> None:
    """Raise InvalidInput for what is no e-mail address, whatever a service accepts; check mode may not know it."""
    if given and is_known_now(given) and ("@" not in given.strip("@") or any(map(str.isspace, given))):
        raise InvalidInput(
            f"{option}: {given!r} is not an e-mail address.",
            next_step="Give one without blanks, such as operators@example.com.",
            option=option,
        )


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
    known = join_names([f"{one} ({label})" for one, label in dict(items).items()], 12)
    raise InvalidInput(
        f"{option}: there is no {number} among {where}.",
        next_step=f"Known: {known}." if items else "There are none.",
        option=option,
    )


# ---------------------------------------------------------------- the connection options

COMMON, IDENTITY, REST, SOAP, STORAGE, SITE = "common", "identity", "rest", "soap", "storage", "site"
AUTO, ALWAYS, NEVER = "auto", "always", "never"  # when a long task shows its progress
BASES = ("base_url", "auth_url", "storage_base")  # paths are appended to these
ADDRESS_OPTIONS = (*BASES, "soap_url")
TRUE, FALSE = ("true", "yes", "on", "1", "y", "t"), ("false", "no", "off", "0", "n", "f")
EXPECTED = {
    "bool": "true or false",
    "int": "a whole number",
    "seconds": "a number of seconds, or a duration with a unit such as 10m",
    "dict": "a mapping",
    "path": "a path",
}


class Option(t.NamedTuple):
    """One connection option.

    ``needed`` means that the services of its group cannot be used without it. ``secret`` values are never shown.
    """

    type: str
    groups: tuple[str, ...]
    default: t.Any = None
    needed: bool = False
    secret: bool = False
    choices: tuple[str, ...] = ()

    def used_by(self, services: t.Iterable[str]) -> bool:
        """Return whether one of these services, or every service, takes this option."""
        return COMMON in self.groups or self.is_of(services)

    def is_of(self, services: t.Iterable[str]) -> bool:
        """Return whether it belongs to one of these services."""
        return not set(self.groups).isdisjoint(services)


OPTIONS: dict[str, Option] = {
    "profile": Option("str", (COMMON,), default="default"),
    "config_file": Option("path", (COMMON,), default="~/.config/fcd/cloud.yml"),
    "state_dir": Option("path", (COMMON,), default="~/.local/state/fcd-cloud"),
    "lock_container": Option("str", (REST, SOAP)),
    "timeout": Option("seconds", (COMMON,), default=60.0),
    "task_timeout": Option("seconds", (COMMON,)),
    "retries": Option("int", (COMMON,), default=3),
    "retry_budget": Option("int", (COMMON,), default=500),
    "progress": Option("str", (COMMON,), default=AUTO, choices=(AUTO, ALWAYS, NEVER)),
    "validate_certs": Option("bool", (COMMON,), default=True),
    "ca_path": Option("path", (COMMON,)),
    "allow_plain_http": Option("bool", (COMMON,), default=False),
    "base_url": Option("str", (REST,), needed=True),
    "api_version": Option("str", (REST,), default="auto", choices=("auto", "2020", "2023")),
    "auth_url": Option("str", (IDENTITY, REST), needed=True),
    "api_client_id": Option("str", (IDENTITY, REST), needed=True),
    "api_client_secret": Option("str", (IDENTITY, REST), needed=True, secret=True),
    "username": Option("str", (IDENTITY, REST, SOAP), needed=True),
    "password": Option("str", (IDENTITY, REST, SOAP), needed=True, secret=True),
    "scope": Option("str", (IDENTITY, REST), default="service.api"),
    "access_token": Option("str", (REST,), secret=True),
    "token_cache": Option("bool", (IDENTITY, REST, STORAGE), default=True),
    "soap_url": Option("str", (SOAP,), needed=True),
    "soap_wsdl": Option("str", (SOAP,)),
    "soap_to": Option("str", (SOAP,)),
    "soap_user_prefix": Option("str", (SOAP,), default="API\\"),
    "soap_member_map": Option("dict", (SOAP,)),
    "soap_contract_ttl": Option("seconds", (SOAP,), default=86400.0),
    "storage_base": Option("str", (STORAGE,), needed=True),
    "storage_user": Option("str", (STORAGE,), needed=True),
    "storage_key": Option("str", (STORAGE,), needed=True, secret=True),
    "storage_key_encoding": Option("str", (STORAGE,), default="none", choices=("none", "percent")),
    "storage_token_lifetime": Option("seconds", (STORAGE,)),
    "site_key": Option("str", (SITE,), secret=True),
}


def environment_name(option: str) -> str:
    """Return the environment variable of an option."""
    return "FCD_" + option.upper()


def connection_options(services: t.Iterable[str]) -> dict[str, Option]:
    """Return the options that these services take, including the common ones."""
    desired = tuple(services)
    return {name: option for name, option in OPTIONS.items() if option.used_by(desired)}


def convert_option(name: str, option: Option, value: object, where: str) -> t.Any:
    """Return ``value`` in the type of the option. Raises InvalidInput that names ``where`` it was set."""
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


def _boolean(value: object) -> bool:
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


def _seconds(value: object) -> float:
    number = quantity(value, SECONDS_OF_UNIT)
    if number is None or not math.isfinite(number):
        raise ValueError(value)
    return number


def _mapping(value: object) -> dict[str, object]:
    if isinstance(value, str):
        value = json.loads(value)
    if not isinstance(value, t.Mapping):
        raise TypeError
    return dict(value)


def _text(value: object) -> str:
    text = _text_or_number(value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # bytes of a variable that the locale does not know; those of another encoding raise
        return os.fsencode(text).decode("utf-8")
    return text


def _path(value: object) -> str:
    text = _text_or_number(value)
    if "\0" in text:
        raise ValueError(text)
    return expand_home(os.path.expandvars(text))


def _text_or_number(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError
    return str(value)


_CONVERTERS: dict[str, t.Callable[[object], object]] = {
    "bool": _boolean,
    "int": _whole,
    "seconds": _seconds,
    "dict": _mapping,
    "str": _text,
    "path": _path,
}


LIKE = {"storage_base": "https://storage.example.com"}  # the path comes with the token
COUNTS = ("retries", "retry_budget")
POSITIVE = ("timeout", "task_timeout", "soap_contract_ttl", "storage_token_lifetime")
MAX_SECONDS = 1e9  # seconds; sockets and threads cannot wait for much longer


def check_settings(values: t.Mapping[str, t.Any]) -> None:
    """Raise InvalidInput for a value of a connection option that cannot be right."""
    for name in POSITIVE:
        if values.get(name) is not None:
            _check_seconds(name, values[name])
    for name in COUNTS:
        if (values.get(name) or 0) < 0:
            raise InvalidInput(f"{name} must be 0 or more, not {values[name]}.", option=name)
    _check_files(values)
    _check_member_map(values.get("soap_member_map") or {})
    for name in ADDRESS_OPTIONS:
        if values.get(name) is not None:
            _check_url(name, values[name], allow_plain_http=values["allow_plain_http"])


def _check_seconds(name: str, value: float) -> None:
    if value <= 0:
        raise InvalidInput(f"{name} must be more than 0 seconds, not {value:g}.", option=name)
    if name == "storage_token_lifetime" and value != int(value):
        raise InvalidInput(f"{name} must be a whole number of seconds, not {value:g}.", option=name)
    if value > MAX_SECONDS:
        raise InvalidInput(f"{name} must be at most {MAX_SECONDS:.0f} seconds, not {value:g}.", option=name)


def _check_files(values: t.Mapping[str, t.Any]) -> None:
    """Refuse paths that lead elsewhere from another folder, that cannot be, or at which the task would wait.

    It would wait for a pipe or a device.
    """
    folder = values.get("state_dir")
    if folder is not None and not os.path.isabs(folder):  # as with ~, where nothing tells the home folder
        raise InvalidInput(
            f"state_dir: {folder!r} is not an absolute path, so a task that runs elsewhere would not find it.",
            next_step="Set HOME, or give an absolute path in state_dir (FCD_STATE_DIR).",
            option="state_dir",
        )
    if "\0" in (values.get("soap_wsdl") or ""):
        raise InvalidInput("soap_wsdl: it contains a null byte, which no address or path may.", option="soap_wsdl")
    path = values.get("ca_path")
    if path and os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise InvalidInput(
            f"ca_path: {path} is not a regular file.",
            next_step="Give a file with the certificates of the authorities.",
            option="ca_path",
        )


def _check_member_map(names: t.Mapping[object, object]) -> None:
    for name, member in names.items():
        if not isinstance(name, str) or not all(name.rpartition(".")[::2]) or not isinstance(member, str):
            raise InvalidInput(
                f"soap_member_map: {name!r}: {member!r} is not the name of a member.",
                next_step='Write it as "Type.attribute": "Member".',
                option="soap_member_map",
            )


def _check_url(name: str, url: str, *, allow_plain_http: bool) -> None:
    parts = check_address(url, name, allow_plain_http=allow_plain_http, like=LIKE.get(name, EXAMPLE_ADDRESS))
    if parts.fragment or (parts.query and name in BASES):
        raise InvalidInput(f"{name}: the address must end with its path; it contains '?' or '#'.", option=name)


def own_options(options: t.Mapping[str, t.Mapping[str, t.Any]], params: t.Mapping[str, object]) -> dict[str, t.Any]:
    """Return the options with durations and sizes as numbers; what is a number already is unchanged.

    Raises InvalidInput for a value that makes no sense; it is not shown if it may be secret.
    """
    whole = dict(params)
    for name, spec in options.items():
        value = params.get(name)
        problem = None if value is None else _problem(spec.get("type", "str"), value)
        if problem:
            raise InvalidInput(f"{name}: {problem}.", option=name)
        if name in whole:
            whole[name] = read_option(spec, name, value)
    return whole


def _problem(kind: str, value: t.Any) -> str | None:
    if kind == "path":
        return "a path cannot contain a null byte" if "\0" in value else None
    if kind == "int":
        return "write a whole number, not true or false" if isinstance(value, bool) else None
    return None if _is_sendable(value) else "it contains bytes that are not UTF-8"


def _is_sendable(value: object) -> bool:
    """Return whether all texts in the value can be encoded; those of a file name or a variable may be broken."""
    if isinstance(value, t.Mapping):
        return all(_is_sendable(key) and _is_sendable(entry) for key, entry in value.items())
    if isinstance(value, (list, tuple)):
        return all(_is_sendable(entry) for entry in value)
    if not isinstance(value, str) or value.isascii():
        return True
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True

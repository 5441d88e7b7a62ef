# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings: every connection option with its value, from the task, the environment, the profile file or its default."""

from __future__ import annotations

import os
import typing as t
from urllib.parse import urlsplit

from .._core.errors import InvalidInput, MissingSettings
from .option_values import converted
from .options import OPTIONS, REST, Option, environment_name, options_of

ADDRESSES = ("base_url", "auth_url", "soap_url", "storage_base")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
POSITIVE = ("timeout", "task_timeout")


class Settings(t.Mapping[str, t.Any]):
    """The values, by the names of the options; options that the task's services do not take are None."""

    def __init__(self, values: t.Mapping[str, t.Any], services: t.Sequence[str]) -> None:
        self._values = {**dict.fromkeys(OPTIONS), **values}
        self._services = tuple(services)

    @classmethod
    def resolve(cls, params: t.Mapping[str, t.Any], services: t.Sequence[str]) -> Settings:
        """Return the settings for these services. Raises InvalidInput for a value that cannot be right."""
        options = options_of(services)
        values = {name: _from_task_or_environment(name, option, params) for name, option in options.items()}
        profile = _profile(values)
        for name, option in options.items():
            if values[name] is None:
                values[name] = profile.get(name, option.default)
        _check(values)
        return cls(values, services)

    def __getitem__(self, name: str) -> t.Any:
        """Return the value, None when it is set nowhere."""
        return self._values[name]

    def __iter__(self) -> t.Iterator[str]:
        """Iterate over the names."""
        return iter(self._values)

    def __len__(self) -> int:
        """Count the names."""
        return len(self._values)

    def require(self, services: t.Iterable[str]) -> None:
        """Raise MissingSettings, naming all of them, when one of these services cannot be used."""
        wanted = tuple(services)
        missing = [
            name
            for name, option in OPTIONS.items()
            if option.needed and set(option.groups) & set(wanted) and not self._values[name]
            if not (self._values["access_token"] and wanted == (REST,) and name != "base_url")
        ]
        if missing:
            named = ", ".join(f"{name} ({environment_name(name)})" for name in missing)
            raise MissingSettings(
                f"Missing: {named}.",
                next_step="Give them as options, in the environment, or in the profile "
                f"{self['profile']!r} of {self['config_file']}.",
                missing=missing,
                environment=[environment_name(name) for name in missing],
            )

    def secrets(self) -> list[str]:
        """Return the values that must never show."""
        return [str(self._values[name]) for name, option in OPTIONS.items() if option.secret and self._values[name]]


def _from_task_or_environment(name: str, option: Option, params: t.Mapping[str, t.Any]) -> t.Any:
    value = params.get(name)
    if value is not None:
        return converted(name, option, value, f"option {name}")
    variable = environment_name(name)
    text = os.environ.get(variable)
    return None if text is None else converted(name, option, text, f"environment variable {variable}")


def _profile(values: t.Mapping[str, t.Any]) -> t.Mapping[str, t.Any]:
    chosen = values["profile"] is not None or values["config_file"] is not None
    path = os.path.expanduser(values["config_file"] or OPTIONS["config_file"].default)
    if not chosen and not os.path.exists(path):
        return {}
    from .profiles import read_profile

    return read_profile(path, values["profile"] or OPTIONS["profile"].default, required=chosen)


def _check(values: t.Mapping[str, t.Any]) -> None:
    for name in POSITIVE:
        value = values.get(name)
        if value is not None and value <= 0:
            raise InvalidInput(f"{name} must be more than 0 seconds, not {value:g}.", option=name)
    if values.get("retries") is not None and values["retries"] < 0:
        raise InvalidInput(f"retries must be 0 or more, not {values['retries']}.", option="retries")
    for name in ADDRESSES:
        if values.get(name):
            check_address(name, values[name], plain=bool(values.get("allow_plain_http")))
    _check_authorities(values.get("ca_path"))


def check_address(name: str, address: str, *, plain: bool) -> None:
    """Raise InvalidInput when ``address`` cannot be where credentials are sent to."""
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError as exc:
        raise InvalidInput(f"{name} is not an address: {exc}.", option=name) from None
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidInput(
            f"{name} must be an address such as https://api.example.com/beta, not {address!r}.", option=name
        )
    if "@" in parts.netloc:
        raise InvalidInput(f"{name} must not hold a user name or a password.", option=name)
    if parts.scheme == "http" and host not in LOOPBACK and not plain:
        raise InvalidInput(
            f"{name} is plain http to {host}: credentials would travel in clear.",
            next_step="Use https, or set allow_plain_http to true if you mean it.",
            option=name,
        )


def _check_authorities(path: str | None) -> None:
    if not path:
        return
    try:
        with open(os.path.expanduser(path), "rb") as handle:
            text = handle.read(1 << 20)
    except OSError as exc:
        raise InvalidInput(f"ca_path: {path} cannot be read ({exc.strerror}).", option="ca_path") from None
    if b"-----BEGIN CERTIFICATE-----" not in text:
        raise InvalidInput(f"ca_path: {path} holds no PEM certificate.", option="ca_path")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The connection options: plain data, the same for modules, lookups and the inventory.

Each is looked for in the task, then in the environment, then in the profile file, then it has its default.
"""

from __future__ import annotations

import typing as t

COMMON, IDENTITY, REST, SOAP, STORAGE = "common", "identity", "rest", "soap", "storage"


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
        """Whether one of these services, or every one, takes this option."""
        return COMMON in self.groups or any(group in services for group in self.groups)


OPTIONS: dict[str, Option] = {
    "profile": Option("str", (COMMON,), default="default"),
    "config_file": Option("path", (COMMON,), default="~/.config/fcd/cloud.yml"),
    "state_dir": Option("path", (COMMON,), default="~/.local/state/fcd-cloud"),
    "timeout": Option("float", (COMMON,), default=60.0),
    "task_timeout": Option("float", (COMMON,)),
    "retries": Option("int", (COMMON,), default=3),
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
    "soap_contract_ttl": Option("float", (SOAP,), default=86400.0),
    "storage_base": Option("str", (STORAGE,), needed=True),
    "storage_user": Option("str", (STORAGE,), needed=True),
    "storage_key": Option("str", (STORAGE,), needed=True, secret=True),
    "storage_key_encoding": Option("str", (STORAGE,), default="none", choices=("none", "percent")),
    "storage_token_lifetime": Option("int", (STORAGE,)),
}


def environment_name(option: str) -> str:
    """Return the environment variable behind an option."""
    return "FCD_" + option.upper()


def options_of(services: t.Iterable[str]) -> dict[str, Option]:
    """Return the options that these services take, the common ones included."""
    wanted = tuple(services)
    return {name: option for name, option in OPTIONS.items() if option.used_by(wanted)}

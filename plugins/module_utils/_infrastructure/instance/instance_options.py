# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of instances, their bounds, and what can be checked before anything is sent (wire-facts section 5.3)."""

from __future__ import annotations

import re
import typing as t

from ..._connection.task import WAIT
from ..._core.errors import InvalidInput
from ..._core.text import number_in
from ..rest_records import check_number, check_numbers

Params = t.Mapping[str, t.Any]

INSTANCE_OPTIONS: dict[str, dict[str, t.Any]] = {
    "state": {"type": "str", "choices": ["present", "absent", "started", "stopped"], "default": "present"},
    "name": {"type": "str", "aliases": ["instance_name"]},
    "id": {"type": "int", "aliases": ["instance_id"]},
    "instances_count": {"type": "int"},
    "template_id": {"type": "int"},
    "template": {"type": "str"},
    "subregion_id": {"type": "int"},
    "subregion": {"type": "str"},
    "type_id": {"type": "int"},
    "type": {"type": "str"},
    "disk_class": {"type": "str"},
    "init_disk_size": {"type": "int"},
    "authorization_method_id": {"type": "int"},
    "authorization_method": {"type": "str"},
    "ssh_keys": {"type": "list", "elements": "str", "no_log": False},
    "init_script": {"type": "str", "no_log": True},
    "private_networks": {"type": "list", "elements": "str"},
    "purge_private_networks": {"type": "bool", "default": False},
    "ip_addresses": {"type": "list", "elements": "str"},
    "purge_ip_addresses": {"type": "bool", "default": False},
    "ip_address_id": {"type": "int"},
    "without_public_ip": {"type": "bool"},
    "isfreemium": {"type": "bool", "aliases": ["is_freemium"]},
    "recreate": {"type": "bool", "default": False},
    "delete_disks": {"type": "bool"},
    "force_stop": {"type": "bool", "default": False},
    "stop_timeout": {"type": "float", "default": 300.0},
    "access_data": {"type": "bool", "default": False},
    **WAIT,
    "create_grace": {"type": "float", "default": 30.0},
}
INSTANCE_RULES: dict[str, t.Any] = {
    "required_one_of": [("name", "id")],
    "mutually_exclusive": [
        ("template_id", "template"),
        ("subregion_id", "subregion"),
        ("type_id", "type"),
        ("authorization_method_id", "authorization_method"),
        ("id", "instances_count"),
        ("ip_address_id", "ip_addresses"),
    ],
}

LISTS = ("private_networks", "ip_addresses")
REFERENCES = ("type", "subregion", "template", "disk_class", "authorization_method")
NEEDED = ("name", "template", "subregion")
SSH_KEYS_METHOD, PASSWORD_METHOD = 1398, 1399  # items of dictionary 159, wire-facts section 3.2

NAME_PATTERN = re.compile(r"[^/\\|<>%]*")  # wire-facts section 5.3, as are the bounds
NAME_LENGTH = (1, 40)
DISK_SIZE = (5, 300)  # of a new instance; how large a disk can grow is not known
COUNT = (1, 50)  # a bound of this collection: the service makes one instance for each request


def instance_names(params: Params) -> list[str]:
    """Return the names of the instances that the options declare; none when only an id is given."""
    name, count = params.get("name"), params.get("instances_count") or 1
    if name is None:
        return []
    return [name] if count == 1 else [f"{name}-{number}" for number in range(1, count + 1)]


def reference(params: Params, option: str) -> int | str | None:
    """Return what the user gave for a reference: a number, a label, or None."""
    number = params.get(f"{option}_id")
    if number is not None:
        return int(number)
    label = params.get(option)
    if label is None:
        return None
    text = str(label).strip()
    known = number_in(text)
    return text if known is None else known


def check_instance(params: Params) -> None:
    """Raise InvalidInput for values that the service cannot take (bounds: wire-facts section 5.3)."""
    check_numbers(params)
    _within(params, "instances_count", COUNT)
    if params.get("init_disk_size") is not None and params["init_disk_size"] < DISK_SIZE[0]:
        require_disk_size(params["init_disk_size"])
    for name in instance_names(params):
        check_instance_name(name)
    for option in REFERENCES:
        if reference(params, option) == "":
            raise InvalidInput(f"{option}: the label is empty.", option=option)
        check_number(option, reference(params, option))
    for option in LISTS:
        _check_list(params, option)
    for option in (*LISTS, "ssh_keys"):
        for one in params.get(option) or ():
            check_number(option, number_in(str(one).strip()))
    _check_address(params)
    _check_keys(params)
    _check_single(params)


def missing_options(params: Params) -> list[str]:
    """Return which of the options are missing that a create needs."""
    return [option for option in NEEDED if params.get(option) is None and params.get(f"{option}_id") is None]


def require_disk_size(size: int) -> None:
    """Raise InvalidInput for a size that a new instance cannot have."""
    _within({"init_disk_size": size}, "init_disk_size", DISK_SIZE, " GB")


def _within(params: Params, option: str, bounds: tuple[int, int], unit: str = "") -> None:
    value = params.get(option)
    if value is not None and not bounds[0] <= value <= bounds[1]:
        raise InvalidInput(f"{option}: {value} is not between {bounds[0]} and {bounds[1]}{unit}.", option=option)


def check_instance_name(name: str, option: str = "name") -> None:
    """Raise InvalidInput for a name that no instance can have."""
    if not NAME_LENGTH[0] <= len(name) <= NAME_LENGTH[1]:
        raise InvalidInput(
            f"{option}: {name!r} has {len(name)} characters, allowed are {NAME_LENGTH[0]} to {NAME_LENGTH[1]}.",
            option=option,
        )
    if not name.strip():
        raise InvalidInput(f"{option}: there are only blanks in it.", option=option)
    if not NAME_PATTERN.fullmatch(name):
        raise InvalidInput(f"{option}: {name!r} has one of the characters / \\ | < > %.", option=option)


def _check_list(params: Params, option: str) -> None:
    given = params.get(option)
    if given is None and params.get(f"purge_{option}"):
        raise InvalidInput(f"purge_{option}: it needs {option}, the list of those that stay.", option=f"purge_{option}")
    if any(not str(one).strip() for one in given or ()):
        raise InvalidInput(f"{option}: an entry is empty.", option=option)


def _check_address(params: Params) -> None:
    named = next((name for name in ("ip_address_id", "ip_addresses") if params.get(name)), None)
    if named and len(instance_names(params)) > 1:
        raise InvalidInput(
            f"{named}: one address cannot serve several instances.",
            next_step="Declare that instance in a task of its own.",
            option=named,
        )
    if named and params.get("without_public_ip"):
        raise InvalidInput(f"without_public_ip: it contradicts {named}.", option="without_public_ip")


def _check_single(params: Params) -> None:
    if params.get("access_data") and len(instance_names(params)) > 1:
        raise InvalidInput(
            "access_data: it is told for one instance in a task only.",
            next_step="Read it for each instance in a loop, by its name.",
            option="access_data",
        )
    if params.get("recreate") and params.get("id") is not None:
        raise InvalidInput(
            "recreate: an instance that is made anew has another number, so give its name and no id.", option="recreate"
        )


def _check_keys(params: Params) -> None:
    if reference(params, "authorization_method") == SSH_KEYS_METHOD and params.get("ssh_keys") == []:
        raise InvalidInput("ssh_keys: this authorization method needs at least one key.", option="ssh_keys")

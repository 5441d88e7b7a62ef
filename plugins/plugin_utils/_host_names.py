# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts, which become patterns of hosts, parts of paths and arguments of ssh."""

from __future__ import annotations

import ipaddress
import re
import socket
import typing as t

from ansible.errors import AnsibleError
from ansible.parsing.utils.addresses import parse_address

from ansible_collections.fcd.cloud.plugins.module_utils._core.text import join_names
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_choice import distinct_names

PLAIN_HOST_NAME = re.compile(r"\w[\w.-]*")
ODD = frozenset(
    " ,;:"  # separate patterns from each other, and a host from its port
    "*?[]!&~@"  # operators of patterns; with @, ssh takes what is before it for a user
    "/\\"  # facts and variables are kept in files that have the name
    "'\"`$<>|(){}"  # ssh refuses them in the name of a host, since a ProxyCommand is a command of a shell
)
"""What can be seen, but has no place in a name; what cannot be seen has none either."""

LOCAL_NAME = re.compile(r"(.+\.)?localhost[46]?(\.localdomain[46]?)?|ip6-(localhost|loopback)")
NO_ADDRESS = "no-address.invalid."
"""Leads nowhere (RFC 6761), also where a resolver appends a domain. Without any, ssh connects to the name."""
Taken = t.Callable[[str, int], bool]


def host_name(name: str) -> str:
    """Return the name of a host, with underscores in place of what does harm there."""
    if PLAIN_HOST_NAME.fullmatch(name) or _is_address(name):
        return name
    safe = "".join("_" if mark in ODD or not mark.isprintable() else mark for mark in name)
    if not safe.strip("."):  # a folder
        return "_" * len(safe)
    return f"_{safe[1:]}" if safe.startswith("-") else safe  # an option of ssh


def _is_address(name: str) -> bool:
    """Whether Ansible takes the name for an address of IPv6, and not for a host and a port."""
    try:
        return ":" in name and parse_address(name) == (name, None)
    except AnsibleError:
        return False


def connection_address(address: str | None, name: str, told: t.Container[object]) -> str | None:
    """Return what to connect to; None where the host's name is itself an address that the service has told."""
    if address is not None and host_name(address) == address:
        return address
    return None if name in told else NO_ADDRESS


def distinct_host_names(
    names: t.Sequence[str], numbers: t.Sequence[int], taken: Taken, warn: t.Callable[[str], None]
) -> list[str]:
    """Return the names, each of them once, and warn of those that had to change.

    ``taken`` says which names another host or a group has; the controller has some, too.
    """
    different, changed = distinct_names(
        names, numbers, lambda name, number: is_this_machine(name) or taken(name, number)
    )
    if changed:
        renamed = join_names([f"{old!r} is {new!r}" for new, old in changed.items()], 5)
        warn(
            f"{len(changed)} instances have a name that another host, a group or the local host has; "
            f"their IDs were appended: {renamed}."
        )
    return different


def is_this_machine(name: str) -> bool:
    """Whether the name is one of the controller itself, in any spelling that ssh takes."""
    plain = name.rstrip(".").lower()
    if LOCAL_NAME.fullmatch(plain):
        return True
    try:
        address = ipaddress.ip_address(plain if ":" in plain else socket.inet_aton(plain))
    except (OSError, ValueError):
        return False
    found = getattr(address, "ipv4_mapped", None) or address
    return bool(found.is_loopback or found.is_unspecified)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts, which become patterns of hosts, parts of paths and arguments of ssh."""

from __future__ import annotations

import re

from ansible.errors import AnsibleError
from ansible.parsing.utils.addresses import parse_address

PLAIN_HOST_NAME = re.compile(r"\w[\w.-]*")
ODD = frozenset(
    " ,;:"  # separate patterns from each other, and a host from its port
    "*?[]!&~@"  # operators of patterns; with @, ssh takes what is before it for a user
    "/\\"  # facts and variables are kept in files that have the name
    "'\"`$<>|(){}"  # ssh refuses them in the name of a host, since a ProxyCommand is a command of a shell
)
"""What can be seen, but has no place in a name; what cannot be seen has none either."""


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

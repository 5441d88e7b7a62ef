# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users and groups of this host, by their names or numbers as Ansible's own modules take them."""

from __future__ import annotations

import grp
import pwd

from .errors import InvalidInput


def user_id(name: str, option: str = "owner") -> int:
    """Return the number of a user. Raises InvalidInput when there is none of this name."""
    try:
        return int(name)
    except ValueError:
        pass
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        raise InvalidInput(f"{option}: there is no user {name!r} on this host.", option=option) from None


def group_id(name: str, option: str = "group") -> int:
    """Return the number of a group. Raises InvalidInput when there is none of this name."""
    try:
        return int(name)
    except ValueError:
        pass
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError:
        raise InvalidInput(f"{option}: there is no group {name!r} on this host.", option=option) from None

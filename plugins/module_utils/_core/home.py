# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The home folder in paths."""

from __future__ import annotations

import os
import pwd


def expand_home(path: str) -> str:
    """Return the path with the home folder in place of ``~``, as ``os.path.expanduser`` does.

    A HOME that is empty counts as not set: it would make ``/`` of ``~``.
    """
    if os.environ.get("HOME") == "" and path.split("/", 1)[0] == "~":
        try:
            path = f"~{pwd.getpwuid(os.getuid()).pw_name}{path[1:]}"
        except KeyError:  # a container may run as a user that has no entry
            return path
    return os.path.expanduser(path)

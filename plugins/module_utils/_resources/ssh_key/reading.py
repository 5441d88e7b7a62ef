# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SSH keys, read only."""

from __future__ import annotations

from ..parts.reading import part_reader
from .record import KeySearch

OPERATION = part_reader(
    "ssh_key_info",
    "ssh_keys",
    lambda api, _params: KeySearch(api),
    {"name": {"type": "str"}},
    lambda _parts, _params: {},
    {"mutually_exclusive": [("id", "name")]},
)

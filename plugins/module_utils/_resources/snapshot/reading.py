# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots, read only."""

from __future__ import annotations

from ..parts.reading import INSTANCE, of_instance, part_reader
from .record import SnapshotSearch

OPERATION = part_reader(
    "snapshot_info",
    "snapshots",
    lambda api, _params: SnapshotSearch(api),
    {"name": {"type": "str"}, **INSTANCE},
    of_instance,
    {"mutually_exclusive": [("id", "name"), ("id", "instance")]},
)

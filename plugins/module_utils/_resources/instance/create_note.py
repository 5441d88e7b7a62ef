# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The note of an instance that is being made: its ticket, kept until a list shows the machine."""

from __future__ import annotations

from ..._engine.journal import STARTED, Intent, Keeper, identity_of, note_of_create


def started(task: Keeper, name: str) -> Intent:
    """Return the note of the ticket of the create."""
    return note_of_create(task, identity_of(task, "instance", name), STARTED)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the note of a create is, and whether there is one: every task asks, and few have to read it.

create_once.py writes and reads the notes, and is only imported where there is one, or something is created.
"""

from __future__ import annotations

import os
import typing as t

from .._core.text import digest

if t.TYPE_CHECKING:
    from .create_once import Host

CREATES = "creates"  # the folder of notes and locks, in the user's own folder


def identity_of(task: Host, kind: str, *names: object) -> tuple[object, ...]:
    """Return what identifies an object in locks and notes: service, account, kind and name."""
    return (task.settings["base_url"].rstrip("/"), task.settings["username"] or "", kind, *names)


def has_create_note(task: Host, identity: t.Sequence[object]) -> bool:
    """Return whether a create of this object has left a note."""
    return os.path.exists(note_path(os.path.join(task.state_dir, CREATES), digest(*identity)))


def note_path(folder: str, key: str) -> str:
    """Return the path of a note; ``folder`` has those of all creates, and their locks."""
    return os.path.join(folder, "intents", key + ".json")

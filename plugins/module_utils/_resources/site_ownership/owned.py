# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What one entry of a site's registry says: which object it is, and how the site came to it."""

from __future__ import annotations

import json
import typing as t

from ..._core.names import names_a_secret, quoted, shortened

CREATED, ADOPTED, FOUND, REMOVED = "created", "adopted", "found", "removed"
ORIGINS = (CREATED, ADOPTED, FOUND, REMOVED)
CREATING, THERE = "creating", "there"
PHASES = (CREATING, THERE)

Key = t.Tuple[str, str]
"""Kind and name, which no two objects of a site share."""

Number = t.Union[int, str, None]


class Declared(t.Protocol):
    """What an entry of a declaration has to tell."""

    @property
    def kind(self) -> str:
        """Name of the kind."""

    @property
    def name(self) -> str:
        """Name, unique in its kind."""

    @property
    def identity(self) -> t.Mapping[str, t.Any]:
        """The options that say which one is meant."""


class Known(t.NamedTuple):
    """An object that is there. ``identity`` are the options that it can be removed with: plain values, no secrets."""

    kind: str
    name: str
    id: Number
    identity: t.Mapping[str, t.Any]

    @classmethod
    def of(cls, entry: Declared, number: Number) -> Known:
        """Return what is known of a declared object that has this number (None where its kind has none)."""
        return cls(entry.kind, entry.name, number, entry.identity)


class Owned(t.NamedTuple):
    """One entry of a registry.

    ``origin``: ``created`` and ``adopted`` belong to the site; ``found`` was there before, is kept as declared and
    never removed; ``removed`` is only in the document of a part, against what another document still says. ``phase``:
    ``creating`` from before the request until its outcome is known. ``serial`` grows from run to run; the higher is
    right.
    """

    kind: str
    name: str
    id: Number = None
    identity: t.Mapping[str, t.Any] = {}
    origin: str = CREATED
    phase: str = THERE
    serial: int = 0

    @property
    def key(self) -> Key:
        """Kind and name."""
        return self.kind, self.name

    @property
    def prunable(self) -> bool:
        """Whether the site may remove it once it is not declared any more."""
        return self.origin in (CREATED, ADOPTED)


def shown(key: Key) -> str:
    """Return an object for a sentence, in one line whatever its name is."""
    kind, name = key
    return f"{kind if kind.isidentifier() else quoted(shortened(kind))} {quoted(shortened(name))}"


def checked_identity(kind: str, identity: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the options as they come back from JSON. Raises ValueError for one that names a secret."""
    secret = [name for name in identity if names_a_secret(name)]
    if secret:
        raise ValueError(f"identity of {kind}: {', '.join(secret)} must not be written down")
    return dict(json.loads(json.dumps(dict(identity))))

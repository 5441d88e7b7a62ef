# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may log in: the credentials that every service of one sandbox shares."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path


@dataclass(frozen=True)
class Credentials:
    """The log-in data of the sandbox; every default is an unusual word that a test can search for anywhere.

    ``storage_user`` is the account's administrator, ``<account>:<user>``; ``storage_other_user`` is a user of the
    same account without the administrator's role. ``storage_path`` is the account's part of the storage address.
    ``issued_mark``, if set, begins every generated secret; ``{}`` in it is the kind.
    """

    api_client_id: str = "hornbeam-client-7"
    api_client_secret: str = field(default="quagga-thimble-secret", repr=False)
    username: str = "panel.owner@example.com"
    password: str = field(default="umbrage-okapi-passphrase", repr=False)
    storage_user: str = "bramblebarn:admin"
    storage_key: str = field(default="wobbegong-lantern-key", repr=False)
    storage_other_user: str = "bramblebarn:weaver"
    storage_other_key: str = field(default="axolotl-trellis-key", repr=False)
    storage_path: str = "AUTH_6b1f2a5e-1d0c-4c57-9a53-2f6f0c7e9d41"
    issued_mark: str = ""

    def public(self) -> dict[str, str]:
        """Every field, secrets included, as the ready document shows them to the test that started the sandbox."""
        return asdict(self)


def load(path: Path | None) -> Credentials:
    """Credentials from a JSON object with any of the fields; the rest keep their defaults.

    Raises:
        ValueError: the file is no JSON, or has an unknown field.
        TypeError: it is no object, or a value is no string.
    """
    if path is None:
        return Credentials()
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict):
        raise TypeError(f"{path}: a JSON object is expected")
    known = {item.name for item in fields(Credentials)}
    for name, value in data.items():
        if name not in known:
            raise ValueError(f"{path}: unknown field {name!r}; known are {', '.join(sorted(known))}")
        if not isinstance(value, str):
            raise TypeError(f"{path}: {name} must be a string")
    return Credentials(**data)

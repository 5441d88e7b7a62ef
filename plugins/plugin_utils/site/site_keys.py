# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The key of a site: it signs the registry, and binds what is secret in a plan.

It is an option of the user. Where the registry is no shared place a plan may be bound by a key of this controller.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import typing as t

from ...module_utils._connection.task import Task
from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.files import private_folder, read_json, remove, unusable, write_json

SHORTEST_KEY = 16  # characters
OWN_KEY = "controller-key.json"


class SiteKey(t.NamedTuple):
    """A key; ``name`` tells one from another and nothing of what it is."""

    secret: bytes
    given: bool

    @property
    def name(self) -> str:
        """Return what this key is called in plans and registries: eight characters that do not lead back to it."""
        return self.digest("name")[:8]

    def digest(self, purpose: str, *parts: t.Any) -> str:
        """Return 64 hexadecimal digits for plain data; nobody without the key can tell what they are of."""
        text = json.dumps([purpose, *parts], sort_keys=True, separators=(",", ":"), default=str)
        return hmac.new(self.secret, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def user_key(task: Task) -> SiteKey | None:
    """Return the key that the user gave, None for none. Raises InvalidInput for one that is too short."""
    if "site_key" not in task.settings or not task.settings["site_key"]:
        return None
    return checked_key("site_key", task.settings["site_key"])


def checked_key(option: str, value: str) -> SiteKey:
    """Return the key of an option. Raises InvalidInput for one that is too short."""
    if len(value) < SHORTEST_KEY:
        raise InvalidInput(
            f"{option}: it has {len(value)} characters; at least {SHORTEST_KEY} are required.",
            next_step="Create one with openssl rand -hex 32, and keep it with your other secrets.",
            option=option,
        )
    return SiteKey(value.encode("utf-8", "surrogateescape"), given=True)


def controller_key(task: Task) -> SiteKey:
    """Return the key of this controller, made when it is first needed; nobody else may read its file.

    Of several processes that make it at once all get the same. Raises InvalidInput when it cannot be kept.
    """
    folder = private_folder(task.state_dir)
    path = os.path.join(folder, OWN_KEY)
    if not os.path.lexists(path):
        made = os.path.join(folder, f".{OWN_KEY}-{secrets.token_hex(8)}")
        write_json(made, {"key": secrets.token_hex(32)})
        try:
            with contextlib.suppress(FileExistsError):  # somebody else was quicker
                os.link(made, path)
        except OSError as error:
            raise unusable(folder, error.strerror) from None
        finally:
            remove(made)
    found = read_json(path)
    if not isinstance(found, dict) or not isinstance(found.get("key"), str) or len(found["key"]) < SHORTEST_KEY:
        raise InvalidInput(
            f"{path} is not a key, or other users can read it.",
            next_step="Remove it and make new plans, which creates a new key, or give site_key.",
        )
    return SiteKey(found["key"].encode("utf-8", "surrogatepass"), given=False)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SSH keys and private networks."""

from __future__ import annotations

from ..private_network import LONGEST_NAME as LONGEST_NETWORK
from ..rest_options import check_name
from ..ssh_key import LONGEST_NAME as LONGEST_KEY
from .account import Account
from .found import HOW, WAITING, Found, Table
from .naming import named

KEYS = Table(
    "ssh_keys",
    ("name", "id"),
    ("public_key",),
    of_tasks={"state": "all of them are there", "recreate": HOW, "create_grace": HOW},
)
NETWORKS = Table(
    "private_networks",
    ("name", "id"),
    (),
    of_tasks={"state": "all of them are there", "force_detach": HOW, **WAITING},
)


def keys(account: Account) -> Found:
    """Return the SSH keys."""
    found = Found(KEYS)

    def check(name: str) -> None:
        check_name(name, LONGEST_KEY, any_letters=True)

    for record, identity in named(account, found, account.infrastructure.keys, check):
        text = record["public_key"] or ""
        if "PRIVATE KEY" in text or "Private-Lines:" in text or account.holds_secret(text):
            found.leave(record["name"], "what is stored as its public key is a secret")
        elif not text.strip():
            found.leave(record["name"], "nothing is stored as its public key")
        else:
            found.add({**identity, "public_key": text})
    return found


def networks(account: Account) -> Found:
    """Return the private networks; which instances are in them stands with the instances."""
    found = Found(NETWORKS)
    for _record, identity in named(
        account, found, account.infrastructure.networks, lambda name: check_name(name, LONGEST_NETWORK)
    ):
        found.add(identity)
    return found

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SSH keys (docs/service/infrastructure.md, "SSH keys")."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandbox.rest import lookup, seeding
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Lock
from sandbox.rest.paging import page
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.times import show
from sandbox.rest.visibility import hide, shown


@dataclass(slots=True)
class SshKey:
    """A public key of the user."""

    id: int
    name: str
    value: str
    created: float
    lock: Lock = field(default_factory=Lock)


def describe_key(call: Call, one: SshKey) -> dict[str, Any]:
    """The answer's form of a key."""
    return {
        "Id": one.id,
        "Name": one.name,
        "Value": one.value,
        "OwnerUser": call.world.account.user,
        "CreationDate": show(one.created),
    }


declare(
    Resource(
        SshKey,
        "SSH key",
        describe_key,
        first_id=31101,
        at_once=True,
        seed=lambda now: (SshKey(created=now, **row) for row in seeding.read("account")["keys"]),
        name="keys",
        truth=lambda _world, one: {"Id": one.id, "Name": one.name, "Value": one.value},
    )
)


@handles("list_account_ssh_keys")
def list_keys(call: Call) -> Any:
    """Keys of the user."""
    order = {
        "OwnerUser": lambda _one: call.world.account.user["Login"],
        "Name": lambda one: one.name,
        "Id": lambda one: one.id,
    }
    return page(call, shown(call, SshKey), lambda one: describe_key(call, one), order)


@handles("read_account_ssh_key")
def read_key(call: Call) -> Any:
    """One key."""
    return describe_key(call, lookup.addressed(call, SshKey))


@handles("create_account_ssh_key")
def create_key(call: Call) -> Any:
    """A new key, at once; its text is trimmed."""
    text = call.body["SshKey"].strip()
    if not text:
        raise Refusal(400, "SshKey: the text is empty.")
    made = SshKey(call.world.new_id(SshKey), call.body["SshKeyName"], text, call.now)
    call.world.table(SshKey)[made.id] = made
    hide(call, made, made=call.now)
    return describe_key(call, made)


@handles("delete_account_ssh_key")
def delete_key(call: Call) -> Any:
    """The key goes; instances that were made with it stay."""
    del call.world.table(SshKey)[lookup.addressed(call, SshKey).id]
    return NOTHING

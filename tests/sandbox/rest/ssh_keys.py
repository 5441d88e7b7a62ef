# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SSH keys (wire-facts 7)."""

from __future__ import annotations

from typing import Any

from sandbox.rest.call import Call
from sandbox.rest.models import SshKey
from sandbox.rest.times import show


def describe_key(call: Call, one: SshKey) -> dict[str, Any]:
    """The answer's form of a key."""
    return {
        "Id": one.id,
        "Name": one.name,
        "Value": one.value,
        "OwnerUser": call.world.account.user,
        "CreationDate": show(one.created),
    }

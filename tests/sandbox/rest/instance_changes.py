# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changing an instance in place (docs/service/infrastructure.md, "Changing an instance")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.instance_creation import desired_type
from sandbox.rest.models import Instance, Template
from sandbox.rest.ticketing import Work, start

INSTANCE = 139
RECONFIGURING, RENAMING = 144, 867


def change(call: Call, found: Instance, operation: int, **values: Any) -> Any:
    """Set attributes of an instance when the ticket ends."""

    def done(_when: float) -> None:
        for name, value in values.items():
            setattr(found, name, value)
        call.world.touch(found.id)

    return start(call, Work(operation, INSTANCE, found.name, done, object_id=found.id, locks=[found]))


@handles("instance_change_name")
def rename_instance(call: Call) -> Any:
    """Another name; the same name may exist elsewhere."""
    return change(call, lookup.addressed(call, Instance), RENAMING, name=call.query["name"])


@handles("instance_change_type")
def change_instance_type(call: Call) -> Any:
    """Another type, while running."""
    found = lookup.addressed(call, Instance)
    template = call.world.table(Template).get(found.template)
    size = desired_type(call, template, call.query["typeId"])
    return change(call, found, RECONFIGURING, type=size.id)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Making a template out of an instance (docs/service/infrastructure.md, "Changing an instance")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.attachment import remove_instance
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Disk, Instance, InstanceType, Template, TemplateDisk
from sandbox.rest.refusal import Refusal
from sandbox.rest.templates import describe_template, shown_text
from sandbox.rest.ticketing import Work, start

CONVERSION, TEMPLATE, CUSTOM = 1287, 140, 1243


@handles("instance_convert_to_template")
def convert_instance(call: Call) -> Any:
    """The instance ceases to exist when the ticket ends, an own template stands in its place."""
    found = lookup.addressed(call, Instance)
    made = _template(call, found)

    def done(when: float) -> int:
        made.created = when
        remove_instance(call.world, found, deep=False)
        call.world.table(Template)[made.id] = made
        return made.id

    return start(call, Work(CONVERSION, TEMPLATE, made.name, done, locks=[found], source=found.id))


def _template(call: Call, found: Instance) -> Template:
    body = call.body
    default = lookup.given(call, InstanceType, body["TemplateDefaultTypeId"], "TemplateDefaultTypeId")
    least = lookup.given(call, InstanceType, body["TemplateMinimumTypeId"], "TemplateMinimumTypeId")
    category = lookup.item(call, 70, body["TemplateSystemCategoryId"], "TemplateSystemCategoryId")
    system = (disk for disk in map(call.world.table(Disk).__getitem__, found.disks) if disk.system)
    disks = [TemplateDisk(call.world.new_id(Disk), disk.capacity, slot) for slot, disk in enumerate(system)]
    return Template(
        id=call.world.new_id(Template),
        name=body["TemplateName"],
        description=shown_text(call, body["TemplateDescriptions"]),
        version=body["TemplateVersion"],
        source="Own",
        type=CUSTOM,
        category=category,
        minimum=least.id,
        default=default.id,
        tools=found.tools,
        disks=disks,
        created=call.now,
        made_from=found.id,
    )


@handles("read_instance_template")
def read_instance_template(call: Call) -> Any:
    """The template that was made from the instance with this id."""
    for one in call.world.table(Template).values():
        if one.made_from == call.id:
            return describe_template(call, one)
    raise Refusal(404, f"No template was made from instance {call.id}.")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading instance types (docs/service/infrastructure.md, "Subregions, templates and types")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import seeding
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import InstanceType
from sandbox.rest.paging import page
from sandbox.rest.resource import Resource, declare


def describe_type(call: Call, one: InstanceType) -> dict[str, Any]:
    """The answer's form of an instance type."""
    return {
        "Id": one.id,
        "Name": one.name,
        "Cpu": one.cpu,
        "Ram": one.ram,
        "AvailableForFreemium": one.free,
        "Category": call.world.dictionaries.value(141, one.category),
    }


declare(Resource(InstanceType, "Instance type", describe_type, seed=seeding.instance_types))


@handles("list_instance_types")
def list_types(call: Call) -> Any:
    """Instance types of the desired category, for the free plan or not."""
    order = {
        "Category": lambda one: call.world.dictionaries.label(141, one.category),
        "Cpu": lambda one: one.cpu,
        "Ram": lambda one: one.ram,
        "Name": lambda one: one.name,
    }
    category, free = call.query.get("categoryId"), call.query.get("availableForFreemium")
    matches = (
        one
        for one in call.world.table(InstanceType).values()
        if category in (None, one.category) and (free is None or free == one.free)
    )
    return page(call, matches, lambda one: describe_type(call, one), order)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many instances at once, for tests at scale."""

from __future__ import annotations

from sandbox.rest.attachment import AUTOMATIC, attach_address, attach_disk, make_address, make_disk
from sandbox.rest.models import Disk, Instance, InstanceType, Subregion, Template
from sandbox.rest.world import World

STATUSES = (86, 86, 86, 87)
PASSWORD = 1399
TIERS = (48, 49, 50)


def fill(world: World, desired: int, now: float) -> None:
    """Bring the bulk instances to the desired number; never takes any away."""
    if world.bulk >= desired:
        return
    subregions = [one.id for one in world.table(Subregion).values() if one.active]
    types = list(world.table(InstanceType))
    for index in range(world.bulk, desired):
        _make(world, index, subregions[index % len(subregions)], types[index % len(types)], now)
    world.bulk = desired


def _make(world: World, index: int, subregion: int, size: int, now: float) -> None:
    templates = list(world.table(Template).values())
    template = templates[index % len(templates)]
    instance = Instance(
        id=world.new_id(Instance),
        name=f"bulk-{index + 1:05d}",
        created=now,
        template=template.id,
        template_name=template.name,
        template_type=template.type,
        category=template.category,
        tools=template.tools,
        subregion=subregion,
        type=size,
        status=STATUSES[index % len(STATUSES)],
        method=PASSWORD,
        password=None,
    )
    world.table(Instance)[instance.id] = instance
    for given in template.disks:
        capacity = given.capacity + index % 50
        disk = Disk(world.new_id(Disk), "System disk", capacity, TIERS[index % len(TIERS)], now, subregion)
        attach_disk(world, instance, make_disk(world, disk), system=True)
    attach_address(world, instance, make_address(world, subregion, AUTOMATIC))

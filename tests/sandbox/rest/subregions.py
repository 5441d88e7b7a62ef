# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading subregions (docs/service/infrastructure.md, "Subregions, templates and types")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import seeding
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Subregion
from sandbox.rest.paging import envelope
from sandbox.rest.resource import Resource, declare


def describe_subregion(_call: Call, subregion: Subregion) -> dict[str, Any]:
    """The answer's form of a subregion."""
    return {"Id": subregion.id, "Name": subregion.name, "IsActive": subregion.active}


declare(Resource(Subregion, "Subregion", describe_subregion, seed=seeding.subregions))


@handles("list_subregions")
def list_subregions(call: Call) -> Any:
    """All subregions; this list has no pages."""
    return envelope([describe_subregion(call, one) for one in call.world.table(Subregion).values()])

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes whose a thing is, or what the site knows it by: adopted, moved, released."""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Params
from .entry_plan import MADE, EntryPlan
from .model import Place
from .state.registry_document import CREATING, Owned, differ

Owners = t.Mapping[Place, Owned]


def note_adoptions(plans: t.Iterable[EntryPlan], params: Params, owned: Owners, aside: Place) -> None:
    """Note in the plans what exists and becomes the site's own; never ``aside``, the container of the registry."""
    for plan in plans:
        wanted = (params["adopt"] or plan.entry.adopt) and plan.entry.of.makes and plan.place != aside
        plan.adopts = wanted and _stays(plan) and not _is_own(plan, owned.get(plan.place))


def _stays(plan: EntryPlan) -> bool:
    """Return whether the thing exists and is to be there."""
    return plan.planned is not None and plan.planned.action not in MADE and not (plan.removes or plan.context)


def _is_own(plan: EntryPlan, owned: Owned | None) -> bool:
    if owned is None or not owned.prunable:
        return False
    return owned.phase == CREATING or not differ(owned.id, plan.number)

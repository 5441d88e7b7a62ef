# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lifecycle of entries forbids, and how it has them replaced."""

from __future__ import annotations

import typing as t

from ...module_utils._core.errors import InvalidInput
from ...module_utils._engine.plan import REPLACE
from .entry_plan import EntryPlan


def refuse_to_destroy(plans: t.Iterable[EntryPlan]) -> None:
    """Note an error in each plan that would remove or replace what must not be destroyed."""
    for plan in plans:
        goes = plan.removes or plan.verdict == REPLACE
        if goes and plan.changes and plan.entry.lifecycle.prevent_destroy:
            plan.error, plan.planned = _protected(plan), None


def _protected(plan: EntryPlan) -> InvalidInput:
    if plan.orphan:
        return InvalidInput(
            "It is not removed: it is no longer declared, and its last entry had lifecycle.prevent_destroy.",
            next_step="Declare it once more without prevent_destroy, apply that, and then remove the entry. To keep it, "
            "release it: an item in removed with destroy: false.",
        )
    what, why = "removed", ""
    if not plan.removes and plan.planned is not None:
        what, why = "replaced", f" ({', '.join(plan.planned.forced_by)} cannot be changed otherwise)"
    return InvalidInput(
        f"It is not {what}{why}: it has lifecycle.prevent_destroy in its entry.",
        next_step="If it really is to go, take prevent_destroy out of its entry first.",
        option="lifecycle",
    )

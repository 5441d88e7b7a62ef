# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of each machine of a fleet, as one result."""

from __future__ import annotations

import typing as t
from collections import Counter

from ..._engine.change_tracking import CHANGED
from ..._engine.plan import CREATE, DELETE, UPDATE
from ..._session.operation import Result

if t.TYPE_CHECKING:
    from ..instance.operation import Machine

FAILED = "failed"
COUNTED = {CREATE: "created", DELETE: "removed", UPDATE: "changed", None: "unchanged", FAILED: "failed"}
TOLD = 5  # failures that the message tells; all are in the result


def result(machines: t.Sequence[Machine]) -> Result:
    """Return the result. With a failure among them it says ``failed``; the rest is finished."""
    counts = dict.fromkeys(COUNTED.values(), 0)
    counts.update(
        Counter(COUNTED.get(FAILED if one.outcome is None else one.outcome.action, "changed") for one in machines)
    )
    described = [_described(one) for one in machines]
    told: Result = {
        "changed": any(one["changed"] for one in described),
        "machines": described,
        "instances": [one.outcome.record for one in machines if one.outcome and one.outcome.record is not None],
        "counts": counts,
        "diff": [
            {**one.outcome.diff, "before_header": one.name, "after_header": one.name}
            for one in machines
            if one.outcome is not None and one.outcome.changed
        ],
    }
    return {**told, **_failure(machines, counts)} if counts["failed"] else told


def _described(machine: Machine) -> Result:
    if machine.error is not None:
        told = machine.error.as_result()
        return {
            "name": machine.name,
            "id": (machine.current or {}).get("id"),
            "action": FAILED,
            "changed": bool(told["error"].pop(CHANGED, False)),
            "ticket": machine.ticket,
            **told,
        }
    outcome = machine.outcome
    if outcome is None:
        raise AssertionError(machine.name)
    return {
        "name": machine.name,
        "id": (outcome.record or machine.current or {}).get("id"),
        "action": outcome.action or "none",
        "changed": outcome.changed,
        "ticket": machine.ticket,
    }


def _failure(machines: t.Sequence[Machine], counts: t.Mapping[str, int]) -> Result:
    failed = [one for one in machines if one.error is not None]
    listed = "; ".join(f"{one.name}: {one.error}" for one in failed[:TOLD])
    more = f"; and {len(failed) - TOLD} more, see machines" if len(failed) > TOLD else ""
    done = ", ".join(f"{number} {word}" for word, number in counts.items() if number and word != "failed")
    return {
        "failed": True,
        "msg": f"{len(failed)} of {len(machines)} instances failed{f' ({done})' if done else ''}: {listed}{more}",
    }

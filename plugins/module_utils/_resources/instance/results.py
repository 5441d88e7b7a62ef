# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of a task that declares several machines: each on its own, and failures beside what went well."""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError
from ..._engine.change_tracking import CHANGED, has_changed
from ..._session.operation import Result

if t.TYPE_CHECKING:
    from .operation import Machine


def result_of_several(name: str, machines: t.Sequence[Machine]) -> Result:
    """Return one result for all machines. With a failure among them it says ``failed``; the rest is finished."""
    outcomes = {machine.name: machine.outcome for machine in machines if machine.outcome is not None}
    failed = {machine.name: machine.error for machine in machines if machine.error is not None}
    result: Result = {
        "changed": any(outcome.changed for outcome in outcomes.values()) or any(map(has_changed, failed.values())),
        "instances": [outcome.record for outcome in outcomes.values() if outcome.record is not None],
        "actions": {one: outcome.action or "none" for one, outcome in outcomes.items()},
        "tickets": {machine.name: machine.ticket for machine in machines if machine.ticket is not None},
        "diff": [
            {**outcome.diff, "before_header": one, "after_header": one}
            for one, outcome in outcomes.items()
            if outcome.changed
        ],
    }
    return {**result, **_failure(name, failed, len(machines))} if failed else result


def _failure(name: str, failed: t.Mapping[str, FcdError], count: int) -> Result:
    listed = "; ".join(f"{one}: {error}" for one, error in failed.items())
    return {
        "failed": True,
        "msg": f"{len(failed)} of the {count} instances {name}-1 to {name}-{count} failed: {listed}",
        "failures": [{"name": one, **_told(error)} for one, error in failed.items()],
    }


def _told(error: FcdError) -> Result:
    told = error.as_result()
    return {"changed": bool(told["error"].pop(CHANGED, False)), **told}

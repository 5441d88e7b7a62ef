# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of a run of a site, as one result."""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError
from ..._core.names import listed
from ..._core.redaction import Redactor
from ..._session.operation import Result
from .applying import has_been_changed
from .hiding import hidden
from .plan_document import Plan, told_error, verdict
from .wishes import Wish

TOLD = 5  # reasons that the message tells, and entries of each; all are in the result
FAILED, NOT_BEGUN, CHANGED = "failed", "not_begun", "changed"


def planned_result(plan: Plan, wishes: t.Sequence[Wish]) -> Result:
    """Return the result of check mode: what would change. With an entry that cannot be planned it says failed."""
    told: Result = {
        "changed": any(wish.changes for wish in wishes),
        **_common(plan),
        "failed_entries": [{**error, "action": FAILED} for error in plan["errors"]],
        "diff": [_diff(change) for change in plan["changes"] if change["action"] != "orphan"],
    }
    if plan["errors"]:
        told.update(failed=True, msg=_message(plan["errors"], plan["entries"], "cannot be planned"))
    return told


def applied_result(plan: Plan, wishes: t.Sequence[Wish], redactor: Redactor, stopped: FcdError | None = None) -> Result:
    """Return the result of a run that has worked. With an entry that failed, or when it was stopped, it says failed."""
    failed = hidden(
        redactor,
        [
            {**told_error(wish), "action": FAILED if wish.begun or wish.planned is None else NOT_BEGUN}
            for wish in wishes
            if wish.error is not None
        ],
    )
    done = [wish for wish in wishes if has_been_changed(wish)]
    told: Result = {
        "changed": bool(done),
        **_common(plan),
        "failed_entries": failed,
        "diff": hidden(redactor, [_diff_of(wish) for wish in done if wish.done is not None]),
    }
    told["counts"] = {
        **plan["counts"],
        CHANGED: len(done),
        FAILED: sum(one["action"] == FAILED for one in failed),
        NOT_BEGUN: sum(one["action"] == NOT_BEGUN for one in failed),
    }
    if failed:
        told.update(failed=True, msg=_message(failed, plan["entries"], "failed or were not begun"))
    if stopped is not None:
        why = hidden(redactor, stopped.as_result())
        told.update(failed=True, error=why["error"], msg=f"{why['msg']} {told.get('msg', '')}".rstrip())
    return told


def _common(plan: Plan) -> Result:
    return {"site": plan["site"], "plan": plan, "counts": plan["counts"]}


def _diff_of(wish: Wish) -> dict[str, t.Any]:
    done = t.cast("t.Any", wish.done)
    names = {"kind": wish.entry.kind, "name": wish.entry.name}
    return _diff({**names, "before": done.before or {}, "after": done.after or {}, "action": verdict(wish)})


def _diff(change: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    header = f"{change['kind']} {change['name']}"
    return {
        "before_header": header,
        "after_header": header,
        "before": change["before"],
        "after": change["after"],
    }


def _message(failed: t.Sequence[t.Mapping[str, t.Any]], whole: int, what: str) -> str:
    """Return a message in which what failed for one and the same reason is told together."""
    reasons: dict[str, list[str]] = {}
    for one in failed:
        reason = f"{one['msg']} {one['next_step'] or ''}".rstrip()
        reasons.setdefault(reason, []).append(f"{one['kind']} {one['name']} ({one['source']})")
    told = [f"{listed(names, TOLD)}: {reason}" for reason, names in list(reasons.items())[:TOLD]]
    left = sum(len(names) for names in list(reasons.values())[TOLD:])
    more = f"; and {left} more, see failed_entries" if left else ""
    return f"{len(failed)} of {whole} entries {what}: {'; '.join(told)}{more}"

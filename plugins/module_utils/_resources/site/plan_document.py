# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a site as plain data: what would change, with digests over declaration and world. No I/O."""

from __future__ import annotations

import hashlib
import json
import time
import typing as t

from ..._core.version import VERSION
from ..._engine.plan import CREATE, DELETE, UPDATE
from ..._session.task import Task
from .entries import Place
from .hiding import hidden
from .kinds import KINDS
from .wishes import ORPHAN, Wish

FORMAT = 1
UNCHANGED, ERROR = "unchanged", "error"
COUNTED = (CREATE, UPDATE, DELETE, ORPHAN, UNCHANGED, ERROR)
WORLD = ("kind", "name", "action", "before", "after")
Plan = t.Dict[str, t.Any]


class Scope(t.NamedTuple):
    """Which run of which site a plan is for. ``mode`` is plan, apply or prune."""

    site: str
    environment: str | None
    stage: str
    part: str | None
    kinds: list[str] | None
    state: str
    mode: str
    declaration_digest: str


def plan_of(
    scope: Scope, wishes: t.Sequence[Wish], owners: t.Mapping[Place, str], task: Task, aside: Place | None = None
) -> Plan:
    """Return the plan; ``owners`` says how the site came to what it knows of. ``aside`` is not in the digest."""
    shown = [wish for wish in wishes if not wish.context]
    changing = [wish for wish in shown if verdict(wish) not in (UNCHANGED, ERROR)]
    changes = hidden(task.redactor, [_change(wish, owners.get(wish.place)) for wish in changing])
    return {
        "format": FORMAT,
        "collection": VERSION,
        **scope._asdict(),
        "made_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(task.clock.now())),
        "world_digest": digest([values for place, values in world(changes).items() if place != aside]),
        "entries": len(shown),
        "counts": _counts(shown),
        "by_kind": {
            kind: _counts([wish for wish in shown if wish.entry.kind == kind])
            for kind in KINDS
            if any(wish.entry.kind == kind for wish in shown)
        },
        "changes": changes,
        "errors": hidden(task.redactor, [told_error(wish) for wish in wishes if wish.error is not None]),
    }


def world(changes: t.Iterable[t.Mapping[str, t.Any]]) -> dict[Place, list[t.Any]]:
    """Return what counts of the changes, by kind and name: action, before and after."""
    return {(one["kind"], one["name"]): [*(one[name] for name in WORLD)] for one in changes}


def verdict(wish: Wish) -> str:
    """Return how an entry counts."""
    if wish.error is not None and wish.planned is None:
        return ERROR
    if wish.planned is None or wish.planned.action is None:
        return UNCHANGED
    if wish.spared:
        return ORPHAN if wish.orphan else UNCHANGED
    return wish.planned.action


def told_error(wish: Wish) -> dict[str, t.Any]:
    """Return why an entry failed."""
    error = t.cast("t.Any", wish.error)
    return {
        "kind": wish.entry.kind,
        "name": wish.entry.name,
        "source": wish.entry.source,
        "msg": error.message,
        "next_step": error.next_step,
    }


def digest(value: t.Any) -> str:
    """Return a digest over plain data."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _change(wish: Wish, owner: str | None) -> dict[str, t.Any]:
    planned = t.cast("t.Any", wish.planned)
    before = _plain(planned.before)
    return {
        "kind": wish.entry.kind,
        "name": wish.entry.name,
        "key": wish.entry.key,
        "action": verdict(wish),
        "id": before.get("id") if planned.number is None else planned.number,
        "before": before,
        "after": _plain(planned.after),
        "source": wish.entry.source,
        "owner": owner,
    }


def _counts(wishes: t.Sequence[Wish]) -> dict[str, int]:
    verdicts = [verdict(wish) for wish in wishes]
    return {name: verdicts.count(name) for name in COUNTED}


def _plain(side: t.Any) -> dict[str, t.Any]:
    """Return one side of a diff as a dictionary; that of a folder is a text."""
    if side is None or side == "":
        return {}
    return dict(side) if isinstance(side, t.Mapping) else {"content": side}

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a site as plain data, as a file, and as the result of a run. Secrets are hidden in all of them.

The digests of a plan over declaration and world are what binds. A file without changes, as job systems hand it on,
binds as well; what differs from it cannot be named then.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import time
import typing as t

from ...module_utils._connection.clients import VERSION
from ...module_utils._connection.task import Result, Task
from ...module_utils._core.errors import FcdError, InvalidInput
from ...module_utils._core.text import Redactor, listed
from ...module_utils._engine.plan import CREATE, DELETE, UPDATE
from .applying import has_been_changed
from .entry_plan import ORPHAN, EntryPlan
from .kinds import KINDS
from .model import Place

Value = t.TypeVar("Value")


def redacted(redactor: Redactor, value: Value) -> Value:
    """Return plain data with all secrets hidden.

    Each secret is looked for once in all of it; only those that are there are looked for text by text.
    """
    whole = json.dumps(value, ensure_ascii=False, default=str)
    there = [secret for secret in redactor.secrets if _text_in_json(secret) in whole]
    return t.cast("Value", Redactor(there).value(value)) if there else value


def _text_in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


FORMAT = 1
UNCHANGED, ERROR = "unchanged", "error"
COUNTED = (CREATE, UPDATE, DELETE, ORPHAN, UNCHANGED, ERROR)
WORLD = ("kind", "name", "action", "before", "after")
PlanDocument = t.Dict[str, t.Any]


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
    scope: Scope,
    plans: t.Sequence[EntryPlan],
    owners: t.Mapping[Place, str],
    task: Task,
    aside: Place | None = None,
) -> PlanDocument:
    """Return the plan; ``owners`` says how the site came to what it knows of. ``aside`` is not in the digest."""
    shown = [plan for plan in plans if not plan.context]
    changing = [plan for plan in shown if verdict(plan) not in (UNCHANGED, ERROR)]
    changes = redacted(task.redactor, [_change(plan, owners.get(plan.place)) for plan in changing])
    return {
        "format": FORMAT,
        "collection": VERSION,
        **scope._asdict(),
        "made_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(task.clock.now())),
        "world_digest": plan_digest([values for place, values in world(changes).items() if place != aside]),
        "entries": len(shown),
        "counts": _counts(shown),
        "by_kind": _counts_by_kind(shown),
        "changes": changes,
        "errors": redacted(task.redactor, [told_error(plan) for plan in plans if plan.error is not None]),
    }


def world(changes: t.Iterable[t.Mapping[str, t.Any]]) -> dict[Place, list[t.Any]]:
    """Return what counts of the changes, by kind and name: action, before and after."""
    return {(one["kind"], one["name"]): [*(one[name] for name in WORLD)] for one in changes}


def verdict(plan: EntryPlan) -> str:
    """Return how an entry counts."""
    if plan.error is not None and plan.planned is None:
        return ERROR
    if plan.planned is None or plan.planned.action is None:
        return UNCHANGED
    if plan.spared:
        return ORPHAN if plan.orphan else UNCHANGED
    return plan.planned.action


def told_error(plan: EntryPlan) -> dict[str, t.Any]:
    """Return why an entry failed."""
    error = t.cast("t.Any", plan.error)
    return {
        "kind": plan.entry.kind,
        "name": plan.entry.name,
        "source": plan.entry.source,
        "msg": error.message,
        "next_step": error.next_step,
    }


def plan_digest(value: t.Any) -> str:
    """Return a digest over plain data."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _change(plan: EntryPlan, owner: str | None) -> dict[str, t.Any]:
    planned = t.cast("t.Any", plan.planned)
    before = _side_as_mapping(planned.before)
    return {
        "kind": plan.entry.kind,
        "name": plan.entry.name,
        "key": plan.entry.key,
        "action": verdict(plan),
        "id": before.get("id") if planned.number is None else planned.number,
        "before": before,
        "after": _side_as_mapping(planned.after),
        "source": plan.entry.source,
        "owner": owner,
    }


def _counts(plans: t.Sequence[EntryPlan]) -> dict[str, int]:
    verdicts = [verdict(plan) for plan in plans]
    return {name: verdicts.count(name) for name in COUNTED}


def _counts_by_kind(plans: t.Sequence[EntryPlan]) -> dict[str, dict[str, int]]:
    by_kind = {kind: [plan for plan in plans if plan.entry.kind == kind] for kind in KINDS}
    return {kind: _counts(members) for kind, members in by_kind.items() if members}


def _side_as_mapping(side: t.Any) -> dict[str, t.Any]:
    """Return one side of a diff as a dictionary; that of a folder is a text."""
    if side is None or side == "":
        return {}
    return dict(side) if isinstance(side, t.Mapping) else {"content": side}


LARGEST = 64 * 1024 * 1024  # bytes
MOST_DIFFERENCES = 3  # differences in one message
AGAIN = "Make a new plan, look at it, and apply that."
SAME = {
    "site": "site",
    "environment": "environment",
    "stage": "stage",
    "part": "part",
    "kinds": "kinds",
    "state": "state",
}


def read_plan(path: str) -> PlanDocument:
    """Return the plan in a file. Raises InvalidInput when it cannot be read or is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as exc:
        link = exc.errno == errno.ELOOP
        raise _wrong(path, "it is a symbolic link" if link else f"{exc.strerror}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _wrong(path, "it is no ordinary file")
        if status.st_size > LARGEST:
            raise _wrong(path, f"it has {status.st_size} bytes, and a plan has at most {LARGEST}")
        with open(descriptor, "rb", closefd=False) as handle:
            plan = json.loads(handle.read(LARGEST + 1))
    except (ValueError, RecursionError):
        raise _wrong(path, "it is no JSON") from None
    finally:
        os.close(descriptor)
    return _checked(path, plan)


def check_same(path: str, before: PlanDocument, now: PlanDocument, aside: Place) -> None:
    """Raise InvalidInput unless the plan of the file is for this run, of this declaration and of this world."""
    for name, word in SAME.items():
        if before.get(name) != now[name]:
            raise InvalidInput(
                f"plan: {path} is for {word} {_said(before.get(name))}, this run is for {_said(now[name])}. "
                "Nothing was changed.",
                next_step="Take the plan that belongs to this run, or make one.",
                option="plan",
            )
    if (before["mode"] == "prune") != (now["mode"] == "prune"):
        raise InvalidInput(
            f"plan: {path} was made for {before['mode']}, this run is for {now['mode']}. Nothing was changed.",
            next_step=AGAIN,
            option="plan",
        )
    differs = [
        word
        for word, name in (("the declaration", "declaration_digest"), ("the world", "world_digest"))
        if before[name] != now[name]
    ]
    if differs:
        raise InvalidInput(
            f"plan: {' and '.join(differs)} changed since {path} was made ({before['made_at']})"
            f"{_differences(before, now, aside)}Nothing was changed.",
            next_step=f"Part of it may be done already, where a run was interrupted. {AGAIN}",
            option="plan",
        )


def _checked(path: str, plan: t.Any) -> PlanDocument:
    if not isinstance(plan, dict) or "format" not in plan:
        raise _wrong(path, "it is no plan of a site")
    if plan["format"] != FORMAT:
        raise _wrong(path, f"it has format {plan['format']!r}, and this version of the collection reads {FORMAT}")
    texts = ("site", "stage", "mode", "made_at", "declaration_digest", "world_digest")
    changes = plan.get("changes")
    whole = all(isinstance(plan.get(name), str) for name in texts) and isinstance(changes, (list, type(None)))
    if not whole or not all(map(_is_change, changes or ())):
        raise _wrong(path, "parts of a plan are missing in it")
    return t.cast("PlanDocument", plan)


def _is_change(change: t.Any) -> bool:
    if not isinstance(change, dict) or not set(WORLD) <= set(change):
        return False
    return isinstance(change["kind"], str) and isinstance(change["name"], str)


def _differences(before: PlanDocument, now: PlanDocument, aside: Place) -> str:
    """Return the first entries whose changes differ, in words; nothing of them where the plan has digests only."""
    if before.get("changes") is None:
        return ". "
    old, new = _as_json(before), _as_json(now)
    differing = [place for place in {**old, **new} if old.get(place) != new.get(place) and place != aside]
    if not differing:
        return ": the same entries change in the same way. "
    told = [
        f"{' '.join(map(str, place))} ({_word(old.get(place))}, now {_word(new.get(place))})" for place in differing
    ]
    more = f" and {len(told) - MOST_DIFFERENCES} more" if len(told) > MOST_DIFFERENCES else ""
    return f": {', '.join(told[:MOST_DIFFERENCES])}{more}. "


def _as_json(plan: PlanDocument) -> dict[Place, list[t.Any]]:
    """Return what counts of the changes, as it is after it was in a file."""
    return t.cast(
        "dict[Place, list[t.Any]]",
        {place: json.loads(json.dumps(values, default=str)) for place, values in world(plan["changes"]).items()},
    )


def _word(values: list[t.Any] | None) -> str:
    return "unchanged" if values is None else str(values[WORLD.index("action")])


def _said(value: t.Any) -> str:
    return "none" if value is None else str(value) if not isinstance(value, list) else ", ".join(map(str, value))


def _wrong(path: str, why: str) -> InvalidInput:
    return InvalidInput(f"plan: {path} cannot be used: {why}. Nothing was changed.", next_step=AGAIN, option="plan")


TOLD = 5  # reasons that the message tells, and entries of each; all are in the result
FAILED, NOT_BEGUN, CHANGED = "failed", "not_begun", "changed"


def planned_result(document: PlanDocument, plans: t.Sequence[EntryPlan]) -> Result:
    """Return the result of check mode: what would change. With an entry that cannot be planned it says failed."""
    told: Result = {
        "changed": any(plan.changes for plan in plans),
        **_common(document),
        "failed_entries": [{**error, "action": FAILED} for error in document["errors"]],
        "diff": [_diff(change) for change in document["changes"] if change["action"] != "orphan"],
    }
    if document["errors"]:
        told.update(failed=True, msg=_message(document["errors"], document["entries"], "cannot be planned"))
    return told


def applied_result(
    document: PlanDocument, plans: t.Sequence[EntryPlan], redactor: Redactor, stopped: FcdError | None = None
) -> Result:
    """Return the result of a run that has worked. With an entry that failed, or when it was stopped, it says failed."""
    failed = redacted(redactor, _failed_entries(plans))
    done = [plan for plan in plans if has_been_changed(plan)]
    told: Result = {
        "changed": bool(done),
        **_common(document),
        "failed_entries": failed,
        "diff": redacted(redactor, [_diff_of(plan) for plan in done if plan.done is not None]),
    }
    told["counts"] = {
        **document["counts"],
        CHANGED: len(done),
        FAILED: sum(one["action"] == FAILED for one in failed),
        NOT_BEGUN: sum(one["action"] == NOT_BEGUN for one in failed),
    }
    if failed:
        told.update(failed=True, msg=_message(failed, document["entries"], "failed or were not begun"))
    if stopped is not None:
        why = redacted(redactor, stopped.as_result())
        told.update(failed=True, error=why["error"], msg=f"{why['msg']} {told.get('msg', '')}".rstrip())
    return told


def _failed_entries(plans: t.Sequence[EntryPlan]) -> list[dict[str, t.Any]]:
    failed = [plan for plan in plans if plan.error is not None]
    return [
        {**told_error(plan), "action": FAILED if plan.begun or plan.planned is None else NOT_BEGUN} for plan in failed
    ]


def _common(document: PlanDocument) -> Result:
    return {"site": document["site"], "plan": document, "counts": document["counts"]}


def _diff_of(plan: EntryPlan) -> dict[str, t.Any]:
    done = t.cast("t.Any", plan.done)
    names = {"kind": plan.entry.kind, "name": plan.entry.name}
    return _diff({**names, "before": done.before or {}, "after": done.after or {}, "action": verdict(plan)})


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

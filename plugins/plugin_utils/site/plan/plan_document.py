# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a site as plain data, as a file, and as the result of a run. Secrets are hidden in all of them.

What a plan binds is added to it by binding. A file without changes, as job systems hand it on, binds as well; what
differs from it cannot be named then.
"""

from __future__ import annotations

import errno
import glob
import hashlib
import json
import os
import time
import typing as t

from ....module_utils._connection.task import VERSION, Result, Task
from ....module_utils._core.errors import CHANGED as HAS_CHANGED
from ....module_utils._core.errors import FcdError, InvalidInput
from ....module_utils._core.later import LATER
from ....module_utils._core.private_files import read_regular
from ....module_utils._core.text import HIDDEN, HIDDEN_CHANGED, Redactor, join_names, leaf_texts, secret_option_values
from ....module_utils._core.type_aliases import JsonObject
from ....module_utils._engine.plan import CREATE, DELETE, REPLACE, UPDATE
from ..model import KINDS, SELECTING, Declaration, Place, reject_duplicate_keys
from ..registry.registry_document import Owned, differ
from ..stages import (
    ADOPT,
    ERROR,
    MADE,
    MOVE,
    ORPHAN,
    RELEASE,
    UNCHANGED,
    Desired,
    Done,
    Planned,
    Selected,
    hidden_names,
)

PLAN_FORMAT = 1
PLAN_MEMBERS = frozenset(
    [
        *("kind", "action", "source", "forced_by", "creates_first", "adopts", "applied", "edited", "drifted", "owner"),
        *("passed", "file", "option"),
    ]
)
"""Members of changes, errors and results of policies that no secret is in: our words, and what we compute."""

USERS_OWN = "metadata"  # the names in it are given by the user
HIDDEN_MARKS = (LATER, HIDDEN, HIDDEN_CHANGED)
COUNTED_VERDICTS = (CREATE, UPDATE, REPLACE, DELETE, ADOPT, MOVE, RELEASE, ORPHAN, UNCHANGED, ERROR)
BOUND_MEMBERS = ("kind", "name", "action", "id", "adopts", "moved_from", "before", "after")
HANDED_ON = {
    *("format", "site", "environment", "registry", "stage", "part", "kinds", "targets", "state", "adopt"),
    *("force_create", "max_delete", "max_replace", "mode", "made_at"),
    *("declaration_digest", "policies_digest", "changes_digest", "shown_digest"),
    *("changes", "bound"),
}
"""What a plan may have that shows nothing: all else that it said would not be what was sealed."""

MAX_PLAN_BYTES = 64 * 1024 * 1024  # bytes of a file
NEW_PLAN_ADVICE = "Make a new plan, review it, and apply it."
MAX_SHOWN_REASONS = 5  # reasons that the message tells, and entries of each; all are in the result
FAILED, NOT_BEGUN, CHANGED = "failed", "not_begun", "changed"
FORCE = "force_create: true"  # in the advice of create_once
FORCE_HERE = f"{FORCE} (in the playbooks provision_{FORCE})"

AnyPlanned = t.TypeVar("AnyPlanned", bound=Planned)
PlanDocument = t.Dict[str, t.Any]


def redacted_item(redactor: Redactor, item: t.Mapping[str, t.Any]) -> JsonObject:
    """Return a change, an error or what came of a policy with secrets hidden in what others say; our words stay."""
    hidden = {name: one if name in PLAN_MEMBERS else redacted_values(redactor, one) for name, one in item.items()}
    if isinstance(item.get("error"), t.Mapping):
        hidden["error"] = {**redactor.members(item["error"]), "kind": item["error"].get("kind")}
    return hidden


def redacted_values(redactor: Redactor, value: object) -> t.Any:
    """Return fields with secrets hidden in their values; the names of fields are ours, those in metadata are not."""
    if isinstance(value, t.Mapping):
        return {
            name: redactor.value(one) if name == USERS_OWN else redacted_values(redactor, one)
            for name, one in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [redacted_values(redactor, one) for one in value]
    return value if value in HIDDEN_MARKS else redactor.value(value)


def plan_of(
    scope: t.Mapping[str, object],
    plans: t.Sequence[Planned],
    owned: t.Mapping[Place, Owned],
    task: Task,
    registry_place: Place | None = None,
) -> PlanDocument:
    """Return the plan; ``registry_place`` is not in its digest.

    ``scope`` says which run of which site it is for, and its ``declaration_digest``; ``owned`` is what it owns.
    """
    shown = [plan for plan in plans if not (plan.context or _is_forgotten(plan))]
    changing = [plan for plan in shown if plan.verdict not in (UNCHANGED, ERROR)]
    owners = {place: one.origin for place, one in owned.items()}
    changes = [redacted_item(task.redactor, _change(plan, owners.get(plan.place))) for plan in changing]
    return {
        "format": PLAN_FORMAT,
        "collection": VERSION,
        **scope,
        "made_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(task.clock.now())),
        "changes_digest": changes_digest(changes, registry_place),
        "entries": len(shown),
        "counts": _counts(shown),
        "by_kind": _counts_by_kind(shown),
        "changes": changes,
        "not_sent": [redacted_item(task.redactor, one) for plan in shown for one in _edits_not_sent(plan)],
        "unknown_edits": sum(any(name not in plan.ignored for name in plan.unknown) for plan in shown),
        "not_owned": sum(_is_not_owned(plan, owned) for plan in shown if plan.place != registry_place),
        "registry_is_new": not owned,
        "errors": [redacted_item(task.redactor, error_item(plan, error)) for plan, error in _failed(plans)],
        "policies": [],
        "bound": None,
    }


def _is_forgotten(plan: Planned) -> bool:
    """Return whether it is gone from the file and from the service, and no run is about its removal."""
    return plan.orphan and plan.desired is Desired.SPARED and plan.verdict == UNCHANGED


def _is_not_owned(plan: Planned, owned: t.Mapping[Place, Owned]) -> bool:
    """Return whether it is declared and exists, and no later run removes it, since it is not the site's own."""
    if plan.planned is None or plan.planned.action in MADE or plan.adopts or not plan.entry.of.can_be_owned:
        return False
    was = owned.get(plan.place)
    is_own = was is not None and was.prunable and not differ(was.id, plan.number)
    return plan.desired is Desired.PRESENT and not is_own


ONLY_NEW = "edited; counts only when the object is created"
NOT_COMPARED = "edited; not compared with the service, and not sent by this run"
TAKEN_OUT = "taken out of the file; the service keeps what it has"
PARTLY_TAKEN_OUT = "partly taken out of the file; the service keeps what it has"
LEFT_OUT = "edited; what it leaves out from now on stays at the service as it is"


def _edits_not_sent(plan: Planned) -> t.Iterator[JsonObject]:
    """Yield the edits that this run does not carry out, each with the reason."""
    only_new = {item.name for item in plan.entry.of.operation().fields if item.only_new}
    for name in plan.not_sent:
        if name not in plan.ignored:
            msg = NOT_COMPARED if only_new.isdisjoint((name, name.removesuffix("_id"))) else ONLY_NEW
            msg = TAKEN_OUT if plan.entry.given.get(name) is None else msg
            about = {"kind": plan.entry.kind, "name": plan.entry.name, "option": name}
            yield {**about, "msg": msg, "source": plan.entry.source}
    for name in plan.kept:
        if name not in plan.ignored:
            about = {"kind": plan.entry.kind, "name": plan.entry.name, "option": name}
            partly = name in plan.shrunk and name not in SELECTING
            yield {**about, "msg": PARTLY_TAKEN_OUT if partly else LEFT_OUT, "source": plan.entry.source}


def changes_digest(changes: t.Iterable[t.Mapping[str, t.Any]], registry_place: Place | None) -> str:
    """Return the digest over what counts of the changes, but for those of ``registry_place``."""
    return digest_of_text([values for place, values in by_place(changes).items() if place != registry_place])


def digest_of_text(value: object) -> str:
    """Return ``sha256:...`` over plain data as JSON, the same before it is written and after it is read."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def by_place(changes: t.Iterable[t.Mapping[str, t.Any]]) -> dict[Place, list[t.Any]]:
    """Return what counts of the changes, by kind and name: action, number, before and after."""
    return {(one["kind"], one["name"]): [*(one[name] for name in BOUND_MEMBERS)] for one in changes}


def _failed(plans: t.Iterable[AnyPlanned]) -> list[tuple[AnyPlanned, FcdError]]:
    return [(plan, plan.error) for plan in plans if plan.error is not None]


def error_item(plan: Selected, error: FcdError) -> JsonObject:
    """Return why an entry failed; ``error`` is for programs, as in the result of a single module."""
    details = error.as_result()["error"]
    details.pop(HAS_CHANGED, None)
    return {
        "kind": plan.entry.kind,
        "name": plan.entry.name,
        "source": plan.entry.source,
        "msg": error.message,
        "next_step": error.next_step and error.next_step.replace(FORCE, FORCE_HERE),
        "error": details,
    }


def _change(plan: Planned, owner: str | None) -> JsonObject:
    number, sides = None, [None, None]
    if plan.planned is not None:
        number, sides = plan.planned.number, [plan.planned.before, plan.planned.after]
    before, after = with_hidden_fields(plan.entry.kind, plan.secrets, *map(_side_as_mapping, sides))
    return {
        "kind": plan.entry.kind,
        "name": plan.entry.name,
        "key": plan.entry.key,
        "action": plan.verdict,
        "id": before.get("id") if number is None else number,
        "before": before,
        "after": after,
        "forced_by": list(plan.planned.forced_by) if plan.planned is not None else [],
        "creates_first": plan.creates_first,
        "adopts": plan.adopts,
        "moved_from": plan.moved_from,
        "applied": plan.applied,
        "edited": plan.edited,
        "drifted": plan.drifted,
        "refusal": None if plan.planned is None else plan.planned.refusal,
        "source": plan.entry.source,
        "owner": owner,
    }


def _counts(plans: t.Sequence[Planned]) -> dict[str, int]:
    verdicts = [plan.verdict for plan in plans]
    return {name: verdicts.count(name) for name in COUNTED_VERDICTS}


def _counts_by_kind(plans: t.Sequence[Planned]) -> dict[str, dict[str, int]]:
    by_kind = {kind: [plan for plan in plans if plan.entry.kind == kind] for kind in KINDS}
    return {kind: _counts(members) for kind, members in by_kind.items() if members}


def _side_as_mapping(side: object) -> JsonObject:
    """Return one side of a diff as a dictionary; that of a folder is a text."""
    if side is None or side == "":
        return {}
    return dict(side) if isinstance(side, t.Mapping) else {"content": side}


def read_plan(path: str) -> PlanDocument:
    """Return the plan in a file. Raises InvalidInput when it cannot be read or is none."""
    try:
        plan = json.loads(
            read_regular(path, MAX_PLAN_BYTES, flags=os.O_NOFOLLOW), object_pairs_hook=reject_duplicate_keys
        )
    except OSError as exc:
        link = exc.errno == errno.ELOOP
        raise _wrong(path, "it is a symbolic link" if link else f"{exc.strerror}") from None
    except (ValueError, RecursionError):
        raise _wrong(path, "it is not JSON, or an object in it has two members of one name") from None
    if not isinstance(plan, dict) or "format" not in plan:
        raise _wrong(path, "it is not the plan of a site")
    if plan["format"] != PLAN_FORMAT:
        raise _wrong(path, f"it has format {plan['format']!r}, and this version of the collection reads {PLAN_FORMAT}")
    if not _is_whole(plan):
        raise _wrong(path, "it lacks parts of a plan, or has unknown ones")
    return plan


def _is_whole(plan: JsonObject) -> bool:
    texts = ("site", "stage", "mode", "made_at", "declaration_digest", "changes_digest", "shown_digest")
    changes = plan.get("changes")
    if not all(isinstance(plan.get(name), str) for name in texts) or not _shows_what_is_sealed(plan):
        return False
    if not _binds(plan.get("bound"), handed_on=changes is None):
        return False
    return all(
        isinstance(change, dict)
        and set(BOUND_MEMBERS) <= set(change)
        and isinstance(change["kind"], str)
        and isinstance(change["name"], str)
        for change in changes or ()
    )


def _shows_what_is_sealed(plan: JsonObject) -> bool:
    """Return whether it has changes, with which all that it shows is compared, or shows nothing."""
    changes = plan.get("changes")
    return isinstance(changes, list) or (changes is None and set(plan) <= HANDED_ON)


def _binds(bound: object, *, handed_on: bool) -> bool:
    """Return whether this is what binds a plan; one that is handed on may be without the single digests."""
    if not isinstance(bound, dict) or not all(isinstance(bound.get(name), str) for name in ("salt", "seal")):
        return False
    if not isinstance(bound.get("account"), dict):
        return False
    kinds = {dict, type(None)} if handed_on else {dict}
    singles = {type(bound.get(name)) for name in ("values", "files")}
    return isinstance(bound.get("key"), (str, type(None))) and len(singles) == 1 and singles <= kinds


def _wrong(path: str, why: str) -> InvalidInput:
    """Return why a file is no plan; where there is none, those beside it, such as of a part, are told."""
    folder = os.path.dirname(path)
    beside = [] if os.path.lexists(path) else sorted(glob.glob("*.plan.json", root_dir=folder or None))
    there = f" {folder or 'The current folder'} has {join_names(beside, MAX_SHOWN_REASONS)}." if beside else ""
    return InvalidInput(
        f"plan: {path} cannot be used: {why}. Nothing was changed.{there}", next_step=NEW_PLAN_ADVICE, option="plan"
    )


def planned_result(
    document: PlanDocument, plans: t.Sequence[Planned], over_limit: InvalidInput | None = None
) -> Result:
    """Return the result of check mode: what would change.

    With an entry that cannot be planned, and for more removals than may be, it says failed.
    """
    result: Result = {
        "changed": any(plan.is_news for plan in plans),
        **_common(document),
        "failed_entries": [{**error, "action": FAILED} for error in document["errors"]],
        "diff": [
            _diff(change["kind"], change["name"], _before_in_diff(change), change["after"])
            for change in document["changes"]
            if change["action"] != ORPHAN
        ],
    }
    refused = refused_by_policies(document)
    wrong = _message(document["errors"], document["entries"], "cannot be planned") if document["errors"] else ""
    if over_limit is not None:
        result.update(over_limit.as_result())
    msg = " ".join(filter(None, (result.get("msg"), wrong, refused)))
    return {**result, "failed": True, "msg": msg} if msg else result


def applied_result(
    document: PlanDocument, plans: t.Sequence[Done], redactor: Redactor, stopped: FcdError | None = None
) -> Result:
    """Return the result of a run that has worked. With an entry that failed, or when it was stopped, it says failed."""
    failed = [redacted_item(redactor, one) for one in _failed_entries(plans)]
    changed = [plan for plan in plans if plan.changed_something]
    document = _without(document, [plan for plan in plans if plan.was_done_by_others])
    result: Result = {
        "changed": bool(changed),
        **_common(document),
        "failed_entries": failed,
        "diff": [redacted_item(redactor, one) for one in _diffs_of_done(changed)],
    }
    result["counts"] = {
        **document["counts"],
        CHANGED: sum(plan.error is None for plan in changed),
        FAILED: sum(one["action"] == FAILED for one in failed),
        NOT_BEGUN: sum(one["action"] == NOT_BEGUN for one in failed),
    }
    if failed:
        result.update(failed=True, msg=_message(failed, document["entries"], "failed or were not begun"))
    if stopped is not None:
        why = redacted_item(redactor, stopped.as_result())
        result.update(failed=True, error=why["error"], msg=f"{why['msg']} {result.get('msg', '')}".rstrip())
    return result


def _without(document: PlanDocument, plans: t.Sequence[Done]) -> PlanDocument:
    """Return a plan in which these entries are as declared."""
    places = {plan.place for plan in plans}
    counts, by_kind = dict(document["counts"]), {kind: dict(of) for kind, of in document["by_kind"].items()}
    for plan in plans:
        for numbers in (counts, by_kind[plan.entry.kind]):
            numbers[plan.verdict] -= 1
            numbers[UNCHANGED] += 1
    changes = [one for one in document["changes"] if (one["kind"], one["name"]) not in places]
    return {**document, "counts": counts, "by_kind": by_kind, "changes": changes}


def _failed_entries(plans: t.Iterable[Done]) -> list[JsonObject]:
    return [
        {**error_item(plan, error), "action": FAILED if plan.started or plan.planned is None else NOT_BEGUN}
        for plan, error in _failed(plans)
    ]


def _common(document: PlanDocument) -> Result:
    about = {name: document.get(name) for name in ("site", "targets")}
    return {**about, "plan": document, "counts": document["counts"]}


def _diff(kind: str, name: str, before: object, after: object) -> JsonObject:
    header = f"{kind} {name}"
    old, new = differing_members(before, after)
    return {"before_header": header, "after_header": header, "before": old, "after": new}


def _before_in_diff(change: JsonObject) -> object:
    """Return what was; of what is replaced only what is known of both things, for the rest the service decides."""
    before, after = change["before"], change["after"]
    return {name: before[name] for name in before if name in after} if change["action"] == REPLACE else before


def differing_members(before: object, after: object) -> tuple[t.Any, t.Any]:
    """Return both sides with what differs, for people: null is nothing, as is what nobody knows yet of a new thing."""
    if not (isinstance(before, t.Mapping) and isinstance(after, t.Mapping)):
        return before, after
    old, new = without_nulls(dict(before)), without_nulls(dict(after))
    alike = {name for name, value in new.items() if old.get(name, LATER) == value}
    return (
        {name: value for name, value in old.items() if name not in alike},
        {name: value for name, value in new.items() if name not in alike},
    )


def without_nulls(value: object) -> t.Any:
    """Return plain data without the members of mappings that are null."""
    if isinstance(value, t.Mapping):
        return {name: without_nulls(one) for name, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


def _diffs_of_done(plans: t.Iterable[Done]) -> list[JsonObject]:
    diffs = []
    for plan in plans:
        if plan.done is not None:
            sides = plan.done.before or {}, plan.done.after or {}
            if not any(isinstance(side, str) for side in sides):
                sides = with_hidden_fields(plan.entry.kind, plan.secrets, *sides)
            diffs.append(_diff(*plan.place, *sides))
    return diffs


def refused_by_policies(document: PlanDocument, most: int = MAX_SHOWN_REASONS) -> str:
    """Return what the message says of policies that do not hold; empty when all do."""
    failed = [one for one in document.get("policies") or () if not one["passed"]]
    if not failed:
        return ""
    texts = "; ".join(f"{one['name']} ({one['file']}): {one['message']}" for one in failed[:most])
    first = "A policy" if len(failed) == 1 else f"{len(failed)} policies"
    return f"{first} failed: {texts}{f'; and {len(failed) - most} more' if len(failed) > most else ''}"


def _message(failed: t.Sequence[JsonObject], whole: int, what: str) -> str:
    """Return a message in which what failed for one and the same reason is told together."""
    reasons: dict[str, list[str]] = {}
    for one in failed:
        reason = f"{one['msg']} {one['next_step'] or ''}".rstrip()
        reasons.setdefault(reason, []).append(f"{one['kind']} {one['name']} ({one['source']})")
    texts = [
        f"{join_names(names, MAX_SHOWN_REASONS)}: {reason}"
        for reason, names in list(reasons.items())[:MAX_SHOWN_REASONS]
    ]
    left = sum(len(names) for names in list(reasons.values())[MAX_SHOWN_REASONS:])
    more = f"; and {left} more, see failed_entries" if left else ""
    return f"{len(failed)} of {whole} entries {what}: {'; '.join(texts)}{more}"


DiffSide = t.Dict[str, object]


def secret_texts(declaration: Declaration) -> t.Iterator[str]:
    """Yield the texts that must not be shown anywhere."""
    public = "\0".join(_public_texts(declaration))
    for entry in declaration.entries:
        specs = entry.of.operation().options
        yield from secret_option_values(specs, entry.given)
        for name in entry.secrets:
            yield from (text for text in leaf_texts(entry.given.get(name)) if text not in public)


def _public_texts(declaration: Declaration) -> t.Iterator[str]:
    """Yield the texts that the file and its form show in clear."""
    yield from (declaration.site, declaration.environment or "", *leaf_texts(dict(declaration.registry)), *KINDS)
    for kind in {entry.kind for entry in declaration.entries}:
        for name, option in KINDS[kind].operation().options.items():
            yield from (name, *map(str, option.get("choices", ())))
    for entry in declaration.entries:
        yield from (entry.name, entry.key, *entry.plain)
        for name, value in entry.given.items():
            if name not in entry.secrets:
                yield from leaf_texts(value)


def with_hidden_fields(
    kind: str, secrets: t.Collection[str], before: DiffSide, after: DiffSide
) -> tuple[DiffSide, DiffSide]:
    """Return both sides of a change without the values of secret options; what is hidden and differs says so."""
    old, new = dict(before), dict(after)
    for name in hidden_names(kind, secrets):
        differs = old.get(name) is not None and old[name] != new.get(name)
        old.update(_hidden(old, name, HIDDEN))
        new.update(_hidden(new, name, HIDDEN_CHANGED if differs else HIDDEN))
    return old, new


def _hidden(side: DiffSide, name: str, shown: str) -> DiffSide:
    """Return the field as it is shown; nothing for one that is not there, has no value, or is hidden already."""
    return {} if side.get(name) in (None, HIDDEN, HIDDEN_CHANGED) else {name: shown}

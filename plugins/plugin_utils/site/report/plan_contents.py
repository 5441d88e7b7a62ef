# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report reads of a plan: checked once, then plain tuples.

The plan is what the action ``site`` returns and what a plan file holds. It has no secrets, so nothing is hidden here.
"""

from __future__ import annotations

import collections
import json
import re
import typing as t

from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.text import quoted, shortened

PLAN_FORMAT_READ = 1
MODES = ("plan", "apply", "drift", "prune", "pruned")
PLAN_ACTIONS = ("create", "update", "replace", "delete", "adopt", "move", "release", "orphan")
COUNTED_ACTIONS = (*PLAN_ACTIONS, "error", "unchanged")
DONE = ("apply", "pruned", "deprovision")
"""Modes that tell what was done; the others tell what would be."""

ABSENT = {"plan": "deprovision-plan", "apply": "deprovision"}
"""Modes of a plan that removes the site."""

POLICIES = "policies"
"""Where the kind of a failure would be, of a policy that failed."""

_SITE = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_KIND = re.compile(r"[a-z][a-z0-9_]{0,62}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_ADVICE = "Give the plan that fcd.cloud.site returned, or the path of a plan file."

Counts = t.Dict[str, int]


class ReportedPolicy(t.NamedTuple):
    """A check of one's own. ``file`` is ``file:line``, a file, or empty; one that failed is a failure as well."""

    name: str
    file: str
    message: str
    passed: bool


class ReportedChange(t.NamedTuple):
    """An entry that changes. ``source`` is ``file:line`` or empty; ``before`` and ``after`` are options with values.

    ``forced_by`` names the options that force a replacement, ``creates_first`` that the new one comes before the old
    one goes. ``applied``: an apply has dealt with it. ``edited`` and ``drifted``: since the last apply it was edited in
    the file, or changed at the service; None where nobody knows. ``minded``: it is among the counts. ``refusal`` is why
    no apply would change it.
    """

    kind: str
    name: str
    action: str
    before: dict[str, t.Any]
    after: dict[str, t.Any]
    source: str
    owner: str
    forced_by: tuple[str, ...] = ()
    creates_first: bool = False
    adopts: bool = False
    moved_from: str = ""
    applied: bool | None = None
    edited: bool | None = None
    drifted: bool | None = None
    minded: bool = True
    refusal: str = ""


class ReportedFailure(t.NamedTuple):
    """An entry, or the whole, that went wrong; what is not known is empty."""

    kind: str
    name: str
    source: str
    message: str
    next_step: str


class ReportedEdit(t.NamedTuple):
    """An edited option that no run carries out until something else happens; ``message`` says what."""

    kind: str
    name: str
    option: str
    message: str
    source: str


class ReportedPlan(t.NamedTuple):
    """A checked plan. ``raw`` is all of it as it was given; ``environment`` and ``part`` may be empty.

    ``mode`` is one of the option's, or of ``ABSENT``. With ``targets`` it is about these and what they need only.
    ``not_sent`` are edits that are not carried out; of ``unknown_edits`` entries nobody knows whether such were made.
    ``not_owned`` declared objects are not the site's own; ``registry_is_new``: the registry has nothing yet.
    """

    site: str
    environment: str
    stage: str
    part: str
    made_at: str
    mode: str
    entries: int
    counts: Counts
    by_kind: dict[str, Counts]
    changes: list[ReportedChange]
    failures: list[ReportedFailure]
    targets: list[str]
    policies: list[ReportedPolicy]
    raw: dict[str, t.Any]
    not_sent: list[ReportedEdit]
    unknown_edits: int
    not_owned: int
    registry_is_new: bool

    @property
    def differing(self) -> int:
        """How many entries are not as declared."""
        return sum(self.counts[action] for action in PLAN_ACTIONS)

    def edited_only(self, *kinds: str) -> int:
        """Return how many unchanged entries, of these kinds if any are given, have edits that are not carried out."""
        changing = {(change.kind, change.name) for change in self.changes}
        edited = {(edit.kind, edit.name) for edit in self.not_sent} - changing
        return sum(kind in (kinds or (kind,)) for kind, _name in edited)

    @property
    def wrong(self) -> int:
        """How many errors there are; those of the whole site are not among the counts of entries."""
        return max(self.counts["error"], len(self.failures))

    @property
    def clean(self) -> bool:
        """Whether there is nothing to do and nothing went wrong."""
        return not (self.differing or self.wrong)


class DriftPoint(t.NamedTuple):
    """One report: when it was made, how many entries were not as declared, how many errors there were, its file."""

    made_at: str
    differing: int
    errors: int
    file: str


class DriftHistory(t.NamedTuple):
    """The reports of the same site, environment, stage and part, oldest first; how many files were of no use."""

    points: list[DriftPoint]
    skipped: int


def reported_plan(plan: object, option: str) -> ReportedPlan:
    """Return the plan that ``option`` holds. Raises InvalidInput, saying what in it is not as it has to be."""
    reading = _Reading(option)
    whole = reading.mapping(plan, "it")
    if whole.get("format") != PLAN_FORMAT_READ:
        if "format" not in whole:
            raise InvalidInput(f"{option}: this is not a plan: it has no 'format'.", next_step=_ADVICE, option=option)
        raise InvalidInput(
            f"{option}: the plan has the format {shortened(quoted(str(whole['format'])))}, and this version reads "
            f"{PLAN_FORMAT_READ}.",
            next_step="Make the plan and the report with the same version of the collection.",
            option=option,
        )
    reading.plain_json(whole)
    try:
        plan = _read(reading, whole)
    except KeyError as missing:
        raise reading.wrong(f"it has no {missing.args[0]!r}") from None
    counted = _with_errors_counted(_without_failed(plan) if plan.mode in DONE else plan)
    broken = [ReportedFailure(POLICIES, one.name, one.file, one.message, "") for one in plan.policies if not one.passed]
    return counted._replace(failures=[*counted.failures, *broken])


def _without_failed(plan: ReportedPlan) -> ReportedPlan:
    """Return a plan that was applied without the changes that failed or were not begun: they are errors only.

    By now, an apply has dealt with all the others.
    """
    failed = {(failure.kind, failure.name) for failure in plan.failures}
    done = [change._replace(applied=True) for change in plan.changes if (change.kind, change.name) not in failed]
    not_counted = [change for change in plan.changes if (change.kind, change.name) in failed]
    return _uncounted(plan, not_counted)._replace(changes=done)


def _uncounted(plan: ReportedPlan, changes: t.Iterable[ReportedChange]) -> ReportedPlan:
    """Return the plan with these changes left out of its counts."""
    counts, by_kind = dict(plan.counts), {kind: dict(numbers) for kind, numbers in plan.by_kind.items()}
    for change in changes:
        for numbers in (counts, by_kind.get(change.kind, {})):
            numbers[change.action] = max(0, numbers.get(change.action, 0) - 1)
    return plan._replace(counts=counts, by_kind=by_kind)


def drift_of_service(plan: ReportedPlan) -> ReportedPlan:
    """Return a drift report that minds only what was changed at the service, in ``raw`` too.

    The rest stays among the changes, but not in the counts.
    """
    changes = [change._replace(minded=change.minded and bool(change.drifted)) for change in plan.changes]
    counted = _uncounted(plan, [new for old, new in zip(plan.changes, changes) if old.minded and not new.minded])
    shown = [{**item, "minded": one.minded} for item, one in zip(plan.raw.get("changes") or (), changes)]
    raw = {**plan.raw, "counts": counted.counts, "by_kind": counted.by_kind, "changes": shown}
    return counted._replace(changes=changes, raw=raw)


def _with_errors_counted(plan: ReportedPlan) -> ReportedPlan:
    """Return the plan with each error among the counts of its kind: those of an apply came after they were made."""
    by_kind = {kind: dict(numbers) for kind, numbers in plan.by_kind.items()}
    for kind, number in collections.Counter(failure.kind for failure in plan.failures if failure.kind).items():
        numbers = by_kind.setdefault(kind, dict.fromkeys(COUNTED_ACTIONS, 0))
        numbers["error"] = max(numbers["error"], number)
    known = sum(numbers["error"] for numbers in by_kind.values())
    return plan._replace(by_kind=by_kind, counts={**plan.counts, "error": max(plan.counts["error"], known)})


def _read(reading: _Reading, whole: dict[str, t.Any]) -> ReportedPlan:
    by_kind = reading.mapping(whole.get("by_kind") or {}, "by_kind")
    return ReportedPlan(
        site=reading.matching(whole["site"], _SITE, "site"),
        environment=reading.text(whole.get("environment"), "environment"),
        stage=reading.text(whole.get("stage"), "stage") or "all",
        part=reading.text(whole.get("part"), "part"),
        made_at=reading.matching(whole["made_at"], _TIME, "made_at"),
        mode=_mode(reading.one_of(whole["mode"], MODES, "mode"), whole.get("state")),
        entries=reading.number(whole["entries"], "entries"),
        counts=reading.counts(whole["counts"], "counts"),
        by_kind={reading.matching(kind, _KIND, "by_kind"): reading.counts(by_kind[kind], kind) for kind in by_kind},
        changes=[_change(reading, item, f"changes[{number}]") for number, item in reading.items(whole, "changes")],
        failures=[_failure(reading, item, f"errors[{number}]") for number, item in reading.items(whole, "errors")],
        targets=[reading.text(item, f"targets[{number}]") for number, item in reading.items(whole, "targets")],
        policies=[_policy(reading, item, f"policies[{number}]") for number, item in reading.items(whole, "policies")],
        raw=whole,
        not_sent=[_edit(reading, item, f"not_sent[{number}]") for number, item in reading.items(whole, "not_sent")],
        unknown_edits=reading.number(whole.get("unknown_edits", 0), "unknown_edits"),
        not_owned=reading.number(whole.get("not_owned", 0), "not_owned"),
        registry_is_new=bool(reading.flag(whole.get("registry_is_new"), "registry_is_new")),
    )


def _edit(reading: _Reading, item: object, place: str) -> ReportedEdit:
    edit = reading.mapping(item, place)
    return ReportedEdit(
        reading.matching(edit.get("kind"), _KIND, f"{place}.kind"),
        *(reading.text(edit.get(name), f"{place}.{name}") for name in ("name", "option", "msg", "source")),
    )


def _mode(mode: str, state: object) -> str:
    """Return the mode; where the site is to be gone, that of its removal."""
    return ABSENT.get(mode, mode) if state == "absent" else mode


def _policy(reading: _Reading, item: object, place: str) -> ReportedPolicy:
    policy = reading.mapping(item, place)
    name, file, message = (reading.text(policy.get(name), f"{place}.{name}") for name in ("name", "file", "message"))
    return ReportedPolicy(name, file, message, bool(reading.flag(policy["passed"], f"{place}.passed")))


def _change(reading: _Reading, item: object, place: str) -> ReportedChange:
    entry = reading.mapping(item, place)
    action = reading.one_of(entry["action"], PLAN_ACTIONS, f"{place}.action")
    return ReportedChange(
        kind=reading.matching(entry["kind"], _KIND, f"{place}.kind"),
        name=reading.text(entry["name"], f"{place}.name"),
        action=action,
        before=reading.mapping(entry.get("before") or {}, f"{place}.before"),
        after=reading.mapping(entry.get("after") or {}, f"{place}.after"),
        source=reading.text(entry.get("source"), f"{place}.source"),
        owner=reading.text(entry.get("owner"), f"{place}.owner"),
        forced_by=tuple(
            reading.text(name, f"{place}.forced_by[{number}]") for number, name in reading.items(entry, "forced_by")
        ),
        creates_first=bool(reading.flag(entry.get("creates_first"), f"{place}.creates_first")),
        adopts=bool(reading.flag(entry.get("adopts"), f"{place}.adopts")),
        moved_from=reading.text(entry.get("moved_from"), f"{place}.moved_from"),
        applied=reading.flag(entry.get("applied"), f"{place}.applied"),
        edited=reading.flag(entry.get("edited"), f"{place}.edited"),
        minded=reading.flag(entry.get("minded"), f"{place}.minded") is not False,
        drifted=reading.flag(entry.get("drifted"), f"{place}.drifted"),
        refusal=reading.text(entry.get("refusal"), f"{place}.refusal"),
    )


def _failure(reading: _Reading, item: object, place: str) -> ReportedFailure:
    entry = reading.mapping(item, place)
    kind = reading.text(entry.get("kind"), f"{place}.kind")
    return ReportedFailure(
        kind=reading.matching(kind, _KIND, f"{place}.kind") if kind else "",
        name=reading.text(entry.get("name"), f"{place}.name"),
        source=reading.text(entry.get("source"), f"{place}.source"),
        message=reading.text(entry["msg"], f"{place}.msg"),
        next_step=reading.text(entry.get("next_step"), f"{place}.next_step"),
    )


class _Reading:
    """Reads values of one plan; each method raises InvalidInput that names the option and the place."""

    def __init__(self, option: str) -> None:
        self._option = option

    def wrong(self, what: str) -> InvalidInput:
        return InvalidInput(f"{self._option}: this is not a plan: {what}.", next_step=_ADVICE, option=self._option)

    def mapping(self, value: object, place: str) -> dict[str, t.Any]:
        if isinstance(value, dict) and all(isinstance(name, str) for name in value):
            return value
        raise self.wrong(f"{place} is not a mapping of names")

    def text(self, value: object, place: str) -> str:
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        raise self.wrong(f"{place} is not a text")

    def matching(self, value: object, pattern: re.Pattern[str], place: str) -> str:
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        raise self.wrong(f"{place} cannot be {shortened(quoted(str(value)))}")

    def one_of(self, value: object, known: t.Sequence[str], place: str) -> str:
        if isinstance(value, str) and value in known:
            return value
        raise self.wrong(f"{place} is {shortened(quoted(str(value)))}, not one of {', '.join(known)}")

    def number(self, value: object, place: str) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        raise self.wrong(f"{place} is not a count")

    def flag(self, value: object, place: str) -> bool | None:
        if value is None or isinstance(value, bool):
            return value
        raise self.wrong(f"{place} is neither true nor false")

    def counts(self, value: object, place: str) -> Counts:
        given = self.mapping(value, place)
        return {name: self.number(given.get(name, 0), f"{place}.{name}") for name in COUNTED_ACTIONS}

    def items(self, whole: dict[str, t.Any], name: str) -> t.Iterator[tuple[int, t.Any]]:
        value = whole.get(name)
        if value is not None and not isinstance(value, list):
            raise self.wrong(f"{name} is not a list")
        return enumerate(value or ())

    def plain_json(self, whole: dict[str, object]) -> None:
        try:
            json.dumps(whole, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as exc:
            raise self.wrong(f"it cannot be written as JSON ({shortened(str(exc))})") from None

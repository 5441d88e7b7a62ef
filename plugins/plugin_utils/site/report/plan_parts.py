# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One plan from those of the parts of a site, for a report of all of them; it binds no apply."""

from __future__ import annotations

import collections
import json
import typing as t

from ....module_utils._core.errors import InvalidInput
from ..model import FOUNDATIONS
from .plan_contents import COUNTED_ACTIONS, ReportedPlan, reported_plan

_SAME = ("format", "collection", "site", "environment", "registry", "state", "kinds", "targets", "mode")
_SAME_FILE = ("declaration_digest", "policies_digest")
_LISTS = ("changes", "errors", "not_sent", "policies")
_SUMS = ("entries", "unknown_edits", "not_owned")

Loaded = t.Tuple[str, t.Dict[str, t.Any]]


def joined(loaded: t.Sequence[Loaded], option: str) -> dict[str, t.Any]:
    """Return the plan of a whole, or of a stage, from those of all its parts.

    Args:
        loaded: files with the plan of each: of the parts ``1/n`` to ``n/n``, of the foundations, or of both.
        option: the option that names the files.

    Raises:
        InvalidInput: a file has no plan, plans are not of one site and one run, or a part is missing or there twice.

    """
    if not loaded:
        raise InvalidInput(f"{option} is empty.", next_step="Give the reports of all parts, in JSON.", option=option)
    plans = [reported_plan(plan, f"{option}: {file}") for file, plan in loaded]
    _require_one_site(loaded, option)
    stages = _require_all_once(loaded, plans, option)
    _refuse_earlier_runs(loaded, plans, option)
    first = loaded[0][1]
    return {
        **{name: first.get(name) for name in (*_SAME, *_SAME_FILE)},
        "stage": stages.pop() if len(stages) == 1 else "all",
        "part": None,
        "made_at": max(plan.made_at for plan in plans),
        "counts": _sum(plan["counts"] for _file, plan in loaded),
        "by_kind": {
            kind: _sum((plan.get("by_kind") or {}).get(kind, {}) for _file, plan in loaded)
            for kind in dict.fromkeys(kind for plan in plans for kind in plan.by_kind)
        },
        **{name: sum(plan.get(name) or 0 for _file, plan in loaded) for name in _SUMS},
        **{name: _distinct(item for _file, plan in loaded for item in plan.get(name) or ()) for name in _LISTS},
        "registry_is_new": all(plan.registry_is_new for plan in plans),
    }


def _require_one_site(loaded: t.Sequence[Loaded], option: str) -> None:
    first_file, first = loaded[0]
    for file, plan in loaded[1:]:
        names = [name for name in (*_SAME, *_SAME_FILE) if plan.get(name) != first.get(name)]
        if names:
            raise InvalidInput(
                f"{option}: {file} and {first_file} differ in {', '.join(names)}.",
                next_step="Give the reports of the parts of one run, made from one version of the site file.",
                option=option,
            )


def _require_all_once(loaded: t.Sequence[Loaded], plans: t.Sequence[ReportedPlan], option: str) -> set[str]:
    """Return the stages; each part of each stage has to be there once."""
    found: dict[str, list[str]] = {}
    for plan in plans:
        found.setdefault(plan.stage, []).append(plan.part or "1/1")
    for stage, parts in found.items():
        wrong = _wrong(parts)
        if wrong:
            raise InvalidInput(
                f"{option}: {'the site' if stage == 'all' else f'the stage {stage}'} is not whole: {wrong}.",
                next_step="Give one report of each part.",
                option=option,
            )
    if "all" in found and len(found) > 1:
        raise InvalidInput(
            f"{option}: {loaded[0][0]} and others are of stages that contain one another: {', '.join(sorted(found))}.",
            next_step="Give the reports of the stages foundations and rest, or those of the whole site.",
            option=option,
        )
    return set(found)


def _refuse_earlier_runs(loaded: t.Sequence[Loaded], plans: t.Sequence[ReportedPlan], option: str) -> None:
    """Raise InvalidInput for an apply of the rest that came before the one of the foundations.

    Plans may be made in any order, and removals begin with the rest.
    """
    begun = max((plan.made_at for plan in plans if plan.stage == FOUNDATIONS), default="")
    for (file, _plan), plan in zip(loaded, plans):
        if plan.mode == "apply" and plan.made_at < begun:
            raise InvalidInput(
                f"{option}: {file} is older than the report of the foundations, so it is of an earlier run.",
                next_step="Apply that part again.",
                option=option,
            )


def _wrong(parts: t.Sequence[str]) -> str:
    """Return why these are not all parts of one division; empty when they are. Parts are written ``k/n``."""
    divisions = {part.partition("/")[2] for part in parts}
    if len(divisions) > 1:
        return f"{' and '.join(sorted(parts))} are of different divisions"
    twice = [part for part, times in collections.Counter(parts).items() if times > 1]
    if twice:
        return f"part {twice[0]} is there twice"
    of = divisions.pop()
    missing = next(number for number in range(1, len(parts) + 2) if f"{number}/{of}" not in parts)
    return "" if f"{missing - 1}" == of == f"{len(parts)}" else f"part {missing}/{of} is missing"


def _sum(counts: t.Iterable[t.Mapping[str, int]]) -> dict[str, int]:
    total: collections.Counter[str] = collections.Counter()
    for one in counts:
        total.update(one)
    return {name: total[name] for name in COUNTED_ACTIONS}


def _distinct(items: t.Iterable[t.Any]) -> list[t.Any]:
    """Return each item once: what is about the whole, such as the result of a policy, is in the plan of each part."""
    return list({json.dumps(item, sort_keys=True): item for item in items}.values())

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One plan from those of all parts of a site, and nothing from less."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import reported_plan
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_parts import joined

from . import sample_plans

FOUNDATIONS = {**sample_plans.usual(stage="foundations"), "environment": None}
POLICY = {"name": "tagged", "file": "p.rego", "message": "", "passed": True}


def part(number: int, of: int, **more: t.Any) -> tuple[str, sample_plans.Plan]:
    """Return a report of a part that makes as many instances as its number."""
    plan = sample_plans.many(number, stage="rest", part=f"{number}/{of}", policies=[POLICY], **more)
    for change in plan["changes"]:
        change["name"] = f"{number}-{change['name']}"
    return f"{number}.json", plan


def test_the_whole_is_the_sum_of_its_parts() -> None:
    parts = [part(number, 3) for number in (3, 1, 2)]
    whole = reported_plan(joined([*parts, ("f.json", FOUNDATIONS)], "parts"), "parts")
    plans = [reported_plan(plan, "parts") for _file, plan in [*parts, ("f.json", FOUNDATIONS)]]
    assert whole.entries == sum(plan.entries for plan in plans)
    assert whole.counts == {name: sum(plan.counts[name] for plan in plans) for name in plans[0].counts}
    assert whole.by_kind["instances"]["create"] == sum(plan.by_kind["instances"]["create"] for plan in plans)
    assert whole.changes == [change for plan in plans for change in plan.changes]
    assert (whole.stage, whole.part, len(whole.policies)) == ("all", "", 1)


def test_what_failed_in_a_part_is_counted_once() -> None:
    """Joining does not take the failed entries from the counts, which reading the joined plan does."""
    changes = [sample_plans.change("instances", name, "create") for name in ("web-1", "web-2")]
    failed = sample_plans.plan(changes, [sample_plans.failure("web-1", "503")], mode="apply", part="1/2")
    other = sample_plans.clean(mode="apply", part="2/2")
    whole = reported_plan(joined([("1.json", failed), ("2.json", other)], "parts"), "parts")
    alone = reported_plan(failed, "parts")
    assert (whole.differing, whole.wrong, whole.failures) == (1, 1, alone.failures)


def test_it_applies_nothing() -> None:
    whole = joined([part(1, 1, bound={"seal": "sha256:0"}, shown_digest="sha256:0")], "parts")
    assert not {"bound", "shown_digest", "changes_digest"} & set(whole)


@pytest.mark.parametrize(
    ("run", "refused"), [({}, False), ({"mode": "apply", "state": "absent"}, False), ({"mode": "apply"}, True)]
)
def test_an_apply_of_the_rest_comes_after_that_of_the_foundations(run: dict[str, str], refused: bool) -> None:
    old = part(2, 2, made_at="2026-11-20T12:00:00Z", **run)
    whole = [part(1, 2, **run), old, ("f.json", {**FOUNDATIONS, **run})]
    if refused:
        with pytest.raises(InvalidInput, match=r"2\.json is older than the report of the foundations"):
            joined(whole, "parts")
    else:
        assert joined(whole, "parts")["stage"] == "all"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([], "parts is empty."),
        ([part(1, 3), part(3, 3)], "the stage rest is not whole: part 2/3 is missing."),
        ([part(1, 3), part(2, 3)], "the stage rest is not whole: part 3/3 is missing."),
        ([part(1, 2), part(2, 2), part(2, 2)], "the stage rest is not whole: part 2/2 is there twice."),
        ([part(1, 2), part(2, 3)], "the stage rest is not whole: 1/2 and 2/3 are of different divisions."),
        ([part(1, 2), part(2, 2, site="other")], "2.json and 1.json differ in site."),
        ([part(1, 2), part(2, 2, declaration_digest="sha256:1")], "2.json and 1.json differ in declaration_digest."),
        (
            [part(1, 1), ("a.json", {**sample_plans.usual(), "environment": None})],
            "stages that contain one another: all, rest.",
        ),
        ([part(1, 2), ("2.json", {})], "parts: 2.json: this is not a plan: it has no 'format'."),
    ],
)
def test_less_or_more_than_all_parts_of_one_run_is_refused(
    parts: list[tuple[str, sample_plans.Plan]], words: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        joined(parts, "parts")
    assert words in str(caught.value)

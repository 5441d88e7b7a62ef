# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no plan is refused by name; what is one is read."""

from __future__ import annotations

import copy
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import reported_plan

from . import sample_plans

DEEP: list[t.Any] = []
for _depth in range(100_000):
    DEEP = [DEEP]


def test_the_usual_plan_is_read() -> None:
    plan = reported_plan(sample_plans.failed(environment="production"), "src")
    assert (plan.site, plan.environment, plan.stage, plan.part) == ("web-shop", "production", "all", "")
    assert (plan.differing, plan.wrong, plan.clean) == (3, 3, False)
    assert [change.action for change in plan.changes] == ["create", "create", "update"]
    assert [failure.kind for failure in plan.failures] == ["instances", "instances", ""]


def test_a_plan_without_changes_is_clean() -> None:
    assert reported_plan(sample_plans.clean(), "src").clean
    assert reported_plan(sample_plans.empty(), "src").clean


def test_what_is_not_counted_is_none() -> None:
    plan = reported_plan({**sample_plans.clean(), "counts": {"unchanged": 3}, "by_kind": None, "errors": None}, "src")
    assert plan.counts == {**dict.fromkeys(sample_plans.ACTIONS, 0), "unchanged": 3}


def test_what_failed_was_not_done() -> None:
    """Errors of an apply are added to its plan: what they stopped did not become what was planned."""
    errors = [
        {
            "kind": "instances",
            "name": "web-1",
            "source": "site.yml:31",
            "msg": "503",
            "next_step": "",
            "action": "failed",
        },
        {"kind": "disks", "name": "data", "source": "site.yml:40", "msg": "not begun", "next_step": "Mend web-1."},
    ]
    plan = reported_plan({**sample_plans.usual(mode="apply"), "errors": errors}, "plan")
    assert [change.name for change in plan.changes if change.kind == "instances"] == ["web-2"]
    assert (plan.counts["create"], plan.counts["error"], plan.differing, plan.wrong) == (1, 2, 5, 2)
    assert (plan.by_kind["instances"]["create"], plan.by_kind["instances"]["error"]) == (0, 1)
    assert plan.by_kind["disks"]["error"] == 1
    planned = reported_plan({**sample_plans.usual(), "errors": errors}, "plan")
    assert len(planned.changes) == 6


@pytest.mark.parametrize(("mode", "applied"), [("plan", False), ("drift", False), ("apply", True)])
def test_what_an_apply_reports_is_applied(mode: str, applied: bool) -> None:
    """Its plan was made before it."""
    new = sample_plans.change("disks", "data", "create", applied=False)
    (change,) = reported_plan(sample_plans.plan([new], mode=mode), "plan").changes
    assert change.applied is applied


def test_a_plan_without_the_later_members_is_read() -> None:
    plan = reported_plan(sample_plans.usual(), "src")
    assert (plan.targets, plan.policies) == ([], [])
    change = plan.changes[0]
    assert (change.adopts, change.moved_from, change.edited, change.drifted) == (
        False,
        "",
        None,
        None,
    )


def test_a_policy_that_failed_is_a_failure() -> None:
    plan = reported_plan(sample_plans.identities(), "src")
    assert [failure.kind for failure in plan.failures] == ["instances", "policies"]
    assert (plan.wrong, plan.counts["error"]) == (2, 1)


WRONG: list[tuple[list[t.Any], t.Any, str]] = [
    ([], None, "it is not a mapping of names"),
    ([], [], "it is not a mapping of names"),
    ([], {1: 2}, "it is not a mapping of names"),
    ([], {}, "it has no 'format'"),
    (["format"], 2, "the plan has the format '2', and this version reads 1"),
    (["site"], "Web Shop", "site cannot be 'Web Shop'"),
    (["site"], "a\n", "site cannot be 'a\\n'"),
    (["made_at"], "yesterday", "made_at cannot be 'yesterday'"),
    (["mode"], "destroy", "mode is 'destroy', not one of plan, apply, drift, prune"),
    (["mode"], ["plan"], "mode is \"['plan']\""),
    (["entries"], True, "entries is not a count"),
    (["entries"], -1, "entries is not a count"),
    (["counts", "create"], "two", "counts.create is not a count"),
    (["by_kind", "instances", "update"], 1.5, "instances.update is not a count"),
    (["by_kind", "<script>"], {}, "by_kind cannot be '<script>'"),
    (["changes"], {}, "changes is not a list"),
    (["changes", 2], "x", "changes[2] is not a mapping of names"),
    (["changes", 2, "kind"], "a b", "changes[2].kind cannot be 'a b'"),
    (["changes", 2, "name"], 12, "changes[2].name is not a text"),
    (["changes", 2, "action"], "shift", "changes[2].action is 'shift'"),
    (["changes", 2, "forced_by"], "template", "forced_by is not a list"),
    (["changes", 2, "forced_by"], [7], "changes[2].forced_by[0] is not a text"),
    (["changes", 2, "before"], ["x"], "changes[2].before is not a mapping of names"),
    (["changes", 2, "after"], {"size": float("nan")}, "it cannot be written as JSON"),
    (["changes", 2, "after"], {"size": {1, 2}}, "it cannot be written as JSON"),
    (["changes", 2, "after"], {"deep": DEEP}, "it cannot be written as JSON"),
    (["changes", 2, "adopts"], "yes", "changes[2].adopts is neither true nor false"),
    (["changes", 2, "moved_from"], 7, "changes[2].moved_from is not a text"),
    (["changes", 2, "drifted"], 1, "changes[2].drifted is neither true nor false"),
    (["targets"], "instances.web", "targets is not a list"),
    (["targets"], [7], "targets[0] is not a text"),
    (["policies"], [{"name": "x"}], "it has no 'passed'"),
    (["errors"], ["x"], "errors[0] is not a mapping of names"),
    (["errors"], [{"kind": "instances"}], "it has no 'msg'"),
]


def test_what_is_no_plan_is_told() -> None:
    for place, value, told in WRONG:
        plan: t.Any = copy.deepcopy(sample_plans.usual())
        if place:
            above = plan
            for step in place[:-1]:
                above = above[step]
            above[place[-1]] = value
        else:
            plan = value
        with pytest.raises(InvalidInput) as caught:
            reported_plan(plan, "src")
        assert caught.value.message.startswith("src: ")
        assert told in caught.value.message
        assert caught.value.next_step
        assert caught.value.details["option"] == "src"


def test_what_is_missing_is_told() -> None:
    for member in ["site", "made_at", "mode", "entries", "counts"]:
        plan = sample_plans.usual()
        del plan[member]
        with pytest.raises(InvalidInput, match=f"it has no '{member}'"):
            reported_plan(plan, "plan")

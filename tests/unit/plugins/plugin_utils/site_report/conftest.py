# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checked plans."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import ReportedPlan, reported_plan
from ansible_collections.fcd.cloud.tests.unit.plugins.plugin_utils.site_report import sample_plans

SAMPLES = {
    "usual": sample_plans.usual(),
    "drift": sample_plans.usual(mode="drift", part="2/4", stage="foundations"),
    "applied": sample_plans.failed(mode="apply"),
    "prune": sample_plans.many(8, mode="prune"),
    "pruned": sample_plans.removed(3, mode="pruned"),
    "deprovision": sample_plans.removed(3, mode="apply", state="absent"),
    "deprovision plan": sample_plans.removed(3, state="absent"),
    "clean": sample_plans.clean(mode="drift"),
    "empty": sample_plans.empty(),
    "one": sample_plans.many(1),
    "many": sample_plans.many(300),
    "hostile": sample_plans.hostile(),
    "identities": sample_plans.identities(targets=["instances.web", "disks.data"]),
    "identities drift": sample_plans.identities(mode="drift"),
    "hostile besides": sample_plans.hostile_besides(),
    "hostile drift": sample_plans.hostile(mode="drift"),
}


@pytest.fixture(scope="session")
def plans() -> list[ReportedPlan]:
    """All of the samples."""
    return [reported_plan(data, "plan") for data in SAMPLES.values()]


@pytest.fixture
def read() -> t.Callable[..., ReportedPlan]:
    """Return the plan that the data is."""
    return lambda data: reported_plan(data, "plan")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said about versions is the same everywhere."""

from __future__ import annotations

import re

import interpreters
import pytest
import workspace
import yaml
from cores import CORES

README = (workspace.CHECKOUT / "README.md").read_text(encoding="utf-8")
UNTESTED = "3.14"
"""No machine of ours has it: it is tried where it is found, and README.md says so."""


def requirements(name: str) -> set[str]:
    """Return the lines of a file of requirements that are no comments."""
    lines = (workspace.CHECKOUT / name).read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def test_the_packages_of_the_modules_are_those_of_an_execution_environment() -> None:
    assert requirements("requirements.txt") == requirements("meta/ee-requirements.txt")


def test_the_readme_says_what_is_tested() -> None:
    targets = [version for version in CORES[-1].targets if version != UNTESTED]
    assert f"ansible-core {CORES[0].series} to {CORES[-1].series}\n" in README
    controllers = sorted({version for core in CORES for version in core.controllers} - {UNTESTED})
    assert f"Python {controllers[0]} to {controllers[-1]} on the controller" in README
    assert f"{targets[0]} to {targets[-1]} where a module runs on another" in README
    assert f"Python {UNTESTED}, which ansible-core 2.20 and newer accept, has not been tested yet" in README
    assert {core.series for core in CORES if UNTESTED in core.controllers} == {"2.20", "2.21"}


def test_the_oldest_core_is_the_one_that_ansible_asks_for() -> None:
    runtime = yaml.safe_load((workspace.CHECKOUT / "meta" / "runtime.yml").read_text(encoding="utf-8"))
    assert runtime["requires_ansible"] == f">={CORES[0].series}.0"


@pytest.mark.parametrize(("workflow", "job"), [("pull-request", "test"), ("main", "all"), ("main", "night")])
def test_the_tests_of_the_forge_have_every_python(workflow: str, job: str) -> None:
    text = (workspace.CHECKOUT / ".github" / "workflows" / f"{workflow}.yml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"][job]["steps"]
    (given,) = [step["with"]["python-version"] for step in steps if "python-version" in step.get("with", {})]
    desired = {version for core in CORES for version in (*core.controllers, *core.targets)}
    assert set(re.findall(r"\d\.\d+", given)) == desired == set(interpreters.VERSIONS)

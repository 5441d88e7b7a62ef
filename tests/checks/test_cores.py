# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The integration targets and the plugins with each ansible-core, and where the service is read in other ways."""

from __future__ import annotations

import os
import sys
import typing as t
from pathlib import Path

import ansible_test
import collection_tree
import cores
import integration_settings
import pytest
from sandbox.process import SandboxProcess

from checks.programs import run

pytestmark = pytest.mark.full

OF_ANSIBLE = (
    "tests/integration",
    "tests/examples/test_exit_codes.py",
    "tests/examples/test_untrusted_texts.py",
    "tests/unit/plugins/action",
    "tests/unit/plugins/lookup",
    "tests/unit/plugins/plugin_utils",
)
"""What asks Ansible for anything; module_utils says the same with each core, which the layers see to."""

OF_INSTANCES = ("tests/integration/test_instance_targets.py", "tests/integration/test_instance_part_targets.py")


def pytest_of(python: Path, *words: str) -> None:
    """Run tests with the Python of an environment, two at a time."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_", "SANDBOX_"))},
        "PATH": os.pathsep.join([str(python.parent), os.environ["PATH"]]),
    }
    run(python, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", *words, environment=environment)


OLDEST, *BETWEEN = (core for core in cores.CORES if core is not cores.newest())


@pytest.mark.parametrize(
    "core", [OLDEST, *(pytest.param(core, marks=pytest.mark.night) for core in BETWEEN)], ids=lambda core: core.series
)
def test_with_another_core(core: cores.Core) -> None:
    if not core.controller():
        pytest.skip(f"NOT RUN: {core.missing()}")
    pytest_of(core.build(), *OF_ANSIBLE)


@pytest.mark.parametrize("preset", ["friendly", "older", pytest.param("random:8391857", marks=pytest.mark.night)])
def test_where_the_service_is_read_in_another_way(preset: str) -> None:
    pytest_of(Path(sys.executable), *OF_INSTANCES, "-k", "not role_", "--preset", preset)


def test_a_target_with_ansible_test() -> None:
    """As users of ansible-test run it; the pytest files run all targets, in a third of the time."""
    core = cores.newest()
    environment: t.Mapping[str, str] = ansible_test.environment(core, "integration")
    program = core.build().with_name("ansible-test")
    with SandboxProcess() as sandbox, collection_tree.copied() as place:
        integration_settings.write(sandbox.info, place, Path(environment["HOME"]))
        python = ansible_test.controller_version(core)
        run(program, "integration", "--python", python, "token", folder=place, environment=environment)

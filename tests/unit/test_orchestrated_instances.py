# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of the role orchestrated_instances are those of its module, and the other engine takes them."""

from __future__ import annotations

from pathlib import Path

import yaml

from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_fleet import (
    OPERATION as FLEET,
)
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.orchestration import OPERATION

ROLE = Path(__file__).resolve().parents[2] / "roles" / "orchestrated_instances"
SPECS = yaml.safe_load((ROLE / "meta" / "argument_specs.yml").read_text(encoding="utf-8"))["argument_specs"]
OF_ROLE = SPECS["main"]["options"]
OF_ENTRY = OF_ROLE["orchestrated_instances_present"]["options"]
ONE_EACH = {"instances_count"}


def test_the_entries_are_those_of_the_module() -> None:
    assert set(OF_ENTRY) == set(OPERATION.options["instances"]["options"]) - ONE_EACH


def test_the_other_engine_takes_them_but_for_the_label() -> None:
    of_fleet = FLEET.options["instances"]["options"]
    names = {alias for name, option in of_fleet.items() for alias in (name, *option.get("aliases", ()))}
    assert set(OF_ENTRY) - names == {"label"}


def test_every_option_of_the_module_is_handed_on() -> None:
    (task,) = yaml.safe_load((ROLE / "tasks" / "orchestration.yml").read_text(encoding="utf-8"))
    assert set(task["fcd.cloud.orchestration"]) == set(OPERATION.options)

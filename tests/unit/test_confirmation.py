# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the playbook deprovision says before it removes a site, for any number of objects."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar

TASKS = Path(__file__).resolve().parents[2] / "roles" / "provision" / "tasks" / "confirm.yml"
TEN = ", ".join(f"disks d{number}" for number in range(10))


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 objects that the site shop owns; provision_max_delete allows 10"),
        (1, "1 object that the site shop owns: disks d0; provision_max_delete allows 10"),
        (10, f"10 objects that the site shop owns: {TEN}; provision_max_delete allows 10"),
        (11, f"11 objects that the site shop owns: {TEN} and 1 more; provision_max_delete allows 10"),
    ],
)
def test_what_would_be_removed(count: int, said: str) -> None:
    loader = DataLoader()
    (asking,) = (task["vars"] for task in loader.load_from_file(str(TASKS), trusted_as_template=True) if "vars" in task)
    going = [{"action": "delete", "kind": "disks", "name": f"d{number}", "owner": "created"} for number in range(count)]
    given = {
        "provision_result": {"plan": {"changes": going}},
        "provision__whose": "the site shop owns",
        "provision_max_delete": "10",
    }
    assert Templar(loader, {**asking, **given}).template(asking["provision__removed"]) == said

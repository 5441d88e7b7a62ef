# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole life of machines, with the real tool and a real plugin."""

from __future__ import annotations

from orchestration.site import DB, WEB, Site


def test_a_life(executed: Site, tools: dict[str, str], each_tool: str) -> None:
    executed.executable = tools[each_tool]
    planned = executed.run(WEB, check_mode=True).succeeded()
    assert planned["changed"]
    assert [one["action"] for one in planned["actions"]] == ["create"]
    assert not executed.path.exists()
    assert executed.writes() == []

    made = executed.run(WEB).succeeded()
    assert made["changed"]
    assert made["instances"]["web"]["id"] == str(executed.machines()[0]["Id"])

    same = executed.run(WEB).succeeded()
    assert not same["changed"]
    assert not same["config_changed"]
    assert same["instances"] == made["instances"]

    larger = {**WEB, "init_disk_size": 20}
    assert [one["action"] for one in executed.run(larger, check_mode=True).succeeded()["actions"]] == ["update"]
    changed = executed.run(larger, DB).succeeded()
    assert sorted(one["action"] for one in changed["actions"]) == ["create", "update"]
    assert changed["diff"]["before"]["service_oci.web"]["init_disk_size"] == 10
    assert changed["diff"]["after"]["service_oci.web"]["init_disk_size"] == 20

    gone = executed.run(state="absent").succeeded()
    assert sorted(one["action"] for one in gone["actions"]) == ["delete", "delete"]
    assert gone["instances"] == {}
    assert not executed.run(state="absent").succeeded()["changed"]

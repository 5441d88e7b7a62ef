# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the versions of the plugin can do and cannot do, and what the module makes of it."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from orchestration import programs_for_tests as programs
from orchestration.managed_folder import DB, WEB, ManagedFolder

LARGER = {"init_disk_size": 20}


@pytest.fixture(params=["managed", "managed_1"])
def each_version(request: pytest.FixtureRequest) -> ManagedFolder:
    """A folder for each version of the plugin."""
    folder: ManagedFolder = request.getfixturevalue(request.param)
    return folder


def test_the_life_of_an_instance(each_version: ManagedFolder) -> None:
    web = {**WEB, "ip_address_id": each_version.address()}
    (action,) = each_version.run(web).succeeded()["actions"]
    assert action["action"] == "create"
    assert not each_version.run(web).succeeded()["changed"]
    renamed = each_version.run({**web, **LARGER, "instance_name": "third", "label": "web"}).succeeded()
    assert [one["action"] for one in renamed["actions"]] == ["update"]
    assert [one["Name"] for one in each_version.instances()] == ["third"]
    assert each_version.run(state="absent").succeeded()["changed"]
    assert each_version.instances() == []


@pytest.mark.parametrize("kept", [{}, {"state_container": "states"}])
def test_an_instance_that_others_have_removed(each_version: ManagedFolder, kept: dict[str, t.Any]) -> None:
    """The service answers 403 for it, and no version of the plugin goes on after that."""
    each_version.place.run("storage_container", {"name": "states"}).succeeded()
    web, db = ({**one, "ip_address_id": each_version.address(one["instance_name"])} for one in (WEB, DB))
    number = int(each_version.run(web, db, **kept).succeeded()["instances"]["web"]["id"])
    each_version.place.run("instance", {"id": number, "state": "absent"}).succeeded()
    before, stored = each_version.files(), each_version.sandbox.state()["storage"]
    planned = each_version.run(web, db, check_mode=True, **kept).succeeded()
    assert [one["action"] for one in planned["actions"]] == ["create"]
    (drift,) = planned["drift"]
    assert drift.endswith(".web")
    assert (each_version.files(), each_version.sandbox.state()["storage"]) == (before, stored)
    again = each_version.run(web, db, **kept).succeeded()
    assert [one["action"] for one in again["actions"]] == ["create"]
    number = int(again["instances"]["web"]["id"])
    each_version.place.run("instance", {"id": number, "state": "absent"}).succeeded()
    assert [one["action"] for one in each_version.run(state="absent", **kept).succeeded()["actions"]] == ["delete"]
    assert each_version.instances() == []


def test_a_lost_create_that_cannot_be_imported(managed: ManagedFolder) -> None:
    managed.run(WEB).succeeded()
    managed.sandbox.fault("drop_after", service="rest", method="POST", path="/instances$", times=1)
    assert "Not finished: service_oci.db" in managed.run(WEB, DB).message
    (lost,) = [one["Id"] for one in managed.instances() if one["Name"] == "db"]
    told = managed.run({**WEB, **LARGER}, DB)
    assert told.message.startswith(f"Not imported: service_oci.db (instance {lost}). plan failed: ")
    assert told.result["changed"], "the others are as declared"
    assert managed.state()["resources"][0]["instances"][0]["attributes"]["init_disk_size"] == 20
    assert managed.run({**WEB, **LARGER}, DB).result["changed"] is False
    assert not managed.run({**WEB, **LARGER}).succeeded()["changed"]
    managed.place.run("instance", {"id": lost, "state": "absent"}).succeeded()
    assert managed.run({**WEB, **LARGER}, DB).succeeded()["instances"]["db"]["id"] != str(lost)
    assert managed.writes().count("create_instance") == 3


def test_an_instance_keeps_its_disks(managed_1: ManagedFolder) -> None:
    """The plugin has an attribute for them, and the task does not give it."""
    web = {**WEB, "ip_address_id": managed_1.address()}
    number = int(managed_1.run(web).succeeded()["instances"]["web"]["id"])
    disk = {"name": "data", "size": 10, "disk_class": "48", "subregion": "EU-001", "instances": [str(number)]}
    managed_1.place.run("disk", disk).succeeded()
    writes = managed_1.writes()
    assert not managed_1.run(web).succeeded()["changed"]
    assert managed_1.run({**web, **LARGER}).succeeded()["instances"]["web"]["disks_ids"]
    assert len(managed_1.writes()) == len(writes) + 1


def test_a_lost_create_is_imported(managed_1: ManagedFolder) -> None:
    web = {**WEB, "ip_address_id": managed_1.address()}
    managed_1.sandbox.fault("drop_after", service="rest", method="POST", path="/instances$", times=1)
    assert "Not finished: service_instance.web" in managed_1.run(web).message
    (action,) = managed_1.run(web).succeeded()["actions"]
    assert action == {
        "address": "service_instance.web",
        "action": "import",
        "id": str(managed_1.instances()[0]["Id"]),
    }


def test_a_change_that_the_plugin_ignores(managed: ManagedFolder) -> None:
    managed.run(WEB).succeeded()
    told = managed.run({**WEB, "template_id": 776})
    assert told.message.startswith(
        "The plugin has ignored what it cannot change: template_id of web is 304, not 776. Give the current value"
    )
    assert told.result["changed"] is False
    assert managed.run({**WEB, **LARGER, "template_id": 776}).result["changed"] is True


def test_a_plugin_that_only_reports_what_it_does(executed: ManagedFolder, python: str, tmp_path: Path) -> None:
    executed.plugin = str(programs.plugin(tmp_path, python, "0.6", "update", "delete"))
    number = executed.run(WEB).succeeded()["instances"]["web"]["id"]
    for _run in range(2):
        changed = executed.run({**WEB, "type_id": 35})
        assert "shows unchanged: type_id of web is 34, not 35." in str(changed.warnings)
        assert not changed.succeeded()["changed"]
    removed = executed.run(state="absent", create_grace=1)
    assert f"removed service_oci.web (instance {number}), but the service still has it" in removed.message
    assert removed.result["changed"] is True


def test_what_is_unclear_holds_up_nothing_else(managed_1: ManagedFolder) -> None:
    web, db = ({**one, "ip_address_id": managed_1.address(one["instance_name"])} for one in (WEB, DB))
    managed_1.sandbox.fault("drop_before", service="rest", method="POST", path="/instances$", times=1)
    assert "Not finished: service_instance.web" in managed_1.run(web).message
    told = managed_1.run(web, db, create_grace=1)
    assert "Cannot determine whether instance 'web' exists" in told.message
    assert told.result["changed"] is True
    assert [one["Name"] for one in managed_1.instances()] == ["db"]


def test_another_version_in_the_same_folder(executed: ManagedFolder, plugin_of_version_1: str) -> None:
    web = {**WEB, "ip_address_id": executed.address()}
    executed.run(web).succeeded()
    executed.plugin = plugin_of_version_1
    assert (
        "are of the type service_oci, and this version of the plugin has service_instance" in executed.run(web).message
    )
    executed.path = executed.path.with_name("new")
    (action,) = executed.run(web, adopt=True).succeeded()["actions"]
    assert action["action"] == "import"

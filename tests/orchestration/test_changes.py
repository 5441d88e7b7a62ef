# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is protected, what has drifted, what fails half-way, what is taken over."""

from __future__ import annotations

from pathlib import Path

from orchestration.managed_folder import DB, WEB, ManagedFolder

LARGER = {**WEB, "init_disk_size": 20}


def test_a_removal_is_refused_where_that_is_desired(managed: ManagedFolder) -> None:
    managed.run(WEB, DB).succeeded()
    for refused in (managed.run(WEB, protect=["delete"]), managed.run(state="absent", protect=["delete"])):
        assert "service_oci.db would be removed" in refused.message
    assert len(managed.instances()) == 2
    assert [one["action"] for one in managed.run(WEB).succeeded()["actions"]] == ["delete"]
    assert [one["Name"] for one in managed.instances()] == ["web"]


def test_check_mode_leaves_no_trace_in_a_folder_in_use(managed: ManagedFolder) -> None:
    managed.run(WEB).succeeded()
    before, writes = managed.files(), managed.writes()
    planned = managed.run(LARGER, DB, check_mode=True).succeeded()
    assert sorted(one["action"] for one in planned["actions"]) == ["create", "update"]
    assert planned["instances"]["db"]["id"] == "(known after apply)"
    assert planned["diff"]["after"]["service_oci.db"]["id"] == "(known after apply)"
    assert managed.run(state="absent", check_mode=True).succeeded()["changed"]
    assert (managed.files(), managed.writes()) == (before, writes)


def test_drift_is_seen_and_mended(managed: ManagedFolder) -> None:
    number = int(managed.run(WEB).succeeded()["instances"]["web"]["id"])
    managed.place.run("instance", {"id": number, "name": "renamed"}).succeeded()
    planned = managed.run(WEB, check_mode=True).succeeded()
    assert planned["drift"] == ["service_oci.web"]
    assert planned["diff"]["before"]["service_oci.web"]["instance_name"] == "renamed"
    assert [one["action"] for one in managed.run(WEB).succeeded()["actions"]] == ["update"]


def test_what_was_done_before_a_failure_is_told(managed: ManagedFolder) -> None:
    nowhere = {**DB, "template_id": 999999}
    failed = managed.run(WEB, nowhere, parallelism=1)
    assert failed.failed
    assert "create db" in failed.message
    applied = failed.result["error"]["applied"]  # which of the two comes first is up to the tool
    assert len(managed.instances()) == len(applied)
    assert failed.result["changed"] == bool(applied)
    assert f"Done before the failure: {'service_oci.web (create)' if applied else 'nothing'}." in failed.message
    done = managed.run(WEB, DB).succeeded()
    assert sorted(done["instances"]) == ["db", "web"]
    assert len(managed.instances()) == 2
    nothing = managed.run(WEB, DB, {**nowhere, "instance_name": "third"})
    assert not nothing.result["changed"]
    assert "Done before the failure: nothing." in nothing.message


def test_a_token_that_is_over_is_renewed(managed: ManagedFolder) -> None:
    managed.run(WEB).succeeded()
    managed.sandbox.expire("identity")
    assert not managed.run(WEB).succeeded()["changed"]
    managed.sandbox.expire("identity")
    assert managed.run(LARGER).succeeded()["changed"]
    given = managed.run(LARGER, access_token="no-such-token-0123456789")
    assert given.failed
    assert "no-such-token" not in str(given)


def test_an_instance_is_taken_over(managed_1: ManagedFolder) -> None:
    managed, db = managed_1, {**DB, "ip_address_id": managed_1.address()}
    made = {name: WEB[name] for name in ("template_id", "subregion_id", "type_id", "disk_class", "init_disk_size")}
    number = managed.place.run("instance", {**made, "name": "web"}).succeeded()["instance"]["id"]
    writes = managed.writes()
    planned = managed.run(WEB, db, adopt=True, check_mode=True).succeeded()
    assert sorted(one["action"] for one in planned["actions"]) == ["create", "import"]
    taken = managed.run(WEB, adopt=True).succeeded()
    assert taken["actions"] == [{"address": "service_instance.web", "action": "import", "id": str(number)}]
    assert taken["instances"]["web"]["id"] == str(number)
    assert managed.writes() == writes
    again = managed.run(WEB, adopt=True).succeeded()
    assert not again["changed"]
    assert not again["config_changed"]
    renamed = managed.run({**WEB, "label": "other"}, adopt=True)
    assert f"instance {number}, which is already managed under the label web. Set label to web" in renamed.message


def test_labels_become_numbers(managed: ManagedFolder) -> None:
    by_label = {
        "instance_name": "web",
        "template": "CentOS 7",
        "subregion": "EU-001",
        "type": "v1.standard-2.2",
        "disk_class": "Tier 1",
        "authorization_method": "user and password",
    }
    made = managed.run(by_label).succeeded()["instances"]["web"]
    numbers = {f"{name}_id": made[f"{name}_id"] for name in ("template", "subregion", "type", "authorization_method")}
    managed.sandbox.clear_requests()
    assert not managed.run({"instance_name": "web", "disk_class": str(made["disk_class"]), **numbers}).succeeded()[
        "changed"
    ]
    agents = {one["headers"].get("User-Agent", "") for one in managed.sandbox.requests()}
    assert not any(agent.startswith("fcd.cloud") for agent in agents), "with numbers only the plugin alone asks"


def test_another_address_of_the_plugin(executed: ManagedFolder) -> None:
    source = "plugins.example.com/fcd/service"
    assert executed.run(WEB, provider_source=source).succeeded()["changed"]
    assert not executed.run(WEB, provider_source=source).succeeded()["changed"]


def test_a_plugin_is_replaced_under_its_version(executed: ManagedFolder, tmp_path: Path) -> None:
    own = tmp_path / "terraform-provider-service"
    own.write_bytes(Path(executed.plugin).read_bytes())
    own.chmod(0o700)
    executed.plugin = str(own)
    executed.run(WEB).succeeded()
    with own.open("a", encoding="utf-8") as handle:
        handle.write("# another one\n")
    assert not executed.run(WEB).succeeded()["changed"]

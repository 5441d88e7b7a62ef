# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run tells those who come after it: outputs, and instances as hosts."""

from __future__ import annotations

import json
import re
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.large_site import large_site
from sites.plain_site import run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
SITE: dict[str, t.Any] = {
    "private_networks": [{"name": "inner"}],
    "instances": [
        {"name": "web", "key": "front", "private_networks": ["inner"], **INSTANCE},
        {"name": "db", **INSTANCE},
    ],
    "storage_containers": [{"name": "assets"}],
    "storage_objects": [{"container": "assets", "name": f"{n}", "content": f"{n}"} for n in range(3)],
    "outputs": {
        "web": "instances.front.id",
        "status": "instances.front.status.label",
        "network": "private_networks.inner.id",
        "size": "storage_objects.assets/0.size",
    },
}
STOP = {"action": "stop", "every": "1 day", "at": "22:00", "timezone": "UTC"}
OTHERS: dict[str, t.Any] = {
    "client_fixed_amounts": [{"client_id": 100, "amount": "12.00", "date_from": "2026-01-01", "description": "x"}],
    "instance_groups": [{"name": "tier", "instances": ["web-0"]}],
    "load_balancers": [{"group": "tier"}],
    "instance_schedules": [{"name": "night", "instance": "web-0", **STOP}],
    "group_schedules": [{"name": "night", "group": "tier", "instance": "web-0", **STOP}],
    "instance_autoscalers": [{"instance": "web-0", "mode": "notify"}],
    "group_autoscalers": [
        {"group": "tier", "expansion": "clone", "min_instances": 1, "max_instances": 2, "instances": ["web-0"]}
    ],
    "health_checks": [{"name": "front", "kind": "https", "address": "www.example.com", "port": 443}],
    "health_check_notifications": [{"address": "ops@example.com", "type": "email"}],
}
"""Entries of the kinds that a large site does not have."""
LATER = "(known after apply)"
pytestmark = pytest.mark.usefixtures("home")


def test_outputs_are_told_after_an_apply_and_whenever_nothing_changes(sandbox: SandboxProcess) -> None:
    assert set(run(SITE, check_mode=True).succeeded().result["outputs"].values()) == {LATER}
    applied = run(SITE).succeeded()
    (web,) = (one for one in sandbox.state()["rest"]["instances"] if one["Name"] == "web")
    (inner,) = (one for one in sandbox.state()["rest"]["networks"] if one["Name"] == "inner")
    told = {"web": web["Id"], "status": "Powered On", "network": inner["Id"], "size": 1}
    assert applied.result["outputs"] == told
    for check_mode in (False, True):
        assert run(SITE, check_mode=check_mode).succeeded().result["outputs"] == told


def test_an_output_that_leads_nowhere_is_an_error_and_loses_nothing(sandbox: SandboxProcess) -> None:
    content = {**SITE, "outputs": {"web": "instances.front.id", "misspelt": "instances.front.status.name"}}
    told = "outputs: misspelt (site.yml:301): instances web has no status.name: there is no 'name' in"
    assert run(content, check_mode=True).succeeded().result["outputs"]["misspelt"] == LATER, "nobody can know it yet"
    applied = run(content).result
    assert applied["failed"] is True
    assert f"{told} id, label." in applied["msg"]
    assert applied["counts"]["changed"] == 7
    (web,) = (one for one in sandbox.state()["rest"]["instances"] if one["Name"] == "web")
    assert applied["outputs"] == {"web": web["Id"], "misspelt": None}
    more = {**content, "private_networks": [{"name": "inner"}, {"name": "outer"}]}
    assert told in run(more, check_mode=True).result["msg"]
    refused = run(more).result
    assert told in refused["msg"]
    assert refused["changed"] is False
    assert "outer" not in [one["Name"] for one in sandbox.state()["rest"]["networks"]]


@pytest.mark.full
def test_all_that_a_module_returns_of_an_object_is_documented(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """An output can name it: what RETURN does not have is an error of the file."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site import site_run
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.returned_fields import check_output_path
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import KINDS

    (home / "public").mkdir()
    (home / "public" / "a.txt").write_text("a", encoding="utf-8")
    seen: list[tuple[t.Any, t.Mapping[str, t.Any]]] = []

    def look(result: t.Any, plans: t.Any, *_others: t.Any) -> t.Any:
        outcomes = ((plan.entry.of, plan.outcome) for plan in plans)
        seen.extend((kind, outcome.record) for kind, outcome in outcomes)
        return result

    monkeypatch.setattr(site_run, "with_outputs", look)
    content = {**large_site(0.01, str(home / "public")), "outputs": {"key": "ssh_keys.key-0.id"}}
    for check_mode in (True, False, False):
        run({**content, **OTHERS}, check_mode=check_mode).succeeded()
    assert {kind.name for kind, _record in seen} == set(KINDS)
    for kind, record in seen:
        for path in paths_in(record):
            check_output_path(kind, kind.name, path)


def paths_in(value: t.Any, *above: str) -> t.Iterator[tuple[str, ...]]:
    """Yield the ways to all values."""
    yield from [above] if above else ()
    items = value.items() if isinstance(value, t.Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, one in items:
        yield from paths_in(one, *above, str(name))


def test_outputs_are_of_the_run_only() -> None:
    run(SITE).succeeded()
    told = run(SITE, targets=["private_networks.inner"]).succeeded().result["outputs"]
    assert set(told) == {"network"}
    assert "outputs" not in run({**SITE, "outputs": {}}).succeeded().result


def test_what_failed_has_no_output(sandbox: SandboxProcess) -> None:
    sandbox.fault(
        "status_before", service="rest", method="POST", path="/instances$", status=422, own_words=True, times=0
    )
    ran = run({**SITE, "outputs": {"web": "instances.front.id", "network": "private_networks.inner.id"}})
    assert ran.result["failed"] is True
    assert ran.result["outputs"]["web"] is None
    assert ran.result["outputs"]["network"]


def test_instances_are_hosts(sandbox: SandboxProcess) -> None:
    assert run(SITE, check_mode=True, hosts=True).succeeded().result["hosts"] == []
    assert "hosts" not in run(SITE).succeeded().result
    hosts = {one["name"]: one for one in run(SITE, hosts=True).succeeded().result["hosts"]}
    shown = {one["Name"]: one for one in sandbox.state()["rest"]["instances"]}
    assert {name: one["id"] for name, one in hosts.items()} == {name: shown[name]["Id"] for name in ("web", "db")}
    variables = hosts["web"]["vars"]
    assert variables["fcd_name"] == "web"
    assert variables["ansible_host"] in (variables["fcd_ip_address"], variables["fcd_private_ip_address"])


def test_no_instance_takes_the_place_of_another_thing() -> None:
    """Variables of a host called localhost would be those of the controller."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.outputs import with_distinct_names

    names = ("localhost", "127.1", "all", "shop", "workers", "db", "twin", "twin", "web", "own")
    hosts: list[t.Any] = [{"name": name, "id": number, "vars": {}} for number, name in enumerate(names)]
    hostvars = {"db": {}, "web": {"fcd_id": 8}, "own": {"fcd_id": 9}, "shop_3": {"fcd_id": 3}, "twin_6": {"fcd_id": 1}}
    variables = {"groups": {"all": list(hostvars), "shop": []}, "hostvars": hostvars}
    warnings: list[str] = []
    named = with_distinct_names(hosts, variables, ["workers"], warnings.append)
    assert [one["name"] for one in named] == [
        *("localhost_0", "127.1_1", "all_2", "shop_3", "workers_4", "db_5", "twin_6_6", "twin_7", "web", "own"),
    ]
    (warning,) = warnings
    assert "8 instances have a name that another host, a group or the local host has" in warning


def test_the_name_of_an_instance_without_an_address_is_no_address() -> None:
    """What is known of a host that the inventory has already stays so."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.outputs import _host, with_distinct_names

    nowhere = {"ansible_host": "no-address.invalid."}
    host = _host({"id": 7, "name": "10.0.0.9"}, ())
    assert host["vars"].items() >= nowhere.items()
    known = {"groups": {"all": ["10.0.0.9"]}, "hostvars": {"10.0.0.9": {"fcd_id": 7}}}
    (same,) = with_distinct_names([host], known, [], print)
    assert (same["name"], "ansible_host" in same["vars"]) == ("10.0.0.9", False)


def test_hosts_and_plans_hide_what_a_secret_option_became() -> None:
    """The number of a template comes back as its name, and a size is no text that could be found."""
    secrets = ["template_id", "type_id", "init_disk_size"]
    given = {"template_id": 304, "subregion": "EU-001", "type_id": 34, "init_disk_size": 20, "secrets": secrets}
    site = {"instances": [{"name": "root@web:22", **given}]}
    ran = run(site, hosts=True).succeeded()
    (host,) = ran.result["hosts"]
    assert host["name"] == "root_web_22", "as in the inventory, where @ and : have a meaning"
    hidden = {f"fcd_{name}": "(hidden)" for name in ("template", "type")}
    assert {name: host["vars"][name] for name in hidden} == hidden
    assert host["vars"]["fcd_subregion"]["label"] == "EU-001"
    for plan in (ran.plan, run({"instances": [{**site["instances"][0], "init_disk_size": 30}]}, check_mode=True).plan):
        (change,) = plan["changes"]
        shown = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+", "", json.dumps(change))  # times have such numbers, too
        assert "CentOS" not in shown, shown
        assert not re.search(r"\b(304|34|20|30)\b", shown), shown

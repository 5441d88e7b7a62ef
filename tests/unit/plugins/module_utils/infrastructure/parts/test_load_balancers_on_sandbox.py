# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Load balancers of groups at the sandbox, and instances that are taken out of them and put back."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.rest.settings import OLDER

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import run_on_planned
from ansible_collections.fcd.cloud.plugins.module_utils._connection.check_mode_state import PlannedObjects
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account, Result, operation


@pytest.fixture
def group(account: Account) -> int:
    """A group without instances."""
    number: int = account.api.create_group("tier", 1403)["Id"]
    return number


def shown(result: Result, *names: str) -> list[t.Any]:
    """Labels of items, and other values as they are."""
    values = [result["load_balancer"][name] for name in names]
    return [one["label"] if isinstance(one, dict) else one for one in values]


def has_balancer(account: Account) -> bool:
    found: bool = account.truth("groups")[0]["IsLoadBalancer"]
    return found


def test_a_load_balancer_is_created_changed_and_removed(account: Account, group: int) -> None:
    planned = account.run("load_balancer", check_mode=True, group="tier", port=8080)
    assert (planned["action"], account.writes()) == ("create", [])
    made = account.run("load_balancer", group="tier", port=8080)
    assert (made["action"], made["load_balancer"]["id"]) == ("create", group)
    assert shown(made, "service_type", "session_persistence", "algorithm", "ip_version", "proxy_protocol") == [
        *("HTTP", "Source IP", "Round robin", "IPv4", "None")
    ]
    assert shown(made, "port", "ssl", "health_check", "common_persistence") == [8080, True, True, True]
    known = {name: value for name, value in planned["load_balancer"].items() if name not in ("id", "ip_address")}
    assert known.items() <= made["load_balancer"].items()
    assert (
        account.run("load_balancer", group=str(group), port=8080, ssl=True, algorithm="round robin")["changed"] is False
    )
    assert account.writes() == []
    changed = account.run("load_balancer", group="tier", algorithm="Least connections", ssl=False)
    assert (changed["action"], account.writes()) == ("update", [f"PUT /groups/{group}/load_balancer"])
    assert (changed["diff"]["before"]["ssl"], changed["diff"]["after"]["ssl"]) == (True, False)
    kept = {**made["load_balancer"], "ssl": False, "algorithm": {"id": 281, "label": "Least connections"}}
    assert {**changed["load_balancer"], "servers": None} == {**kept, "servers": None}
    said = account.fails(errors.InvalidInput, "instance_group", name="tier", state="absent")
    assert "it has a load balancer" in said
    assert account.run("load_balancer", group="tier", state="absent")["action"] == "delete"
    assert has_balancer(account) is False
    for gone in ("tier", str(group), "no such group"):
        assert account.run("load_balancer", group=gone, state="absent")["changed"] is False


def test_a_group_is_removed_with_its_load_balancer_on_request(account: Account, group: int) -> None:
    account.run("load_balancer", group="tier")
    assert account.run("instance_group", id=group, state="absent", force_detach=True)["action"] == "delete"
    assert account.truth("groups") == []


def test_a_change_keeps_the_address(account: Account, group: int) -> None:
    """The service shows its text and takes its ID; what a PUT leaves out is lost."""
    address = account.api.create_ip_address(1)
    made = account.run("load_balancer", group="tier", ip_address=str(address["Id"]))
    assert shown(made, "ip_address") == [address["Address"]]
    assert account.run("load_balancer", group="tier", ip_address=address["Address"])["changed"] is False
    changed = account.run("load_balancer", group="tier", port=81)
    assert (shown(changed, "ip_address"), account.warnings) == ([address["Address"]], [])
    other = account.api.create_ip_address(1)["Address"]
    assert shown(account.run("load_balancer", group="tier", ip_address=other), "ip_address") == [other]
    said = account.fails(errors.InvalidInput, "load_balancer", group="tier", ip_address="192.0.2.77")
    assert "the account has no address 192.0.2.77" in said and account.writes() == []
    account.fault("status_after", "GET", "/ip_addresses", status=200, body={"Items": [], "Meta": {"Total": 0}})
    account.run("load_balancer", group="tier", port=82)
    assert f"another address: {other} became 192.0.2." in account.warnings[0]


@pytest.mark.parametrize("status", [403, 404, None])
def test_a_group_without_a_load_balancer_is_known(account: Account, group: int, status: int | None) -> None:
    account.settings(without_balancer=status)
    assert account.run("load_balancer", group="tier", state="absent")["changed"] is False
    assert account.run("load_balancer", group="tier")["action"] == "create"
    assert account.run("load_balancer_info", name="tier")["load_balancers"][0]["id"] == group
    assert account.run("load_balancer_info", id=group + 1)["missing"] == [group + 1]


def test_one_that_was_created_meanwhile_is_changed(account: Account, group: int) -> None:
    body = {"ServiceType": 44, "SessionPersistenceType": 47, "LoadBalancerAlgorithm": 288, "IpVersion": 115}
    account.fault("status_after", "POST", "/load_balancer", status=409, own_words=True)
    assert account.run("load_balancer", group="tier")["action"] == "create"  # a second delivery of its own
    account.api.change_load_balancer(group, body)
    account.fault("repeat", "GET", "/load_balancer", status=404)
    made = account.run("load_balancer", group="tier", port=443)
    assert (made["changed"], shown(made, "service_type", "port")) == (True, ["HTTP", 443])


def test_values_that_the_service_does_not_show_are_an_error(account: Account, group: int) -> None:
    account.run("load_balancer", group="tier")
    account.settings(accept_only=True)
    said = account.fails(errors.OperationFailed, "load_balancer", group="tier", port=81)
    assert "does not show it in: port" in said
    account.settings(accept_only=False, null_members=["load_balancer.Algorithm"])
    said = account.fails(errors.InvalidInput, "load_balancer", group="tier", port=81)
    assert "does not return algorithm of load balancer 'tier'" in said and account.writes() == []
    assert account.run("load_balancer", group="tier", port=81, algorithm="612")["changed"] is True


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"port": 0}, "port: 0 is not a port; ports are 1 to 65535."),
        ({"group": "ter"}, "group: there is no group 'ter'. Did you mean 'tier'?"),
        ({"algorithm": "Round"}, "Did you mean 'Round robin'"),
        ({"service_type": " "}, "service_type: the text is empty."),
    ],
)
def test_mistakes_are_named_before_anything_is_sent(
    account: Account, group: int, params: dict[str, t.Any], said: str
) -> None:
    assert said in account.fails(errors.InvalidInput, "load_balancer", **{"group": str(group), **params})
    assert account.writes() == []


def test_the_older_line_has_fewer_values(account: Account, group: int) -> None:
    account.settings(**{**OLDER, "list_lag": 0.0})
    for option in ({"proxy_protocol": "v2"}, {"ssl_target_port": 8443}):
        said = account.fails(errors.InvalidInput, "load_balancer", group="tier", **option)
        assert f"{next(iter(option))}: the service runs version 2020 of the interface" in said
        assert account.writes() == []
    assert account.run("load_balancer", group="tier")["action"] == "create"
    assert account.run("load_balancer", group="tier", port=81)["action"] == "update"
    assert account.run("load_balancer", group="tier", port=81)["changed"] is False


def test_check_mode_knows_what_earlier_tasks_would_do(account: Account) -> None:
    account.instance("web")
    earlier: list[t.Any] = []

    def plan(module: str, **params: t.Any) -> str:
        known, objects = operation(module), PlannedObjects(list(earlier))
        defaults = {name: option.get("default") for name, option in known.options.items()}
        result = run_on_planned(objects, account.task(check_mode=True), known, {**defaults, **params})
        earlier.extend(objects.new)
        return str(result["action"])

    steps: list[tuple[str, str, dict[str, t.Any]]] = [
        ("create", "instance_group", {"name": "tier", "instances": ["web"]}),
        ("none", "instance_group", {"name": "tier", "instances": ["web"]}),
        ("create", "load_balancer", {"group": "tier"}),
        ("none", "load_balancer", {"group": "tier", "algorithm": "round robin"}),
        ("update", "load_balancer", {"group": "tier", "port": 81}),
        ("update", "load_balancer_drain", {"group": "tier", "instance": "web"}),
        ("delete", "load_balancer", {"group": "tier", "state": "absent"}),
        ("none", "load_balancer", {"group": "tier", "state": "absent"}),
        ("delete", "instance_group", {"name": "tier", "state": "absent", "force_detach": True}),
        ("none", "instance_group", {"name": "tier", "state": "absent"}),
    ]
    assert [plan(module, **params) for _action, module, params in steps] == [action for action, _module, _ in steps]
    assert account.truth("groups") == []


# ---------------------------------------------------------------- taking instances out


@pytest.fixture
def web(account: Account) -> str:
    """The name of an instance behind a load balancer with two ports."""
    account.instance("web")
    account.run("instance_group", name="tier", instances=["web"])
    account.run("load_balancer", group="tier", target_port=8080, ssl_target_port=8443)
    return "web"


def statuses(account: Account) -> list[str]:
    (one,) = account.run("load_balancer_info", name="tier", details=True)["load_balancers"]
    return [service["status"]["label"] for server in one["servers"] for service in server["services"]]


def test_an_instance_is_taken_out_and_put_back(account: Account, web: str) -> None:
    planned = account.run("load_balancer_drain", check_mode=True, group="tier", instance=web)
    assert (planned["changed"], account.writes(), statuses(account)) == (True, [], ["Up", "Up"])
    drained = account.run("load_balancer_drain", group="tier", instance=web)
    assert (drained["changed"], drained["instance"]["state"], len(account.writes())) == (True, "drained", 2)
    assert (drained["diff"]["before"]["state"], statuses(account)) == ("active", ["Out of service"] * 2)
    assert account.run("load_balancer_drain", group="tier", instance=web)["changed"] is False
    back = account.run("load_balancer_drain", group="tier", instance=web, state="active", port=8443)
    assert (back["instance"]["state"], statuses(account)) == ("active", ["Out of service", "Up"])
    assert account.run("load_balancer_drain", group="tier", instance=web, state="active")["changed"] is True
    assert (len(account.writes()), account.warnings) == (1, [])
    account.settings(drain_seconds=1e6)
    assert account.run("load_balancer_drain", group="tier", instance=web, wait=False)["changed"] is True
    assert statuses(account) == ["Busy", "Busy"]


def test_a_status_that_tells_nothing_is_said_so(account: Account, web: str) -> None:
    """Without a health check, the status is unknown: it is sent each time."""
    account.run("load_balancer", group="tier", health_check=False)
    assert account.run("load_balancer_drain", group="tier", instance=web, state="active")["changed"] is True
    assert "whether it is active cannot be seen; its status is Unknown (1566)" in account.warnings[0]
    assert account.run("load_balancer_drain", group="tier", instance=web)["instance"]["state"] == "drained"


def test_an_instance_that_is_not_behind_the_load_balancer_is_an_error(account: Account, web: str) -> None:
    account.instance("db")
    wrong: list[tuple[dict[str, t.Any], str]] = [
        ({"instance": "db"}, "is not behind the load balancer of group tier"),
        ({"instance": web, "port": 81}, "at port 81"),
    ]
    for params, said in wrong:
        assert said in account.fails(errors.InvalidInput, "load_balancer_drain", group="tier", **params)
    account.run("load_balancer", group="tier", state="absent")
    said = account.fails(errors.InvalidInput, "load_balancer_drain", group="tier", instance=web)
    assert "has no load balancer" in said

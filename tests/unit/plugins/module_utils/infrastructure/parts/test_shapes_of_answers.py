# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of other shapes than those that were recorded: each kind of object does what it does with the usual ones."""

from __future__ import annotations

import contextlib
import json
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, Response
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

from .conftest import Account

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOddOddOddOddOddOddOddOddOddOddOddOddOddOdd1"
DECLARED: dict[str, dict[str, t.Any]] = {
    "disk": {"name": "odd", "size": 10, "disk_class": "48", "subregion": "1"},
    "private_network": {"name": "odd"},
    "ssh_key": {"name": "odd", "public_key": KEY},
    "ip_address": {"comment": "odd", "subregion": "1"},
}
NEW_INSTANCE = {"name": "odd", "template": "CentOS 7", "subregion": "EU-001"}
NAMES = ("name", "comment")
Reshape = t.Callable[[t.Any], t.Any]


def reshape(monkeypatch: pytest.MonkeyPatch, change: Reshape) -> None:
    """Let each JSON answer of the infrastructure interface come as ``change`` returns it, from now on."""
    really = Exchange.send

    def send(self: Exchange, request: t.Any, credentials: t.Any = None) -> Response:
        answer = really(self, request, credentials)
        if not request.json_answer or not answer.body or "/beta" not in request.url:
            return answer
        return Response(answer.status, answer.headers, json.dumps(change(answer.json())).encode(), answer.request_id)

    monkeypatch.setattr(Exchange, "send", send)


def no_rows(found: t.Any) -> t.Any:
    empty = isinstance(found, dict) and found.get("Items") == []
    return {**found, "Items": None, "Meta": None} if empty else found


def unknown_end(found: t.Any) -> t.Any:
    if isinstance(found, dict) and isinstance(found.get("Items"), list):
        return {**found, "Items": [unknown_end(one) for one in found["Items"]]}
    ended = isinstance(found, dict) and "OperationType" in found and (found["Status"] or {}).get("Id") == 136
    end = {"Status": {"Id": 140, "Label": "Partly"}, "EndDate": "2026-01-01T00:00:00Z"}
    return {**found, **end} if ended else found


def life(account: Account, kind: str) -> list[bool]:
    """Return what each task of a life says of changes: created, the same, removed, the same."""
    declared = DECLARED[kind]
    key = {name: declared[name] for name in NAMES if name in declared}
    states = (declared, declared, {**key, "state": "absent"}, {**key, "state": "absent"})
    return [account.run(kind, **params)["changed"] for params in states]


@pytest.mark.parametrize("kind", DECLARED)
@pytest.mark.parametrize("change", [no_rows, unknown_end])
def test_a_life_with_other_shapes(
    account: Account, monkeypatch: pytest.MonkeyPatch, kind: str, change: Reshape
) -> None:
    reshape(monkeypatch, change)
    assert life(account, kind) == [True, False, True, False]
    told = [text for text in account.warnings if "has ended with the unknown status Partly (140)" in text]
    assert bool(told) is (change is unknown_end and kind in ("disk", "private_network"))


def test_an_end_with_an_unknown_status_is_told_of_changes_that_did_not_come(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.settings(fail_tickets="Reconfiguring|Renaming")
    account.instance("web")
    really_failed = lambda found: unknown_end(_as_succeeded(found))  # noqa: E731
    reshape(monkeypatch, really_failed)
    said = account.fails(errors.OperationFailed, "instance", name="web", type="v1.standard-4.4")
    assert "does not tell how it ended, and nothing has changed" in said


def _as_succeeded(found: t.Any) -> t.Any:
    failed = isinstance(found, dict) and "OperationType" in found and found["Status"]["Id"] == 137
    return {**found, "Status": {"Id": 136}} if failed else found


@pytest.mark.parametrize("null", [True, False])
@pytest.mark.parametrize("kind", DECLARED)
def test_what_is_gone_may_be_told_in_other_ways(
    account: Account, monkeypatch: pytest.MonkeyPatch, kind: str, *, null: bool
) -> None:
    number = account.run(kind, **DECLARED[kind])[kind]["id"]
    account.run(kind, id=number, state="absent")
    really = Exchange.send

    def send(self: Exchange, request: t.Any, credentials: t.Any = None) -> Response:
        if not (null and request.url.endswith(f"/{number}")):
            return really(self, request, credentials)
        return Response(200, {}, b"null")

    monkeypatch.setattr(Exchange, "send", send)
    if not null:
        account.fault("status_before", "GET", f"/{number}$", status=410, times=0)
    assert account.run(kind, id=number, state="absent")["changed"] is False
    assert account.run(f"{kind}_info", id=number)["missing"] == [number]


def _with_more_rows(found: t.Any) -> t.Any:
    rows = isinstance(found, dict) and isinstance(found.get("Items"), list)
    return {**found, "Meta": {"Total": found["Meta"]["Total"] + 3}} if rows else found


@pytest.mark.parametrize("kind", DECLARED)
def test_a_list_that_counts_more_rows_than_it_shows(
    account: Account, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Whoever has few rights may see fewer objects than there are."""
    number = account.run(kind, **DECLARED[kind])[kind]["id"]
    reshape(monkeypatch, _with_more_rows)
    assert account.run(f"{kind}_info", id=number)["missing"] == []
    assert account.run(kind, id=number)["changed"] is False
    for params in (DECLARED[kind], {"id": 7_777_777}):
        if kind in ("ssh_key", "ip_address") and "id" in params:  # 404 says that there is none
            assert account.run(f"{kind}_info", **params)["missing"] == [7_777_777]
            continue
        module = kind if "id" not in params else f"{kind}_info"
        assert "but all pages together list" in account.fails(errors.IncompleteList, module, **params)
    assert account.writes() == []


def test_a_missing_instance_beside_rows_that_are_not_shown(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    reshape(monkeypatch, _with_more_rows)
    for status in (404, 403):
        account.settings(missing_status=status)
        params = {"id": 7_777_777, "state": "absent"}
        if status == 404:
            assert account.run("instance", **params)["changed"] is False
        else:
            assert "together list" in account.fails(errors.IncompleteList, "instance", **params)


@pytest.mark.parametrize("status", [403, 404])
def test_a_row_that_is_shown_exists_whatever_else_is_not(
    account: Account, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """Only a missing right explains why an object that a list shows cannot be read."""
    number = account.run("disk", **DECLARED["disk"])["disk"]["id"]
    reshape(monkeypatch, _with_more_rows)
    account.fault("status_before", "GET", f"/disks/{number}$", status=status, times=0)
    account.fails(errors.Rejected, "disk", id=number, state="absent")
    assert account.writes() == []


@pytest.mark.parametrize(
    ("given", "arrives", "fields"),
    [
        ({"type": "v1.standard-2.2"}, {"TypeId": 35}, "type"),
        ({"init_disk_size": 40}, {"DiskSize": 10}, "init_disk_size"),
    ],
)
def test_a_new_instance_with_another_value_than_was_sent_is_told(
    account: Account, monkeypatch: pytest.MonkeyPatch, given: dict[str, t.Any], arrives: dict[str, int], fields: str
) -> None:
    really = Infrastructure.create_instance

    def send(self: Infrastructure, body: dict[str, t.Any]) -> t.Any:
        return really(self, {**body, **arrives})

    monkeypatch.setattr(Infrastructure, "create_instance", send)
    said = account.fails(errors.OperationFailed, "instance", **NEW_INSTANCE, **given)
    assert said.startswith(
        f"The service has accepted the creation of instance 'odd', but does not show it in: {fields}."
    )


def without(member: str) -> Reshape:
    """Leave a member out of every object."""

    def change(found: t.Any) -> t.Any:
        if isinstance(found, list):
            return [change(one) for one in found]
        return (
            {name: change(one) for name, one in found.items() if name != member} if isinstance(found, dict) else found
        )

    return change


TEXTS = [{"language": "English", "description": "of web servers"}]
NIGHTLY = {"every": "1 day", "at": "22:00", "timezone": "Europe/Warsaw", "snapshot_name": "old"}
SENT_ALONG = [
    ("disk", {"name": "new"}, "instances", "Connections", {"instances": ["web"]}),
    ("disk", {"name": "new"}, "subregion", "Subregion", {"subregion": "1"}),
    ("snapshot", {"name": "new"}, "description", "Description", {"description": "old"}),
    ("ip_address", {"comment": "new"}, "reverse_dns", "RevDns", {"reverse_dns": "www.example.com"}),
    ("instance_group", {"name": "new"}, "affinity", "AffinityRuleType", {"affinity": "1403"}),
    ("instance_schedule", {"name": "new"}, "snapshot_name", "SnapshotName", {"snapshot_name": "old"}),
    ("instance_autoscaler", {"max_ram": 4096}, "min_cpu", "MinCpu", {"min_cpu": 1}),
    ("instance_template", {"name": "new"}, "descriptions", "Description", {"descriptions": TEXTS}),
]


@pytest.mark.parametrize(("kind", "change", "option", "member", "given"), SENT_ALONG)
def test_what_a_change_sends_along_is_not_taken_for_empty(
    account: Account,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    change: dict[str, t.Any],
    option: str,
    member: str,
    given: dict[str, t.Any],
) -> None:
    made: dict[str, t.Any] = {
        **DECLARED,
        "disk": {**DECLARED["disk"], "instances": ["web"]},
        "snapshot": {"name": "odd", "instance": "web", "description": "old"},
        "instance_group": {"name": "odd"},
        "instance_schedule": {"name": "odd", "instance": "web", "action": "create_snapshot", **NIGHTLY},
        "instance_autoscaler": {"mode": "notify", "min_ram": 1024, "max_ram": 8192, "min_cpu": 1, "max_cpu": 2},
        "instance_template": {"id": 60001},
    }
    account.instance("web")
    who: dict[str, t.Any] = {"instance": "web"} if kind == "instance_autoscaler" else {}
    result = account.run(kind, **who, **made[kind])
    number = result["template" if kind == "instance_template" else kind]["id"]
    who = who or {"id": number}
    reshape(monkeypatch, without(member))
    said = account.fails(errors.InvalidInput, kind, **who, **change)
    assert f"The service does not return {option} of" in said
    assert said.endswith(f"and a change has to send all of it. Give {option} too.")
    assert account.writes() == []
    with contextlib.suppress(errors.FcdError):  # the answers still do not show it
        account.run(kind, **who, **change, **given)
    assert account.writes() != []
    if kind == "disk":
        (disk,) = [one for one in account.truth("disks") if one["Id"] == number]
        assert (disk["Name"], len(disk["Instances"])) == ("new", 1)


@pytest.mark.parametrize("below", ["snapshots", "opns"])
def test_the_list_of_another_instance_does_not_count(
    account: Account, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    inner = account.run("private_network", name="inner")["private_network"]["id"]
    number = account.instance("web")
    other = account.instance("other", OpnsIds=[inner])
    account.run("snapshot", name="before", instance="other")
    really = Exchange.send

    def send(self: Exchange, request: t.Any, credentials: t.Any = None) -> Response:
        url = request.url.replace(f"/{number}/{below}", f"/{other}/{below}") if request.method == "GET" else request.url
        return really(self, request._replace(url=url), credentials)

    monkeypatch.setattr(Exchange, "send", send)
    if below == "snapshots":
        assert account.run("snapshot", name="before", instance="web", state="absent")["changed"] is False
        assert len(account.truth("snapshots")) == 1
    else:
        wish = {"name": "web", "private_networks": ["inner"]}
        assert account.run("instance", **wish)["changed"]
        (network,) = [one for one in account.truth("networks") if one["Id"] == inner]
        assert str(number) in str(network)

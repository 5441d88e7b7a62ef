# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts under faults: unclear answers, tickets that fail, hang or vanish, locks, stale lists, and what disappears."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed
from ansible_collections.fcd.cloud.plugins.module_utils._engine.create_once import CreateNote, create_note, identity_of
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.disk import DeclaredDisk
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.rest_resource import RestResource

from .conftest import Account

FORK = multiprocessing.get_context("fork")
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOddOddOddOddOddOddOddOddOddOddOddOddOddOdd1"
WISHES: dict[str, dict[str, t.Any]] = {
    "disk": {"name": "odd", "size": 10, "disk_class": "48", "subregion": "1"},
    "private_network": {"name": "odd"},
    "snapshot": {"name": "odd", "instance": "web"},
    "ssh_key": {"name": "odd", "public_key": KEY},
    "ip_address": {"comment": "odd", "subregion": "1"},
}
PATHS = {
    "disk": "/disks$",
    "private_network": "/opns$",
    "snapshot": "/snapshots$",
    "ssh_key": "/sshkeys$",
    "ip_address": "/ip_addresses$",
}
TICKETED = ("disk", "private_network", "snapshot")
AT_ONCE = ("ssh_key", "ip_address")
AFTER: list[tuple[str, dict[str, t.Any]]] = [
    ("status_after", {"status": 504}),
    ("drop_after", {}),
    ("cut", {}),
    ("html", {}),
    ("status_before", {"status": 429, "retry_after": 1, "own_words": True}),
    ("status_before", {"status": 500}),
    ("drop_before", {}),
]
IN_TURN = [
    (kind, *fault)
    for turn, fault in enumerate(AFTER)
    for kind in (TICKETED[turn % len(TICKETED)], AT_ONCE[turn % len(AT_ONCE)])
]
"""Each fault meets a kind with a ticket and one without; all pairs are cells of the matrix in tests/chaos."""


def count(account: Account, kind: str) -> int:
    """Return how many there really are, by our name or without any."""
    tables = {"ip_address": "ips", "ssh_key": "keys", "private_network": "networks"}
    rows = account.truth(tables.get(kind, f"{kind}s"))
    return sum(1 for row in rows if _ours(row, kind))


def _ours(row: dict[str, t.Any], kind: str) -> bool:
    if kind == "ip_address":
        return not row.get("Instance")
    return row.get("Name") == "odd"


@pytest.mark.parametrize(("kind", "fault", "params"), IN_TURN)
def test_a_fault_on_the_create_leaves_one_in_the_end(
    account: Account, kind: str, fault: str, params: dict[str, t.Any]
) -> None:
    if kind == "snapshot":
        account.instance("web")
    account.fault(fault, "POST", PATHS[kind], **params)
    nothing = fault in ("html", "drop_before") or params.get("status") == 500
    if nothing:
        said = account.fails(errors.CannotDetermine, kind, **WISHES[kind], create_grace=0.5)
        assert "Cannot determine whether" in said
        said = account.fails(errors.CannotDetermine, kind, **WISHES[kind], create_grace=0.5)
        assert "This task has sent nothing" in said
        assert count(account, kind) == 0
    else:
        assert account.run(kind, **WISHES[kind])["changed"] is True
    assert account.run(kind, **WISHES[kind], force_create=nothing, create_grace=0.5)["changed"] is nothing
    assert count(account, kind) == 1
    assert account.run(kind, **WISHES[kind])["changed"] is False


@pytest.mark.parametrize("kind", WISHES)
def test_a_stale_list_leads_to_no_second_one(account: Account, kind: str) -> None:
    if kind == "snapshot":
        account.instance("web")
    # what no list and no ticket shows is not to be found
    account.settings(visibility_delay=30.0, copied_object_id="new")
    assert account.run(kind, **WISHES[kind])["changed"] is True
    assert account.run(kind, **WISHES[kind])["changed"] is False
    assert account.writes() == []
    assert count(account, kind) == 1
    key = {name: WISHES[kind][name] for name in ("name", "comment") if name in WISHES[kind]}
    more = {"instance": "web"} if kind == "snapshot" else {}
    assert account.run(kind, **key, **more, state="absent")["action"] == "delete"
    assert count(account, kind) == 0
    assert account.run(kind, **key, **more, state="absent")["changed"] is False


@pytest.mark.parametrize("kind", WISHES)
def test_an_unclear_create_with_a_stale_list(account: Account, kind: str) -> None:
    if kind == "snapshot":
        account.instance("web")
    account.settings(visibility_delay=0.3)
    account.fault("drop_after", "POST", PATHS[kind])
    assert account.run(kind, **WISHES[kind], create_grace=4.0)["changed"] is True
    assert count(account, kind) == 1


@pytest.mark.parametrize("kind", TICKETED)
def test_a_ticket_that_fails_hangs_or_vanishes(account: Account, kind: str) -> None:
    account.instance("web")
    account.settings(fail_tickets="odd")
    said = account.fails(errors.OperationFailed, kind, **WISHES[kind])
    assert "'odd' failed: ticket " in said
    account.settings(fail_tickets=None, hang_tickets="odd")
    if kind != "snapshot":  # a lock would stay for ever, and the next try is refused rightly
        late = account.fails(errors.WaitTimeout, kind, **WISHES[kind], wait_timeout=1.0)
        assert "did not finish within 1 s" in late
    account.sandbox.reset()
    account.instance("web")
    account.settings(lost_tickets="odd", lock_tail=0.02)
    force = kind != "snapshot"  # this service has never heard of the ticket that is noted
    assert account.run(kind, **WISHES[kind], force_create=force)["changed"] is True
    assert count(account, kind) == 1
    assert account.run(kind, name="odd", state="absent")["changed"] is True
    assert count(account, kind) == 0


@pytest.mark.parametrize(
    ("method", "path", "wish", "fault", "params"),
    [
        ("POST", "extend_ticket", {"size": 20}, "drop_after", {}),
        ("POST", "extend_ticket", {"size": 20}, "html", {}),
        ("POST", "change_tier_ticket", {"disk_class": "49"}, "status_after", {"status": 502}),
        ("POST", "change_tier_ticket", {"disk_class": "49"}, "cut", {}),
        ("PUT", "/disks/", {"name": "odder"}, "drop_after", {}),
        ("PUT", "/disks/", {"name": "odder"}, "drop_before", {}),
        ("POST", "attach_to_instance", {"instances": ["web"]}, "status_after", {"status": 502}),
        ("POST", "attach_to_instance", {"instances": ["web"]}, "drop_before", {}),
    ],
)
def test_a_fault_on_a_change_of_a_disk(
    account: Account, method: str, path: str, wish: dict[str, t.Any], fault: str, params: dict[str, t.Any]
) -> None:
    if "instances" in wish:
        account.instance("web")
    number = account.run("disk", **WISHES["disk"])["disk"]["id"]
    account.fault(fault, method, path, **params)
    changed = account.run("disk", id=number, **wish)
    assert changed["changed"] is True
    assert account.run("disk", id=number, **wish)["changed"] is False


@pytest.mark.parametrize(
    ("kind", "fault"), [*((one, "drop_after") for one in WISHES), ("disk", "drop_before"), ("ssh_key", "html")]
)
def test_a_fault_on_a_removal(account: Account, kind: str, fault: str) -> None:
    if kind == "snapshot":
        account.instance("web")
    account.run(kind, **WISHES[kind])
    account.fault(fault, "DELETE", ".")
    key = {name: WISHES[kind][name] for name in ("name", "comment") if name in WISHES[kind]}
    assert account.run(kind, **key, state="absent")["changed"] is True
    assert count(account, kind) == 0


@pytest.mark.parametrize("status", [403, 404])
def test_a_part_that_disappears_before_its_removal_is_as_good_as_removed(account: Account, status: int) -> None:
    number = account.run("private_network", name="odd")["private_network"]["id"]
    account.fault("status_before", "DELETE", f"/opns/{number}$", status=status)
    account.fault("status_before", "GET", f"/opns/{number}$", status=status, times=0)
    nothing = {"status": 200, "body": {"Items": [], "Meta": {"Total": 0}}}
    account.fault("status_before", "GET", r"/opns\?", skip=2, times=0, **nothing)  # the first two lists are late
    assert account.run("private_network", name="odd", state="absent")["action"] == "delete"


@pytest.mark.parametrize("status", [403, 404])
def test_a_disk_that_disappears_between_read_and_change(
    account: Account, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    number = account.run("disk", **WISHES["disk"])["disk"]["id"]
    look = DeclaredDisk.find_current

    def looked(self: DeclaredDisk) -> t.Any:
        found = look(self)
        monkeypatch.setattr(DeclaredDisk, "find_current", look)
        account.run("disk", id=number, state="absent")
        return found

    account.settings(missing_status=status)
    monkeypatch.setattr(DeclaredDisk, "find_current", looked)
    said = account.fails(errors.OperationFailed, "disk", **{**WISHES["disk"], "size": 20})
    assert said == (
        f"Extending disk 'odd': disk {number} no longer exists. Something else removed it; run the task again."
    )


@pytest.mark.parametrize(
    ("kind", "before", "theirs", "ours"),
    [
        ("ip_address", {"reverse_dns": "old.example.com"}, {"reverse_dns": "new.example.com"}, {"comment": "ours"}),
        ("snapshot", {"description": "old"}, {"description": "new"}, {"name": "ours"}),
    ],
)
def test_a_change_does_not_undo_that_of_another_task(
    account: Account,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    before: dict[str, str],
    theirs: dict[str, str],
    ours: dict[str, str],
) -> None:
    if kind == "snapshot":
        account.instance("web")
    number = account.run(kind, **WISHES[kind], **before)[kind]["id"]
    look = RestResource.find_current

    def looked(self: RestResource) -> t.Any:
        found = look(self)
        monkeypatch.setattr(RestResource, "find_current", look)
        account.run(kind, id=number, **theirs)
        return found

    monkeypatch.setattr(RestResource, "find_current", looked)
    account.run(kind, id=number, **ours)
    found = account.run(kind, id=number)[kind]
    assert {name: found[name] for name in (*theirs, *ours)} == {**theirs, **ours}


MOVED: dict[str, t.Any] = {"name": "odd", "subregion": "EU-002", "instances": []}
OTHER_KEY = {"name": "odd", "public_key": KEY.replace("Odd1", "Odd2"), "recreate": True}
FAILING: dict[str, tuple[str, dict[str, t.Any], str, str, bool]] = {
    "refused create": ("disk", {**WISHES["disk"], "name": "new"}, "POST", "/disks$", False),
    "refused first step": ("disk", MOVED, "POST", "detach_from_instance", False),
    "refused second step": ("disk", MOVED, "POST", "change_subregion", True),
    "refused attaching of a new one": (
        "disk",
        {**WISHES["disk"], "name": "new", "instances": ["web"]},
        "POST",
        "attach_to_instance",
        True,
    ),
    "refused comment of a new address": ("ip_address", WISHES["ip_address"], "PUT", "floating_ips", True),
    "refused second half of another key": ("ssh_key", OTHER_KEY, "POST", "sshkeys$", True),
    "refused removal of the old key": ("ssh_key", OTHER_KEY, "DELETE", "sshkeys", False),
}


@pytest.mark.parametrize("case", FAILING)
def test_a_failure_says_whether_something_was_changed_before(account: Account, case: str) -> None:
    kind, wish, method, path, changed = FAILING[case]
    account.instance("web")
    account.run("disk", **WISHES["disk"], instances=["web"])
    account.run("ssh_key", **WISHES["ssh_key"])
    account.fault("status_before", method, path, status=400, own_words=True)
    with pytest.raises(errors.Rejected) as caught:
        account.run(kind, **wish)
    assert has_changed(caught.value) is changed


@pytest.mark.parametrize(
    ("setting", "kind", "wish", "changed"),
    [
        ("hang_tickets", "disk", {**WISHES["disk"], "name": "new"}, True),
        ("fail_tickets", "disk", {**WISHES["disk"], "name": "new"}, False),
        ("hang_tickets", "snapshot_restore", {"name": "odd"}, True),
        ("fail_tickets", "snapshot_restore", {"name": "odd"}, False),
    ],
)
def test_a_ticket_that_goes_on_counts_as_changed(
    account: Account, setting: str, kind: str, wish: dict[str, t.Any], changed: bool
) -> None:
    account.instance("web")
    account.run("snapshot", **WISHES["snapshot"])
    account.settings(**{setting: "."})
    with pytest.raises((errors.WaitTimeout, errors.OperationFailed)) as caught:
        account.run(kind, **wish, wait_timeout=2.0)
    assert has_changed(caught.value) is changed


def test_stuck_locks_end_at_the_wait_timeout(account: Account) -> None:
    account.settings(stuck_locks="odd")
    said = account.fails(errors.WaitTimeout, "disk", **WISHES["disk"], wait_timeout=1.0)
    assert "Creating disk 'odd' did not finish within 1 s" in said
    said = account.fails(errors.WaitTimeout, "disk", **WISHES["disk"], wait_timeout=1.0)
    assert "Waiting for disk 'odd'" in said


def test_an_account_that_cannot_buy(account: Account) -> None:
    account.settings(payment_required=True)
    for kind in ("disk", "private_network", "ip_address"):
        assert "cannot buy this" in account.fails(errors.Rejected, kind, **WISHES[kind])
    account.settings(payment_required=False)
    assert account.run("disk", **WISHES["disk"])["changed"] is True


SENDS = {"disk": "disk", "private_network": "network", "ssh_key": "ssh_key", "ip_address": "ip_address"}


def delivered_twice(monkeypatch: pytest.MonkeyPatch, name: str, which: int = 0) -> None:
    """Have the create reach the service twice, and this answer come back; a refusal of the second one too."""
    send = getattr(Infrastructure, f"create_{name}")
    monkeypatch.setattr(Infrastructure, f"create_{name}", lambda *args: (send(*args), send(*args))[which])


@pytest.mark.parametrize(("kind", "which"), [("disk", 0), ("private_network", 1), ("ssh_key", 0), ("ip_address", 1)])
def test_a_second_one_is_told_as_long_as_it_is_there(
    account: Account, monkeypatch: pytest.MonkeyPatch, kind: str, which: int
) -> None:
    with monkeypatch.context() as fault:
        delivered_twice(fault, SENDS[kind], which)
        with pytest.raises(errors.Ambiguous, match="there is now another one that was not there before") as caught:
            account.run(kind, **WISHES[kind], create_grace=2.0)
    both = caught.value.details["ids"]
    assert has_changed(caught.value)
    assert (len(both), count(account, kind)) == (2, 2)
    assert ("without a comment" in str(caught.value)) is (kind == "ip_address")
    with pytest.raises(errors.Ambiguous) as caught:
        account.run(kind, **WISHES[kind])
    assert (caught.value.details["ids"], has_changed(caught.value), account.writes()) == (both, False, [])
    other = both[1 - which]
    account.run(kind, id=other, state="absent")
    made = account.run(kind, **WISHES[kind])
    assert (made["changed"], made[kind]["id"]) == (False, both[which])
    assert count(account, kind) == 1


def test_a_snapshot_whose_second_delivery_is_refused_is_this_tasks_own(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.instance("web")
    account.sandbox.settings(
        rest={"ticket_seconds": 3}
    )  # the first one runs when the second comes, on a busy machine too
    with monkeypatch.context() as fault:
        send, sent = Infrastructure.create_snapshot, []

        def twice(*args: t.Any) -> t.Any:
            sent.append(1)
            return (send(*args), send(*args))[1] if len(sent) == 1 else send(*args)

        fault.setattr(Infrastructure, "create_snapshot", twice)
        assert account.run("snapshot", **WISHES["snapshot"])["changed"] is True
    assert count(account, "snapshot") == 1


def test_an_address_that_is_being_reserved_for_something_else_is_no_second_one(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, others = Infrastructure.create_ip_address, []

    def with_another(api: Infrastructure, subregion: int) -> t.Any:
        others.append(send(api, subregion)["Id"])
        threading.Timer(0.5, lambda: account.api.change_ip_address(others[0], {"Comment": "other"})).start()
        return send(api, subregion)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Infrastructure, "create_ip_address", with_another)
        made = account.run("ip_address", **WISHES["ip_address"], create_grace=20.0)
    assert (made["changed"], made["ip_address"]["comment"]) == (True, "odd")
    assert made["ip_address"]["id"] != others[0]


@pytest.mark.parametrize(
    ("kind", "moment"), [*((one, 0.0) for one in WISHES), *((one, 0.3) for one in ("disk", "ip_address"))]
)
def test_after_kill_9_the_next_run_leaves_one(account: Account, kind: str, moment: float) -> None:
    if kind == "snapshot":
        account.instance("web")
    account.run(f"{kind}_info")  # logs in
    job = FORK.Process(target=lambda: account.run(kind, **WISHES[kind]))
    job.start()
    account.until(account.has_taken_a_write)
    time.sleep(moment)
    os.kill(t.cast("int", job.pid), signal.SIGKILL)
    job.join()
    account.run(kind, **WISHES[kind])
    assert count(account, kind) == 1
    assert account.run(kind, **WISHES[kind])["changed"] is False


@pytest.mark.parametrize("kind", WISHES)
def test_four_jobs_at_once_make_one(account: Account, kind: str) -> None:
    if kind == "snapshot":
        account.instance("web")
    account.run(f"{kind}_info")
    results: t.Any = FORK.Queue()
    jobs = [FORK.Process(target=lambda: results.put(account.run(kind, **WISHES[kind])["changed"])) for _job in range(4)]
    for job in jobs:
        job.start()
    changed = [results.get(timeout=120) for _job in jobs]
    for job in jobs:
        job.join()
    assert changed.count(True) == 1
    assert count(account, kind) == 1


@pytest.mark.parametrize("seconds", [0.05, 0.4])
def test_snapshots_of_one_name_on_two_instances_at_once_are_both_made(account: Account, seconds: float) -> None:
    numbers = [account.instance(name) for name in ("web", "db")]
    account.settings(ticket_seconds=seconds)
    jobs = [
        FORK.Process(target=lambda one=name: account.run("snapshot", name="odd", instance=one))
        for name in ("web", "db")
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [job.exitcode for job in jobs] == [0, 0]
    assert sorted(one["Instance"] for one in account.truth("snapshots")) == numbers


@pytest.mark.parametrize("names", ["new", "source", "null"])
def test_a_snapshot_that_is_being_made_of_another_instance_is_not_this_one(account: Account, names: str) -> None:
    numbers = [account.instance(name) for name in ("web", "db")]
    account.settings(ticket_seconds=2.0, copied_object_id=names)
    account.run("snapshot", name="odd", instance="web", wait=False)
    account.settings(ticket_seconds=0.05)
    assert account.run("snapshot", name="odd", instance="db")["changed"] is True
    assert numbers[1] in [one["Instance"] for one in account.truth("snapshots")]


def test_addresses_are_reserved_one_at_a_time(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a run is killed, one at most has no comment, and the next run knows whose it is."""
    send, others = Infrastructure.change_ip_address, []

    def meanwhile(api: Infrastructure, *args: t.Any) -> t.Any:
        monkeypatch.setattr(Infrastructure, "change_ip_address", send)
        with monkeypatch.context() as short:
            short.setitem(account.connection, "task_timeout", 1.0)
            others.append(account.fails(errors.Busy, "ip_address", **{**WISHES["ip_address"], "comment": "other"}))
        return send(api, *args)

    monkeypatch.setattr(Infrastructure, "change_ip_address", meanwhile)
    assert account.run("ip_address", **WISHES["ip_address"])["changed"] is True
    assert "working on a new IP address" in others[0]
    assert count(account, "ip_address") == 1
    assert account.run("ip_address", **{**WISHES["ip_address"], "comment": "other"})["changed"] is True


@pytest.mark.parametrize("answered", [True, False])
def test_an_address_that_another_run_was_killed_with_is_no_second_one(account: Account, answered: bool) -> None:
    """Runs were killed when the list had not yet shown the first, and two others had no comments."""
    first = account.run("ip_address", **WISHES["ip_address"])["ip_address"]["id"]
    others = [account.api.create_ip_address(1)["Id"] for _each in range(2)]

    def note(comment: str) -> CreateNote:
        return create_note(account.task(), identity_of(account.task(), "IP address", comment))

    note("odd").set_lead(id=first, known=[5])
    if answered:
        note("a").set_lead(id=others[0], known=[5])
    else:
        note("a").write(known=[5])
    note("b").write(known=[5])
    assert account.run("ip_address", **WISHES["ip_address"])["changed"] is False
    for comment in "ab":
        assert account.run("ip_address", **{**WISHES["ip_address"], "comment": comment})["ip_address"]["id"] in others
    assert sorted(one["Comment"] for one in account.truth("ips")) == ["a", "b", "odd"]


@pytest.mark.parametrize("fault", ["drop_before", "drop_after", "html"])
def test_a_fault_between_an_address_and_its_comment(account: Account, fault: str) -> None:
    account.fault(fault, "PUT", "floating_ips")
    made = account.run("ip_address", **WISHES["ip_address"], reverse_dns="mail.example.com")["ip_address"]
    assert (made["comment"], made["reverse_dns"]) == ("odd", "mail.example.com")
    assert len(account.truth("ips")) == 1


def test_an_address_whose_comment_was_refused_is_used_by_the_next_run(account: Account) -> None:
    account.fault("status_before", "PUT", "floating_ips", status=400)
    account.fails(errors.Rejected, "ip_address", **WISHES["ip_address"])
    assert account.run("ip_address", **WISHES["ip_address"])["ip_address"]["comment"] == "odd"
    assert len(account.truth("ips")) == 1


def test_two_new_addresses_that_could_be_ours(account: Account) -> None:
    account.fault("drop_before", "POST", "ip_addresses")
    account.fails(errors.CannotDetermine, "ip_address", **WISHES["ip_address"], create_grace=0.2)
    numbers = [
        account.api.change_at_once("x", "POST", "/instances/ip_addresses", json={"SubregionId": 1})["Id"]
        for _one in "ab"
    ]
    said = account.fails(errors.Ambiguous, "ip_address", **WISHES["ip_address"])
    assert f"2 new ones could be it: {numbers[0]}, {numbers[1]}" in said
    assert account.run("ip_address", id=numbers[0], comment="odd")["changed"] is True
    assert account.run("ip_address", **WISHES["ip_address"])["ip_address"]["id"] == numbers[0]


DOUBTS = re.compile(r"not known whether|may or may not|[Cc]annot determine whether")


@pytest.mark.parametrize(
    ("module", "params", "method"),
    [
        ("private_network", {"name": "n"}, "POST"),
        ("private_network", {"id": 41001, "state": "absent"}, "DELETE"),
    ],
)
def test_an_unclear_outcome_is_told_once(account: Account, module: str, params: dict[str, t.Any], method: str) -> None:
    account.fault("html", method, "/", times=0)
    with pytest.raises((errors.Unclear, errors.CannotDetermine)) as caught:
        account.run(module, **params)
    assert len(DOUBTS.findall(str(caught.value))) == 1


def test_an_unclear_change_that_seems_to_go_on_counts_as_changed(account: Account) -> None:
    account.instance("web")
    account.run("disk", **WISHES["disk"])
    account.settings(hang_tickets="attach")
    account.fault("drop_after", "POST", "attach")
    with pytest.raises(errors.WaitTimeout) as caught:
        account.run("disk", **WISHES["disk"], instances=["web"], wait_timeout=2.0)
    assert has_changed(caught.value)


def test_a_refusal_after_an_unclear_change_leaves_the_first_one_in_doubt(account: Account) -> None:
    number = account.run("private_network", **WISHES["private_network"])["private_network"]["id"]
    account.fault("drop_before", "PUT", "/opns/")
    account.fault("status_before", "PUT", "/opns/", status=400, own_words=True)
    with pytest.raises(errors.Rejected) as caught:
        account.run("private_network", id=number, name="other")
    assert len(account.writes()) == 2
    assert has_changed(caught.value)

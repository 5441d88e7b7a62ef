# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a task that failed says that it has changed something: what was done or is under way counts."""

from __future__ import annotations

import copy
import typing as t

import pytest
from sandbox.rest.models import Ticket

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import (
    instance_acts,
    instance_to_template,
)

from .conftest import Bench
from .in_process import Fault, Service

REFUSED = errors.Rejected("Refused.", status=400)
LOST = errors.Unreachable("No connection.")
TWO = {"private_networks": ["backend", "storage"]}


def strikes(service: Service, faults: dict[str, list[errors.FcdError | None]]) -> None:
    """Plan faults, each with an error of its own."""
    for call, planned in faults.items():
        service.faults[call] = [None if error is None else Fault(copy.deepcopy(error)) for error in planned]


def failed(bench: Bench, **params: t.Any) -> errors.FcdError:
    """Run a task that is to fail, and return its error."""
    with pytest.raises(errors.FcdError) as caught:
        bench.present(**params)
    return caught.value


@pytest.mark.parametrize(
    ("given", "faults", "fails", "changed"),
    [
        (TWO, {"start": [REFUSED]}, None, False),
        (TWO, {"start": [None, REFUSED]}, None, True),
        ({"type_id": 35, "name": "web"}, {}, "type", False),
        ({"type_id": 35, **TWO}, {}, "attach_opn_ticket", True),
        ({"type_id": 35, **TWO}, {"start": [LOST] * 9}, None, True),
        ({"type_id": 35}, {"change_type": [LOST] * 9}, None, False),
        ({"state": "absent"}, {"delete_instance": [REFUSED]}, None, False),
        ({"state": "absent"}, {}, "delete", False),
    ],
)
def test_an_instance_that_is_there(
    bench: Bench, service: Service, given: dict[str, t.Any], faults: t.Any, fails: str | None, changed: bool
) -> None:
    service.add("web")
    strikes(service, faults)
    service.fail(*([fails] if fails else []))
    assert has_changed(failed(bench, **given)) is changed


@pytest.mark.parametrize(
    ("faults", "fails", "more", "changed"),
    [
        ({"create_instance": [REFUSED]}, [], {}, False),
        ({}, ["create"], {}, False),
    ],
)
def test_a_new_instance(
    bench: Bench, service: Service, faults: t.Any, fails: list[str], more: dict[str, t.Any], changed: bool
) -> None:
    strikes(service, faults)
    service.fail(*fails)
    assert has_changed(failed(bench, **more)) is changed


@pytest.mark.parametrize("there", [False, True])
def test_what_is_still_under_way_when_the_time_is_over(bench: Bench, service: Service, there: bool) -> None:
    """As without waiting, where the same counts as changed."""
    service.settings["ticket_seconds"] = 1e6
    if there:
        service.add("web")
    error = failed(bench, type_id=35, wait_timeout=60.0)
    assert isinstance(error, errors.WaitTimeout)
    assert has_changed(error)


def test_waiting_for_what_somebody_else_does_is_no_change(bench: Bench, service: Service) -> None:
    """Whose ticket it is can be told where the service lists it."""
    instance = service.add("web")
    service.lock(instance)
    service.add("other")
    error = failed(bench, type_id=35, wait_timeout=60.0)
    assert not has_changed(error)
    assert "Ticket" not in str(error)
    service.unlock(instance)
    service.settings["ticket_seconds"] = 1e6
    service.reboot(service.add("another").id)
    number = service.reboot(instance.id)["Id"]
    error = failed(bench, type_id=35, wait_timeout=60.0)
    assert not has_changed(error)
    assert error.details["ticket"] == number
    assert error.message.startswith(
        "Waiting for instance 'web' did not finish within 60 s (last seen: Powered On, locked)"
    )
    assert f"icket {number}" in error.message


def test_a_disk_that_never_ends_to_grow(bench: Bench, service: Service) -> None:
    service.add("web")
    service.settings["ticket_seconds"] = 1e6
    error = failed(bench, init_disk_size=40, wait_timeout=60.0)
    (number,) = service.world.table(Ticket)
    assert error.message == (
        f"Growing the system disk of instance 'web' did not finish within 60 s (last seen: ticket {number}, 0 %)."
    )
    assert error.details == {"changed": True, "ticket": number}


def test_access_data_that_cannot_be_told(bench: Bench, service: Service) -> None:
    service.access = [{}] * 99
    assert has_changed(failed(bench, access_data=True))
    service.access = [{}] * 99
    told = bench.present(access_data=True)
    assert (told["changed"], told["access_data"]) == (False, None), "the instance was there"


def test_several_instances_of_which_one_fails_after_a_change(bench: Bench, service: Service) -> None:
    for name in ("web-1", "web-2"):
        service.add(name, type=35 if name == "web-1" else 34)
    strikes(service, {"start": [REFUSED, REFUSED]})
    told = bench.present(instances_count=2, type_id=35, private_networks=["backend"])
    assert told["failed"] is told["changed"] is True
    assert [(one["name"], one["changed"]) for one in told["failures"]] == [("web-1", False), ("web-2", True)]
    assert all("changed" not in one["error"] for one in told["failures"])


TEMPLATE: dict[str, t.Any] = {
    "template_name": "Web",
    "version": "1",
    "descriptions": [{"language": "English", "description": "all"}],
    "system_category": "Debian",
}
ACTS: dict[str, tuple[t.Any, dict[str, t.Any], str, str]] = {
    "reboot": (instance_acts.INSTANCE_POWER, {"action": "reboot"}, "reboot", "reboot"),
    "clone": (
        instance_acts.INSTANCE_CLONE,
        {"clone_name": "copy", "clone_type": "current_configuration"},
        "clone",
        "start",
    ),
    "convert": (instance_to_template.OPERATION, TEMPLATE, "convert", "start"),
}


@pytest.mark.parametrize("act", list(ACTS))
@pytest.mark.parametrize(("trouble", "changed"), [("refused", False), ("fails", False), ("hangs", True)])
def test_acts(bench: Bench, service: Service, act: str, trouble: str, changed: bool) -> None:
    operation, params, name, call = ACTS[act]
    service.add("web")
    if trouble == "refused":
        strikes(service, {call: [REFUSED]})
    elif trouble == "fails":
        service.fail(name)
    else:
        service.settings["ticket_seconds"] = 1e6
    with pytest.raises(errors.FcdError) as caught:
        bench.act(operation, name="web", wait_timeout=60.0, **params)
    kind = {"refused": errors.Rejected, "fails": errors.OperationFailed, "hangs": errors.WaitTimeout}[trouble]
    assert isinstance(caught.value, kind), caught.value
    assert has_changed(caught.value) is changed

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances that are to go."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Bench
from .in_process import Fault, Service


def test_an_instance_is_removed_and_waited_for(bench: Bench, service: Service) -> None:
    service.add("web")
    result = bench.run(name="web", state="absent")
    assert (result["changed"], result["action"], result["instance"], result["instances"]) == (True, "delete", None, [])
    assert result["diff"]["before"]["name"] == "web"
    assert result["diff"]["after"] == {}
    assert service.instances == {}
    assert ("delete_instance", (250001,), {"deep": False}) in service.calls
    assert bench.run(name="web", state="absent")["changed"] is False


@pytest.mark.parametrize("deep", [True, False])
def test_what_happens_to_the_disks_is_said_only_when_the_user_says_it(
    bench: Bench, service: Service, deep: bool
) -> None:
    service.add("web")
    bench.run(name="web", state="absent", delete_disks=deep)
    assert ("delete_instance", (250001,), {"deep": deep}) in service.calls


def test_by_number(bench: Bench, service: Service) -> None:
    number = service.add("web").id
    service.add("web")
    assert bench.run(id=number, state="absent")["changed"] is True
    assert bench.run(id=number, state="absent")["changed"] is False
    assert list(service.instances) == [250002]


def test_other_attributes_do_not_matter(bench: Bench, service: Service) -> None:
    service.add("web")
    assert bench.run(name="web", state="absent", subregion="Nowhere", type="odd")["changed"] is True


def test_without_wait_the_removal_is_started_only(bench: Bench, service: Service) -> None:
    service.add("web")
    before = service.clock.time
    assert bench.run(name="web", state="absent", wait=False)["ticket"] == 5_000_000_001
    assert service.clock.time == before
    assert service.instances
    assert bench.run(name="web", state="absent")["changed"] is False  # goes while this waits
    assert service.writes() == []
    assert service.instances == {}


def test_a_locked_instance_is_waited_for(bench: Bench, service: Service) -> None:
    instance = service.add("web")
    service.lock(instance)
    service.later(40, lambda: service.unlock(instance))
    assert bench.run(name="web", state="absent")["changed"] is True
    assert service.instances == {}


@pytest.mark.parametrize("after", [False, True])
def test_an_unclear_answer_is_settled_by_reading(bench: Bench, service: Service, after: bool) -> None:
    service.add("web")
    service.faults["delete_instance"] = [Fault(errors.Unclear("Reset."), after)]
    assert bench.run(name="web", state="absent")["changed"] is True
    assert service.instances == {}
    assert service.writes() == ["delete_instance"] * (1 if after else 2)


def test_an_instance_that_somebody_else_removed_meanwhile_is_gone(bench: Bench, service: Service) -> None:
    service.add("web")
    service.later(5, service.vanish)
    service.faults["delete_instance"] = [Fault(errors.Unclear("Reset."))] * 3
    service.faults["get_instance"] = [None, Fault(errors.Unclear("Reset."))]
    bench.run(name="web", state="absent")
    assert service.instances == {}


def test_a_refusal_for_missing_rights_is_told(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["delete_instance"] = [Fault(errors.Forbidden("The scope only reads.", status=403))]
    with pytest.raises(errors.Forbidden, match="only reads"):
        bench.run(name="web", state="absent")


def test_a_failed_removal_is_told(bench: Bench, service: Service) -> None:
    service.add("web")
    service.fail("delete")
    with pytest.raises(errors.OperationFailed, match="Removing instance 'web' failed"):
        bench.run(name="web", state="absent")


def test_check_mode_sends_nothing(bench: Bench, service: Service) -> None:
    service.add("web")
    result = bench.run(name="web", state="absent", check_mode=True)
    assert (result["changed"], result["action"], result["instance"]) == (True, "delete", None)
    assert result["diff"]["after"] == {}
    assert service.writes() == []

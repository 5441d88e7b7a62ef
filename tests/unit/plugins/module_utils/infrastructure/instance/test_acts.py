# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Acts: restart, clone, convert to a template."""

from __future__ import annotations

import dataclasses
import typing as t

import pytest
from sandbox.rest.models import Subregion, Template

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import (
    instance_acts,
    instance_to_template,
)

from .conftest import Bench
from .in_process import Fault, Service

OFF = {"Status": {"Id": 87, "Label": "Powered Off"}}
REBOOT: dict[str, t.Any] = {"name": "web", "action": "reboot"}
CLONE: dict[str, t.Any] = {"name": "web", "clone_name": "copy", "clone_type": "current_configuration"}
CONVERT: dict[str, t.Any] = {
    "name": "web",
    "template_name": "Web",
    "version": "1",
    "descriptions": [{"language": "English", "description": "all"}, {"language": "1", "description": "wszystko"}],
    "system_category": "Debian",
}
ACTS: dict[str, tuple[Operation, str, dict[str, t.Any]]] = {
    "reboot": (instance_acts.INSTANCE_POWER, "reboot", REBOOT),
    "reset": (instance_acts.INSTANCE_POWER, "reset", {**REBOOT, "action": "reset"}),
    "clone": (instance_acts.INSTANCE_CLONE, "start", CLONE),
    "convert": (instance_to_template.OPERATION, "start", CONVERT),
}


@pytest.mark.parametrize("act", ACTS)
def test_it_is_done_and_waited_for(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    operation, method, params = ACTS[act]
    foreseen = bench.act(operation, **params, check_mode=True)
    assert (foreseen["changed"], foreseen["ticket"]) == (True, None)
    assert service.writes() == []
    start = service.clock.time
    result = bench.act(operation, **params)
    assert (result["changed"], result["ticket"]) == (True, 5_000_000_001)
    assert service.writes() == [method]
    assert service.clock.time - start >= service.settings["ticket_seconds"]
    for one in service.instances.values():
        assert one.lock.since is None


@pytest.mark.parametrize("act", ACTS)
def test_without_wait_it_is_started_only(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    operation, method, params = ACTS[act]
    start = service.clock.time
    result = bench.act(operation, **params, wait=False)
    assert service.clock.time == start
    assert (result["changed"], result["ticket"]) == (True, 5_000_000_001)
    assert service.writes() == [method]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("given", [{"name": "nothing"}, {"name": None, "id": 7}])
def test_an_instance_that_is_not_there_is_told(
    bench: Bench, service: Service, act: str, given: dict[str, t.Any]
) -> None:
    operation, _method, params = ACTS[act]
    with pytest.raises(errors.InvalidInput, match=r"there is no instance '(nothing|7)'\. Check"):
        bench.act(operation, **{**params, **given})


@pytest.mark.parametrize("act", ACTS)
def test_two_of_one_name_are_an_error(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    service.add("web")
    operation, _method, params = ACTS[act]
    with pytest.raises(errors.Ambiguous, match="250001, 250002"):
        bench.act(operation, **params)
    assert bench.act(operation, **{**params, "name": None, "id": 250002})["changed"] is True


@pytest.mark.parametrize("act", ACTS)
def test_a_locked_instance_is_waited_for(bench: Bench, service: Service, act: str) -> None:
    instance = service.add("web")
    service.lock(instance)
    service.later(50, lambda: service.unlock(instance))
    operation, method, params = ACTS[act]
    assert bench.act(operation, **params)["changed"] is True
    assert service.writes() == [method]


@pytest.mark.parametrize("act", ACTS)
def test_a_lock_that_comes_between_is_waited_out(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    operation, method, params = ACTS[act]
    service.faults[method] = [Fault(errors.Conflict("Locked.", status=409))]
    assert bench.act(operation, **params)["changed"] is True
    assert service.writes() == [method] * 2
    service.world.table(Template).pop(60101, None)
    service.add("web" if act == "convert" else "other")
    service.faults[method] = [Fault(errors.Conflict("Locked.", status=409))] * 9
    with pytest.raises(errors.Conflict, match=r"Locked\."):
        bench.act(operation, **{**params, **({"clone_name": "second"} if act == "clone" else {})})


@pytest.mark.parametrize("act", ACTS)
def test_a_ticket_that_fails(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    service.fail(act)
    operation, _method, params = ACTS[act]
    with pytest.raises(errors.OperationFailed, match="ended with an error"):
        bench.act(operation, **params)


@pytest.mark.parametrize("act", ACTS)
def test_a_ticket_that_never_ends(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    service.settings["ticket_seconds"] = 1e9
    operation, _method, params = ACTS[act]
    start = service.clock.time
    with pytest.raises(errors.WaitTimeout, match="did not finish within 100 s"):
        bench.act(operation, **params, wait_timeout=100.0)
    assert service.clock.time - start == pytest.approx(100)


@pytest.mark.parametrize("act", ACTS)
def test_a_ticket_that_vanishes(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    service.settings["lost_tickets"] = "."
    operation, method, params = ACTS[act]
    assert bench.act(operation, **params)["changed"] is True
    assert service.writes() == [method]


@pytest.mark.parametrize("act", ACTS)
def test_an_answer_that_is_unclear_does_not_do_it_twice(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    operation, method, params = ACTS[act]
    service.faults[method] = [Fault(errors.Unclear("Reset."), after=True)]
    assert bench.act(operation, **params)["changed"] is True
    assert service.writes() == [method]


@pytest.mark.parametrize("act", ["reboot", "clone"])
def test_one_that_had_no_effect_is_told(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    operation, method, params = ACTS[act]
    service.faults[method] = [Fault(errors.Unclear("Reset."))]
    with pytest.raises(errors.CannotDetermine, match=r"Reset\."):
        bench.act(operation, **params)
    assert service.writes() == [method]
    if act == "clone":
        with pytest.raises(errors.CannotDetermine, match="This task has sent nothing"):
            bench.act(operation, **params)
        params = {**params, "force_create": True}
    assert bench.act(operation, **params)["changed"] is True


def test_a_restart_that_ended_at_once_is_known_by_its_ticket(bench: Bench, service: Service) -> None:
    service.add("web")
    service.settings["ticket_seconds"] = 0.0
    service.faults["reboot"] = [Fault(errors.Unclear("Reset."), after=True)]
    assert bench.act(instance_acts.INSTANCE_POWER, **REBOOT)["ticket"] == 5_000_000_001


@pytest.mark.parametrize("action", ["reboot", "reset"])
def test_the_ticket_of_an_earlier_restart_tells_nothing_of_the_next(
    bench: Bench, service: Service, action: str
) -> None:
    service.add("web")
    bench.act(instance_acts.INSTANCE_POWER, name="web", action=action)
    service.faults[action] = [Fault(errors.Unclear("Reset."))]
    with pytest.raises(errors.CannotDetermine, match=r"it is not known whether it was done"):
        bench.act(instance_acts.INSTANCE_POWER, name="web", action=action)


@pytest.mark.parametrize("wait", [True, False])
@pytest.mark.parametrize("between", ["power_off", "reset"])
def test_another_operation_that_came_between_does_not_stand_in_for_a_restart(
    bench: Bench, service: Service, between: str, wait: bool
) -> None:
    number = service.add("web").id

    def taken_by_another(_number: int) -> t.Any:
        getattr(service, between)(number)
        raise errors.Unclear("Reset.")

    service.reboot = taken_by_another  # type: ignore[method-assign]
    with pytest.raises(errors.CannotDetermine, match=r"it is not known whether it was done \(Reset\.\)"):
        bench.act(instance_acts.INSTANCE_POWER, **REBOOT, wait=wait)


def test_a_restart_of_another_while_the_lock_is_waited_for_does_not_stand_in_for_ours(
    bench: Bench, service: Service
) -> None:
    number, reboot = service.add("web").id, service.reboot
    answers: list[t.Callable[[], t.Any]] = [lambda: reboot(number), lambda: None]
    refusals: list[errors.FcdError] = [errors.Conflict("Locked.", status=409), errors.Unclear("Reset.")]

    def refused(_number: int) -> t.Any:
        answers.pop(0)()
        raise refusals.pop(0)

    service.reboot = refused  # type: ignore[method-assign]
    with pytest.raises(errors.CannotDetermine):
        bench.act(instance_acts.INSTANCE_POWER, **REBOOT)


def test_a_ticket_that_is_listed_late_is_waited_for(bench: Bench, service: Service) -> None:
    service.add("web")
    listed = service.list_tickets
    start = service.clock.time

    def late(creation_date_from: str | None = None) -> t.Any:
        return listed(creation_date_from) if service.clock.time > start + 10 else []

    service.list_tickets = late  # type: ignore[method-assign]
    service.faults["reboot"] = [Fault(errors.Unclear("Reset."), after=True)]
    assert bench.act(instance_acts.INSTANCE_POWER, **REBOOT)["ticket"] == 5_000_000_001


@pytest.mark.parametrize("act", ACTS)
def test_a_redirect_may_come_after_it_was_done(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    operation, method, params = ACTS[act]
    redirect = errors.Unusable("Redirected.", redirect="https://other.example.com")
    service.faults[method] = [Fault(redirect, after=True)]
    assert bench.act(operation, **params)["changed"] is True
    assert service.writes() == [method]


@pytest.mark.parametrize("act", ["reboot", "reset", "clone"])  # a template that is not there is asked for again
def test_a_redirect_of_what_was_not_done_is_told(bench: Bench, service: Service, act: str) -> None:
    service.add("web")
    operation, method, params = ACTS[act]
    service.faults[method] = [Fault(errors.Unusable("Redirected.", redirect="https://other.example.com"))]
    with pytest.raises(errors.CannotDetermine, match="Redirected") as told:
        bench.act(operation, **params)
    assert errors.has_changed(told.value)
    assert service.writes() == [method]


@pytest.mark.parametrize("action", ["reboot", "reset"])
def test_what_is_powered_off_cannot_be_restarted(bench: Bench, service: Service, action: str) -> None:
    service.add("web", **OFF)
    for check_mode in (True, False):
        with pytest.raises(errors.InvalidInput, match="'web' is powered off, so there is nothing to restart"):
            bench.act(instance_acts.INSTANCE_POWER, name="web", action=action, check_mode=check_mode)
    assert service.writes() == []


def test_one_that_disappears_is_told(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["get_instance"] = [None]

    def vanished(number: int) -> t.Any:
        service.vanish()
        raise errors.Forbidden("None.", status=403)

    service.reboot = vanished  # type: ignore[method-assign]
    with pytest.raises(errors.OperationFailed, match="instance 250001 no longer exists"):
        bench.act(instance_acts.INSTANCE_POWER, **REBOOT)


# ---------------------------------------------------------------- clone


@pytest.mark.parametrize("tells_source", [False, True])
@pytest.mark.parametrize("hidden", [0.0, 25.0])
@pytest.mark.parametrize("power_on", [True, False, None])
def test_the_clone_is_found(
    bench: Bench, service: Service, tells_source: bool, hidden: float, power_on: bool | None
) -> None:
    service.add("web")
    service.settings["copied_object_id"] = "source" if tells_source else "null"
    service.settings["visibility_delay"] = hidden
    result = bench.act(instance_acts.INSTANCE_CLONE, **CLONE, power_on=power_on)
    assert (result["action"], result["instance"]["name"]) == ("create", "copy")
    assert result["instance"]["status"]["label"] == ("Powered On" if power_on else "Powered Off")
    assert result["diff"]["before"] == {}
    assert result["diff"]["after"]["id"] == result["instance"]["id"] == 250002
    again = bench.act(instance_acts.INSTANCE_CLONE, **CLONE)
    assert (again["changed"], again["instance"]["id"]) == (False, 250002)
    assert service.writes() == []


def test_the_body_of_a_clone(bench: Bench, service: Service) -> None:
    service.add("web")
    bench.act(
        instance_acts.INSTANCE_CLONE, **{**CLONE, "clone_type": "new_configuration"}, subregion="EU-002", power_on=False
    )
    sent = next(kwargs["json"] for name, _args, kwargs in service.calls if name == "start")
    assert sent == {"CloneName": "copy", "CloneType": 869, "SubregionId": 4, "PowerOn": False}
    bench.act(instance_acts.INSTANCE_CLONE, **{**CLONE, "clone_name": "third"})
    sent = next(kwargs["json"] for name, _args, kwargs in service.calls if name == "start")
    assert sent == {"CloneName": "third", "CloneType": 870}


def test_a_clone_that_is_started_is_not_started_again(bench: Bench, service: Service) -> None:
    service.add("web")
    service.settings["visibility_delay"] = 40.0
    bench.act(instance_acts.INSTANCE_CLONE, **CLONE, wait=False)
    result = bench.act(instance_acts.INSTANCE_CLONE, **CLONE, wait=False)
    assert (result["changed"], service.writes()) == (False, [])
    service.settings["visibility_delay"] = 0.0
    service.clock.sleep(60)
    assert bench.run(name="copy")["instance"]["status"]["label"] == "Powered Off"


def test_a_kill_in_the_middle_of_a_clone_does_not_lead_to_a_second(bench: Bench, service: Service) -> None:
    service.add("web")
    service.settings["visibility_delay"] = 20.0
    service.faults["get_ticket"] = [Fault(KeyboardInterrupt())]  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        bench.act(instance_acts.INSTANCE_CLONE, **CLONE)
    assert bench.act(instance_acts.INSTANCE_CLONE, **CLONE)["changed"] is False
    assert len(service.instances) == 2


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"clone_name": "a/b"}, "clone_name: 'a/b' contains one of the characters"),
        ({"clone_name": ""}, "clone_name: '' has 0 characters"),
        ({"subregion": "Mars"}, "there is no 'Mars' among the subregions"),
        ({"subregion_id": 4}, r"EU-002 \(4\) is not active"),
        ({"clone_name": "web"}, "clone_name: 'web' is the name of the source instance"),
        ({"clone_name": "web", "name": None, "id": 250001}, "clone_name: 'web' is the name of the source instance"),
    ],
)
def test_what_cannot_be_cloned(bench: Bench, service: Service, wrong: dict[str, t.Any], says: str) -> None:
    service.add("web")
    service.world.table(Subregion)[4].active = False
    with pytest.raises(errors.InvalidInput, match=says):
        bench.act(instance_acts.INSTANCE_CLONE, **{**CLONE, **wrong})
    assert service.writes() == []


# ---------------------------------------------------------------- template


def test_the_body_of_a_conversion(bench: Bench, service: Service) -> None:
    service.add("web")
    given = {"minimum_type": "v1.standard-4.4", "default_type_id": 34}
    result = bench.act(instance_to_template.OPERATION, **CONVERT, **given)
    assert service.converted == [
        {
            "TemplateName": "Web",
            "TemplateDescriptions": [
                {"LanguageId": 2, "Description": "all"},
                {"LanguageId": 1, "Description": "wszystko"},
            ],
            "TemplateVersion": "1",
            "TemplateSystemCategoryId": 1272,
            "TemplateDefaultTypeId": 34,
            "TemplateMinimumTypeId": 35,
        }
    ]
    assert result["template"] == {"id": 60101, "name": "Web", "version": "1"}
    assert service.instances == {}
    again = bench.act(instance_to_template.OPERATION, **CONVERT)
    assert (again["changed"], again["template"]["id"]) == (False, 60101)
    assert service.writes() == []


def test_a_filter_that_finds_nothing_hides_no_template(bench: Bench, service: Service) -> None:
    """What it compares with is not known."""
    real = service.list_templates
    service.list_templates = lambda **filters: [] if filters.get("query") else real(**filters)
    service.add("web")
    made = bench.act(instance_to_template.OPERATION, **CONVERT)
    again = bench.act(instance_to_template.OPERATION, **CONVERT)
    assert (again["changed"], again["template"]) == (False, made["template"])


def test_the_older_line_needs_to_know_that_nothing_is_initialized(bench: Bench, service: Service) -> None:
    service.add("web")
    service.settings["line"] = "D1"
    bench.act(instance_to_template.OPERATION, **CONVERT)
    assert service.converted[0]["TemplateWithInitialization"] is False
    assert "read_one" not in service.names()


def test_a_language_without_a_description_gets_the_first_one(bench: Bench, service: Service) -> None:
    service.add("web")
    bench.act(instance_to_template.OPERATION, **{**CONVERT, "descriptions": CONVERT["descriptions"][:1]})
    assert service.converted[0]["TemplateDescriptions"] == [
        {"LanguageId": 2, "Description": "all"},
        {"LanguageId": 1, "Description": "all"},
    ]


def test_what_only_some_templates_have(bench: Bench, service: Service) -> None:
    service.add("web")
    bench.act(instance_to_template.OPERATION, **CONVERT, windows_type="701", support_password="s3cret")
    body = service.converted[0]
    assert (body["TemplateWindowsTypeId"], body["TechSupportPassword"]) == (701, "s3cret")
    assert "TemplateWithInitialization" not in body


def test_the_service_tells_which_template_was_made_of_it(bench: Bench, service: Service) -> None:
    """Another one of that name and version may have been made at the same time."""
    service.add("web")
    real, told = service.read_one, {"Id": 650000, "Name": "Web", "Version": None}
    service.read_one = lambda what, path: told if path.endswith("/template") else real(what, path)
    made = bench.act(instance_to_template.OPERATION, **CONVERT)["template"]
    assert made == {"id": 650000, "name": "Web", "version": None}


def test_what_is_not_given_is_that_of_the_instance(bench: Bench, service: Service) -> None:
    service.add("web", SystemCategory={"Id": 1278, "Label": "CentOS"})
    bench.act(instance_to_template.OPERATION, **{**CONVERT, "system_category": None})
    body = service.converted[0]
    assert [body[f"Template{name}Id"] for name in ("SystemCategory", "DefaultType", "MinimumType")] == [1278, 34, 34]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"template_name": ""}, "template_name: it must have 1 to 300 characters"),
        ({"template_name": "  "}, "template_name: the text is empty"),
        ({"version": ""}, "version: the text is empty"),
        ({"descriptions": [{"language": "1", "description": " "}]}, "description: the text is empty"),
        ({"descriptions": []}, "descriptions: at least one is needed"),
        ({"system_category": None}, "system_category: the service does not return it"),
        ({"system_category": "Debain"}, "Did you mean 'Debian'"),
        ({"minimum_type": "v1.standard-4.44"}, "minimum_type: there is no .* Did you mean 'v1.standard-4.4'"),
        ({"descriptions": [{"language": "Englisch", "description": "x"}]}, "language: there is no 'Englisch'"),
    ],
)
def test_what_cannot_be_converted(bench: Bench, service: Service, wrong: dict[str, t.Any], says: str) -> None:
    service.add("web", SystemCategory=None)
    with pytest.raises(errors.InvalidInput, match=says):
        bench.act(instance_to_template.OPERATION, **{**CONVERT, **wrong})
    assert service.writes() == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_second_template_of_the_name_and_version_is_not_made(
    bench: Bench, service: Service, check_mode: bool
) -> None:
    service.add("web")
    template = dataclasses.replace(service.world.table(Template)[60001], id=650001, name="Web", version="1")
    service.world.table(Template)[650001] = template
    with pytest.raises(errors.InvalidInput, match=r"of version '1': 650001\. The instance was left unchanged"):
        bench.act(instance_to_template.OPERATION, **CONVERT, check_mode=check_mode)
    assert service.writes() == []
    assert bench.act(instance_to_template.OPERATION, **{**CONVERT, "version": "2"})["changed"] is True


def test_a_conversion_that_another_run_has_started_is_not_started_again(bench: Bench, service: Service) -> None:
    service.add("web")
    bench.act(instance_to_template.OPERATION, **CONVERT, wait=False)
    result = bench.act(instance_to_template.OPERATION, **CONVERT)
    assert (result["changed"], result["template"]["id"], service.writes()) == (False, 60101, [])

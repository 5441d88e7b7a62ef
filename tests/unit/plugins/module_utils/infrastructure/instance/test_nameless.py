# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""References have a number and no name: a name that is given is compared with what bears the number, and costs nothing.

Templates 60001 and 60002 are both called Golden image.
"""

from __future__ import annotations

import typing as t

import pytest
from sandbox.rest.models import Template

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Bench
from .in_process import Fault, Service

WISH: dict[str, t.Any] = {"name": "web", "subregion": "EU-001", "type": "v1.standard-2.2", "recreate": True}


@pytest.mark.parametrize("template", [60001, 60002])
@pytest.mark.parametrize("given", ["Golden image", "golden image"])
@pytest.mark.parametrize("check_mode", [True, False])
def test_any_template_of_the_name_is_as_desired(
    bench: Bench, service: Service, template: int, given: str, check_mode: bool
) -> None:
    service.add("web", Template={"Id": template})
    result = bench.run(**WISH, template=given, check_mode=check_mode)
    assert (result["changed"], service.writes()) == (False, [])
    assert result["instance"]["template"] == {"id": template, "label": "Golden image"}
    assert result["instance"]["subregion"] == {"id": 1, "label": "EU-001"}


def test_a_version_that_was_removed_does_not_cost_the_instance(bench: Bench, service: Service) -> None:
    number = service.add("web", template=60001).id
    del service.world.table(Template)[60001]
    result = bench.run(**WISH, template="Golden image")  # which is 60002 alone now
    assert (result["changed"], service.writes(), list(service.instances)) == (False, [], [number])
    assert result["instance"]["template"] == {"id": 60001, "label": None}
    assert bench.warnings == [
        (
            "template: the service does not (or no longer) list template 60001, so it is not compared with "
            "'Golden image'. Give template_id to have the IDs compared."
        )
    ]


def test_nor_does_a_template_that_nobody_may_read(bench: Bench, service: Service) -> None:
    service.add("web", template=60001)
    service.faults["read_one"] = [Fault(errors.Forbidden("Not for you.", status=403))]
    assert bench.run(**WISH, template="CentOS 7")["changed"] is False
    assert service.writes() == []


def test_nor_does_a_failure_to_read_it(bench: Bench, service: Service) -> None:
    service.add("web", template=60001)
    service.faults["read_one"] = [Fault(errors.ServiceError("HTTP 304", status=304))]
    with pytest.raises(errors.ServiceError, match="304"):
        bench.run(**WISH, template="CentOS 7")
    assert service.writes() == []


@pytest.mark.parametrize("listed", [True, False])
def test_nor_does_a_subregion_without_a_name(bench: Bench, service: Service, listed: bool) -> None:
    service.add("web", Subregion={"Id": 9})
    if not listed:
        service.faults["list_subregions"] = [Fault(errors.Forbidden("Not for you.", status=403))]
    result = bench.run(**{**WISH, "template_id": 60001, "subregion": "EU-001"})
    assert (result["changed"], service.writes()) == (False, [])
    assert "subregion: the service does not (or no longer) list subregion 9" in bench.warnings[0]


def test_what_is_known_to_be_another_is_made_anew(bench: Bench, service: Service) -> None:
    service.add("web", template=60001)
    with pytest.raises(errors.ImmutableChange, match=r"template is Golden image \(60001\), wanted CentOS 7 \(767\)"):
        bench.run(**{**WISH, "recreate": False}, template="CentOS 7")
    assert bench.run(**WISH, template="CentOS 7")["action"] == "replace"


def test_a_number_is_compared_with_a_number(bench: Bench, service: Service) -> None:
    service.add("web", template=60001)
    del service.world.table(Template)[60001]
    assert bench.run(**WISH, template_id=60001)["changed"] is False
    with pytest.raises(errors.ImmutableChange, match="template is 60001, wanted 60002"):
        bench.run(**{**WISH, "recreate": False}, template_id=60002)


def test_a_name_that_stands_for_nothing_is_an_error(bench: Bench, service: Service) -> None:
    service.add("web", template=60001)
    with pytest.raises(errors.InvalidInput, match="there is no 'Fedora' among the templates"):
        bench.run(**WISH, template="Fedora")


NULLS = {
    "LockingDate": None,
    "HealthCheck": None,
    "SupportType": None,
    "TotalDisksCapacity": None,
    "CpuNumber": None,
    "RamMb": None,
    "DnsAddress": None,
    "CreationUser": None,
    "IsLocked": None,
    "VmWareToolsStatus": None,
    "Younger": {"Id": 5, "Inside": [None]},
}


def test_null_is_nothing_and_more_members_are_nothing(bench: Bench, service: Service) -> None:
    service.add("web", **NULLS)
    result = bench.run(**WISH, template="Golden image", state="started", isfreemium=False, disk_class="48")
    assert (result["changed"], bench.warnings) == (False, [])
    assert "Younger" not in str(result)


@pytest.mark.parametrize(
    ("member", "given", "option"),
    [
        ("Template", {"template": "CentOS 7"}, "template"),
        ("Template", {"template_id": 767}, "template"),
        ("Subregion", {"subregion_id": 4}, "subregion"),
        ("IsFreemium", {"isfreemium": True}, "isfreemium"),
    ],
)
def test_what_the_service_does_not_tell_is_not_changed(
    bench: Bench, service: Service, member: str, given: dict[str, t.Any], option: str
) -> None:
    service.add("web", **{member: None})
    plain = {"template_id": 60001, "subregion_id": 1, "type_id": 34}
    left = {name: value for name, value in plain.items() if name != f"{option}_id"}
    result = bench.run(name="web", recreate=True, **{**left, **given})
    assert (result["changed"], service.writes()) == (False, [])
    assert bench.warnings == [f"The service does not return {option} of instance 'web': not compared."]


def test_an_instance_whose_type_nobody_tells_is_not_made_anew_with_another(bench: Bench, service: Service) -> None:
    service.add("web", Type=None)
    wish = {"name": "web", "subregion": "EU-001", "template": "CentOS 7", "recreate": True}
    with pytest.raises(errors.InvalidInput, match="does not return the type of instance 'web'"):
        bench.run(**wish)
    assert service.writes() == []
    assert bench.run(**wish, type="v1.standard-2.2")["action"] == "replace"


def test_check_mode_names_nothing_that_has_no_list(bench: Bench, service: Service) -> None:
    service.add("web", HealthCheck={"Id": 7})
    result = bench.present(type_id=35, check_mode=True)
    assert result["instance"]["health_check"] == {"id": 7, "label": None}
    assert result["instance"]["type"]["label"] == "v1.standard-4.4"

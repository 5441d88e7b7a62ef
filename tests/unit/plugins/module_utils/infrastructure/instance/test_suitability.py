# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service would refuse is told before anything is sent, for one request each."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.rest.models import Subregion

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Bench
from .in_process import Fault, Service

LARGE = {"MinimumInstanceType": {"Id": 35, "Label": "v1.standard-4.4"}}


def test_a_subregion_that_is_not_active(bench: Bench, service: Service) -> None:
    service.world.table(Subregion)[4].active = False
    with pytest.raises(errors.InvalidInput, match=r"subregion: EU-002 \(4\) is not active. Active are: EU-001."):
        bench.present(subregion_id=4)
    assert service.writes() == []
    service.add("web", subregion=4)
    assert bench.present(subregion_id=4)["changed"] is False  # what is there may stay


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("given", [{"type_id": 34}, {"type_id": None, "type": "v1.standard-2.2"}])
def test_a_type_that_is_too_small(bench: Bench, service: Service, there: bool, given: dict[str, t.Any]) -> None:
    service.odd[60001] = LARGE
    if there:
        service.add("web", type=35)
    with pytest.raises(errors.InvalidInput) as caught:
        bench.present(**given)
    assert str(caught.value) == (
        "type: v1.standard-2.2 (34) has 2 CPU and 2048 MB, and template Golden image (60001) needs 4 CPU and 4096 MB "
        "or more. Give 'v1.standard-4.4' or a larger one."
    )
    assert service.writes() == []
    assert service.names().count("list_instance_types") == service.names().count("read_one") == 1


def test_in_check_mode_too(bench: Bench, service: Service) -> None:
    service.odd[60001] = LARGE
    with pytest.raises(errors.InvalidInput, match="needs 4 CPU"):
        bench.present(check_mode=True)


def test_for_several_instances_each_list_is_read_once(bench: Bench, service: Service) -> None:
    bench.present(instances_count=5)
    for name in ("list_instance_types", "read_one", "list_subregions"):
        assert service.names().count(name) == 1


@pytest.mark.parametrize("refused", ["list_instance_types", "read_one", "list_subregions"])
def test_what_must_not_be_read_is_left_to_the_service(bench: Bench, service: Service, refused: str) -> None:
    service.odd[60001] = LARGE
    service.faults[refused] = [Fault(errors.Forbidden("Not for you.", status=403))]
    given = {"type_id": 35} if refused == "list_subregions" else {}
    assert bench.present(**given)["changed"] is True


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"type_id": 99}, "type: the service does not list 99. Check the ID"),
        ({"subregion_id": 9}, "subregion: the service does not list 9."),
        ({"template_id": 599}, "template: the service does not list 599."),
        ({"template_id": 599, "type_id": None}, "template: the service does not list 599."),
    ],
)
def test_what_the_lists_do_not_have(
    bench: Bench, service: Service, given: dict[str, t.Any], said: str, check_mode: bool
) -> None:
    with pytest.raises(errors.InvalidInput, match=said):
        bench.present(**given, check_mode=check_mode)
    assert service.writes() == []


def test_a_template_that_is_told_of_and_not_listed_is_left_to_the_service(bench: Bench, service: Service) -> None:
    service.list_templates = lambda source=None, query=None: []  # type: ignore[method-assign, assignment, misc]
    service.odd[60001] = {}
    assert bench.present(check_mode=True)["changed"] is True


def test_a_list_that_is_refused_is_asked_for_once(bench: Bench, service: Service) -> None:
    service.faults["list_instance_types"] = [Fault(errors.Forbidden("Not for you.", status=403))] * 9
    assert bench.present(check_mode=True)["changed"] is True
    assert service.names().count("list_instance_types") == 1

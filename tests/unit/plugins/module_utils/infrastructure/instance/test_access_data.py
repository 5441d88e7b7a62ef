# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first password: on request, as a secret, and it may come late."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance import OPERATION

from .conftest import Bench
from .in_process import Fault, Service

PASSWORD = "tamarack-bittern-7"
TOLD = {"Password": PASSWORD, "SshKeys": [{"Id": 31001, "Name": "operations", "Value": "ssh-ed25519 AAAA"}]}


@pytest.mark.parametrize("late", [[], [None], [{}, {"Password": None, "SshKeys": []}]])
def test_it_is_waited_for(bench: Bench, service: Service, late: list[object]) -> None:
    service.access = [*late, TOLD]
    result = bench.present(access_data=True)
    assert result["access_data"] == {
        "password": PASSWORD,
        "ssh_keys": [{"id": 31001, "name": "operations", "public_key": "ssh-ed25519 AAAA"}],
    }
    without = {name: value for name, value in result.items() if name != "access_data"}
    assert PASSWORD not in str(without)
    assert PASSWORD not in str(bench.told + bench.warnings)
    assert callable(OPERATION.returns_secrets)
    assert OPERATION.returns_secrets(result) is True
    assert OPERATION.returns_secrets(without) is False


def test_keys_without_a_password_will_do(bench: Bench, service: Service) -> None:
    service.add("web")
    service.access = [{"Password": None, "SshKeys": [{"Id": 1, "Name": "a", "Value": "b"}]}]
    result = bench.present(access_data=True)
    assert result["changed"] is False
    assert result["access_data"]["password"] is None
    assert service.names() == ["list_instances", "list_subregions", "read_json"]


def test_when_it_never_comes_that_is_told(bench: Bench, service: Service) -> None:
    service.access = [None] * 999
    start = service.clock.time
    with pytest.raises(errors.WaitTimeout, match=r"has no data yet\)\. The instance itself is ready"):
        bench.present(access_data=True)
    assert service.clock.time - start >= 300


def test_of_an_older_instance_there_may_never_be_more(bench: Bench, service: Service) -> None:
    """The service may show a password only once."""
    service.add("web")
    service.access = [None] * 9
    start = service.clock.time
    assert bench.present(access_data=True)["access_data"] is None
    assert service.clock.time == start


def test_without_wait_nothing_is_waited_for(bench: Bench, service: Service) -> None:
    service.add("web")
    service.access = [None, None, TOLD]
    assert bench.present(access_data=True, wait=False)["access_data"] is None
    assert bench.present(access_data=True, check_mode=True)["access_data"] is None
    assert bench.present(access_data=True, check_mode=True)["access_data"]["password"] == PASSWORD


def test_an_instance_that_is_not_there_has_none(bench: Bench, service: Service) -> None:
    assert bench.present(access_data=True, check_mode=True)["access_data"] is None
    assert bench.run(name="web", state="absent", access_data=True)["access_data"] is None
    assert "read_json" not in service.names()


def test_only_on_request(bench: Bench, service: Service) -> None:
    service.add("web")
    assert "access_data" not in bench.present()


def test_missing_rights_are_told(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["read_json"] = [Fault(errors.Forbidden("Not for you.", status=403))]
    with pytest.raises(errors.Forbidden):
        bench.present(access_data=True)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances that are made on the older line of the interface, which knows less of them."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Bench
from .in_process import Service


def created(service: Service) -> dict[str, t.Any]:
    """Return the body of the create."""
    body: dict[str, t.Any] = next(args[0] for name, args, _kwargs in service.calls if name == "create_instance")
    return body


@pytest.mark.parametrize("older", [True, False])
def test_networks_are_attached_afterwards(bench: Bench, service: Service, older: bool) -> None:
    service.settings["line"] = "D1" if older else "D2"
    result = bench.present(private_networks=["backend"])
    assert [one["id"] for one in result["instance"]["private_networks"]] == [41001]
    assert ("OpnsIds" in created(service)) is not older
    assert service.instances[result["instance"]["id"]].networks == [41001]
    assert bench.present(private_networks=["backend"])["changed"] is False


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(
    "given", [{"init_script": "#cloud-config"}, {"without_public_ip": True, "private_networks": ["backend"]}]
)
def test_what_cannot_be_done_is_refused(
    bench: Bench, service: Service, given: dict[str, t.Any], check_mode: bool
) -> None:
    service.settings["line"] = "D1"
    option = next(iter(given))
    with pytest.raises(errors.InvalidInput, match=f"^{option}: the service runs version 2020 of the interface") as told:
        bench.present(**given, check_mode=check_mode)
    assert "set api_version to 2023" in str(told.value)
    assert service.writes() == []
    service.settings["line"] = "D2"
    assert bench.present(**given, check_mode=check_mode)["action"] == "create"


def test_an_instance_is_not_removed_for_one_that_cannot_be_made(bench: Bench, service: Service) -> None:
    number = bench.present()["instance"]["id"]
    service.settings["line"] = "D1"
    with pytest.raises(errors.InvalidInput, match=r"^init_script: the service runs version 2020"):
        bench.present(template_id=502, recreate=True, init_script="#cloud-config")
    assert service.writes() == []
    assert list(service.instances) == [number]


def test_an_instance_that_is_there_is_no_reason_to_ask(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.present()

    def asked() -> bool:
        raise AssertionError("the line is asked for")

    monkeypatch.setattr(service, "is_older_line", asked)
    assert bench.present(init_script="#cloud-config", private_networks=["backend"])["action"] == "update"
    assert bench.present(name="db")["action"] == "create"

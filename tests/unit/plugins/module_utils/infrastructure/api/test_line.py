# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which line of the interface the service runs: a setting, or asked once, where somebody wants to know."""

from __future__ import annotations

import copy
import typing as t

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

from .conftest import BASE, Bearer


@pytest.mark.parametrize(("status", "older"), [(200, False), (403, False), (404, True), (405, False)])
def test_the_service_is_asked_once(status: int, older: bool, exchange: Exchange, net: responses.RequestsMock) -> None:
    net.get(f"{BASE}/floating_ips?pageSize=1", status=status, json={"Items": [], "Meta": {"Total": 0}})
    api = Infrastructure(exchange, BASE, Bearer())
    assert len(net.calls) == 0
    assert [one.is_older_line() for one in (api, api, copy.copy(api))] == [older] * 3
    assert len(net.calls) == 1


@pytest.mark.parametrize("status", [400, 401, 500])
def test_another_error_tells_nothing(status: int, exchange: Exchange, net: responses.RequestsMock) -> None:
    net.get(f"{BASE}/floating_ips?pageSize=1", status=status, json={"Message": "No."})
    with pytest.raises(errors.ServiceError, match="Find out the version of the interface: HTTP"):
        Infrastructure(exchange, BASE, Bearer()).is_older_line()


@pytest.mark.parametrize(("given", "older"), [("2020", True), ("2023", False)])
def test_a_setting_is_believed(given: str, older: bool, exchange: Exchange) -> None:
    assert Infrastructure(exchange, BASE, Bearer(), given).is_older_line() is older


@pytest.mark.parametrize(("method", "kind"), [("GET", errors.NotOffered), ("DELETE", errors.Rejected)])
def test_a_verb_that_a_path_does_not_have(
    method: str, kind: type[errors.FcdError], exchange: Exchange, net: responses.RequestsMock
) -> None:
    net.add(method, BASE + "/opns/5", status=405)
    api = Infrastructure(exchange, BASE, Bearer())
    call: t.Callable[[], t.Any] = (
        (lambda: api.read_one("Read", "/opns/5"))
        if method == "GET"
        else (lambda: api.change_silently("Remove", method, "/opns/5"))
    )
    with pytest.raises(errors.Rejected) as caught:
        call()
    assert type(caught.value) is kind
    assert isinstance(caught.value, errors.NotFound) is (method == "GET")

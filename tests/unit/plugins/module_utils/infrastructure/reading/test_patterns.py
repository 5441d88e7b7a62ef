# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names with wildcards: readers take them, modules that change take them as they are."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure import private_network, ssh_key
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.offers import SUBREGIONS

from .conftest import Account


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("web-*", ["web-1", "web-2"]),
        ("w*-?", ["web-1", "web-2"]),
        ("web-[13]", ["web-1"]),
        ("Web*", []),
        ("d?", ["db"]),
    ],
)
def test_networks(account: Account, pattern: str, found: list[str]) -> None:
    for name in ("web-1", "web-2", "db"):
        account.api().create_network(name)
    told = account.read(private_network.INFO, name=pattern)
    assert sorted(one["name"] for one in told["private_networks"]) == found
    lists = [one for one in account.sandbox.requests() if one["service"] == "rest" and one["method"] == "GET"]
    assert len(lists) == 1


def test_subregions(account: Account) -> None:
    told = account.read(SUBREGIONS, name=["EU-*", "US-*"])
    assert told["missing"] == ["US-*"] and len(told["subregions"]) > 1


def test_a_module_that_changes_takes_no_pattern(account: Account) -> None:
    account.api().create_network("web-1")
    gone = account.read(private_network.OPERATION, name="web-*", state="absent")
    assert gone["changed"] is False
    with pytest.raises(InvalidInput):
        account.read(ssh_key.OPERATION, name="web-*", state="present")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What labels cost: each dictionary, and each list of offers, is asked for at most once in a task."""

from __future__ import annotations

import typing as t
from collections import Counter

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.disk import OPERATION as DISK
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance import (
    OPERATION as INSTANCE,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import (
    OPERATION as INSTANCES,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.offers import INSTANCE_TYPE_INFO
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.tickets import INFO as TICKETS

from .conftest import Account

LISTS = ("/subregions", "/instances/types", "/templates", "/account/sshkeys")
LABELLED: dict[str, t.Any] = {
    "name": "labelled",
    "instances_count": 4,
    "template": "CentOS 7",
    "subregion": "EU-001",
    "type": "v1.standard-2.2",
    "disk_class": "Tier 2",
    "authorization_method": "SSH keys",
    "ssh_keys": ["operations"],
}


def asked(account: Account) -> Counter[str]:
    """Return how often each source of labels was asked in the last task."""
    paths = (line.rpartition(" ")[2] for line in account.sent())
    return Counter(path for path in paths if path.startswith("/dictionaries") or path in LISTS)


@pytest.mark.parametrize("check_mode", [False, True])
def test_instances(account: Account, check_mode: bool) -> None:
    account.read(INSTANCE, check_mode=check_mode, **LABELLED)
    assert asked(account) == Counter(["/dictionaries/17", "/dictionaries/159", *LISTS])


def test_labels_that_are_there_already_cost_only_the_subregions(account: Account) -> None:
    plain = {name: LABELLED[name] for name in ("name", "instances_count", "template", "subregion", "type")}
    account.read(INSTANCE, **plain)
    account.read(INSTANCE, **plain)
    assert asked(account) == Counter(["/subregions"])
    account.read(INSTANCE, **{**plain, "type": "v1.standard-4.4"})
    assert asked(account)["/instances/types"] == 1
    assert max(asked(account).values()) == 1


def test_requests_for_the_labels_of_a_disk(account: Account) -> None:
    desired = {"name": "data", "size": 10, "disk_class": "Tier 2", "subregion": "EU-001"}
    account.read(DISK, **desired)
    assert asked(account) == Counter(["/dictionaries/17", "/subregions"])
    account.read(DISK, **{**desired, "disk_class": "Tier 3"})
    assert asked(account) == Counter(["/dictionaries/17", "/subregions"])


@pytest.mark.parametrize(
    ("operation", "params", "sources"),
    [
        (INSTANCE_TYPE_INFO, {"category": "Standard"}, ["/dictionaries/141", "/instances/types"]),
        (TICKETS, {"status": "Error"}, ["/dictionaries/40"]),
        (
            INSTANCES,
            {"subregion": "EU-001", "type": "v1.standard-2.2", "template_type": "Instance"},
            ["/dictionaries/52", "/subregions", "/instances/types"],
        ),
    ],
)
def test_readers(account: Account, operation: t.Any, params: dict[str, t.Any], sources: list[str]) -> None:
    account.read(operation, **params)
    assert asked(account) == Counter(sources)

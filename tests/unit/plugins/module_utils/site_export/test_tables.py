# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of the export: no option of a module is forgotten, and what they say fits the modules."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._resources.site_export import (
    addresses,
    client_users,
    clients,
    containers,
    disks,
    keys_and_networks,
    machines,
    objects,
    pricelists,
    warehouses,
)
from ansible_collections.fcd.cloud.plugins.module_utils._resources.site_export.found import Table
from ansible_collections.fcd.cloud.plugins.module_utils._resources.site_export.kinds import KINDS, NOT_EXPORTED
from ansible_collections.fcd.cloud.plugins.module_utils._resources.site_export.operation import OPERATION
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.kinds import KINDS as SITE_KINDS

ONE_EACH = (addresses, client_users, clients, containers, disks, machines, objects, pricelists, warehouses)
TABLES = [keys_and_networks.KEYS, keys_and_networks.NETWORKS, *(module.TABLE for module in ONE_EACH)]


def test_every_kind_of_a_site_is_exported_or_has_a_reason() -> None:
    assert list(KINDS) == [kind for kind in SITE_KINDS if kind not in NOT_EXPORTED]
    assert set(NOT_EXPORTED) <= set(SITE_KINDS)
    assert sorted(KINDS) == sorted(table.kind for table in TABLES)


@pytest.mark.parametrize("kind", KINDS)
def test_the_interface_is_that_of_the_module(kind: str) -> None:
    assert SITE_KINDS[kind].operation().services == (KINDS[kind][0],)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.kind)
def test_every_option_is_exported_or_has_a_reason(table: Table) -> None:
    named = [*table.identity, *table.told, *table.withheld, *table.of_tasks]
    assert sorted(named) == sorted(SITE_KINDS[table.kind].operation().options)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.kind)
def test_a_site_file_takes_what_is_exported(table: Table) -> None:
    assert set(table.identity) | set(table.told) <= set(SITE_KINDS[table.kind].options())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.kind)
def test_no_secret_is_exported(table: Table) -> None:
    options = SITE_KINDS[table.kind].operation().options
    secret = {name for name, spec in options.items() if spec.get("no_log")}
    assert secret & {*table.identity, *table.told} == set()


def test_the_options_name_the_kinds() -> None:
    assert OPERATION.options["kinds"]["choices"] == list(KINDS)
    assert list(OPERATION.options["names"]["options"]) == list(KINDS)

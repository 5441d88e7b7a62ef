# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of the export: no option of a module is forgotten, and what they say fits the modules."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._site_export.contract_entries import (
    CLIENT_USERS,
    CLIENTS,
    PRICELISTS,
    WAREHOUSE_TABLE,
)
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.export import EXPORTED_KINDS, OPERATION
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.exported_account import ExportTable
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.infrastructure_entries import (
    ADDRESS_TABLE,
    AUTOSCALER_TABLE,
    BALANCER_TABLE,
    CHECK_TABLE,
    DISK_TABLE,
    GROUP_AUTOSCALER_TABLE,
    GROUP_SCHEDULE_TABLE,
    GROUP_TABLE,
    INSTANCES,
    KEY_TABLE,
    NETWORKS,
    NOTIFICATION_TABLE,
    SCHEDULE_TABLE,
)
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.storage_entries import CONTAINERS, OBJECT_TABLE
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import KINDS as SITE_KINDS

TABLES = [
    KEY_TABLE,
    NETWORKS,
    ADDRESS_TABLE,
    AUTOSCALER_TABLE,
    BALANCER_TABLE,
    CHECK_TABLE,
    NOTIFICATION_TABLE,
    CLIENT_USERS,
    CLIENTS,
    CONTAINERS,
    DISK_TABLE,
    GROUP_AUTOSCALER_TABLE,
    GROUP_SCHEDULE_TABLE,
    GROUP_TABLE,
    INSTANCES,
    OBJECT_TABLE,
    PRICELISTS,
    SCHEDULE_TABLE,
    WAREHOUSE_TABLE,
]
NOT_EXPORTED = {
    "storage_folders": "nothing tells from which folder objects came; they are among the storage_objects",
    "client_fixed_amounts": "the service lists them for one client at a time only",
}
"""Kinds of a site file that the service cannot list, with the reasons."""
HOW = "it says how a task runs, and does not describe the object"
NOT_DECLARED = "what is not declared stays as it is"
EXPIRES = "an object that expires is not exported"
LARGE = "large objects are not exported"
CREATES = dict.fromkeys(("create_grace", "force_create"), HOW)
WAITS = {**dict.fromkeys(("wait", "wait_timeout"), HOW), **CREATES}
THERE = {"state": "all of them are there"}
OF_TASKS = {
    "ssh_keys": {**THERE, "recreate": HOW, **CREATES},
    "private_networks": {**THERE, "force_detach": HOW, **WAITS},
    "ip_addresses": {
        **THERE,
        "instance": "an instance names its addresses",
        "detached": "an instance names its addresses",
        "force_detach": HOW,
        **WAITS,
    },
    "instances": {
        "instances_count": "each instance has an entry of its own",
        "purge_instances": HOW,
        "max_delete": HOW,
        "authorization_method_id": "authorization_method is given in its place",
        "purge_private_networks": HOW,
        "purge_ip_addresses": HOW,
        "ip_address_id": "ip_addresses is given in its place",
        "recreate": HOW,
        "delete_disks": HOW,
        "force_stop": HOW,
        "stop_timeout": HOW,
        "access_data": "it is a secret",
        "scsi_controller_type": NOT_DECLARED,
        "is_hot_plug_enabled": NOT_DECLARED,
        **WAITS,
    },
    "disks": {**THERE, "force_detach": HOW, **WAITS},
    "instance_groups": {**THERE, "purge_instances": NOT_DECLARED, "force_detach": HOW, **CREATES},
    "load_balancers": {**THERE, "create_grace": HOW},
    "health_checks": {**THERE, "update_password": HOW, "recreate": HOW, **CREATES},
    "health_check_notifications": {**THERE, **CREATES},
    "instance_schedules": {**THERE, **CREATES},
    "group_schedules": {**THERE, **CREATES},
    "instance_autoscalers": {**THERE, **dict.fromkeys(("wait", "wait_timeout", "create_grace"), HOW)},
    "group_autoscalers": {**THERE, "create_grace": HOW},
    "storage_containers": {**THERE, "purge_metadata": NOT_DECLARED, "force": HOW},
    "storage_objects": {
        **THERE,
        "remote_src": HOW,
        "copy_from": "the service does not report what an object was copied from",
        "overwrite": HOW,
        "purge_metadata": NOT_DECLARED,
        **dict.fromkeys(("expires_at", "expires_in"), EXPIRES),
        **dict.fromkeys(("segment_threshold", "segment_size", "segment_container"), LARGE),
    },
    "clients": {
        **THERE,
        "purge_addresses": NOT_DECLARED,
        "purge_phones": NOT_DECLARED,
        "address_types": "the defaults of the collection fit, or the service does not report the roles of addresses",
        "fields": "inputs that are not in the contract are not known",
        "status_comment": HOW,
        "delete_comment": HOW,
    },
    "client_users": {
        "sid": "the login or the ID identifies it",
        "update_password": HOW,
        "privilege_type_id": "privileges are given by their IDs",
        **CREATES,
    },
    "warehouses": {**THERE, **CREATES},
    "client_pricelists": {"owner_client_id": "the price list is named by its number where its name alone does not do"},
}
"""Options that no entry has, for they say how a task works and not what there is, with the reasons."""


def test_every_kind_of_a_site_is_exported_or_has_a_reason() -> None:
    assert list(EXPORTED_KINDS) == [kind for kind in SITE_KINDS if kind not in NOT_EXPORTED]
    assert set(NOT_EXPORTED) <= set(SITE_KINDS)
    assert sorted(EXPORTED_KINDS) == sorted(table.kind for table in TABLES)


@pytest.mark.parametrize("kind", EXPORTED_KINDS)
def test_the_interface_is_that_of_the_module(kind: str) -> None:
    assert SITE_KINDS[kind].operation().services == (EXPORTED_KINDS[kind],)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.kind)
def test_every_option_is_exported_or_has_a_reason(table: ExportTable) -> None:
    named = [*table.identity, *table.exported, *table.withheld, *OF_TASKS[table.kind]]
    assert sorted(named) == sorted(SITE_KINDS[table.kind].operation().options)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.kind)
def test_a_site_file_takes_what_is_exported(table: ExportTable) -> None:
    assert set(table.identity) | set(table.exported) <= set(SITE_KINDS[table.kind].options())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.kind)
def test_no_secret_is_exported(table: ExportTable) -> None:
    options = SITE_KINDS[table.kind].operation().options
    secret = {name for name, spec in options.items() if spec.get("no_log")}
    assert secret & {*table.identity, *table.exported} == set()


def test_the_options_name_the_kinds() -> None:
    assert OPERATION.options["kinds"]["choices"] == list(EXPORTED_KINDS)
    assert list(OPERATION.options["names"]["options"]) == list(EXPORTED_KINDS)

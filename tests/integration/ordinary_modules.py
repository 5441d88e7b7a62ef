# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules as ordinary modules, in processes of their own: once, but for most readers, or once for each kind of outcome.

The targets prove what modules do, in the task worker. Here a variable in the environment of the play makes an ordinary
module of each task: its payload is packed, its options and its result go through JSON, its exit is told to Ansible.
"""

from __future__ import annotations

import importlib
import typing as t
from pathlib import Path

from chaos.matrix_cases import CASES
from sandbox.process import SandboxProcess

MODULE = {"FCD_TEST_WAY": "module"}
MODULES = Path(__file__).resolve().parents[2] / "plugins" / "modules"
NOWHERE = "ftp://service.example.com"

ADDRESS = {"soap": "soap_url", "rest": "base_url", "storage": "storage_base"}
"""The option of each service that every module of it fails with, before it sends anything."""

Item = t.Dict[str, t.Any]
INSTANCE: Item = {"name": "face", "template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
USER: Item = {
    "user_name": "face.reader",
    "user_password": "odd-Ocelot-17",
    "first_name": "Odd",
    "last_name": "Reader",
    "email": "face.reader@example.com",
    "privilege_type_id": 9071,
    "privileges": ["ReadReports"],
}
WAREHOUSE: Item = {"data_store_number": "DS-01", "partner_id": 12, "template_id": 304}
SPARE: Item = {
    "operation": "create_warehouse",
    "inputs": {**WAREHOUSE, "warehouse_name": "spare", "queue_capacity": 4, "data_store_number": "DS-02"},
}
PHONE: Item = {"action": "save", "client_id": 101, "phone_verification": "{{ sent.phone_verification }}"}


class Writes(t.NamedTuple):
    """A task that changes something, in check mode too, and nothing when it runs again with ``again``."""

    module: str
    args: Item
    again: Item | None = None
    acts: bool = False
    """Whether it changes something each time, so that nothing leaves all as it is."""

    shows: bool = True
    """Whether what it would change can be shown as a difference."""


class Reads(t.NamedTuple):
    """A task that changes nothing."""

    module: str
    args: Item = {}


class Other(t.NamedTuple):
    """A task that the others need."""

    task: Item


Row = t.Union[Writes, Reads, Other]
SOAP: list[Row] = [
    Reads("catalogue_info", {"subject": "services"}),
    Writes("client", {"id": 100, "commission": "7.50"}),
    Writes("client_fixed_amount", {"client_id": 100, "amount": "120.00", "date_from": "2026-01-01"}),
    Reads("client_fixed_amount_info", {"client_id": 100}),
    Writes("client_pricelist", {"client_ids": [100], "pricelist": "partner"}),
    Writes("client_regulations", {"client_id": 101}, acts=True, shows=False),
    Writes("client_user", USER),
    Writes(
        "client_user_password",
        {"action": "set", "user_id": 2, "user_name": "second.user", "new_password": "odd-Otter-22"},
        again={"verify_first": True},
        shows=False,
    ),
    Writes("client_user_session", {"action": "clean_last_logon"}, again={"action": "logon"}, shows=False),
    Reads("cluster_info", {"client_id": 100, "only_client_clusters": True}),
    Writes("contract_call", SPARE, again={"operation": "GetTimeZones", "inputs": {}}, shows=False),
    Reads("contract_info", {"operation": "get_clients"}),
    Writes("document_download", {"invoice_id": 1301, "dest": "{{ output_dir }}/invoice.pdf"}, shows=False),
    Reads("invoice_info", {"invoice_id": 1301}),
    Reads("news_info", {"id": 601}),
    Writes("pricelist_delete", {"client_id": 101, "names": ["old"]}),
    Reads("privilege_info", {"type_dict_id": 9072}),
    Reads("virtual_machine_transfer_info", {"export_id": 1101}),
    Writes("warehouse", {"name": "face", "queue_length": 4, **WAREHOUSE}),
    Other(
        {
            "fcd.cloud.client_phone_verification": {
                "action": "send",
                "phone_number": "+48225559999",
                "country_dict_id": 9051,
            },
            "register": "sent",
        }
    ),
    Other({"sandbox_control": {"path": "state"}, "register": "state", "no_log": True}),
    Writes(
        "client_phone_verification",
        {**PHONE, "code": "{{ state.json.soap.phone_codes[0].VerificationCode }}"},
        shows=False,
    ),
]
RESERVE: Item = {"operation": "create_ip_address", "inputs": {"subregion_id": 1}}
REST: list[Row] = [
    Reads("dictionary_info", {"dictionary": 17}),
    Writes("instance", INSTANCE),
    Writes("disk", {"name": "face", "size": 10, "disk_class": "Tier 2", "subregion": "EU-001"}),
    Reads("disk_info", {"name": "face"}),
    Writes("instance_clone", {"name": "face", "clone_name": "face-copy", "clone_type": "current_configuration"}),
    Writes(
        "instance_fleet",
        {
            "instance_defaults": {name: value for name, value in INSTANCE.items() if name != "name"},
            "instances": [{"name": "face-1"}, {"name": "face-2"}],
        },
    ),
    Writes("instance_group", {"name": "face", "instances": ["face"]}),
    Writes("instance_console", {"name": "face"}),
    Reads("instance_console_info", {"name": "face"}),
    Writes("instance_screenshot", {"name": "face", "dest": "{{ output_dir }}/face.png"}),
    Other({"fcd.cloud.private_network": {"name": "face-inside"}}),
    Other({"fcd.cloud.instance": {"name": "face", "private_networks": ["backend"]}}),
    Other({"fcd.cloud.instance_info": {"name": "face", "include": ["interfaces"]}, "register": "face"}),
    Writes(
        "instance_interface",
        {
            "name": "face",
            "private_network": "face-inside",
            "interface_id": "{{ (face.instances[0].included.interfaces | selectattr('private_network') | first)"
            ".interface_id }}",
        },
    ),
    Reads("instance_info", {"name": "face"}),
    Writes("instance_power", {"name": "face", "action": "reboot"}, acts=True, shows=False),
    Reads("instance_template_info", {"id": 624}),
    Writes(
        "instance_to_template",
        {"name": "face-2", "template_name": "Face", "version": "1"}
        | {"descriptions": [{"language": "English", "description": "made by a test"}]},
    ),
    Writes(
        "instance_template",
        {"name": "Face", "descriptions": [{"language": "English", "description": "described by a test"}]},
    ),
    Reads("instance_type_info", {"id": 34}),
    Writes("ip_address", {"comment": "face", "subregion": "EU-001", "static": True}),
    Other({"fcd.cloud.instance": {"name": "face", "state": "stopped"}}),
    Writes("snapshot", {"name": "face", "instance": "face"}),
    Reads("snapshot_info", {"instance": "face"}),
    Writes("instance_autoscaler", {"instance": "face", "mode": "notify", "min_ram": 1024, "max_ram": 8192}),
    Writes(
        "instance_schedule",
        {"name": "face", "instance": "face", "action": "stop", "every": "1 day", "at": "22:00", "timezone": "UTC"},
    ),
    Reads("instance_schedule_info", {"instance": "face"}),
    Writes("snapshot_restore", {"name": "face", "instance": "face"}, acts=True, shows=False),
    Writes("instance_export", {"name": "face", "instance": "face", "location": "exports", "project": "backups"}),
    Reads("instance_export_info", {"instance": "face"}),
    Writes("instance_import", {"name": "face-3", "location": "exports/face-3.ovf", "project": "backups"}),
    Writes(
        "instance_import_run",
        {"name": "face-3", "instance_name": "face-3", "type": "v1.standard-2.2", "disk_class": "Tier 1"}
        | {"networks": [{"public": True}]},
    ),
    Reads("statistics_info", {"instance": "face", "types": ["cpu_usage"]}),
    Writes("health_check_sensor", {"sensor": "Paris 1"}),
    Reads("token"),
    Writes(
        "group_autoscaler",
        {"group": "face", "expansion": "clone", "min_instances": 1, "max_instances": 2, "instances": ["face"]},
    ),
    Writes(
        "group_schedule",
        {"name": "face", "group": "face", "instance": "face", "action": "stop", "every": "1 day", "at": "22:00"}
        | {"timezone": "UTC"},
    ),
    Reads("group_schedule_info", {"group": "face"}),
    Writes("load_balancer", {"group": "face"}),
    Writes("load_balancer_drain", {"group": "face", "instance": "face"}),
    Writes("infrastructure_call", RESERVE, again={"operation": "list_subregions", "inputs": {}}, shows=False),
    Reads("orchestration", {"path": "{{ output_dir }}/none", "state": "absent"}),
]
STORAGE: list[Row] = [
    Writes("storage_account", {"metadata": {"owner": "face"}}),
    Writes("storage_container", {"name": "face"}),
    Reads("storage_container_info", {"name": "face"}),
    Writes("storage_object", {"container": "face", "name": "note.txt", "content": "something"}),
    Reads("storage_object_info", {"container": "face"}),
    Writes(
        "storage_object_download", {"container": "face", "name": "note.txt", "dest": "{{ output_dir }}/"}, shows=False
    ),
    Writes("storage_sync", {"mode": "push", "path": "{{ output_dir }}", "container": "face", "prefix": "copy"}),
    Writes("storage_token", {"renew": True}, again={"renew": False}, shows=False),
    Writes(
        "site_export",
        {"kinds": ["storage_objects"], "inline_limit": 1, "folder": "{{ output_dir }}/export"}
        | {"folder_in_site": "export"},
        shows=False,
    ),
]
PLAYS = {"soap": SOAP, "rest": REST, "storage": STORAGE}
FAILURES: dict[str, Item] = {
    "orchestration": {"executable": "no-such-tool", "state": "present", "instances": [{"instance_name": "web"}]},
    "token": {"auth_url": NOWHERE, "renew": True},
}
"""What makes a module fail that does not take the address of its service, or does not look at it."""


def rows_of(service: str) -> list[Row]:
    """Return the rows of a service and, for its other modules, what reads all there is, or creates as in the matrix."""
    known = {row.module for rows in PLAYS.values() for row in rows if not isinstance(row, Other)}
    others = sorted({file.stem for file in MODULES.glob("[!_]*.py")} - known)
    creates = {case.module: case.args("face") for case in CASES if case.creates}
    own = [name for name in others if _services(name) == (service,)]
    return [*PLAYS[service], *(Writes(name, creates[name]) if name in creates else Reads(name) for name in own)]


def _services(module: str) -> t.Any:
    return importlib.import_module(f"ansible_collections.fcd.cloud.plugins.modules.{module}").OPERATION.services


def run(play: t.Callable[..., str], sandbox: SandboxProcess, tasks: t.Iterable[Item]) -> None:
    """Run the tasks; the service sees that all of them were ordinary modules."""
    play(tasks=[*tasks], environment=MODULE)
    agents = {one["headers"].get("User-Agent", "").rpartition(" ")[2] for one in sandbox.requests()}
    assert agents == {"(module)"}


def tasks(service: str, *, every_outcome: bool) -> t.Iterator[Item]:
    """Yield a task that succeeds for each module but most readers, or one for each outcome of each module.

    Readers are tables for the same code: where one runs as a process, all do.
    """
    rows = rows_of(service)
    readers = [row for row in rows if isinstance(row, Reads) and row.module.endswith("_info")]
    for row in rows if every_outcome else [row for row in rows if row not in readers[1:]]:
        if isinstance(row, Other):
            yield row.task
            continue
        if isinstance(row, Writes):
            shown = ["told.diff is defined"] if row.shows else []
            if every_outcome:
                yield _task(row, "would change", row.args, ["told is changed", *shown], check_mode=True)
            yield _task(row, "changes", row.args, ["told is changed", *shown])
        if isinstance(row, Reads) or (every_outcome and not row.acts):
            more = (row.again if isinstance(row, Writes) else None) or {}
            yield _task(row, "leaves all as it is", {**row.args, **more}, ["told is not changed", "told is not failed"])
        if every_outcome:
            yield _failure(row, service)


def _failure(row: Writes | Reads, service: str) -> Item:
    wrong = FAILURES.get(row.module, {ADDRESS[service]: NOWHERE})
    says = [f"told.msg is search('^{next(iter(wrong))}: .+\\.$')", f"told.error.option == '{next(iter(wrong))}'"]
    return _task(row, "fails", {**row.args, **wrong}, ["told.failed", "told is not changed", *says])


def _task(row: Writes | Reads, outcome: str, args: Item, holds: list[str], **keywords: t.Any) -> Item:
    """Return a task that fails unless all that is to hold of its result does."""
    wrong = " or ".join(f"not ({one})" for one in holds)
    own: Item = {"diff": isinstance(row, Writes), "register": "told", "failed_when": wrong, **keywords}
    return {"name": f"{row.module} {outcome}", f"fcd.cloud.{row.module}": args, **own}

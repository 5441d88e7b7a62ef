# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports the account as a site file that changes nothing when it is applied."""

from __future__ import annotations

import os
import typing as t
from collections import Counter

from .._connection.options import BYTES, REST, SOAP, STORAGE, check_least
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import FcdError, Forbidden, InvalidInput, MissingSettings, NotFound
from .._core.text import SITE_NAME
from .._core.type_aliases import JsonObject
from .contract_entries import ContractExport
from .exported_account import ExportedAccount, ExportedKind
from .infrastructure_entries import InfrastructureExport
from .site_text import site_text
from .storage_entries import StorageExport

EXPORTED_KINDS = {
    "ssh_keys": REST,
    "private_networks": REST,
    "ip_addresses": REST,
    "storage_containers": STORAGE,
    "clients": SOAP,
    "instances": REST,
    "disks": REST,
    "instance_groups": REST,
    "load_balancers": REST,
    "health_checks": REST,
    "health_check_notifications": REST,
    "instance_schedules": REST,
    "group_schedules": REST,
    "instance_autoscalers": REST,
    "group_autoscalers": REST,
    "storage_objects": STORAGE,
    "warehouses": SOAP,
    "client_users": SOAP,
    "client_pricelists": SOAP,
}
"""The kinds that are exported, in the order in which a site creates them, with the interface that each needs."""

TELLING = (MissingSettings, Forbidden, NotFound, InvalidInput)
"""Errors after which a kind that was not named is left out, with a warning."""
NotRead = t.List[t.Dict[str, str]]
FEWEST = 2  # entries that make a default worthwhile


def run(task: Task, params: Params) -> Result:
    _check(params)
    found, not_read = _read(ExportedAccount(task, params), params["kinds"])
    for missing in not_read:
        task.warn(f"{missing['kind']} are left out: {missing['reason']}")
    site = _site(params["site"], found)
    left_out = [left for one in found for left in one.left_out]
    return {
        "changed": any(one.changed for one in found),
        "site": site,
        "text": site_text(site, left_out, not_read),
        "kinds": [one.table.kind for one in found],
        "counts": {one.table.kind: len(one.entries) for one in found},
        "left_out": [left._asdict() for left in left_out],
        "not_read": not_read,
    }


def _read(account: ExportedAccount, asked: t.Sequence[str] | None) -> tuple[list[ExportedKind], NotRead]:
    """Return what was found of each kind, and which of the kinds that nobody named could not be read.

    Raises the error of a kind that was named, or the last one when none can be read.
    """
    exports: dict[str, InfrastructureExport | ContractExport | StorageExport] = {}
    found: list[ExportedKind] = []
    not_read: NotRead = []
    error: FcdError | None = None
    for kind, service in EXPORTED_KINDS.items():
        if asked is not None and kind not in asked:
            continue
        try:
            account.task.settings.require((service,))
            if service not in exports:
                exports[service] = _export(account, service)
            one: ExportedKind = getattr(exports[service], kind)()
        except TELLING as problem:
            if asked is not None:
                raise
            not_read.append({"kind": kind, "reason": problem.message})
            error = problem
            continue
        one.conceal(account.holds_secret)
        one.leave_withheld()
        found.append(one)
    if error is not None and not found:
        raise error
    return found, not_read


def _export(account: ExportedAccount, service: str) -> InfrastructureExport | ContractExport | StorageExport:
    """Return the reader of one interface, with a method for each kind; only its code is loaded."""
    if service == STORAGE:
        return StorageExport(account)
    if service == SOAP:
        return ContractExport(account)

    return InfrastructureExport(account)


def _site(name: str, found: t.Sequence[ExportedKind]) -> JsonObject:
    """Return what the file declares; values that most entries of a kind share become defaults."""
    defaults = {one.table.kind: defaults_of(one) for one in found}
    said = {kind: values for kind, values in defaults.items() if values}
    site: JsonObject = {"site": name, **({"defaults": said} if said else {})}
    for one in found:
        if one.entries:
            site[one.table.kind] = [without_defaults(defaults[one.table.kind], entry) for entry in one.entries]
    return site


def defaults_of(found: ExportedKind) -> JsonObject:
    """Return the values that more than half of the entries have.

    Only options that every entry has count: an entry without one must not get it from the defaults. Options that
    identify the object are never defaults, nor are lists and mappings, since they may be merged.
    """
    entries = found.entries
    if len(entries) < FEWEST:
        return {}
    values = {}
    for option in found.table.exported:
        given = [entry.get(option) for entry in entries]
        if any(value is None or isinstance(value, (dict, list)) for value in given):
            continue
        (_type, value), count = Counter((type(value).__name__, value) for value in given).most_common(1)[0]
        if count * 2 > len(given):
            values[option] = value
    return values


def without_defaults(defaults: JsonObject, entry: JsonObject) -> JsonObject:
    """Return an entry without the values that are defaults; true is not the same as 1."""
    return {
        name: value
        for name, value in entry.items()
        if type(defaults.get(name)) is not type(value) or defaults[name] != value
    }


def _check(params: Params) -> None:
    """Raise InvalidInput for options that make no sense."""
    if not SITE_NAME.fullmatch(params["site"]):
        raise InvalidInput(
            f"site: {params['site']!r} cannot be the name of a site.",
            next_step="Write 1 to 63 lowercase letters, digits and hyphens, beginning with a letter or a digit.",
            option="site",
        )
    check_least(params, concurrency=1, inline_limit=0, object_limit=0)
    folder, in_site = params["folder"], params["folder_in_site"]
    if folder is not None and os.path.lexists(folder) and not os.path.isdir(folder):
        raise InvalidInput(f"folder: {folder} is not a folder.", next_step="Give another path.", option="folder")
    if in_site is not None and folder is None:
        raise InvalidInput("folder_in_site: it requires folder.", option="folder_in_site")
    if params["kinds"] == []:
        raise InvalidInput("kinds: the list is empty.", next_step="Leave it out to read all kinds.", option="kinds")


OPERATION = Operation(
    "site_export",
    (REST, SOAP, STORAGE),
    {
        "site": {"type": "str", "default": "exported"},
        "kinds": {"type": "list", "elements": "str", "choices": list(EXPORTED_KINDS)},
        "names": {
            "type": "dict",
            "options": {kind: {"type": "list", "elements": "str", "no_log": False} for kind in EXPORTED_KINDS},
        },
        "inline_limit": {"type": BYTES, "default": 4096},
        "object_limit": {"type": "int", "default": 1000},
        "folder": {"type": "path"},
        "folder_in_site": {"type": "str"},
        "concurrency": {"type": "int", "default": 8},
    },
    run,
)

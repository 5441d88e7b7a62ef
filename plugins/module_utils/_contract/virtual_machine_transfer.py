# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of exports and imports of virtual machines, read only (contract/soap-common-fcd.md, "Catalogue")."""

from __future__ import annotations

import typing as t

from .member_reading import Attribute
from .reading import Asked, Reading, reader

EXPORT = (
    Attribute("id", ("VirtualMachineExportId", "ExportId")),
    Attribute("client_id", ("Client",), ("client_id", "id")),
)
IMPORT = (
    Attribute("id", ("ImportId", "VirtualMachineImportId")),
    Attribute("client_id", ("Client",), ("client_id", "id")),
)
DISK = (
    Attribute("id", ("VirtualMachineImportHddId", "ImportHddId", "HddId")),
    Attribute("name", ("HddName",)),
    Attribute("capacity_gb", ("Capacity", "SizeGB")),
)


def _disks(asked: Asked) -> t.Any:
    """Return the disks of an import; GetVirtualMachineImportHdds takes the record of the import itself."""
    client = asked.params["client_id"]
    record = asked.api.call("GetVirtualMachineImport", import_id=asked.params["import_id"], client_id=client)
    if not record:
        return []
    return asked.api.call("GetVirtualMachineImportHdds", virtual_machine_import=_filled(record), client_id=client)


def _filled(value: t.Any) -> t.Any:
    """Return what was read without the members that had nothing in them, on any level: not all may be sent as null."""
    if isinstance(value, dict):
        return {name: _filled(entry) for name, entry in value.items() if entry is not None}
    return [_filled(entry) for entry in value] if isinstance(value, list) else value


_IMPORT = ("import_id", "client_id")

OPERATION = reader(
    "virtual_machine_transfer_info",
    {
        "export": Reading(
            "GetVirtualMachineExport",
            ("export_id",),
            ("export_id",),
            names={"export_id": "virtual_machine_export_id"},
            rows="VirtualMachineExport",
            attributes=EXPORT,
            key="exports",
        ),
        "import": Reading(
            "GetVirtualMachineImport",
            _IMPORT,
            _IMPORT,
            rows="VirtualMachineImport",
            attributes=IMPORT,
            key="imports",
        ),
        "import_disks": Reading(
            _disks,
            needs=_IMPORT,
            also=_IMPORT,
            named=True,
            rows="VirtualMachineImportHdd",
            attributes=DISK,
            key="disks",
        ),
    },
    {
        "export_id": {"type": "int", "aliases": ["virtual_machine_export_id"]},
        "import_id": {"type": "int"},
        "client_id": {"type": "int"},
    },
)

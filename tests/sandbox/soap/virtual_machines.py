# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of exports and imports of virtual machines, and the clusters (the subregions)."""

from __future__ import annotations

from sandbox.soap.constants import CLIENT_CLUSTERS, CLUSTERS, EXPORTS, IMPORT_DISKS, IMPORTS
from sandbox.soap.search import read
from sandbox.soap.state import Inputs, Row, State


def GetVirtualMachineExport(state: State, given: Inputs) -> Row | None:
    return read(state, "export", EXPORTS, given["virtualMachineExportId"])


def GetVirtualMachineImport(state: State, given: Inputs) -> Row | None:
    row = read(state, "import", IMPORTS, given["importId"])
    return row if row is not None and row["ClientId"] == given["clientId"] else None


def GetVirtualMachineImportHdds(state: State, given: Inputs) -> list[Row]:
    return IMPORT_DISKS.get((given["virtualMachineImport"] or {}).get("ImportId", 0), [])


def GetClusters(state: State, given: Inputs) -> list[Row]:
    return [row for row in CLUSTERS if not given["onlyClientClusters"] or row["ClusterId"] in CLIENT_CLUSTERS]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""All handlers: importing this fills the table."""

from __future__ import annotations

from sandbox.rest import (
    account,
    addresses,
    dictionaries,
    disk_changes,
    disks,
    events,
    instance_addresses,
    instance_changes,
    instance_clone,
    instance_conversion,
    instance_creation,
    instance_details,
    instance_networks,
    instance_power,
    instance_types,
    instances,
    networks,
    snapshots,
    ssh_keys,
    subregions,
    templates,
    tickets,
)
from sandbox.rest.handlers import HANDLERS

NOUNS = (
    account,
    addresses,
    disk_changes,
    disks,
    events,
    instance_addresses,
    instance_clone,
    instance_conversion,
    instance_networks,
    networks,
    snapshots,
    ssh_keys,
    dictionaries,
    subregions,
    templates,
    instance_types,
    instances,
    instance_creation,
    instance_changes,
    instance_power,
    instance_details,
    tickets,
)

__all__ = ["HANDLERS", "NOUNS"]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks besides system disks, which stand with their instances."""

from __future__ import annotations

from ..disk import LONGEST_NAME
from ..rest_options import check_name
from .account import Account
from .found import HOW, WAITING, Found, Table
from .naming import named

TABLE = Table(
    "disks",
    ("name", "id"),
    ("size", "disk_class", "subregion", "shared_disk_type", "instances"),
    of_tasks={"state": "all of them are there", "force_detach": HOW, **WAITING},
)
NAMED = ("disk_class", "subregion", "shared_disk_type")


def disks(account: Account) -> Found:
    """Return the disks that are no system disks."""
    found, lists = Found(TABLE), account.infrastructure
    records = [record for record in lists.disks if not record["is_system_disk"]]
    for record, identity in named(account, found, records, lambda name: check_name(name, LONGEST_NAME)):
        items = {option: record[option] for option in NAMED if record[option]}
        found.add(
            {
                **identity,
                "size": record["size"],
                **{option: lists.labels(option).said(item["id"]) for option, item in items.items()},
                "instances": [lists.labels("instances").said(one["id"]) for one in record["instances"]] or None,
            }
        )
    return found

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells that were ever red. What turns red is added, and stays.

``make test`` tries one of each fault, ``make test-all`` tries all.
"""

from __future__ import annotations

import itertools
import typing as t

INSTANCES = ("instance", "instance_fleet")
NAMED = (*INSTANCES, "disk", "private_network", "ssh_key", "snapshot")
MADE = (*NAMED, "ip_address", "warehouse")
UPDATED = (
    *("client (address)", "client (update)", "client_fixed_amount (update)", "client_phone_verification"),
    *("client_pricelist", "client_regulations", "client_user (update)", "client_user_password"),
    *("contract_call (write)", "instance_power", "pricelist_delete", "snapshot_restore", "storage_account"),
    *("storage_container", "storage_container (absent)", "storage_container (update)", "storage_object"),
    *("storage_object (update)", "warehouse (absent)", "warehouse (update)"),
)


def _cells(faults: str, *cases: str) -> t.Iterator[tuple[str, str]]:
    return itertools.product(cases, faults.split())


EVER_RED = frozenset(
    itertools.chain(
        _cells("01e", "instance", "ip_address", "ssh_key", "warehouse"),
        _cells("01f", *INSTANCES, "snapshot", "instance (update)"),
        _cells("06c", "ip_address", "storage_container", "storage_object", "client (update)"),
        _cells("06c", "storage_container (update)"),
        _cells("08a", *MADE),
        _cells("08b", *MADE),
        _cells("10b", "snapshot"),
        _cells("30j 31e", "ip_address"),
        _cells("11a", "private_network", "ssh_key", "instance", "warehouse"),
        _cells("11b", "instance", "ip_address", "private_network", "warehouse"),
        _cells("17 17b", *MADE, "client_user"),
        _cells("08a 08b 31e", "client_fixed_amount", "site (REST)", "site (SOAP)"),
        _cells("08b", "client_user", "instance_clone"),
        _cells("15", "disk (update)"),
        _cells("24e", "storage_account", "storage_object", "storage_object (update)"),
        _cells("08a 08b 20b", "orchestration"),
        _cells("26a 26b", "ip_address", "snapshot"),
        _cells("04b 24b 24d 24e 26b 26c 26d 30b 30i 31l", "snapshot_restore"),
        _cells("26c", "client_phone_verification", "client_regulations", "instance_power"),
        _cells("30f", "storage_object (update)", "client_user_password"),
        _cells("31c", *UPDATED),
        _cells("26c 26d", "instance", "ip_address", "ssh_key", "warehouse"),
        _cells("10c", "disk", "private_network", "instance (update)", "ip_address (update)"),
        _cells("10d", "disk", "private_network", "instance (update)"),
        _cells("16d 16e 40i", "disk"),
        _cells("30j 45a 46b 46c 47a 47b 47c 47d 47e 47f 47g", "ip_address"),
        _cells("40g", "disk (absent)", "instance (absent)", "instance_group (update)"),
        _cells("40i", "instance_export"),
        _cells("40j", "client_user (update)", "disk (absent)", "instance (update)", "ssh_key", "warehouse (absent)"),
        _cells("41a 41b 41c", "instance", "disk", "ssh_key", "client_user"),
        _cells("41a 41b 41c", "instance_clone", "instance_fleet", "instance_to_template", "snapshot"),
        _cells("42b 42c", "ip_address", "ssh_key", "snapshot"),
        _cells("42d 45b 45c 46d 47d", "warehouse"),
        _cells("40i 42f 47d 47f", "instance"),
        _cells("42f 45b 46b 47d 47e", "ssh_key"),
        _cells("45b 46b 47e", "private_network"),
    )
)
"""Pairs of a case and a fault."""

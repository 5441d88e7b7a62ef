# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site of 300 objects of all kinds, as the seed of the sandbox allows; a smaller one has a share of each."""

from __future__ import annotations

import typing as t

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
CLIENTS = (100, 101, 102)
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]


def large_site(share: float = 1.0, folder: str | None = None) -> Content:
    """Return what the site declares: with a share of 1 and a folder to publish, 300 entries."""

    def some(number: int) -> range:
        return range(max(1, round(number * share)))

    containers = [f"assets-{number}" for number in some(10)]
    networks = [f"net-{number}" for number in some(20)]
    return {
        "ssh_keys": [{"name": f"key-{n}", "public_key": f"ssh-ed25519 {_KEY}{n:02d} k"} for n in some(10)],
        "private_networks": [{"name": name} for name in networks],
        "ip_addresses": [{"comment": f"address {n}", "subregion": "EU-001"} for n in some(10)],
        "storage_containers": [{"name": name} for name in containers],
        "clients": [{"id": number, "project_name": f"shop {number}"} for number in CLIENTS],
        "instances": [
            {"name": f"web-{n}", "private_networks": [networks[n % len(networks)]], **INSTANCE} for n in some(100)
        ],
        "disks": [{"name": f"data-{n}", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"} for n in some(20)],
        "storage_objects": [
            {"container": containers[n % len(containers)], "name": f"page-{n}.html", "content": f"<p>{n}</p>"}
            for n in some(95)
        ],
        **({"storage_folders": [{"container": containers[0], "prefix": "docs", "path": folder}]} if folder else {}),
        "warehouses": [
            {
                "name": f"wh {n}",
                "partner_id": 100,
                "template_id": 767,
                "data_store_number": f"DS-{n}",
                "queue_length": 5,
            }
            for n in some(10)
        ],
        "client_users": [
            {
                "user_name": f"shop.user{n}",
                "client_id": 100,
                "user_password": f"Secret-word-{n}!",
                "first_name": "Shop",
                "last_name": f"User {n}",
                "email": f"shop.user{n}@example.com",
                "phone_number": f"+4822555{n:04d}",
            }
            for n in some(20)
        ],
        "client_pricelists": [{"pricelist_id": 2, "client_ids": list(CLIENTS)}],
    }


_KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIHZyb250LXBhZ2Uta2V5LW9mLWEtc2hvcC0t"


def count(content: Content) -> int:
    """Return the number of entries."""
    return sum(map(len, content.values()))

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service does not tell of a part is no difference, and no reason to change or to lose anything."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Site

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExam example"
DISK: dict[str, t.Any] = {"name": "data", "size": 10, "disk_class": "Tier 2", "subregion": "EU-001"}


@pytest.mark.parametrize(
    ("module", "wish", "member"),
    [
        ("ssh_key", {"name": "k", "public_key": KEY}, "ssh_key.Value"),
        ("disk", DISK, "disk.SpaceCapacity"),
        ("disk", DISK, "disk.Tier"),
        ("disk", DISK, "disk.Subregion"),
        ("ip_address", {"comment": "mail", "subregion": "EU-001", "static": True}, "ip_address.Type"),
    ],
)
def test_it_is_made_once_and_stays(site: Site, module: str, wish: dict[str, t.Any], member: str) -> None:
    site.settings(null_members=[member])
    assert site.run(module, **wish)["changed"] is True
    again = {**wish, "recreate": True} if module == "ssh_key" else wish
    assert site.run(module, **again)["changed"] is False
    assert site.writes() == []


def test_an_address_that_may_be_automatic_is_not_lost(site: Site) -> None:
    site.machine("web", OpnsIds=[41001])
    (address,) = site.truth("ips")
    site.settings(null_members=["ip_address.Type"])
    said = site.fails(errors.InvalidInput, "ip_address", id=address["Id"], detached=True)
    assert "is automatic: detached, it may be lost" in said
    assert [one["Id"] for one in site.truth("ips")] == [address["Id"]]


def test_snapshots_of_tasks_that_do_not_wait_are_one(site: Site) -> None:
    """The ticket may name the instance, and lists lag: until one shows it, the note of the create stands for it."""
    site.machine("web")
    site.settings(list_lag=0.8, ticket_seconds=0.1)
    wish: dict[str, t.Any] = {"name": "before", "instance": "web", "create_grace": 10.0}
    site.run("snapshot", **wish, wait=False)
    site.until(lambda: len(site.truth("snapshots")) == 1)
    site.run("snapshot", **wish, wait=False)
    site.run("snapshot", **wish)
    assert len(site.truth("snapshots")) == 1

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run tells when an entry begins, and when it ends."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import Ran, run

pytestmark = pytest.mark.usefixtures("home")
INSTANCE = {"template": "Debian 8", "subregion": "EU-001", "type": "v1.standard-2.2"}
SITE: dict[str, t.Any] = {
    "private_networks": [{"name": "shop-lan"}],
    "storage_containers": [{"name": "shop-assets"}],
    "instances": [{"name": f"shop-{number}", **INSTANCE, "private_networks": ["shop-lan"]} for number in (1, 2)],
}
NAMES = ["instances shop-1", "instances shop-2", "private_networks shop-lan", "storage_containers shop-assets"]


def lines(ran: Ran, pattern: str) -> list[tuple[str, ...]]:
    """Return what the lines of this pattern say, in their order."""
    found = (re.fullmatch(pattern, line) for line in ran.told)
    return [one.groups() for one in found if one]


def test_each_entry_begins_and_ends_once(home: Path) -> None:
    ran = run(SITE, registry={"path": str(home / "registry.json")}).succeeded()
    begun = lines(ran, r"site shop: (.*) \(create\) begins")
    ended = lines(ran, r"site shop: (.*) done in \d+ s \((\d) of 4\)")
    assert sorted(name for (name,) in begun) == NAMES
    assert sorted(name for name, _number in ended) == NAMES
    assert [number for _name, number in ended] == ["1", "2", "3", "4"]
    larger = {**SITE, "instances": [{**one, "type": "v1.standard-1.09"} for one in SITE["instances"]]}
    changed = run(larger, registry={"path": str(home / "registry.json")}).succeeded()
    assert sorted(lines(changed, r"site shop: (.*) \(update\) begins")) == [(name,) for name in NAMES[:2]]
    assert len(lines(changed, r"site shop: (instances .*) done in \d+ s \([12] of 2\)")) == 2
    assert not lines(run(larger, registry={"path": str(home / "registry.json")}), r"(site shop: .* begins)")


def test_what_fails_says_so_and_what_was_not_begun_has_no_time(home: Path, sandbox: SandboxProcess) -> None:
    sandbox.fault("status_before", service="rest", method="POST", path="/opns$", status=422, own_words=True, times=0)
    ran = run(SITE, registry={"path": str(home / "registry.json")})
    assert ran.result["failed"]
    ended = lines(ran, r"site shop: (.*) (failed(?: after \d+ s)?) \(\d of 4\)")
    assert sorted((name, how.partition(" after ")[0], " after " in how) for name, how in ended) == [
        ("instances shop-1", "failed", False),
        ("instances shop-2", "failed", False),
        ("private_networks shop-lan", "failed", True),
    ]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that still show the old name of an object, which is somebody else's by now: nothing is sent to it."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

from .conftest import Account
from .test_shapes_of_answers import DECLARED, KEY

Params = t.Dict[str, t.Any]
Step = t.Tuple[str, Params]
DISK, WEB = DECLARED["disk"], {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
FLEET = {"instances": [{"name": "own"}], "instance_defaults": WEB}
PRUNE = {"name_pattern": "*n*", "from_journal": False, "max_delete": "10", "delete_disks": None}
SNAPSHOT = {"name": "theirs", "instance": "web"}
CASES: dict[str, tuple[list[Step], Step]] = {
    "disk removed": ([("disk", {**DISK, "name": "theirs"})], ("disk", {"name": "mine", "state": "absent"})),
    "disk grown": ([("disk", {**DISK, "name": "theirs"})], ("disk", {**DISK, "name": "mine", "size": 20})),
    "foreign disk attached": (
        [("disk", {**DISK, "name": "theirs"})],
        ("disk", {**DISK, "name": "mine", "instances": ["web"]}),
    ),
    "network removed": (
        [("private_network", {"name": "theirs"})],
        ("private_network", {"name": "mine", "state": "absent"}),
    ),
    "key removed": (
        [("ssh_key", {"name": "theirs", "public_key": KEY})],
        ("ssh_key", {"name": "mine", "state": "absent"}),
    ),
    "address released": (
        [("ip_address", {"comment": "theirs", "subregion": "1"})],
        ("ip_address", {"comment": "mine", "state": "absent"}),
    ),
    "address changed": (
        [("ip_address", {"comment": "theirs", "subregion": "1"})],
        ("ip_address", {"comment": "mine", "static": True}),
    ),
    "instance removed": ([("instance", {**WEB, "name": "theirs"})], ("instance", {"name": "mine", "state": "absent"})),
    "instance retyped": (
        [("instance", {**WEB, "name": "theirs"})],
        ("instance", {**WEB, "name": "mine", "type": "v1.standard-4.4"}),
    ),
    "instance attached to a foreign network": (
        [("private_network", {"name": "theirs"})],
        ("instance", {**WEB, "name": "own", "private_networks": ["mine"]}),
    ),
    "instance restarted": (
        [("instance", {**WEB, "name": "theirs"})],
        ("instance_power", {"name": "mine", "action": "reset"}),
    ),
    "instance cloned": (
        [("instance", {**WEB, "name": "theirs"})],
        ("instance_clone", {"name": "mine", "clone_name": "copy", "clone_type": "current_configuration"}),
    ),
    "surplus of a count": (
        [("instance", {**WEB, "name": "mine-1"}), ("instance", {**WEB, "name": "theirs"})],
        ("instance", {**WEB, "name": "mine", "instances_count": 1, "purge_instances": True, "max_delete": "10"}),
    ),
    "pruned from a fleet": (
        [("instance_fleet", FLEET), ("instance", {**WEB, "name": "theirs"})],
        ("instance_fleet", {**FLEET, "prune": PRUNE}),
    ),
    "disk attached to a foreign instance": (
        [("disk", {**DISK, "name": "own"}), ("instance", {**WEB, "name": "theirs"})],
        ("disk", {**DISK, "name": "own", "size": 20, "instances": ["mine"]}),
    ),
    "disk made for a foreign instance": (
        [("instance", {**WEB, "name": "theirs"})],
        ("disk", {**DISK, "name": "own", "instances": ["mine"]}),
    ),
    "snapshot of a foreign instance": (
        [("instance", {**WEB, "name": "theirs"})],
        ("snapshot", {"name": "own", "instance": "mine"}),
    ),
    "snapshot removed": ([("snapshot", SNAPSHOT)], ("snapshot", {**SNAPSHOT, "name": "mine", "state": "absent"})),
    "snapshot described": ([("snapshot", SNAPSHOT)], ("snapshot", {**SNAPSHOT, "name": "mine", "description": "new"})),
    "snapshot restored": ([("snapshot", SNAPSHOT)], ("snapshot_restore", {**SNAPSHOT, "name": "mine"})),
    "group removed": (
        [("instance_group", {"name": "theirs"})],
        ("instance_group", {"name": "mine", "state": "absent"}),
    ),
}
NAMES = ("Name", "Comment")


def show_old_names(monkeypatch: pytest.MonkeyPatch, old: str) -> None:
    """Let lists, and nothing else, show what is called "theirs" under its old name."""
    for method in ("read_pages", "read_list"):
        really = getattr(Infrastructure, method)

        def read(self: Infrastructure, *given: t.Any, really: t.Any = really, **filters: t.Any) -> list[Params]:
            filters.pop("query", None)
            rows = really(self, *given, **filters)
            return [{**row, **{name: old for name in NAMES if row.get(name) == "theirs"}} for row in rows]

        monkeypatch.setattr(Infrastructure, method, read)


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_sent_to_what_only_a_late_list_shows(
    account: Account, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    before, (module, params) = CASES[case]
    if "web" in str((before, params)):
        account.instance("web")
    for name, given in before:
        account.run(name, **given)
    show_old_names(monkeypatch, "mine-2" if "count" in case else "mine")
    task = {"force_stop": True} if module == "instance" else {}
    try:
        done = account.run(module, **params, **task)
        assert done.get("failed"), done
        told, changed = str(done), done["changed"]
    except errors.Unconfirmed as error:
        told, changed = str(error), errors.has_changed(error)
    assert "the object itself says 'theirs': the list is late" in told
    assert not changed
    assert account.writes() == []

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory while the service fails, with ten thousand instances, and with secrets that must not show."""

from __future__ import annotations

import json
import os
import typing as t
from pathlib import Path

import pytest

from chaos import canaries
from chaos.inventory_run import LIST, Listed, inventory, measured
from chaos.workplace import Workplace

INSTANCES = 10_000
LIMIT = 250  # MiB
KEPT: dict[str, t.Any] = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_timeout": 1}
OLD = 3600


class InventoryFile:
    """One inventory of one workplace."""

    def __init__(self, place: Workplace, folder: Path) -> None:
        """Keep the cache beside the file."""
        self.place = place
        self.folder = folder
        self.cache = folder / "cache"

    def run(self, *command: str, environment: t.Mapping[str, str] | None = None, **options: t.Any) -> Listed:
        """Write the file and run the command, by default the one that lists everything."""
        return inventory(self.place, self._file(options), command or LIST, environment)

    def measured(self, *command: str, **options: t.Any) -> Listed:
        """Do the same and tell the memory that it takes."""
        return measured(self.place, self._file(options), command)

    def _file(self, options: dict[str, t.Any]) -> Path:
        file = self.folder / "site.fcd.yml"
        own = {"cache_connection": str(self.cache)} if "cache" in options else {}
        file.write_text(json.dumps({"plugin": "fcd.cloud.instances", **options, **own}), encoding="utf-8")
        return file

    def grow_old(self, seconds: float = OLD) -> None:
        """Make what is kept older, in the file and in its own words."""
        (kept,) = self.cache.iterdir()
        entry = json.loads(kept.read_text(encoding="utf-8"))
        text = json.dumps(entry)
        read = _found(entry, "read")
        kept.write_text(text.replace(json.dumps(read), json.dumps(read - seconds)), encoding="utf-8")
        before = kept.stat().st_mtime - seconds
        os.utime(kept, (before, before))


def _found(value: t.Any, name: str) -> t.Any:
    """Return what goes by the name, wherever the core puts it: since 2.19 in a text of its own."""
    if isinstance(value, str) and value.startswith("{"):
        value = json.loads(value)
    if isinstance(value, dict):
        if name in value:
            return value[name]
        return next((found for one in value.values() if (found := _found(one, name)) is not None), None)
    return None


@pytest.fixture
def source(place: Workplace, tmp_path: Path) -> InventoryFile:
    """Nothing is kept; there are three instances."""
    place.sandbox.settings(rest={"bulk_instances": 3})
    folder = tmp_path / "site"
    folder.mkdir()
    return InventoryFile(place, folder)


def hosts(listed: Listed) -> list[str]:
    """Return the names."""
    assert listed.status == 0, listed.stderr
    return list(json.loads(listed.stdout)["_meta"]["hostvars"])


def in_one_line(text: str) -> str:
    """Undo what breaks warnings into lines."""
    return " ".join(text.split())


BULK = ["bulk-00001", "bulk-00002", "bulk-00003"]


@pytest.mark.parametrize("fault", ["drop_before", "cut", "html", "status_before"])
def test_old_ones_while_the_service_fails(source: InventoryFile, fault: str) -> None:
    assert hosts(source.run(**KEPT)) == BULK
    source.grow_old()
    source.place.sandbox.fault(fault, service="rest", times=0)
    once_more = source.run(**KEPT, retries=0)
    assert hosts(once_more) == BULK
    warning = in_one_line(once_more.stderr)
    assert "fcd.cloud.instances: the hosts are those of 1 h 00 min ago, for the service cannot be asked" in warning
    assert "Traceback" not in warning


def test_too_old_ones_are_not_used(source: InventoryFile) -> None:
    source.run(**KEPT)
    source.grow_old()
    source.place.sandbox.fault("drop_before", service="rest", times=0)
    failed = source.run(**KEPT, retries=0, cache_stale_seconds=60)
    assert failed.status != 0
    assert "fcd.cloud.instances: List instances" in in_one_line(failed.stderr)


def test_old_ones_are_not_used_for_somebody_who_is_refused(source: InventoryFile) -> None:
    source.run(**KEPT)
    source.grow_old()
    wrong = {"FCD_PASSWORD": canaries.WRONG_PASSWORD, "FCD_TOKEN_CACHE": "false"}
    failed = source.run(**KEPT, environment=wrong)
    assert failed.status != 0
    assert "invalid_grant" in failed.stderr


def test_a_passing_fault_does_not_matter(source: InventoryFile) -> None:
    source.place.sandbox.fault("status_before", service="rest", status=503, times=1)
    assert hosts(source.run()) == BULK


def test_no_secret_shows(source: InventoryFile) -> None:
    """Neither in what is printed at -vvvvv, nor in what is kept."""
    wrong = {"FCD_PASSWORD": canaries.WRONG_PASSWORD, "FCD_TOKEN_CACHE": "false"}
    runs = [
        source.run("ansible-inventory", "--list", "-vvvvv", **KEPT),
        source.run("ansible-inventory", "--list", "-vvvvv", **KEPT, environment=wrong, filters={"query": "x"}),
        source.run("ansible-inventory", "--graph", "--vars", "-vvvvv", keyed_group=[]),
    ]
    secrets = [canaries.CREDENTIALS[name] for name in ("password", "api_client_secret")] + [canaries.WRONG_PASSWORD]
    texts = [text.encode() for one in runs for text in (one.stdout, one.stderr)]
    texts += [file.read_bytes() for file in source.cache.iterdir()]
    spelt = {piece for secret in secrets for piece in canaries.spellings(secret)}
    assert [piece for piece in spelt for text in texts if piece in text] == []


@pytest.mark.full
def test_ten_thousand_instances(source: InventoryFile) -> None:
    """Pages and the names of the subregions are all that is asked for; it fits into the memory of a small container."""
    source.place.sandbox.settings(rest={"bulk_instances": INSTANCES})
    keys = ["status", "subregion", "type", "template", "template_type", "system_category", "guest_tools_status"]
    keyed = [{"key": f"fcd_{key}.label", "prefix": key} for key in [*keys, "payment_type", "autoscaling_type"]]
    listing = ("ansible", "all", "--list-hosts")
    listed = source.measured(
        *listing, keyed_groups=[*keyed, {"key": "fcd_cpu_number"}], **{**KEPT, "cache_timeout": 600}
    )
    assert f"hosts ({INSTANCES})" in listed.stdout
    assert listed.peak < LIMIT
    assert set(source.place.sandbox.counts()["by"]) == {"identity POST", "rest list_instances", "rest list_subregions"}
    assert source.place.sandbox.counts()["by"]["rest list_subregions"] == 1
    most = INSTANCES // 100 + 1  # the longest page of the sandbox, and one to learn the first number
    assert source.place.sandbox.counts()["by"]["rest list_instances"] <= most
    source.place.sandbox.clear_requests()
    again = source.measured(*listing, keyed_groups=keyed, **{**KEPT, "cache_timeout": 600})
    assert f"hosts ({INSTANCES})" in again.stdout
    assert again.peak < LIMIT
    assert source.place.sandbox.counts()["total"] == 0

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration files in the documentation of inventory plugins list the instances that they say."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest
import yaml
from chaos.inventory_run import inventory
from chaos.workplace import Workplace

from examples.documentation import PLUGINS, Setting, shown

FILES = [(place.stem, config) for place in sorted((PLUGINS / "inventory").glob("[!_]*.py")) for config in shown(place)]


@pytest.mark.parametrize(
    ("plugin", "config"), FILES, ids=[f"{name}-{number}" for number, (name, _c) in enumerate(FILES)]
)
def test_inventory_examples_list_instances(
    place: Workplace, tmp_path: Path, plugin: str, config: dict[str, t.Any]
) -> None:
    """Some of them, and no warning about any. The memory is told: a group is made of it."""
    place.sandbox.settings(rest={"bulk_instances": 20, "null_members": []})
    if "details" in config:
        place.run("instance_group", {"name": "web", "instances": ["bulk-00001"]}).succeeded()
        place.run("load_balancer", {"group": "web"}).succeeded()
    _profile(place, config.get("profile", "default"))
    file = tmp_path / "prod.fcd.yml"
    file.write_text(yaml.safe_dump(Setting(place.sandbox.info, tmp_path).adapted(config)), encoding="utf-8")
    listed = inventory(place, file, environment={"HOME": str(place.home)})
    assert (listed.status, listed.stderr) == (0, "")
    content = json.loads(listed.stdout)
    assert config["plugin"] == f"fcd.cloud.{plugin}"
    assert content["_meta"]["hostvars"]
    expected = [f"{one['prefix']}_" for one in config.get("keyed_groups", ())]
    assert [prefix for prefix in expected if not any(group.startswith(prefix) for group in content)] == []
    assert set(config.get("groups", ())) <= set(content)


def _profile(place: Workplace, name: str) -> None:
    """Write the profile file, as the user has it."""
    own = {name[len("FCD_") :].lower(): value for name, value in place.sandbox.environment.items()}
    file = place.home / ".config" / "fcd" / "cloud.yml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(json.dumps({name: own}), encoding="utf-8")


def test_there_are_some() -> None:
    """At least one for each plugin."""
    assert {name for name, _config in FILES} == {place.stem for place in (PLUGINS / "inventory").glob("[!_]*.py")}

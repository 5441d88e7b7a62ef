# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One job brings a site to its state and configures its instances: the playbook in the README file of the role."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml
from chaos.workplace import Workplace

from examples.readme_reader import Reader, blocks

OF_ALL = {"template": "Debian 9", "subregion": "EU-001", "type": "v1.standard-1.09"}
SITE = {
    "site": "web-shop",
    "registry": {"path": "registry.json"},
    "instances": [{"name": name, **OF_ALL} for name in ("front", "back", "shop")],
    "outputs": {"front": "instances.front.ip_address", "word": "instances.front.name"},
}


@pytest.mark.full
def test_it_provisions_and_configures(place: Workplace, tmp_path: Path, collections: Path) -> None:
    """Each instance is a host of the next play, with its variables; the outputs are a fact and a file."""
    reader = Reader(place, tmp_path / "reader", collections)
    (text,) = (block for block in blocks("roles/provision/README.md", "yaml") if block.startswith("# shop.yml"))
    told = reader.folder / "front"
    shown = text.replace("~/front", f"{told}-{{{{ inventory_hostname }}}}")
    (reader.folder / "shop.yml").write_text(shown, encoding="utf-8")
    (reader.folder / "site.yml").write_text(yaml.safe_dump(SITE), encoding="utf-8")
    line = f"ansible-playbook shop.yml -e ansible_connection=local -e ansible_python_interpreter={sys.executable}"
    said = reader.type(line)
    assert "Using a variable for a task's 'args'" not in said
    outputs = reader.folder / "outputs.json"
    assert outputs.stat().st_mode & 0o777 == 0o600
    address = json.loads(outputs.read_text("utf-8"))["front"]
    assert address in json.dumps(place.sandbox.state()["rest"])
    for name in ("front", "back"):
        assert Path(f"{told}-{name}").read_text("utf-8") == f"{address} {name}\n"
    (group,) = tmp_path.glob("reader/**/front-shop_*")  # a play for shop would run on a host of that name alone
    assert group.read_text("utf-8") == f"{address} shop\n"
    again = reader.type(line)
    assert again.count("changed=0") == 4
    reader.type(
        "ansible-playbook fcd.cloud.apply -e provision_targets=instances.back -e provision_outputs_file=outputs.json"
    )
    assert json.loads(outputs.read_text("utf-8")) == {}

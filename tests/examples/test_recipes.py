# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each recipe of the guide is typed as it stands: its files, then its commands, which report the changes it says."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from chaos.workplace import Workplace
from documentation.test_blocks import BLOCK, RECIPES, blocks_in

from examples.readme_reader import Reader

RECIPE = re.compile(r"^(.+)\n-{3,}\n", re.MULTILINE)
TOLD = re.compile(r"changed=(\d+)")
SECRETS = {
    "vault_second_user_password": "An-Odd-Example-Word-1",
    "vault_temp_url_key": "An-Odd-Example-Word-2",
    "vault_next_temp_url_key": "An-Odd-Example-Word-3",
}
BEFORE = {
    "Keep the last snapshots": "web",
    "Turn instances off at night": "test-web",
    "Make a template of an instance": "builder",
    "Adopt what is there": "legacy",
}
"""The instances that a recipe is for."""


def recipes() -> dict[str, str]:
    """Return the text of each recipe by its title."""
    _head, *parts = RECIPE.split(RECIPES.read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_each_block_belongs_to_a_recipe() -> None:
    shown = {title: [language for _indent, language, _text in BLOCK.findall(text)] for title, text in recipes().items()}
    assert {title for title, languages in shown.items() if "shell" not in languages} == set()
    assert set(BEFORE) <= set(shown)


@pytest.mark.full
@pytest.mark.parametrize("title", recipes())
def test_a_recipe_does_what_it_says(reader: Reader, place: Workplace, title: str) -> None:
    """A command in check mode changes nothing at the service."""
    _prepare(reader, title)
    for block in blocks_in(recipes()[title]):
        if block.language == "yaml":
            file = reader.folder / block.named
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
            continue
        for line in block.text.splitlines():
            before = place.sandbox.state()["rest"]
            said = reader.type(f"{line.partition('#')[0]} -e @secrets.json")
            assert sum(map(int, TOLD.findall(said))) == int(TOLD.findall(line)[0]), f"{line}\n{said[-3000:]}"
            if "--check" in line:
                assert place.sandbox.state()["rest"] == before, line
            else:
                assert "no hosts matched" not in said, line


def _prepare(reader: Reader, title: str) -> None:
    """Give the reader a key, the variables from the vault and, as nothing can be reached by SSH, the local host."""
    local = {"ansible_connection": "local", "ansible_python_interpreter": sys.executable}
    (reader.folder / "secrets.json").write_text(json.dumps({**SECRETS, **local}), encoding="utf-8")
    key = Path(reader.variables()["HOME"]) / ".ssh" / "id_ed25519.pub"
    key.parent.mkdir()
    key.write_text("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExamp reader", "utf-8")
    if title in BEFORE:
        reader.type(
            "ansible localhost -m fcd.cloud.instance -a "
            f"'name={BEFORE[title]} template=\"Debian 9\" subregion=EU-001 type=v1.standard-1.09'"
        )

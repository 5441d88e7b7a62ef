# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the README files tell a reader to type is typed."""

from __future__ import annotations

import re

import pytest
import yaml
from chaos.workplace import Workplace

from examples.readme_reader import Reader, blocks

NAMED = re.compile(r"# (\w+\.yml)$", re.MULTILINE)
REMOVAL = "ansible-playbook fcd.cloud.deprovision -e provision_max_delete=100% -e provision_confirm=web-shop"
OF_ANSIBLE = ("ansible ", "ansible-playbook ", "ansible-doc ")


def commands(name: str) -> list[str]:
    """Return the commands of Ansible in it that are typed into a shell."""
    lines = [line for block in blocks(name, "shell") for line in block.splitlines()]
    return [line for line in lines if line.startswith(OF_ANSIBLE)]


@pytest.mark.parametrize("name", ["README.md", pytest.param("roles/provision/README.md", marks=pytest.mark.full)])
def test_commands(reader: Reader, name: str) -> None:
    """They run in their order."""
    lines = commands(name)
    assert lines
    for line in lines:
        reader.type(line)


@pytest.mark.full
@pytest.mark.parametrize("role", ["instances", "warehouses", "client_onboarding", "credentials", "web_tier"])
def test_commands_of_a_role(place: Workplace, reader: Reader, role: str) -> None:
    """They run in their order with the files that are shown, each of which begins with its name.

    Check mode comes first, before anything exists: it foresees changes, and makes none.
    """
    name = f"roles/{role}/README.md"
    for text in blocks(name, "yaml"):
        file = NAMED.search(text)
        assert file is not None
        (reader.folder / file.group(1)).write_text(text, encoding="utf-8")
    lines = commands(name)
    assert lines
    for line in lines:
        said = reader.type(line)
        if "--check" in line:
            assert place.writes() == []
            assert re.search(r"changed=[1-9]", said)


def test_the_first_playbook(place: Workplace, reader: Reader) -> None:
    """The instance of README.md is made."""
    (text,) = (block for block in blocks("README.md", "yaml") if block.startswith("- hosts:"))
    (reader.folder / "first.yml").write_text(text, encoding="utf-8")
    assert "changed=1" in reader.type("ansible-playbook first.yml --check --diff")
    assert place.sandbox.counts()["writes"] == 0
    assert "changed=1" in reader.type("ansible-playbook first.yml")
    (made,) = place.sandbox.state()["rest"]["instances"]
    assert made["Name"] == yaml.safe_load(text)[0]["tasks"][0]["fcd.cloud.instance"]["name"]


@pytest.mark.full
def test_publishing_files(place: Workplace, reader: Reader) -> None:
    """The commands of the role object_storage with the files that it shows."""
    name = "roles/object_storage/README.md"
    (text,) = blocks(name, "yaml")
    (reader.folder / "files.yml").write_text(text, encoding="utf-8")
    for file in ("site/index.html", "site/404error.html", "reports/may.txt"):
        (reader.folder / file).parent.mkdir(exist_ok=True)
        (reader.folder / file).write_text(file, encoding="utf-8")
    foreseen, real = commands(name)
    assert "changed=5" in reader.type(foreseen)
    assert place.sandbox.counts()["writes"] == 0
    assert "changed=5" in reader.type(real)
    assert "changed=0" in reader.type(real)


@pytest.mark.full
def test_a_forgotten_password(place: Workplace, reader: Reader) -> None:
    """It stops a site before the first change, and its validation and removal not at all; check mode foresees that."""
    forgotten = {"SITE_BILLING_READER_PASSWORD": ""}
    said = reader.run("ansible-playbook fcd.cloud.apply", **forgotten)
    assert said.returncode != 0
    assert "billing.reader" in said.stdout + said.stderr
    assert place.sandbox.counts()["writes"] == 0
    assert reader.run("ansible-playbook fcd.cloud.validate", **forgotten).returncode == 0
    reader.type("ansible-playbook fcd.cloud.apply")
    writes = place.sandbox.counts()["writes"]
    told = []
    for line in (f"{REMOVAL} --check --diff", REMOVAL):
        assert place.sandbox.counts()["writes"] == writes
        told.append(re.findall(r"(\d+) to delete", reader.type(line)))
    assert told[0] == told[1]
    assert place.sandbox.state()["rest"]["instances"] == []
    assert "changed=0" in reader.type(REMOVAL)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever may name a thing writes no control sequence, line or command of a pipeline into somebody's terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from chaos.workplace import Workplace

from examples.readme_reader import Reader

NAMES = (
    "esc\x1b]0;owned\x07\x1b[31mRED",
    "nl\nname: injected",
    "rtl\u202egnp.exe",
    "::warning::x",
    "nl\n::error::y",
    "z ##vso[task.x]",
)
SHOWN = (
    r"esc\x1b]0;owned\x07\x1b[31mRED",
    r"nl\nname: injected",
    r"rtl\u202egnp.exe",
    "::warning::x",
    r"nl\n::error::y",
    r"z \x23#vso[task.x]",
)
CONTAINERS = [{"name": name, "metadata": {"owner": NAMES[number % 2 + 2]}} for number, name in enumerate(NAMES)]
MODULES = [{"fcd.cloud.storage_container": {**one}} for one in CONTAINERS]
AS_YAML = {"ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml"}  # JSON if nothing is said
COMMAND = re.compile(r"\s*::|.*##\w*\[")


@pytest.fixture
def reader(place: Workplace, tmp_path: Path, collections: Path) -> Reader:
    """Somebody whose site and whose play have hostile names; JSON is YAML too."""
    reader = Reader(place, tmp_path / "reader", collections)
    site = {"site": "hostile", "storage_containers": CONTAINERS}
    (reader.folder / "site.yml").write_text(json.dumps(site), encoding="utf-8")
    play = [{"hosts": "localhost", "gather_facts": False, "tasks": MODULES}]
    (reader.folder / "play.yml").write_text(json.dumps(play), encoding="utf-8")
    return reader


def harmless(text: str) -> str:
    """Return what went to a terminal: all of it can be seen, and no line is a command."""
    assert [line for line in seen(text).splitlines() if COMMAND.match(line)] == []
    return text


def seen(text: str) -> str:
    """Return the text, all of which can be seen."""
    assert [ascii(line) for line in text.splitlines() if not line.isprintable()] == []
    return text


@pytest.mark.parametrize("shape", [{}, pytest.param(AS_YAML, marks=pytest.mark.full)], ids=["json", "yaml"])
def test_differences_of_modules(reader: Reader, shape: dict[str, str]) -> None:
    done = reader.run("ansible-playbook play.yml --diff", **shape)
    assert done.returncode == 0, done.stdout
    said = harmless(done.stdout + done.stderr).replace("\\\\", "\\")
    assert [name for name in SHOWN if name not in said] == []


@pytest.mark.full
@pytest.mark.parametrize("way", ["plan", "apply"])
def test_plans_and_differences_of_sites(reader: Reader, way: str) -> None:
    done = reader.run(f"ansible-playbook fcd.cloud.{way} --diff", **AS_YAML)
    assert done.returncode == 0, done.stdout
    said = harmless(done.stdout + done.stderr)
    for name in SHOWN:
        assert way == "plan" or f"--- before: storage_containers {name}" in said
        assert f" + storage_containers {name}" in said
    for report in (reader.folder / "reports").iterdir():
        seen(report.read_text(encoding="utf-8"))


def test_messages_and_warnings(reader: Reader) -> None:
    """Of a name that the service refuses, and of one that is no option."""
    wrong = {"fcd.cloud.storage_container": {"name": f"no/{NAMES[0]}{NAMES[1]}"}, "ignore_errors": True}
    unknown = {"fcd.cloud.storage_container": {"name": "x", NAMES[2]: "x"}, "ignore_errors": True}
    choice = {"fcd.cloud.storage_container": {"name": "x", "state": NAMES[2]}, "ignore_errors": True}
    lookup = {"debug": {"msg": "{{ lookup('fcd.cloud.storage_object', name) }}"}, "vars": {"name": f"no/{NAMES[1]}"}}
    play = [
        {
            "hosts": "localhost",
            "gather_facts": False,
            "tasks": [wrong, unknown, choice, {**lookup, "ignore_errors": True}],
        }
    ]
    (reader.folder / "play.yml").write_text(json.dumps(play), encoding="utf-8")
    done = reader.run("ansible-playbook play.yml")
    messages = re.findall(r'"msg": (".*?")(?:,|\n|})', done.stdout)
    assert len(messages) >= 4, done.stdout
    for message in messages:
        assert json.loads(message).isprintable(), message


@pytest.mark.full
def test_an_export_hides_nothing_from_its_reviewer(reader: Reader) -> None:
    reader.type("ansible-playbook play.yml")
    said = reader.type("ansible-playbook fcd.cloud.export")
    text = seen((reader.folder / "site.exported.yml").read_text(encoding="utf-8"))
    assert r'"rtl\u202egnp.exe"' in text
    harmless(said)
    reader.type("ansible-playbook fcd.cloud.plan -e provision_file=site.exported.yml")

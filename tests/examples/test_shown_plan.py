# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody sees who types plan and apply: each entry with its sign, and nothing that does not matter."""

from __future__ import annotations

import json
import subprocess

import pytest
from chaos.workplace import Workplace

from examples.readme_reader import Reader
from examples.test_progress import HASTE

SITE = """
site: web-shop
registry: {path: registry.json}
private_networks:
  - {name: shop-lan}
storage_containers:
  - name: shop-assets
    read_acl: ""
  - name: shop-old
"""
AFTERWARDS = SITE.replace('""', '".r:*"').replace("  - name: shop-old\n", "")
MISSPELT = "{name: shop-web, template: Debain 9, subregion: EU-001, type: v1.standard-2.2}"
TASK = """
- hosts: localhost
  gather_facts: false
  tasks:
    - fcd.cloud.site: {src: site.yml, show_plan: true}
"""
CALLBACK = """
import json
from ansible.plugins.callback import CallbackBase

DOCUMENTATION = "{name: jsonl, type: stdout, short_description: for programs, description: [JSON], options: {}}"

class CallbackModule(CallbackBase):
    CALLBACK_VERSION, CALLBACK_TYPE, CALLBACK_NAME = 2.0, "stdout", "jsonl"

    def v2_runner_on_ok(self, result):
        self._display.display(json.dumps({"counts": result._result["counts"]}))
"""


@pytest.fixture
def reader(reader: Reader) -> Reader:
    """A small site that is not there yet."""
    (reader.folder / "site.yml").write_text(SITE, encoding="utf-8")
    return reader


def shown(said: str) -> list[str]:
    """Return the lines between the task and its outcome."""
    lines = said.splitlines()
    (begin,) = (number for number, line in enumerate(lines) if line.endswith(" of web-shop:"))
    end = next(number for number, line in enumerate(lines[begin:], begin) if line.startswith(("ok: ", "changed: ")))
    return lines[begin:end]


def test_plan_and_apply_show_the_plan(reader: Reader) -> None:
    planned = shown(reader.type("ansible-playbook fcd.cloud.plan"))
    assert planned[:2] == ["Plan of web-shop:", "    + private_networks shop-lan  (site.yml:5)"]
    assert planned[-1] == "Plan: 3 to create."
    applied = shown(reader.type("ansible-playbook fcd.cloud.apply"))
    assert applied[0] == "Apply of web-shop:"
    assert "    + storage_containers shop-assets  (site.yml:7)" in applied
    assert applied[-1] == "Apply: 3 to create."
    (reader.folder / "site.yml").write_text(AFTERWARDS, encoding="utf-8")
    again = shown(reader.type("ansible-playbook fcd.cloud.plan"))
    assert again == [
        "Plan of web-shop:",
        "    ~ storage_containers shop-assets  (site.yml:7; edited in the file since the last apply)",
        '        read_acl: "" -> .r:*',
        "        1 field (known after apply)",
        "    ? storage_containers shop-old  (no longer declared)",
        "  Since the last apply: 1 edited in the file.",
        "Plan: 1 to update; 1 no longer declared; 1 as declared.",
    ]
    drift = reader.run("ansible-playbook fcd.cloud.drift")
    assert drift.returncode == 2
    told = shown(drift.stdout)
    assert told[0] == "Drift of web-shop:"
    assert told[-1] == "Drift: 1 different; 1 no longer declared; 1 as declared."


@pytest.mark.full
def test_a_pipe_shows_the_plan_before_anything_is_done(reader: Reader, place: Workplace) -> None:
    """With the variable that the pipelines set."""
    place.sandbox.fault("hold", service="storage", method="PUT", path="/shop-assets", times=0)
    words = reader.words("ansible-playbook fcd.cloud.apply")
    variables = {**reader.variables(), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, cwd=reader.folder, env=variables, text=True, stdout=subprocess.PIPE) as apply:
        assert apply.stdout is not None
        assert "Apply: 3 to create.\n" in iter(apply.stdout.readline, "")
        sent = place.sandbox.requests("storage")
        assert not [one for one in sent if one["method"] == "PUT" and one["status"]]
        place.sandbox.clear_faults()
        assert "changed=1" in apply.stdout.read()


@pytest.mark.full
def test_an_apply_that_takes_long_shows_each_entry_once(reader: Reader) -> None:
    (reader.folder / "callback_plugins").mkdir()
    (reader.folder / "callback_plugins" / "haste.py").write_text(HASTE.replace("0.3", "0.01"), encoding="utf-8")
    calls = {"ANSIBLE_CALLBACK_PLUGINS": str(reader.folder / "callback_plugins")}
    applied = shown(reader.run("ansible-playbook fcd.cloud.apply", **calls).stdout)
    entry = "[localhost] site web-shop: private_networks shop-lan"
    assert applied.index(f"{entry} (create) begins") > applied.index("Apply: 3 to create.")
    assert sum(line.startswith(f"{entry} done in ") for line in applied) == 1


@pytest.mark.full
def test_an_apply_ends_with_the_outputs(reader: Reader) -> None:
    """A plan does not have them; an apply that changes nothing does."""
    outputs = "outputs: {lan: 'private_networks.shop-lan.name', listing: 'storage_containers.shop-assets.read_acl'}\n"
    (reader.folder / "site.yml").write_text(SITE + outputs, encoding="utf-8")
    ending = ["Outputs:", "  lan = shop-lan", '  listing = ""']
    assert shown(reader.type("ansible-playbook fcd.cloud.plan"))[-1] == "Plan: 3 to create."
    assert shown(reader.type("ansible-playbook fcd.cloud.apply"))[-3:] == ending
    assert shown(reader.type("ansible-playbook fcd.cloud.apply"))[-3:] == ending


def test_an_error_of_a_plan_is_reported_once(reader: Reader) -> None:
    """It stands below its entry in the plan; the task that fails in the end says so, and does not repeat it."""
    (reader.folder / "site.yml").write_text(f"{SITE}instances: [{MISSPELT}]\n", encoding="utf-8")
    failed = reader.run("ansible-playbook fcd.cloud.plan")
    assert failed.returncode == 2
    said = failed.stdout + failed.stderr
    assert said.count("Debain 9") == 1
    assert "    ! instances shop-web  (site.yml:10)" in said.splitlines()
    assert "1 of 4 entries cannot be planned. The plan above shows each error below its entry." in said


@pytest.mark.full
def test_a_diff_has_what_differs_and_nothing_else(reader: Reader) -> None:
    reader.type("ansible-playbook fcd.cloud.apply")
    (reader.folder / "site.yml").write_text(AFTERWARDS, encoding="utf-8")
    said = reader.type("ansible-playbook fcd.cloud.apply --diff")
    first = said.index("--- before: storage_containers shop-assets")
    diff = [line for line in said[first:].splitlines() if '"last_modified": "20' not in line]  # it differs, too
    assert diff[3:7] == [" {", '-    "read_acl": ""', '+    "read_acl": ".r:*"', " }"]
    assert "null" not in said


@pytest.mark.parametrize("more", ["show_plan: false}\n      check_mode: true", "state: present}\n      no_log: true"])
def test_the_plan_is_not_shown(reader: Reader, more: str) -> None:
    (reader.folder / "play.yml").write_text(TASK.replace("show_plan: true}", more), encoding="utf-8")
    assert "web-shop:" not in reader.type("ansible-playbook play.yml --check")


@pytest.mark.full
def test_nothing_gets_between_the_lines_of_what_a_program_reads(reader: Reader) -> None:
    """Callbacks for programs write JSON and nothing else."""
    (reader.folder / "callback_plugins").mkdir()
    (reader.folder / "callback_plugins" / "jsonl.py").write_text(CALLBACK, encoding="utf-8")
    (reader.folder / "play.yml").write_text(TASK, encoding="utf-8")
    done = reader.run("ansible-playbook play.yml --check", ANSIBLE_STDOUT_CALLBACK="jsonl")
    assert [json.loads(line)["counts"]["create"] for line in done.stdout.splitlines()] == [3]


@pytest.mark.full
def test_an_apply_takes_the_limits_of_its_plan(reader: Reader) -> None:
    """As the apply job of a pipeline does, which is given the plan only; another limit is refused."""
    reader.type("ansible-playbook fcd.cloud.plan -e provision_max_replace=1 -e provision_max_delete=50%")
    apply = "ansible-playbook fcd.cloud.apply -e provision_plan_file=site.plan.json"
    refused = reader.run(f"{apply} -e provision_max_replace=2")
    assert (refused.returncode, "is for max_replace 1, this run is for 2" in refused.stdout) == (2, True)
    assert "done: 3" in reader.type(apply)

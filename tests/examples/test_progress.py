# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody sees of a task that takes long: that it is alive, what it does, and how far it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from chaos.workplace import Workplace

from examples.readme_reader import Reader

HASTE = """
from ansible.plugins.callback import CallbackBase
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import sync_report
from ansible_collections.fcd.cloud.plugins.plugin_utils import _action

_action.FIRST_REPORT = sync_report.REPORT_PAUSE = 0.3

class CallbackModule(CallbackBase):
    CALLBACK_VERSION, CALLBACK_TYPE, CALLBACK_NAME = 2.0, "aggregate", "haste"
"""
"""Has the first line after a moment: workers are forks of the process that loads this."""

OF_JOBS = """
from ansible.plugins.callback.minimal import CallbackModule as Minimal

DOCUMENTATION = "{name: awx_display, type: stdout, short_description: for jobs, description: [events], options: {}}"

class CallbackModule(Minimal):
    CALLBACK_NAME = "awx_display"
"""
PLAY = """
- hosts: all
  gather_facts: false
  vars: {ansible_connection: local}
  tasks:
"""
FLEET = """
    - fcd.cloud.instance_fleet:
        fleet: shop
        instance_defaults: {template: Debian 8, subregion: EU-001, type: v1.standard-2.2}
        instances: [{name: shop-1}, {name: shop-2}, {name: shop-3}]
"""
SYNC = """
    - fcd.cloud.storage_container: {name: shop-assets}
    - fcd.cloud.storage_sync: {mode: push, path: files, container: shop-assets, connections: 1}
"""
ONE = """
    - fcd.cloud.instance:
        {name: "{{ inventory_hostname }}", template: Debian 8, subregion: EU-001, type: v1.standard-2.2}
"""
SITE = """
    - fcd.cloud.site: {src: site.yml, max_delete: 0}
"""
SMALL_SITE = """
site: web-shop
registry: {path: registry.json}
private_networks: [{name: "shop\\u202elan"}]
"""


@pytest.fixture
def reader(place: Workplace, tmp_path: Path, collections: Path) -> Reader:
    """All that goes on at the service takes a second and a half, and sending an object a fifth of one."""
    place.sandbox.settings(rest={"ticket_seconds": 1.5})
    place.sandbox.fault("delay", service="storage", method="PUT", path="/shop-assets/", seconds=0.2, times=0)
    reader = Reader(place, tmp_path / "reader", collections)
    (reader.folder / "site.yml").write_text(SMALL_SITE, encoding="utf-8")
    (reader.folder / "files").mkdir()
    for number in range(12):
        (reader.folder / "files" / f"{number}.txt").write_text(str(number), encoding="utf-8")
    (reader.folder / "callback_plugins").mkdir()
    (reader.folder / "callback_plugins" / "haste.py").write_text(HASTE, encoding="utf-8")
    (reader.folder / "callback_plugins" / "awx_display.py").write_text(OF_JOBS, encoding="utf-8")
    return reader


def shown(reader: Reader, tasks: str, words: str = "-i localhost,", **variables: str) -> list[str]:
    """Return the lines of progress that a playbook with these tasks shows."""
    (reader.folder / "play.yml").write_text(PLAY + tasks, encoding="utf-8")
    done = reader.run(f"ansible-playbook play.yml {words}", **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if re.match(r"\[[^]]*\] \w+", line)]


def test_long_tasks_say_what_they_do(reader: Reader) -> None:
    fleet = shown(reader, FLEET)
    assert fleet[-1].startswith("[localhost] instance_fleet shop: "), fleet
    one = r"shop-\d \(ticket \d+(, \d+ %)?\)"
    counted = rf".* shop: \d of 3 instances are done\. Waiting for {one}(, {one})?( and 1 more)? \(\d+ s so far\)"
    assert any(re.fullmatch(counted, line) for line in fleet)
    sync = shown(reader, SYNC)
    counted = r"\[localhost\] storage_sync shop-assets: \d+ of 12 objects, \d/s \(\d+ s so far\)"
    assert any(re.fullmatch(counted, line) for line in sync)
    site = shown(reader, SITE)
    escaped = r"private_networks shop\u202elan"
    assert f"[localhost] site web-shop: {escaped} (create) begins" in site
    assert any(line.startswith(f"[localhost] site web-shop: {escaped} done in ") for line in site)
    assert any(line.startswith("[localhost] site web-shop: 0 of 1 entries are done; ") for line in site)


def test_each_line_names_its_host(reader: Reader) -> None:
    found = shown(reader, ONE, "-i web-01,web-02")
    for name in ("web-01", "web-02"):
        assert any(re.match(rf"\[{name}\] instance.*'{name}'", line) for line in found), found


@pytest.mark.full
@pytest.mark.parametrize(
    ("variables", "alive"),
    [
        ({"FCD_PROGRESS": "never"}, False),
        ({"ANSIBLE_STDOUT_CALLBACK": "awx_display"}, False),
        ({"ANSIBLE_STDOUT_CALLBACK": "awx_display", "FCD_PROGRESS": "always"}, True),
    ],
)
def test_who_sees_nothing(reader: Reader, variables: dict[str, str], *, alive: bool) -> None:
    assert bool(shown(reader, ONE, **variables)) is alive


@pytest.mark.full
def test_a_label_hides_the_item(reader: Reader) -> None:
    hides = "      loop: [odd-item]\n      loop_control: {label: shop}\n"
    found = shown(reader, ONE.replace("inventory_hostname", "item") + hides)
    assert found and all(line.startswith("[localhost] instance shop: still running (") for line in found), found
    known = hides.replace("label: shop", 'label: "{{ item }}"').replace("odd-item", "another")
    assert any("ticket" in line for line in shown(reader, ONE.replace("inventory_hostname", "item") + known))


@pytest.mark.full
def test_a_line_for_each_host(reader: Reader) -> None:
    """Which ``ansible -o`` is asked for."""
    words = "name=one template='Debian 8' subregion=EU-001 type=v1.standard-2.2"
    done = reader.run(f'ansible -o -i localhost, -c local all -m fcd.cloud.instance -a "{words}"')
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 1, done.stdout


@pytest.mark.full
@pytest.mark.parametrize("tasks", [f"{ONE}      no_log: true\n", ONE.replace("2.2}\n", "2.2, progress: never}\n")])
def test_a_task_can_be_silent(reader: Reader, tasks: str) -> None:
    assert shown(reader, tasks) == []


def test_short_tasks_show_nothing(reader: Reader) -> None:
    """Those that end before the first line is due; in a site, that goes for the lines of its entries, too."""
    (reader.folder / "callback_plugins" / "haste.py").write_text(HASTE.replace("0.3", "300.0"), encoding="utf-8")
    assert shown(reader, ONE + SITE) == []

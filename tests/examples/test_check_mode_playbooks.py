# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbooks of the collection with --check on an empty account: each ends well and changes nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from chaos.playbook_run import play, task
from chaos.workplace import Workplace

from examples.readme_reader import Reader
from examples.test_check_mode import KEY, NEW

WEB = [{"instance_name": name, **NEW} for name in ("web", "db")]
INSTANCES = {"orchestrated_instances_present": WEB}
HOSTS = "-e provision_add_hosts=shop -e provision_outputs_file=outputs.json"
PLAYBOOKS = {
    "validate": "entries, all valid",
    "plan": "to create",
    f"apply {HOSTS}": "to create",
    "drift": "entries are not as declared",
    "prune": "nothing to do",
    "prune -e provision_dry_run=false": "nothing to do",
    "deprovision -e provision_max_delete=100%": "nothing to do",
    "state": "KIND",
    "export": "left out",
    "orchestrated_instances -e @instances.yml": "changed=1",
}
"""Playbooks with what they say."""
FOUND = {"drift": 2}
"""Exit codes other than 0, in every run."""


@pytest.mark.full
@pytest.mark.parametrize(("line", "said"), PLAYBOOKS.items(), ids=PLAYBOOKS)
def test_playbooks(place: Workplace, reader: Reader, line: str, said: str) -> None:
    (reader.folder / "instances.yml").write_text(yaml.safe_dump(INSTANCES), encoding="utf-8")
    before = sorted(reader.folder.rglob("*"))
    done = reader.run(f"ansible-playbook fcd.cloud.{line} --check")
    assert (said in done.stdout, done.returncode) == (True, FOUND.get(line, 0)), done.stdout[-3000:]
    assert place.writes() == []
    assert sorted(reader.folder.rglob("*")) == before


def test_what_apply_says_is_what_it_does(reader: Reader) -> None:
    checked = reader.type("ansible-playbook fcd.cloud.apply --check")
    (said,) = re.findall(r"msg.*web-shop: (.*)", checked)
    done = reader.type("ansible-playbook fcd.cloud.apply")
    assert [re.findall(r"changed=\d+", text) for text in (checked, done)] == [["changed=1"], ["changed=1"]]
    assert f"done: {sum(map(int, re.findall('([0-9]+) to ', said)))}, failed: 0" in done


SITE = {
    "site": "known",
    "registry": {"path": "registry.json"},
    "ssh_keys": [{"name": "of-site", "public_key": KEY}],
    "instances": [{"name": "of-site", **NEW}],
    "storage_containers": [{"name": "of-site"}],
    "storage_objects": [{"container": "of-site", "name": "page", "content": "a page"}],
}


def test_later_tasks_know_the_site(place: Workplace, tmp_path: Path) -> None:
    """Of what a site would make and remove, a later task says what it then does."""
    project = tmp_path / "run" / "project"
    project.mkdir(parents=True)
    path = project / "site.yml"
    path.write_text(yaml.safe_dump(SITE), encoding="utf-8")
    page = {"container": "of-site", "name": "page"}
    disk = {"size": 10, "disk_class": "Tier 1"}
    made = [
        task("site", {"src": str(path)}, "apply"),
        task("disk", {**disk, "name": "data", "instances": ["of-site"]}, "disk"),
        task("instance", {**NEW, "name": "more", "ssh_keys": ["of-site"]}, "instance"),
        task("instance", {"name": "of-site", "state": "started"}, "same instance"),
        task("storage_object", {**page, "content": "a page"}, "same page"),
    ]
    gone = [
        task("site", {"src": str(path), "state": "absent", "max_delete": "100%"}, "remove"),
        task("storage_container", {"name": "of-site", "state": "absent"}, "no container"),
        task("disk", {"name": "data", "state": "absent"}, "free disk"),
        task("instance", {"name": "of-site", "state": "absent"}, "no instance"),
    ]
    for tasks in (made, gone):
        checked = play(place, tasks, tmp_path / "run", cmdline="--check")
        done = play(place, tasks, tmp_path / "run")
        assert (checked.status, done.status) == (0, 0), checked.stdout[-3000:] + done.stdout[-3000:]
        changed = [[(one.name, one.result["changed"]) for one in run.results] for run in (checked, done)]
        assert changed[0] == changed[1]

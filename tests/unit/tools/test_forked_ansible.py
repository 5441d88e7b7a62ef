# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fork says and does what the program itself does, wherever Ansible reads its configuration from."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import collection_tree
import forked_ansible
import pytest
from ansible.constants import config

pytestmark = pytest.mark.full

ANSIBLE, PLAYBOOK = (str(Path(sys.executable).with_name(name)) for name in ("ansible", "ansible-playbook"))
PLAY = """
- hosts: all
  gather_facts: false
  tasks:
    - debug: {msg: "{{ dict(names | zip(lookup('config', *names, wantlist=true))) }}"}
    - debug: {msg: "{{ lookup('env', 'FCD_WORD') }} {{ playbook_dir }} {{ ansible_playbook_python }}"}
    - debug: {msg: "{{ ansible_version }}"}
    - command: 'sh -c "echo $FCD_WORD in $PWD, $HOME; echo error >&2"'
    - debug: {msg: "{{ nobody_knows }}"}
"""
LOCAL = ("-i", "localhost,", "-c", "local")
SETTINGS: dict[str, dict[str, str]] = {
    "none": {},
    "callbacks": {
        "ANSIBLE_STDOUT_CALLBACK": "minimal",
        "ANSIBLE_CALLBACKS_ENABLED": "junit",
        "ANSIBLE_FORCE_COLOR": "1",
    },
    "paths": {
        "ANSIBLE_COLLECTIONS_PATH": "mine:{{CWD}}/theirs",
        "ANSIBLE_HOME": "~/own",
        "ANSIBLE_LOCAL_TEMP": "~/temp",
    },
}
CHANGES = re.compile(r"(?<=ansible-local-)\w+|\b\d+:\d\d:\d\d\.\d+\b|[\d-]+ [\d:]+\.\d{6}")
"""What is another in each run: the name of the temporary folder, times."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a playbook that tells all settings, and a home beside it."""
    folder = tmp_path / "here"
    for place in (tmp_path / "home", folder):
        place.mkdir()
    (folder / "play.yml").write_text(PLAY, encoding="utf-8")
    given = {"names": sorted(config.get_configuration_definitions()), "ansible_python_interpreter": sys.executable}
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    return folder


def variables(folder: Path, word: str, **own: str) -> dict[str, str]:
    """Return the variables of a run; ``word`` is one that Ansible does not know."""
    home = str(folder.parent / "home")
    return {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C.UTF-8", "FCD_WORD": word, **own}


def test_a_fork_says_what_the_program_says(folder: Path) -> None:
    """Each setting, with another word each time; what is kept for the first is used again at the end."""
    words = [PLAYBOOK, *LOCAL, "-v", "-e", "@given.json", "--diff", "play.yml"]
    for number, name in enumerate([*SETTINGS, "none"]):
        given = variables(folder, f"word{number}", **SETTINGS[name])
        real = subprocess.run(words, cwd=folder, env=given, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        forked = forked_ansible.run(words, folder, given)
        assert (forked.returncode, real.returncode) == (2, 2)
        assert f"word{number} in {folder}, " in forked.stdout
        for ours, theirs in ((forked.stdout, real.stdout), (forked.stderr, real.stderr)):
            assert CHANGES.sub("-", ours) == CHANGES.sub("-", theirs.decode()), name


@pytest.mark.parametrize("place", ["here/ansible.cfg", "home/.ansible.cfg", "home/other.cfg"])
def test_a_file_of_settings_is_read_each_time(folder: Path, place: str) -> None:
    """Also when it has another content in the next run."""
    file = folder.parent / place
    given = variables(folder, "word", **({"ANSIBLE_CONFIG": str(file)} if "other" in place else {}))
    for forks in ("4", "6"):
        file.write_text(f"[defaults]\nforks = {forks}\n", encoding="utf-8")
        tells = ["localhost", "-m", "debug", "-a", "msg={{ lookup('config', 'DEFAULT_FORKS') }}"]
        assert f'"msg": {forks}\n' in forked_ansible.run([ANSIBLE, *LOCAL, *tells], folder, given).stdout


THEIRS = """
from ansible.plugins.lookup import LookupBase

class LookupModule(LookupBase):
    def run(self, terms, variables=None, **kwargs):
        return ["theirs"]
"""


def test_a_collection_beside_a_playbook_goes_first(folder: Path) -> None:
    """The one that is found elsewhere has been imported by then."""
    asked = [
        {"hosts": "all", "gather_facts": False, "tasks": [{"debug": {"msg": "{{ lookup('fcd.cloud.contract') }}"}}]}
    ]
    (folder / "play.yml").write_text(json.dumps(asked), encoding="utf-8")
    given = variables(folder, "word", ANSIBLE_COLLECTIONS_PATH=str(collection_tree.linked()))
    words = [PLAYBOOK, *LOCAL, str(folder / "play.yml")]
    for where in (folder, folder.parent):
        done = forked_ansible.run(words, where, given)
        assert done.returncode and '"theirs"' not in done.stdout
    lookups = folder / "collections" / collection_tree.PLACE / "plugins" / "lookup"
    lookups.mkdir(parents=True)
    (lookups / "contract.py").write_text(THEIRS, encoding="utf-8")
    for where in (folder, folder.parent):
        assert '"theirs"' in forked_ansible.run(words, where, given).stdout


@pytest.mark.parametrize(("settings", "temporary"), [("paths", "temp"), ("none", ".ansible/tmp")])
def test_a_run_leaves_nothing(folder: Path, settings: str, temporary: str) -> None:
    """Each has a temporary folder of its own, which goes with it; what was not used for a while has ended."""
    content = "dest=copy content={{ lookup('env', 'FCD_WORD') }}"
    before = {*os.listdir(folder), "copy"}
    for number in range(2):
        given = variables(folder, f"word{number}", **SETTINGS[settings])
        words = [ANSIBLE, *LOCAL, "localhost", "-e", "@given.json", "-m", "copy", "-a", content]
        done = forked_ansible.run(words, folder, given)
        assert (done.returncode, (folder / "copy").read_text("utf-8")) == (0, f"word{number}"), done.stdout
        assert list((folder.parent / "home" / temporary).iterdir()) == []
    assert set(os.listdir(folder)) == before
    assert len(forked_ansible._kept) <= forked_ansible.MOST

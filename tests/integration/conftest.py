# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run plays against the sandbox of the worker, in forks of one process and in a home that they share."""

from __future__ import annotations

import json
import os
import sys
import typing as t
from pathlib import Path

import forked_ansible
import integration_settings
import pytest
from sandbox.process import SandboxProcess

TARGETS = Path(__file__).parent / "targets"
PROGRAM = str(Path(sys.executable).with_name("ansible-playbook"))
INTERPRETER = "ansible_python_interpreter='{{ ansible_playbook_python }}'"
HOST = f"testhost ansible_connection=local ansible_pipelining=yes {INTERPRETER}\n"
Play = t.Callable[..., str]


@pytest.fixture(scope="session")
def ansible_home(sandbox: SandboxProcess, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a profile for the sandbox, an inventory, and the variables that ansible-test would give."""
    home = tmp_path_factory.mktemp("home")
    integration_settings.write_profile(sandbox.info, home)
    (home / "inventory").write_text(HOST, encoding="utf-8")
    (home / "variables.json").write_text(json.dumps(integration_settings.variables(sandbox.info)), encoding="utf-8")
    return home


@pytest.fixture
def play(sandbox: SandboxProcess, ansible_home: Path, tmp_path: Path) -> Play:
    """What runs a play, and returns its output; the sandbox is at its seed then, and is asked afterwards."""

    def run(*options: str, **keywords: t.Any) -> str:
        sandbox.reset()
        own = {"output_dir": str(tmp_path)}
        whole = {"hosts": "testhost", "gather_facts": False, "vars": own, **keywords}
        (ansible_home / "play.yml").write_text(json.dumps([whole]), encoding="utf-8")
        words = [PROGRAM, "-i", "inventory", "-e", "@variables.json", *options, "play.yml"]
        done = forked_ansible.run(words, ansible_home, _environment(ansible_home))
        assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
        assert sandbox.violations() == []
        return done.stdout

    return run


def _environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": os.pathsep.join([str(Path(PROGRAM).parent), os.environ.get("PATH", os.defpath)]),
        "ANSIBLE_ACTION_PLUGINS": str(TARGETS / "setup_sandbox" / "action_plugins"),
        "ANSIBLE_COLLECTIONS_PATH": os.environ["ANSIBLE_COLLECTIONS_PATH"],
        "ANSIBLE_ROLES_PATH": str(TARGETS),
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_LOCALHOST_WARNING": "false",
    }

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The execution environment: ansible-builder reads its definition and what the collection asks for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import collection_tree
import yaml

CHECKOUT = Path(__file__).resolve().parents[2]
DEFINITION = CHECKOUT / "extensions" / "execution_environment" / "execution-environment.yml"
NEEDED = ["requests", "lxml", "zeep"]
"""Of meta/ee-requirements.txt; ansible-builder leaves out PyYAML, which comes with ansible-core."""


def builder(*arguments: str, folder: Path) -> str:
    """Run ansible-builder in a folder and return what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "ansible_builder", *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_context_of_the_image_is_made(tmp_path: Path) -> None:
    """Base image, ansible-core, the runner and the collection are in it."""
    context = tmp_path / "context"
    options = ["--context", str(context), "--output-filename", "Containerfile"]
    builder("create", "--file", str(DEFINITION), *options, folder=tmp_path)
    wanted = yaml.safe_load(DEFINITION.read_text("utf-8"))
    text = (context / "Containerfile").read_text("utf-8")
    assert f'ARG EE_BASE_IMAGE="{wanted["images"]["base_image"]["name"]}"' in text
    assert 'ARG PKGMGR="/usr/bin/apt-get"' in text
    assert 'ARG PYCMD="/usr/local/bin/python3"' in text
    assert 'ARG ANSIBLE_INSTALL_REFS="ansible-core>=2.18 ansible-runner>=2.4"' in text
    requirements = yaml.safe_load((context / "_build" / "requirements.yml").read_text("utf-8"))
    assert requirements == {"collections": [{"name": "fcd.cloud", "version": ">=0.1.0"}]}


def test_the_collection_says_what_it_needs(tmp_path: Path) -> None:
    """As ansible-builder finds it in a tree of collections; it wants nothing of the system."""
    said = builder("introspect", "--sanitize", str(collection_tree.linked()), folder=tmp_path)
    found = yaml.safe_load(said[said.index("---") :])
    assert [line.split(">=")[0].strip() for line in found["python"]] == NEEDED
    assert all(line.endswith("# from collection fcd.cloud") for line in found["python"])
    assert not found.get("system")

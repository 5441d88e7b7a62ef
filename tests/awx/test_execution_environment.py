# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The execution environment: ansible-builder reads its definition and what the collection asks for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import collection_tree
import pytest
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


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that an image is built from."""
    folder = tmp_path_factory.mktemp("image")
    options = ["--context", str(folder / "context"), "--output-filename", "Containerfile"]
    builder("create", "--file", str(DEFINITION), *options, folder=folder)
    return folder / "context"


def test_the_context_of_the_image_is_made(context: Path) -> None:
    """Base image, ansible-core, the runner and the collection are in it."""
    text = (context / "Containerfile").read_text("utf-8")
    assert 'ARG PKGMGR="/usr/bin/apt-get"' in text
    assert 'ARG PYCMD="/usr/local/bin/python3"' in text
    pins = (context / "_build" / "hashes" / "requirements.txt").read_text("ascii")
    assert {"ansible-core", "ansible-runner"} <= set(re.findall(r"(?m)^([a-z-]+)==", pins))
    desired = yaml.safe_load(DEFINITION.with_name("requirements.yml").read_text("utf-8"))
    assert yaml.safe_load((context / "_build" / "requirements.yml").read_text("utf-8")) == desired


def test_python_packages_come_by_their_hashes_alone(context: Path) -> None:
    """One installation has an index, and takes all by hash; what ansible-builder installs besides finds none."""
    text = (context / "Containerfile").read_text("utf-8")
    base, *later = text.split("\nFROM ")[1:]
    copied = base.index("COPY _build/hashes/requirements.txt /output/hashes/requirements.txt\n")
    installed = base.index("RUN $PYCMD -m pip install --no-cache-dir $ANSIBLE_INSTALL_REFS\n")
    assert copied < installed < base.index("ENV PIP_NO_INDEX=1\n")
    refs = "--require-hashes --only-binary :all: --requirement /output/hashes/requirements.txt"
    assert f'ARG ANSIBLE_INSTALL_REFS="{refs}"' in text
    assert [stage.partition(" ")[0] for stage in later] == ["base"] * 3
    pins = dict(
        re.findall(r"(?m)^([a-z0-9-]+)==(\S+)", (context / "_build/hashes/requirements.txt").read_text("ascii"))
    )
    besides = re.findall(r"-m pip install --no-cache-dir ([a-z'].*)", "".join(later))
    assert besides == ["bindep pyyaml packaging", f"'dumb-init=={pins['dumb-init']}'"]
    assert {"bindep", "pyyaml", "packaging", *NEEDED} <= set(pins)


def test_a_base_image_without_a_digest_is_refused(context: Path) -> None:
    """By the build itself, for the name in the file names no image, and by its first step for any tag."""
    text = (context / "Containerfile").read_text("utf-8")
    (name,) = re.findall(r'^ARG EE_BASE_IMAGE="(.*)"', text)
    assert not re.fullmatch(r"[a-z0-9./:-]+(@sha256:[0-9a-f]{64})?", name)
    (step,) = re.findall(r"(?m)^RUN (case .*)$", text)
    assert text.index("FROM $EE_BASE_IMAGE") < text.index(step) < text.index("RUN ", text.index(step) + 1)

    def code(image: str) -> int:
        return subprocess.run(
            ["sh", "-c", step], env={"EE_BASE_IMAGE": image}, capture_output=True, check=False
        ).returncode

    assert [code(image) for image in ("", "python", "docker.io/library/python:3.13-slim")] == [1, 1, 1]
    assert code(f"docker.io/library/python:3.13-slim@sha256:{'0' * 64}") == 0


def test_the_collection_says_what_it_needs(tmp_path: Path) -> None:
    """As ansible-builder finds it in a tree of collections; it wants nothing of the system."""
    said = builder("introspect", "--sanitize", str(collection_tree.linked()), folder=tmp_path)
    found = yaml.safe_load(said[said.index("---") :])
    assert [line.split(">=")[0].strip() for line in found["python"]] == NEEDED
    assert all(line.endswith("# from collection fcd.cloud") for line in found["python"])
    assert not found.get("system")

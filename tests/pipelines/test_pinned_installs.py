# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What jobs with secrets install is known: packages by hash, the collection by version, images by digest."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
from pathlib import Path

import lock
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pipelines.conftest import EXTENSIONS
from pipelines.forges import GitLab
from pipelines.pipeline_jobs import GITHUB, GITLAB, INSTALLS_ANSIBLE, gitlab, gitlab_jobs

CHECKOUT = EXTENSIONS.parent
HASHED = "pip install --quiet --require-hashes --only-binary :all: --requirement requirements.txt"
DIGEST = f"sha256:{'0123456789abcdef' * 4}"
PINS = [EXTENSIONS / folder / "requirements.txt" for folder in lock.SHIPPED]


def logical(file: Path) -> list[str]:
    """Return the lines of a file of requirements, with those that go on joined, without comments."""
    lines = file.read_text(encoding="ascii").replace("\\\n", " ").splitlines()
    return [line for line in lines if not line.startswith("#")]


def pins(file: Path) -> dict[str, set[str]]:
    """Return the versions of each package; every one must have a hash."""
    found: dict[str, set[str]] = {}
    for line in logical(file):
        if line.startswith("--"):
            continue
        words = re.fullmatch(r"([a-z0-9-]+)==(\S+)( ; [^#]+?)?((?: +--hash=sha256:[0-9a-f]{64})+)", line)
        assert words, line
        found.setdefault(words[1], set()).add(words[2])
    return found


def constrained() -> dict[str, set[str]]:
    """Return the versions that the tests run with."""
    found: dict[str, set[str]] = {}
    for name in ("constraints.txt", "requirements.txt", "requirements-automation.txt"):
        for line in (CHECKOUT / "tests" / "tools" / name).read_text(encoding="ascii").splitlines():
            if "==" in line and not line.startswith("#"):
                desired = Requirement(line)
                found.setdefault(canonicalize_name(desired.name), set()).add(str(desired.specifier)[2:])
    return found


def needed(names: tuple[str, ...]) -> set[str]:
    """Return the packages and all that they need here, of those that are installed here."""
    seen: set[str] = set()
    waiting = [canonicalize_name(Requirement(name).name) for name in names]
    while waiting:
        name = waiting.pop()
        seen.add(name)
        try:
            lines = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        found = [Requirement(line) for line in lines]
        here = [one for one in found if not one.marker or one.marker.evaluate({"extra": ""})]
        waiting += {canonicalize_name(one.name) for one in here} - seen
    return seen


@pytest.mark.parametrize("file", PINS, ids=lambda file: file.parent.name)
def test_pip_is_told_to_take_nothing_without_a_hash(file: Path) -> None:
    """In the file itself, so nobody can forget it; and nothing is built, which would take tools without a hash."""
    options = [line for line in logical(file) if line.startswith("--")]
    assert options == ["--require-hashes", "--only-binary :all:"]
    assert pins(file)


@pytest.mark.parametrize("folder", lock.SHIPPED)
def test_the_pins_are_those_that_are_tested(folder: str) -> None:
    found = pins(EXTENSIONS / folder / "requirements.txt")
    tested = constrained()
    assert {name: versions for name, versions in found.items() if not versions <= tested.get(name, versions)} == {}
    assert needed(lock.SHIPPED[folder]) - set(found) == set()
    known = {name for name in found if name in tested}
    assert len(known) >= len(found) - 4  # those that are left to the resolver, such as resolvelib


def test_every_install_of_the_pipelines_is_by_hash() -> None:
    installs = [
        line for file in (GITHUB, GITLAB) for line in file.read_text("utf-8").splitlines() if "pip install" in line
    ]
    assert len(installs) == 5
    assert all(HASHED in line for line in installs)
    assert INSTALLS_ANSIBLE in HASHED


@pytest.mark.parametrize("folder", ["pipelines", "execution_environment"])
def test_the_collection_is_installed_in_one_version(folder: str) -> None:
    version = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text("utf-8"))["version"]
    desired = yaml.safe_load((EXTENSIONS / folder / "requirements.yml").read_text("utf-8"))
    assert desired == {"collections": [{"name": "fcd.cloud", "version": f"=={version}"}]}


def test_no_pipeline_is_run_in_an_image_without_a_digest() -> None:
    assert {job.get("image") for job in gitlab_jobs().values()} == {None}
    assert gitlab()["default"]["image"] == "$SITE_IMAGE"
    refusing = gitlab_jobs()["image without a digest"]
    assert refusing["stage"] == ".pre"
    assert "environment" not in refusing
    (rule,) = refusing["rules"]
    holds = GitLab._holds  # what a forge makes of a rule
    for image in (
        "",
        "python:3.12-slim",
        "python@sha256:7",
        f"python@{DIGEST}:latest",
        gitlab()["variables"]["SITE_IMAGE"],
    ):
        assert holds(None, rule["if"], {"SITE_IMAGE": image}), image  # type: ignore[arg-type]
    assert not holds(None, rule["if"], {"SITE_IMAGE": f"python:3.12-slim@{DIGEST}"})  # type: ignore[arg-type]
    done = subprocess.run(
        ["sh", "-e", "-c", "\n".join(refusing["script"])], env={"SITE_IMAGE": "python:3"}, check=False
    )
    assert done.returncode == 1

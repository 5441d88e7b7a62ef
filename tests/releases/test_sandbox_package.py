# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox as users get it: its wheel, the two commands of the guide, and the examples of extensions/testing."""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import typing as t
import zipfile
from pathlib import Path

import enter
import pytest
import tomllib
import virtual_environment
import workspace
import yaml
from packaging.requirements import Requirement

from .conftest import VERSION, Release

SANDBOX = workspace.CHECKOUT / "tests" / "sandbox"
EXAMPLES = workspace.CHECKOUT / "extensions" / "testing"
GUIDE = workspace.CHECKOUT / "docs" / "docsite" / "rst" / "testing_playbooks.rst"
MOLECULE = workspace.CHECKOUT / "tests" / "tools" / "requirements-molecule.txt"


def requirements() -> dict[str, Requirement]:
    lines = tomllib.loads((SANDBOX / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    return {found.name: found for found in map(Requirement, lines)}


def lowest() -> list[str]:
    """Return the oldest version of each package that the sandbox takes."""
    bounds = {
        name: next(one.version for one in found.specifier if one.operator in {">=", "~="})
        for name, found in requirements().items()
    }
    return [f"{name}=={version}" for name, version in bounds.items()]


class User(t.NamedTuple):
    """Somebody with the collection installed in a home that was empty, in a folder of their own."""

    home: Path
    folder: Path
    programs: Path

    def shell(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Type lines into a shell; Ansible is that of the tests unless the user has another one."""
        environment = {
            "PATH": os.pathsep.join([str(self.programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "PIP_CONFIG_FILE": str(Path.home() / ".config" / "pip" / "pip.conf"),  # names the index of this machine
            **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
            **variables,
        }
        command = ["sh", "-eu", "-c", script]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def user(released: Release, tmp_path: Path) -> User:
    """The folder has nothing but the wheel."""
    made = User(tmp_path / "home", tmp_path / "folder", tmp_path / "programs" / "bin")
    made.home.mkdir()
    made.folder.mkdir()
    shutil.copy(released.wheel, made.folder)
    done = made.shell(f"ansible-galaxy collection install --offline {released.file('tar.gz')}")
    assert done.returncode == 0, done.stderr
    return made


def test_the_wheel_is_the_sandbox_and_nothing_else(released: Release) -> None:
    with zipfile.ZipFile(released.wheel) as wheel:
        names = wheel.namelist()
        info = email.message_from_bytes(wheel.read(f"fcd_sandbox-{VERSION}.dist-info/METADATA"))
        times = {member.date_time for member in wheel.infolist()}
    tracked = released.repository.git("ls-files", "tests/sandbox").split()
    unwanted = {"pyproject.toml", "quick_clock.py", "requirements.txt"}
    files = {name.removeprefix("tests/sandbox/") for name in tracked} - unwanted | {"LICENSE"}
    assert {name for name in names if ".dist-info/" not in name} == {f"fcd_sandbox/{name}" for name in files}
    assert info["Version"] == VERSION
    assert len(times) == 1


def test_its_bill_of_materials_has_what_it_asks_for(released: Release) -> None:
    bill = json.loads((released.folder / f"fcd_sandbox-{VERSION}.cdx.json").read_text(encoding="utf-8"))
    assert {one["name"] for one in bill["components"]} == {name.lower() for name in requirements()}
    assert bill["metadata"]["component"]["version"] == VERSION
    sums = (released.folder / "SHA256SUMS").read_text(encoding="ascii")
    assert f"{bill['metadata']['component']['hashes'][0]['content']}  {released.wheel.name}\n" in sums


def test_the_tests_run_with_versions_that_the_package_takes() -> None:
    pins = dict(
        line.split("==")
        for line in (SANDBOX / "requirements.txt").read_text(encoding="ascii").splitlines()
        if "==" in line
    )
    taken = {
        name: found.specifier.contains(pins[name.replace("-", "_") if name == "jsonschema-rs" else name])
        for name, found in requirements().items()
    }
    assert taken == dict.fromkeys(requirements(), True)


def commands() -> list[str]:
    """Return the two commands of the guide, about the release that is tried."""
    text = GUIDE.read_text(encoding="utf-8")
    found = re.search(r"\nTwo commands\n.*?code-block:: shell\n\n(.*?)\n\n(?=\S)", text, re.DOTALL)
    assert found
    lines = [line.strip() for line in found[1].splitlines()]
    assert len(lines) == 2
    return [line.replace("-1.0.0-", f"-{VERSION}-") for line in lines]


@pytest.mark.parametrize("versions", ["newest", "lowest"])
def test_the_two_commands_of_the_guide(user: User, tmp_path: Path, versions: str) -> None:
    """In an empty folder, with a home in which nothing but the collection is installed, and an empty environment."""
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("\n".join(lowest() if versions == "lowest" else ()), encoding="ascii")
    subprocess.run([enter.controller(), "-I", "-m", "venv", str(user.programs.parent)], check=True)
    install, run = commands()
    done = user.shell(install, PIP_CONSTRAINT=constraints.as_uri())
    assert done.returncode == 0, done.stdout + done.stderr
    done = user.shell(run, FCD_BASE_URL="https://account.example.com", FCD_PROFILE="production")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "changed=3 " in done.stdout


@pytest.fixture
def with_molecule(user: User, released: Release) -> User:
    """The same with Molecule and the sandbox of the wheel installed, in a copy of the examples."""
    with workspace.locked("molecule"):
        files = [MOLECULE, SANDBOX / "requirements.txt"]
        python = virtual_environment.build(workspace.folder() / "molecule", enter.controller(), files)
        command = [str(python), "-I", "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]
        subprocess.run([*command, str(released.wheel)], check=True)
    shutil.copytree(EXAMPLES, user.folder, dirs_exist_ok=True)
    return user._replace(programs=python.parent)


def test_the_molecule_scenario(with_molecule: User) -> None:
    done = with_molecule.shell("molecule test", FCD_BASE_URL="https://account.example.com")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "There is one instance, in its network, and each fault struck" in done.stdout
    broken = with_molecule.folder / "playbook.yml"
    broken.write_text(broken.read_text(encoding="utf-8").replace("shop-web", "shop-wob"), encoding="utf-8")
    done = with_molecule.shell("molecule test")
    assert done.returncode != 0
    assert "Assertion failed" in done.stdout + done.stderr


def test_the_workflow_for_users(with_molecule: User) -> None:
    """Its last step, with each preset; pip and ansible-galaxy have done what the steps before it do."""
    job = yaml.safe_load((EXAMPLES / "github" / "test.yml").read_text(encoding="utf-8"))["jobs"]["test"]
    for preset in job["strategy"]["matrix"]["preset"]:
        done = with_molecule.shell(job["steps"][-1]["run"], PRESET=preset)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "changed=3 " in done.stdout

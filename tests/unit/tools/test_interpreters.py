# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpreters are believed only after they have run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import interpreters
import pytest
import virtual_environment

HERE = "%d.%d" % sys.version_info[:2]
REAL = os.path.realpath(sys._base_executable)


def find(tmp_path: Path, *folders: Path, **variables: str) -> dict[str, str]:
    """Return what the script finds on a PATH of these folders."""
    environment = {"HOME": str(tmp_path), "PATH": os.pathsep.join(map(str, folders)), **variables}
    command = [REAL, interpreters.__file__]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return dict(json.loads(done.stdout))


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_shim_that_fails_is_passed_over(tmp_path: Path) -> None:
    shim = script(tmp_path / "shims" / f"python{HERE}", "#!/bin/sh\necho 'version not installed' >&2\nexit 127\n")
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / f"python{HERE}").symlink_to(REAL)
    assert find(tmp_path, shim.parent, folder)[HERE] == REAL


def test_the_root_of_a_shim_is_searched(tmp_path: Path) -> None:
    shim = script(tmp_path / "root with space" / "shims" / f"python{HERE}", "#!/bin/sh\nexit 127\n")
    real = tmp_path / "root with space" / "versions" / f"{HERE}.9" / "bin" / f"python{HERE}"
    real.parent.mkdir(parents=True)
    real.symlink_to(REAL)
    assert find(tmp_path, shim.parent)[HERE] == REAL


def test_a_root_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    """Such as one of another user; root reads all folders, so here it is a name that no folder can have."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / f"python{HERE}").symlink_to(REAL)
    assert find(tmp_path, folder, PYENV_ROOT=f"/{'x' * 300}")[HERE] == REAL


def test_a_name_is_no_proof(tmp_path: Path) -> None:
    liar = script(tmp_path / "bin" / "python3.14", f'#!/bin/sh\nexec "{REAL}" "$@"\n')
    assert find(tmp_path, liar.parent).get("3.14") != REAL


def test_an_environment_is_not_taken_for_an_interpreter(tmp_path: Path) -> None:
    subprocess.run([REAL, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    assert find(tmp_path, tmp_path / "venv" / "bin").get(HERE) != str(tmp_path / "venv" / "bin" / "python3")
    assert interpreters._ask(str(tmp_path / "venv" / "bin" / "python3")) is None


def test_what_a_checkout_has_built_is_not_chosen(tmp_path: Path) -> None:
    built, folder = tmp_path / ".work" / "venv" / "bin", tmp_path / "bin"
    for place in (built, folder):
        place.mkdir(parents=True)
    script(built / f"python{HERE}", f'#!/bin/sh\ntouch "{tmp_path}/asked"\nexec "{REAL}" "$@"\n')
    (folder / f"python{HERE}").symlink_to(REAL)
    assert find(tmp_path, built, folder)[HERE] == REAL
    assert not (tmp_path / "asked").exists()


def test_an_environment_in_use_is_kept_while_its_interpreter_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[list[str]] = []
    place = tmp_path / "venv"

    def step(command: list[str]) -> None:
        steps.append(command)
        if "venv" in command:
            script(place / "bin" / "python", f'#!/bin/sh\nexec "{REAL}" "$@"\n')

    monkeypatch.setattr(virtual_environment, "_run", step)
    monkeypatch.setattr(virtual_environment, "_lend_pip", lambda *_: None)
    python = virtual_environment.build(place, REAL)
    built = len(steps)
    assert virtual_environment.build(place, "/another/python3.12") == python
    assert len(steps) == built
    script(python, "#!/bin/sh\nexit 127\n")
    virtual_environment.build(place, "/another/python3.12")
    assert steps[built][0] == "/another/python3.12"

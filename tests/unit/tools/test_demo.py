# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo leaves nothing behind, whatever ends it and however often."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import typing as t
from pathlib import Path

import demo
import pytest

DEMO = Path(__file__).resolve().parents[2] / "tools" / "demo.py"
WRITING = ("PLAY [Apply a site file]", "Process the site file")
"""A play and a task of it: while it runs there are a token, locks and notes."""


@pytest.fixture
def temporary() -> t.Iterator[Path]:
    """A folder for all temporary files; sockets are in it too, so its path is a short one."""
    with tempfile.TemporaryDirectory(prefix="fcd-") as folder:
        yield Path(folder)


@pytest.mark.parametrize(
    ("signals", "pause"),
    [
        pytest.param([signal.SIGTERM], 0.0, id="terminated", marks=pytest.mark.full),
        pytest.param([signal.SIGINT, signal.SIGINT], 0.05, id="two quick Ctrl+C", marks=pytest.mark.full),
        pytest.param(
            [signal.SIGINT, signal.SIGTERM, signal.SIGHUP] * 100, 0.01, id="without end", marks=pytest.mark.full
        ),
    ],
)
def test_demo_leaves_nothing_behind(temporary: Path, signals: list[signal.Signals], pause: float) -> None:
    variables = {**os.environ, "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1", "HOME": os.devnull}
    with subprocess.Popen(
        [sys.executable, str(DEMO)],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        said = "".join(line for word in WRITING for line in _until(process, word))
        assert list(temporary.glob("fcd-demo-*/state/*")), f"no token is kept yet\n{said}"
        for number in signals:
            process.send_signal(number)  # does nothing when it has ended
            time.sleep(0 if process.poll() is not None else pause)
        said += process.communicate(timeout=120)[0]
    assert process.returncode == 130, said
    assert "Interrupted" in said
    assert "Traceback" not in said
    time.sleep(0.3)  # a worker that is still there would write again
    assert list(temporary.iterdir()) == []


def test_nothing_is_written_at_home(temporary: Path) -> None:
    """It may be read-only. Ansible looks up the home of the user for modules, whatever HOME is."""
    with demo.SandboxProcess() as sandbox:
        variables = demo.environment(str(temporary), sandbox)
    places = {variables[name] for name in ("ANSIBLE_HOME", "ANSIBLE_REMOTE_TEMP", "FCD_STATE_DIR")}
    assert all(Path(place).is_relative_to(temporary) for place in places)


class Recording(demo.Ansible):
    """Keeps the options of the first playbook, and goes no further."""

    options: t.Tuple[str, ...] = ()

    def play(self, name: str, *options: str, code: int = 0) -> int:
        self.options = options
        raise demo.DemoError(name)


def test_the_reports_may_lie_in_a_folder_with_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = Path("/a folder/with spaces & more")
    monkeypatch.setattr(demo, "REPORTS", reports)
    ansible = Recording({}, Path())
    with pytest.raises(demo.DemoError, match="plan"):
        demo.show(ansible, demo.SandboxProcess())
    assert ansible.options[0] == "-e"
    given = json.loads(ansible.options[1])  # key=value would end at the first space
    assert given == {"provision_reports": str(reports / "plan")}


def _until(process: subprocess.Popen[str], word: str) -> t.Iterator[str]:
    for line in process.stdout or ():
        yield line
        if word in line:
            return

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command fcd-sandbox, as a user types it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import stat
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

TELL = "import json, os; print(json.dumps(dict(os.environ)))"
READ = """
import os, ssl, urllib.request
context = ssl.create_default_context(cafile=os.environ["FCD_CA_PATH"])
try:
    urllib.request.urlopen(os.environ["FCD_STORAGE_BASE"] + "/info", context=context)
except OSError as error:
    print(error)
"""
Typed = t.Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    """Type the command in an empty folder."""

    def typed(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "sandbox.command", *arguments]
        environment = {**os.environ, **variables}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return typed


def test_a_command_gets_the_sandbox_and_no_account(typed: Typed) -> None:
    """And its own exit status is handed on; nothing of the sandbox is left."""
    code = f"{TELL}; raise SystemExit(7)"
    done = typed("run", "--", sys.executable, "-c", code, FCD_TOKEN="secret", FCD_PROFILE="production")
    assert done.returncode == 7, done.stderr
    environment = json.loads(done.stdout)
    assert "FCD_TOKEN" not in environment
    assert environment["FCD_PROFILE"] == "default"
    assert environment["FCD_BASE_URL"].startswith("https://localhost:")
    assert not Path(environment["FCD_CONFIG_FILE"]).parent.exists()
    assert done.stderr == "fcd-sandbox: 0 requests, 0 of them to change something\n"


def test_a_fault_that_strikes_no_request_fails_the_run(typed: Typed, tmp_path: Path) -> None:
    (tmp_path / "faults.yml").write_text("- {fault: drop_before, service: storage, path: /info}\n", encoding="utf-8")
    never = "drop_after service=rest method=POST path=/instances times=2"
    done = typed("run", "--faults", "faults.yml", "--fault", never, "--", sys.executable, "-c", READ)
    assert done.returncode == 3, done.stderr
    assert done.stdout != ""
    assert "this fault struck no request: drop_after service=rest method=POST path=/instances\n" in done.stderr
    assert "drop_before" not in done.stderr


def test_one_that_stays_is_shown_broken_reset_and_ended(typed: Typed, tmp_path: Path) -> None:
    started = typed("start", "--ticket-seconds", "5", "--preset", "friendly")
    assert started.returncode == 0, started.stderr
    info_file = tmp_path / ".fcd-sandbox.json"
    info = json.loads(info_file.read_text(encoding="utf-8"))
    try:
        assert stat.S_IMODE(info_file.stat().st_mode) == 0o600
        assert started.stdout == typed("env").stdout
        assert f"export FCD_BASE_URL={info['base_url']}\n" in started.stdout
        assert f"export FCD_SANDBOX_INFO={info_file}\n" in started.stdout
        assert "use it with: fcd-sandbox env" in typed("start").stderr
        profile = json.loads(typed("env", "--format", "profile").stdout)["default"]
        config_file = Path(json.loads(typed("env", "--format", "json").stdout)["FCD_CONFIG_FILE"])
        assert json.loads(config_file.read_text(encoding="utf-8"))["default"] == profile
        assert profile["storage_user"] == info["credentials"]["storage_user"]
        assert stat.S_IMODE(config_file.stat().st_mode) == 0o600
        assert json.loads(typed("show", "settings").stdout)["rest"]["ticket_seconds"] == 5
        assert typed("fault", "--fault", "delay seconds=0.1").returncode == 0
        assert [fault["seconds"] for fault in json.loads(typed("show", "faults").stdout)] == [0.1]
        assert typed("fault", "--clear", "--fault", "cut").returncode == 0
        assert [fault["fault"] for fault in json.loads(typed("show", "faults").stdout)] == ["cut"]
        assert typed("reset").returncode == 0
        assert json.loads(typed("show", "faults").stdout) == []
    finally:
        assert typed("stop").returncode == 0
    assert not info_file.exists()
    assert not config_file.exists()
    assert "no sandbox runs" in typed("show", "state").stderr


def test_in_the_foreground_it_ends_with_the_command(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"password": "it's a $HOME `odd` one"}), encoding="utf-8")
    command = [sys.executable, "-m", "sandbox.command", "start", "--foreground", "--credentials", str(own)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline()]
        while not lines[-1].startswith("export FCD_SANDBOX_INFO="):
            lines.append(process.stdout.readline())
        shown = dict(shlex.split(line)[1].split("=", 1) for line in lines)
        assert shown["FCD_PASSWORD"] == "it's a $HOME `odd` one"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
    assert not Path(shown["FCD_CONFIG_FILE"]).parent.exists()
    assert not Path(shown["FCD_SANDBOX_INFO"]).exists()


def test_the_end_of_the_run_is_the_end_of_the_command(tmp_path: Path) -> None:
    """Whoever ends the run ends what runs in it, and the sandbox."""
    waiting = "import os, sys, time; print(os.environ['FCD_CONFIG_FILE'], flush=True); time.sleep(600)"
    command = [sys.executable, "-m", "sandbox.command", "run", "--", sys.executable, "-c", waiting]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        config_file = Path(process.stdout.readline().strip())
        assert config_file.exists()
        process.terminate()
        assert process.wait() == 128 + signal.SIGTERM
    assert not config_file.parent.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run"], "say what to run, such as: fcd-sandbox run -- ansible-playbook site.yml"),
        (["run", "--", "no-such-command"], "cannot run no-such-command: No such file or directory"),
        (["run", "--fault", "drop_afer", "--", "true"], "unknown fault 'drop_afer'; known are cut, "),
        (["run", "--fault", "cut times", "--", "true"], "fault 'cut times': write times as NAME=VALUE"),
        (["run", "--faults", "one.yml", "--", "true"], "one.yml: a list of faults is expected"),
        (["run", "--preset", "soft", "--", "true"], "preset"),
        (["stop"], "no sandbox runs: there is no .fcd-sandbox.json. Start one with: fcd-sandbox start"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_told_in_one_line(typed: Typed, tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "one.yml").write_text("fault: cut\n", encoding="utf-8")
    done = typed(*arguments)
    assert done.returncode in {2, 127}
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_without_swift_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "swift.py").write_text("raise ImportError('no liberasurecode')\n", encoding="ascii")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="sandbox: no liberasurecode; install what it needs: pip install "):
        SandboxProcess().start()

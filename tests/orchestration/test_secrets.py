# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The token is in no file and on no command line, at no moment; what older tools write is open to nobody else."""

from __future__ import annotations

import contextlib
import stat
import threading
import typing as t
from pathlib import Path

import pytest
from orchestration.managed_folder import DB, WEB, ManagedFolder
from orchestration.programs_for_tests import LIBRARY

PAUSE = 0.02
PRIVATE = "fcd-orchestration-"


class Watch:
    """Looks into files and at command lines until it is stopped."""

    def __init__(self, token: str, folders: t.Sequence[Path]) -> None:
        """Begin."""
        self._token, self._folders = token.encode(), folders
        self._over = threading.Event()
        self.found: set[str] = set()
        self.open_folders: set[str] = set()
        self.private_folders = 0
        self.command_lines: set[bytes] = set()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, after a last look."""
        self._over.set()
        self._thread.join()
        self._files()

    def _look(self) -> None:
        while not self._over.wait(PAUSE):
            self._files()
            for place in Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    line = place.read_bytes()
                    self.command_lines.add(line.split(b"\0")[0])
                    if self._token in line:
                        self.found.add(f"command line {line!r}")

    def _files(self) -> None:
        for folder in self._folders:
            with contextlib.suppress(OSError):
                for file in list(folder.rglob("*")):
                    self._one(file)

    def _one(self, file: Path) -> None:
        with contextlib.suppress(OSError):
            if file.is_dir() and file.name.startswith(PRIVATE):
                self.private_folders += 1
                if stat.S_IMODE(file.stat().st_mode) & 0o077:
                    self.open_folders.add(str(file))
            elif file.is_file() and self._token in file.read_bytes():
                self.found.add(str(file))


@pytest.fixture
def watched(executed: ManagedFolder, tmp_path: Path) -> t.Iterator[tuple[ManagedFolder, Watch]]:
    """A site whose tasks have a folder of their own for temporary files."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    executed.variables["TMPDIR"] = str(temporary)
    token = executed.place.run("token", {}).succeeded()["access_token"]
    watch = Watch(
        token, [temporary, executed.path, executed.place.home / ".cache", executed.place.home / ".terraform.d"]
    )
    yield executed, watch
    watch.stop()


def test_the_token_is_nowhere(watched: tuple[ManagedFolder, Watch], tools: dict[str, str], each_tool: str) -> None:
    managed, watch = watched
    managed.executable = tools[each_tool]
    results = [managed.run(WEB, {**DB, "template_id": 999999})]
    if each_tool == LIBRARY:
        results += [managed.run(WEB), managed.run(DB, check_mode=True), managed.run(state="absent")]
    watch.stop()
    assert managed.executable.encode() in watch.command_lines or each_tool == LIBRARY
    assert watch.private_folders > 0
    assert watch.open_folders == set()
    token = watch._token.decode()
    assert not any(token in str(result) for result in results)
    found = {name for name in watch.found if PRIVATE not in name} if each_tool != LIBRARY else watch.found
    assert found == set()
    assert not list(Path(managed.variables["TMPDIR"]).iterdir()), "the private folder is gone"

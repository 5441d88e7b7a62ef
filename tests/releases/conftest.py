# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A release of a copy of this checkout, which is built once for all of these tests, and a key that is thrown away."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import typing as t
from pathlib import Path

import collection_tree
import enter
import pytest
import virtual_environment
import workspace

VERSION = "99.0.0"
MOMENT = "2026-11-01T12:00:00Z"
NOTE = "no module - this line is told of a release that is only tried."
BUILT = ("pip", "release", "venv")
"""Environments of this checkout that its copies use, too."""

# Whoever looks for a Python finds the one that the environments were built with, so that copies can use them.
PATH = os.pathsep.join([str(Path(sys.executable).resolve().parent), os.environ["PATH"]])

STRAY = ("id_rsa", "notes.txt", ".env", "plugins/deploy.key", "roles/todo.orig", "fcd-cloud-98.0.0.tar.gz")
"""What lies about in a checkout; nobody has committed it."""


class Repository(t.NamedTuple):
    """A git repository with a copy of the collection."""

    place: Path

    def git(self, *arguments: str) -> str:
        """Run git as nobody in particular, at a moment that is always the same."""
        people = {
            f"GIT_{role}_{what}": "nobody@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        dates = {"GIT_AUTHOR_DATE": MOMENT, "GIT_COMMITTER_DATE": MOMENT}
        command = ["git", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null", *arguments]
        return subprocess.run(
            command, cwd=self.place, env={**os.environ, **people, **dates}, check=True, capture_output=True, text=True
        ).stdout

    def commit(self) -> None:
        """Commit all that is not ignored and no stray."""
        (self.place / ".git" / "info" / "exclude").write_text("\n".join(STRAY), encoding="ascii")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "A state")

    def release(self, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run release.py of the copy, without the importer."""
        command = [sys.executable, "tests/tools/release.py", VERSION, "--no-importer", *options]
        environment = {**os.environ, "PATH": PATH, **variables}
        return subprocess.run(command, cwd=self.place, env=environment, capture_output=True, text=True, check=False)


class Release(t.NamedTuple):
    """What was released, from where."""

    repository: Repository
    folder: Path
    rehearsal: Path
    """Folder of the files that were built before version and changelog were committed."""

    def file(self, ending: str) -> Path:
        """Return the file of the release with this end of its name."""
        return self.folder / f"fcd-cloud-{VERSION}.{ending}"

    @property
    def wheel(self) -> Path:
        """The package of the sandbox."""
        return self.folder / f"fcd_sandbox-{VERSION}-py3-none-any.whl"


class Keys(t.NamedTuple):
    """A home of GnuPG with two keys, of which one is that of the project."""

    home: Path
    ours: str = "release@example.com"
    other: str = "somebody@example.com"

    def gpg(self, *arguments: str) -> bytes:
        """Run gpg with these keys; returns its output."""
        command = ["gpg", "--homedir", str(self.home), "--batch", "--quiet", *arguments]
        return subprocess.run(command, check=True, capture_output=True).stdout


@pytest.fixture(scope="session")
def repository() -> t.Iterator[Repository]:
    """A repository with one commit, strays that are not in it, and the environments of this checkout."""
    with workspace.locked("release-tools"):
        files = [workspace.CHECKOUT / "tests" / "tools" / "requirements-release.txt"]
        virtual_environment.build(workspace.folder() / "release", enter.controller(), files)
    with collection_tree.copied() as place:
        copy = Repository(place)
        lend_environments(place)
        (place / "changelogs" / "fragments").mkdir(exist_ok=True)
        (place / "changelogs" / "fragments" / "tried.yml").write_text(f"bugfixes: ['{NOTE}']\n", encoding="utf-8")
        for name in STRAY:
            (place / name).write_text("not for others\n", encoding="utf-8")
        copy.commit()
        yield copy


def lend_environments(place: Path) -> None:
    """Let a checkout have the environments of this one, and a work folder of its own besides."""
    (place / ".work").mkdir()
    for name in BUILT:
        (place / ".work" / name).symlink_to(workspace.folder() / name)


def end_agents(home: Path) -> None:
    """End what gpg has started for a home; it would stay for as long as the machine does."""
    subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], check=False)


@pytest.fixture(scope="session")
def found_keys() -> t.Iterator[t.Optional[Keys]]:
    """Two keys without a passphrase, in a home that is removed; None where there is no gpg."""
    if not shutil.which("gpg"):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="gpg-") as folder:
        made = Keys(Path(folder))
        for name in (made.ours, made.other):
            made.gpg("--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never")
        yield made
        end_agents(Path(folder))


@pytest.fixture(scope="session")
def keys(found_keys: t.Optional[Keys]) -> Keys:
    """The keys; skips where there is no gpg."""
    if not found_keys:
        pytest.skip("NOT RUN: signatures and their verification; gpg is not on PATH")
    return found_keys


@pytest.fixture(scope="session")
def released(repository: Repository, found_keys: t.Optional[Keys], tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Rehearse, write version and changelog, commit, and build the release itself; signed where there is gpg."""
    rehearsal, final = tmp_path_factory.mktemp("rehearsal"), tmp_path_factory.mktemp("final")
    done = repository.release("--into", str(rehearsal), "--write")
    assert done.returncode == 0, done.stdout + done.stderr
    repository.commit()
    repository.git("tag", VERSION)
    signing = ["--key", found_keys.ours] if found_keys else []
    variables = {"GNUPGHOME": str(found_keys.home)} if found_keys else {}
    done = repository.release("--into", str(final), *signing, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return Release(repository, final, rehearsal)

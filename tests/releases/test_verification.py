# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A release can be verified as SECURITY.md says, and what was changed is refused."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import typing as t
from pathlib import Path

import pytest
import release as tool
import reproducible
import yaml

from . import galaxy_server
from .conftest import VERSION, Keys, Release, end_agents

PAGE = Path(__file__).resolve().parents[2] / "SECURITY.md"
MODULE = "plugins/modules/instance.py"
HOOK = """#!/bin/sh
cd "$(git rev-parse --show-toplevel)" && mkdir .work && for name in {names}; do ln -s {work}/$name .work/$name; done
"""
Edit = t.Callable[[t.Dict[str, bytes]], None]


class Reader(t.NamedTuple):
    """Somebody who has the files of a release and the public key, and nothing else."""

    folder: Path
    home: Path
    keyring: Path

    def shell(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run lines of a shell in the folder."""
        environment = {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "HOME": str(self.home),
            "GNUPGHOME": str(self.home / ".gnupg"),
            "LC_ALL": "C.UTF-8",
            **variables,
        }
        command = ["sh", "-eu", "-c", script]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    def install(self, archive: Path) -> subprocess.CompletedProcess[str]:
        """Install from a server that gives the archive as it is now, with the signature beside it."""
        with galaxy_server.serving(archive, VERSION) as address:
            return self.shell(
                f"ansible-galaxy collection install fcd.cloud:{VERSION} {self._signed(archive)}",
                ANSIBLE_GALAXY_SERVER=address,
            )

    def verify(self, archive: Path) -> subprocess.CompletedProcess[str]:
        """Verify what is installed with the signature beside the archive."""
        return self.shell(f"ansible-galaxy collection verify fcd.cloud --offline {self._signed(archive)}")

    def _signed(self, archive: Path) -> str:
        signature = archive.with_name(archive.name.replace(".tar.gz", ".MANIFEST.json.asc"))
        return f"--keyring {self.keyring} --signature {signature.as_uri()}"

    def installed(self) -> Path:
        """Return where the collection is, once it is installed."""
        return self.home / ".ansible" / "collections" / "ansible_collections" / "fcd" / "cloud"


@pytest.fixture
def reader(released: Release, keys: Keys, tmp_path: Path) -> t.Iterator[Reader]:
    """A folder with the files of the release and the public key, and an empty home."""
    made = Reader(tmp_path / "files", tmp_path / "home", tmp_path / "home" / "our.kbx")
    shutil.copytree(released.folder, made.folder)
    (made.home / ".gnupg").mkdir(mode=0o700, parents=True)
    public = made.folder / "fcd-cloud-release-key.asc"
    public.write_bytes(keys.gpg("--armor", "--export", keys.ours))
    done = made.shell(f"gpg --quiet --no-default-keyring --keyring {made.keyring} --import {public.name}")
    assert done.returncode == 0, done.stderr
    yield made
    end_agents(made.home / ".gnupg")


def blocks() -> str:
    """Return what the page tells a reader to type, about the release that is tried."""
    found = re.findall(r"```shell\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    script = "".join(found)
    assert "version=1.0.0\n" in script
    assert len(found) == 6
    return script.replace("version=1.0.0\n", f"version={VERSION}\n")


def test_each_command_of_the_page_holds(reader: Reader, released: Release, tmp_path: Path) -> None:
    repository = released.repository.place
    template = tmp_path / "template" / "hooks"
    template.mkdir(parents=True)
    hook = template / "post-checkout"
    hook.write_text(HOOK.format(names="pip release venv", work=repository / ".work"), encoding="utf-8")
    hook.chmod(0o755)
    address = yaml.safe_load((repository / "galaxy.yml").read_text(encoding="utf-8"))["repository"]
    reader.keyring.unlink()
    with galaxy_server.serving(released.file("tar.gz"), VERSION) as server:
        done = reader.shell(
            f"set -x\n{blocks()}",
            ANSIBLE_GALAXY_SERVER=server,
            GIT_TEMPLATE_DIR=str(template.parent),
            GIT_CONFIG_COUNT="1",
            GIT_CONFIG_KEY_0=f"url.{repository}.insteadOf",
            GIT_CONFIG_VALUE_0=address,
        )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "Good signature" in said
    assert f"fcd-cloud-{VERSION}.tar.gz: OK" in said
    assert said.count(f"fcd.cloud:{VERSION} was installed successfully") == 2
    assert "Successfully verified that checksums for 'fcd.cloud" in said


def rewritten(archive: Path, edit: Edit) -> None:
    """Change the files of an archive."""
    with tarfile.open(archive) as tar:
        folders = [member for member in tar.getmembers() if member.isdir()]
    files = reproducible.contents(archive)
    edit(files)
    with tarfile.open(archive, "w:gz") as tar:
        for folder in folders:
            tar.addfile(folder)
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def one_byte_of(name: str) -> Edit:
    """Return an edit that changes the last digit of the last checksum in a file; without one, the last letter."""

    def edit(files: t.Dict[str, bytes]) -> None:
        content = bytearray(files[name])
        place = max(
            found.end() - 1 for found in re.finditer(rb"[0-9a-f]{64}" if b"sha256" in content else rb"\w", content)
        )
        content[place] = ord("b") if content[place] == ord("a") else ord("a")
        files[name] = bytes(content)

    return edit


def module_and_list(files: t.Dict[str, bytes]) -> None:
    """Change a module, and its checksum in the list of files."""
    before = hashlib.sha256(files[MODULE]).hexdigest()
    one_byte_of(MODULE)(files)
    after = hashlib.sha256(files[MODULE]).hexdigest()
    assert before.encode() in files["FILES.json"]
    files["FILES.json"] = files["FILES.json"].replace(before.encode(), after.encode())


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        pytest.param(one_byte_of(MODULE), f"Checksum mismatch for '{MODULE}'", id="a module"),
        pytest.param(one_byte_of("FILES.json"), "Checksum mismatch for 'roles/", id="the list of files"),
        pytest.param(one_byte_of("MANIFEST.json"), "Signature verification failed", id="the manifest"),
    ],
)
def test_an_archive_with_one_byte_changed_is_not_installed(
    reader: Reader, released: Release, edit: Edit, words: str
) -> None:
    archive = reader.folder / released.file("tar.gz").name
    rewritten(archive, edit)
    done = reader.install(archive)
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode != 0
    assert words in said
    assert not reader.installed().exists()
    assert reader.shell("sha256sum --check --quiet SHA256SUMS").returncode == 1


def test_a_change_that_an_installation_does_not_see_is_found_afterwards(reader: Reader, released: Release) -> None:
    """When it installs, ansible-galaxy (2.19 to 2.21) does not compare the list of files with the signed manifest."""
    archive = reader.folder / released.file("tar.gz").name
    rewritten(archive, module_and_list)
    reader.install(archive)
    assert reader.verify(archive).returncode != 0
    assert reader.shell("sha256sum --check --quiet SHA256SUMS").returncode == 1


def test_a_file_that_was_added_to_the_archive_is_not_installed(reader: Reader, released: Release) -> None:
    archive = reader.folder / released.file("tar.gz").name
    rewritten(archive, lambda files: files.update({"plugins/modules/added.py": b"evil"}))
    assert reader.install(archive).returncode == 0
    assert not (reader.installed() / "plugins/modules/added.py").exists()


def test_the_signature_of_another_key_is_refused(
    reader: Reader, released: Release, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = reader.folder / released.file("tar.gz").name
    with monkeypatch.context() as patch:
        patch.setenv("GNUPGHOME", str(keys.home))
        tool.sign(archive, keys.other)
    done = reader.install(archive)
    assert done.returncode != 0
    assert "Signature verification failed" in done.stdout + done.stderr
    assert reader.shell(f"gpg --no-default-keyring --keyring {reader.keyring} --verify SHA256SUMS.asc").returncode != 0


@pytest.mark.parametrize("name", [MODULE, "FILES.json", "MANIFEST.json"])
def test_what_is_changed_after_the_installation_is_found(reader: Reader, released: Release, name: str) -> None:
    archive = reader.folder / released.file("tar.gz").name
    assert reader.install(archive).returncode == 0
    assert reader.verify(archive).returncode == 0
    file = reader.installed() / name
    content = {name: file.read_bytes()}
    one_byte_of(name)(content)
    file.write_bytes(content[name])
    assert reader.verify(archive).returncode != 0

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in a release, and that everybody who builds it gets the same."""

from __future__ import annotations

import getpass
import hashlib
import json
import re
import socket
import subprocess
import sys
import tarfile
import typing as t
from pathlib import Path

import pytest
import release as tool
import reproducible
import workspace
import yaml

from .conftest import NOTE, STRAY, VERSION, Release, Repository

NEVER = re.compile(
    r"(^|/)(\.git[^/]*|\.work|\.venv|\.env|\.netrc|\.nox|\.ci|__pycache__|id_[^/]*|notes[^/]*|fragments|tests)(/|$)"
    r"|\.(key|pem|asc|gpg|p12|pyc|retry|log|orig|tar\.gz)$|^(Makefile|noxfile\.py|galaxy\.yml|pytest\.ini)$"
)
PRIVATE = re.compile(rb"PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}|BEGIN PGP")
PROVENANCE = "https://slsa.dev/provenance/v1"


def document(released: Release, ending: str) -> t.Any:
    return json.loads(released.file(ending).read_text(encoding="utf-8"))


def test_nothing_is_in_it_that_is_not_for_others(released: Release) -> None:
    files = reproducible.contents(released.file("tar.gz"))
    assert len(files) > 400
    assert [name for name in files if NEVER.search(name)] == []
    assert [name for name, content in files.items() if PRIVATE.search(content)] == []
    assert [name for name, content in files.items() if not content and not name.endswith("/__init__.py")] == []


def test_all_that_a_user_needs_is_in_it(released: Release) -> None:
    names = list(reproducible.contents(released.file("tar.gz")))
    tracked = released.repository.git("ls-files", "plugins", "roles", "playbooks", "meta", "extensions").split()
    assert [name for name in tracked if name not in names] == []
    assert {"README.md", "LICENSE", "SECURITY.md", "CHANGELOG.rst", "changelogs/changelog.yaml"} <= set(names)


@pytest.mark.parametrize(
    "name", [*STRAY, ".git/config", ".work/x", "tests/unit/x.py", "a.md", "docs/notes/x", "roles/x.pem"]
)
def test_a_release_refuses_what_is_not_shipped(name: str) -> None:
    assert tool.unwanted(["plugins/modules/instance.py", name, "README.md"]) == [name]


def test_a_stray_that_was_committed_stops_the_release(released: Release, tmp_path: Path) -> None:
    clone = Repository(tmp_path / "clone")
    subprocess.run(["git", "clone", "--quiet", str(released.repository.place), str(clone.place)], check=True)
    (clone.place / ".work").symlink_to(released.repository.place / ".work")
    (clone.place / "roles" / "deploy.key").write_text("secret\n", encoding="utf-8")
    clone.commit()
    done = clone.release("--into", str(tmp_path / "made"))
    assert done.returncode == 1
    assert "The archive has what is not shipped: roles/deploy.key." in done.stderr
    assert list((tmp_path / "made").iterdir()) == []


def test_the_archive_tells_nothing_of_its_builder(released: Release) -> None:
    moment = int(released.repository.git("log", "-1", "--format=%ct"))
    with tarfile.open(released.file("tar.gz")) as tar:
        members = tar.getmembers()
    assert {(member.mtime, member.uid, member.gid, member.uname, member.gname) for member in members} == {
        (moment, 0, 0, "", "")
    }
    assert {member.mode for member in members} <= {0o644, 0o755}
    listed = [
        entry["name"] for entry in json.loads(reproducible.contents(released.file("tar.gz"))["FILES.json"])["files"]
    ]
    assert listed == sorted(listed)


def test_what_is_written_tells_nothing_of_the_machine(released: Release) -> None:
    private = [socket.gethostname(), str(workspace.CHECKOUT), str(Path.home()), str(released.repository.place), "/tmp/"]
    private += [getpass.getuser()] if len(getpass.getuser()) > 4 else []
    for name in ("cdx.json", "provenance.json"):
        text = released.file(name).read_text(encoding="utf-8")
        assert [word for word in private if word in text] == []


@pytest.mark.parametrize("epoch", [0, 1700000000])
def test_the_order_and_the_times_of_a_build_do_not_count(released: Release, tmp_path: Path, epoch: int) -> None:
    archives = [tmp_path / name for name in ("one.tar.gz", "other.tar.gz")]
    with tarfile.open(released.file("tar.gz")) as tar:
        members = [(member, tar.extractfile(member)) for member in tar.getmembers()[:50]]
        for archive, order, time in zip(archives, (1, -1), (1.5, 2e9)):
            with tarfile.open(archive, "w:gz") as written:
                for member, stream in members[::order]:
                    member.mtime, member.uid, member.uname = time, int(time), archive.name
                    if stream:
                        stream.seek(0)
                    written.addfile(member, stream)
    for archive in archives:
        reproducible.normalise(archive, epoch)
    assert archives[0].read_bytes() == archives[1].read_bytes()
    with tarfile.open(archives[0]) as tar:
        assert {member.mtime for member in tar.getmembers()} == {epoch}


def test_the_version_and_the_changelog_are_written(released: Release) -> None:
    files = reproducible.contents(released.file("tar.gz"))
    changelog = yaml.safe_load(files["changelogs/changelog.yaml"])
    assert NOTE in changelog["releases"][VERSION]["changes"]["bugfixes"]
    assert NOTE.encode() in files["CHANGELOG.rst"]
    assert json.loads(files["MANIFEST.json"])["collection_info"]["version"] == VERSION
    assert f'VERSION = "{VERSION}"'.encode() in files["plugins/module_utils/_connection/task.py"]
    for folder in ("execution_environment", "pipelines"):
        assert f'    version: "=={VERSION}"'.encode() in files[f"extensions/{folder}/requirements.yml"]
    assert released.repository.git("ls-files", "changelogs/fragments") == ""


def test_a_rehearsal_builds_what_is_released_then(released: Release) -> None:
    rehearsed, final = (
        reproducible.contents(folder / released.file("tar.gz").name) for folder in (released.rehearsal, released.folder)
    )
    assert [name for name in final if name != "MANIFEST.json" and rehearsed[name] != final[name]] == []
    assert (
        released.rehearsal.joinpath(released.file("provenance.json").name).read_text().count('"rehearsal": true') == 1
    )


def test_the_checkout_of_a_rehearsal_is_as_it_was(released: Release, tmp_path: Path) -> None:
    repository = released.repository
    command = [sys.executable, "tests/tools/release.py", "99.0.1", "--no-importer", "--into", str(tmp_path / "made")]
    before = repository.git("status", "--porcelain", "--ignored"), repository.git("rev-parse", "HEAD", "--tags")
    done = subprocess.run(command, cwd=repository.place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "A rehearsal: the checkout is as it was." in done.stdout
    assert (
        repository.git("status", "--porcelain", "--ignored"),
        repository.git("rev-parse", "HEAD", "--tags"),
    ) == before


def test_notes_of_a_later_release_stop_the_build(released: Release, tmp_path: Path) -> None:
    clone = Repository(tmp_path / "clone")
    subprocess.run(["git", "clone", "--quiet", str(released.repository.place), str(clone.place)], check=True)
    (clone.place / ".work").symlink_to(released.repository.place / ".work")
    (clone.place / "changelogs" / "fragments").mkdir(exist_ok=True)
    (clone.place / "changelogs" / "fragments" / "late.yml").write_text("bugfixes: ['late.']\n", encoding="utf-8")
    clone.commit()
    done = clone.release("--into", str(tmp_path / "made"))
    assert done.returncode == 1
    assert "these notes belong to a later one" in done.stderr


@pytest.mark.parametrize("version", ["", "1.0", "v1.0.0", "1.0.0; id"])
def test_a_version_that_is_none_is_refused(released: Release, version: str) -> None:
    command = [sys.executable, "tests/tools/release.py", version]
    done = subprocess.run(command, cwd=released.repository.place, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Say which version, such as: make release VERSION=1.0.0" in done.stderr


def test_the_bill_of_materials_says_what_the_collection_asks_for(released: Release) -> None:
    bill = document(released, "cdx.json")
    files = reproducible.contents(released.file("tar.gz"))
    asked = {one["name"]: one["properties"][0]["value"] for one in bill["components"]}
    lines = files["meta/ee-requirements.txt"].decode().splitlines()
    desired = [line for line in lines if line and not line.startswith("#")]
    assert sorted(f"{name}{versions}" for name, versions in asked.items() if name != "ansible-core") == sorted(
        line.lower() for line in desired
    )
    assert asked["ansible-core"] == yaml.safe_load(files["meta/runtime.yml"])["requires_ansible"]
    product = bill["metadata"]["component"]
    digest = hashlib.sha256(released.file("tar.gz").read_bytes()).hexdigest()
    assert (product["version"], product["hashes"][0]["content"]) == (VERSION, digest)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")


def test_the_provenance_names_the_commit_and_the_files(released: Release) -> None:
    said = document(released, "provenance.json")
    assert said["_type"] == "https://in-toto.io/Statement/v1"
    assert said["predicateType"] == PROVENANCE
    names = [subject["name"] for subject in said["subject"]]
    assert names == [
        *(released.file(ending).name for ending in ("tar.gz", "cdx.json")),
        *(released.wheel.name, f"fcd_sandbox-{VERSION}.cdx.json"),
    ]
    for subject in said["subject"]:
        content = (released.folder / subject["name"]).read_bytes()
        assert subject["digest"] == {"sha256": hashlib.sha256(content).hexdigest()}
    definition = said["predicate"]["buildDefinition"]
    commit = released.repository.git("rev-parse", "HEAD").strip()
    materials = definition["resolvedDependencies"]
    assert materials[0]["digest"] == {"gitCommit": commit}
    pins = (released.repository.place / "tests/tools/constraints.txt").read_bytes()
    assert {"name": "tests/tools/constraints.txt", "digest": {"sha256": hashlib.sha256(pins).hexdigest()}} in materials
    assert [one["uri"].split("@")[0] for one in materials if one.get("uri", "").startswith("pkg:")] == [
        "pkg:pypi/ansible-core",
        "pkg:pypi/antsibull-changelog",
        "pkg:pypi/cyclonedx-python-lib",
        "pkg:pypi/hatchling",
    ]
    assert definition["internalParameters"]["rehearsal"] is False
    assert set(said["predicate"]["runDetails"]["builder"]) == {"id", "version"}

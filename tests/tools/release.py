# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Build a release from the last commit, twice, and whatever belongs to it; tag, push and publish nothing.

``make release VERSION=1.0.0`` is a rehearsal as long as the commit has another version: the version and the changelog
are written in a copy, and everything is built from that. ``RELEASE=yes`` then writes both into the checkout. With them
committed, the same command builds the release itself; ``KEY=`` names the GnuPG key that signs it.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import typing as t
from pathlib import Path

import collection_tree
import enter
import provenance
import reproducible
import virtual_environment
import workspace
import yaml

CHECKOUT = workspace.CHECKOUT
PINS = ("tests/tools/constraints.txt", "tests/tools/requirements-release.txt")
WRITERS = ("ansible-core", "antsibull-changelog", "cyclonedx-python-lib", "hatchling")
VERSION = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")
VERSIONED = {
    "galaxy.yml": re.compile(r"(?<=^version: ).*$", re.MULTILINE),
    "tests/sandbox/pyproject.toml": re.compile(r'(?<=^version = ")[^"]*', re.MULTILINE),
    "extensions/testing/requirements.txt": re.compile(r"(?<=@)[^@#\n]*(?=#subdirectory=)"),
    "plugins/module_utils/_connection/task.py": re.compile(r'(?<=^VERSION = ")[^"]*', re.MULTILINE),
    **{
        f"extensions/{folder}/requirements.yml": re.compile(r'(?<=^    version: "==)[^"]*', re.MULTILINE)
        for folder in ("execution_environment", "pipelines")
    },
}
WRITTEN = (*VERSIONED, "CHANGELOG.md", "CHANGELOG.rst", "changelogs/changelog.yaml", "changelogs/fragments/*")
"""What a release changes in the checkout."""

SHIPPED = (
    *(
        ".ansible-lint",
        ".yamllint",
        "CHANGELOG.md",
        "CHANGELOG.rst",
        "CODE_OF_CONDUCT.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "LICENSES",
        "MAINTAINERS.md",
        "README.md",
    ),
    *(
        "REUSE.toml",
        "requirements.txt",
        "SECURITY.md",
        "SUPPORT.md",
        "changelogs",
        "docs",
        "extensions",
        "meta",
        "playbooks",
        "plugins",
        "roles",
    ),
    *(reproducible.FILES, reproducible.MANIFEST),
)
"""All that may lie at the top of the archive. The tests are for a checkout: what runs them is not shipped either."""

UNWANTED = (
    *(".env", ".git*", ".netrc", ".plugin-cache.yaml", ".venv", ".work", "*.asc", "*.gpg", "*.key", "*.log", "*.orig"),
    *("*.p12", "*.pem", "*.pyc", "*.retry", "*.tar.gz", "*~", "__pycache__", "fragments", "id_*", "notes", "notes.*"),
)
"""Names of files and folders that are never in the archive, wherever they lie."""

IMPORTER = """\
[galaxy-importer]
CHECK_CHANGELOG = True
CHECK_REQUIRED_TAGS = True
REQUIRE_V1_OR_GREATER = {stable}
RUN_ANSIBLE_LINT = False
"""
"""The settings of Automation Hub; ansible-lint is a check of its own."""

Changes = t.Dict[str, t.Optional[bytes]]
"""Files by their names below the collection, with their new content; None for one that is removed."""


class Workshop:
    """Runs the tools of a release in a folder that is gone afterwards, with nothing of the user's settings."""

    def __init__(self, folder: Path, programs: Path, source: provenance.Source) -> None:
        """Remember where to work, where the tools are, and what to build."""
        self.folder = folder
        self.source = source
        self._programs = programs

    def tree(self, name: str, changes: Changes) -> Path:
        """Return a fresh copy of the commit with some changes, where Ansible looks for a collection."""
        place = self.folder / name / collection_tree.PLACE
        place.mkdir(parents=True)
        packed = _git("archive", "--format=tar", self.source.commit)
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            if hasattr(tarfile, "data_filter"):
                tar.extractall(place, filter="data")
            else:  # Python 3.11.0 to 3.11.3; all of it is of our own commit
                tar.extractall(place)
        write(place, changes)
        return place

    def run(self, program: str, *arguments: str, place: Path, umask: int = 0o022, **more: str) -> str:
        """Run a program of the tools and return what it prints. Raises SystemExit with that when it fails."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        environment = {
            "PATH": os.pathsep.join([str(self._programs), os.environ.get("PATH", os.defpath)]),
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "SOURCE_DATE_EPOCH": str(self.source.epoch),
            "TMPDIR": str(self.folder),
            **more,
        }
        command = [str(self._programs / program), *arguments]
        done = subprocess.run(
            command, cwd=place, env=environment, umask=umask, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{program} ended with {done.returncode}.\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        return done.stdout

    def versions(self) -> t.Dict[str, str]:
        """Return the versions of the tools that write what is released."""
        asked = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
        return dict(zip(WRITERS, self.run("python", "-c", asked, *WRITERS, place=self.folder).split()))


def prepared(workshop: Workshop, day: str) -> Changes:
    """Return what the release changes in the commit: version and changelog. Nothing when it has both already.

    Raises SystemExit when the notes of the next release lie beside a changelog that has this one.
    """
    place = workshop.tree("prepared", {})
    version = workshop.source.version
    released = yaml.safe_load((place / "changelogs" / "changelog.yaml").read_text(encoding="utf-8"))["releases"]
    before = _contents(place)
    for name, pattern in VERSIONED.items():
        text, count = pattern.subn(version, (place / name).read_text(encoding="utf-8"))
        if count != 1:
            raise SystemExit(f"{name} has {count} lines with the version, and not one.")
        (place / name).write_text(text, encoding="utf-8")
    if version not in released:
        options = ["--version", version, "--date", day]
        root = str(place.parents[2])
        workshop.run("antsibull-changelog", "release", *options, place=place, ANSIBLE_COLLECTIONS_PATH=root)
    elif any(name.startswith("changelogs/fragments/") for name in before):
        raise SystemExit(
            f"The changelog has {version}, but changelogs/fragments is not empty: these notes belong to a later one."
        )
    after = _contents(place)
    return {name: after.get(name) for name in {**before, **after} if before.get(name) != after.get(name)}


def _contents(place: Path) -> t.Dict[str, bytes]:
    files = [file for pattern in WRITTEN for file in place.glob(pattern) if file.is_file()]
    return {str(file.relative_to(place)): file.read_bytes() for file in files}


def write(place: Path, changes: Changes) -> None:
    """Write changes into a tree."""
    for name, content in changes.items():
        if content is None:
            (place / name).unlink()
        else:
            (place / name).write_bytes(content)


def build(workshop: Workshop, changes: Changes, into: Path) -> Path:
    """Build the archive twice and return its path.

    Raises SystemExit when the two differ, or have what is not shipped.
    """
    archive = _built(workshop, changes, "first", 0o022)
    wrong = unwanted(reproducible.contents(archive))
    if wrong:
        raise SystemExit(
            f"The archive has what is not shipped: {', '.join(wrong)}. See build_ignore in galaxy.yml, and SHIPPED."
        )
    if archive.read_bytes() != _built(workshop, changes, "second", 0o077).read_bytes():
        raise SystemExit("Two builds of the same commit differ.")
    return Path(shutil.copy(archive, into))


def build_sandbox(workshop: Workshop, changes: Changes, into: Path) -> Path:
    """Build the package of the sandbox twice and return the path of its wheel. Raises SystemExit if they differ."""
    wheel = _built_wheel(workshop, changes, "first-wheel", 0o022)
    if wheel.read_bytes() != _built_wheel(workshop, changes, "second-wheel", 0o077).read_bytes():
        raise SystemExit("Two builds of the sandbox from the same commit differ.")
    return Path(shutil.copy(wheel, into))


def _built_wheel(workshop: Workshop, changes: Changes, name: str, umask: int) -> Path:
    place = workshop.tree(name, changes) / "tests" / "sandbox"
    workshop.run("python", "-m", "hatchling", "build", "--target", "wheel", place=place, umask=umask)
    (wheel,) = (place / "dist").glob("*.whl")
    return wheel


def _built(workshop: Workshop, changes: Changes, name: str, umask: int) -> Path:
    place = workshop.tree(name, changes)
    workshop.run("ansible-galaxy", "collection", "build", "--output-path", "../..", place=place, umask=umask)
    (archive,) = place.parents[1].glob("*.tar.gz")
    reproducible.normalise(archive, workshop.source.epoch)
    return archive


def unwanted(names: t.Iterable[str]) -> t.List[str]:
    """Return the names in an archive that are not to be in it."""
    return [name for name in names if name.split("/")[0] not in SHIPPED or any(map(_is_unwanted, name.split("/")))]


def _is_unwanted(part: str) -> bool:
    return any(fnmatch.fnmatchcase(part, pattern) for pattern in UNWANTED)


def import_it(workshop: Workshop, archive: Path) -> None:
    """Let galaxy-importer read the archive. Raises SystemExit when it refuses it, or tells of an error."""
    place = workshop.folder / "import"
    place.mkdir()
    settings = place / "importer.cfg"
    stable = not workshop.source.version.startswith(("0.", "1.0.0-"))
    settings.write_text(IMPORTER.format(stable=stable), encoding="ascii")
    shutil.copy(archive, place)
    log = workshop.run(
        "python", "-m", "galaxy_importer.main", archive.name, place=place, GALAXY_IMPORTER_CONFIG=str(settings)
    )
    errors = [line for line in log.splitlines() if line.startswith("ERROR")]
    if errors:
        raise SystemExit("\n".join(["galaxy-importer tells of errors:", *errors]))


def describe(workshop: Workshop, archive: Path, wheel: Path, builder: str) -> t.List[Path]:
    """Write the bills of materials, the provenance and the checksums beside the archive; return all files."""
    subjects = [archive, _bill(workshop, archive), wheel, _bill(workshop, wheel)]
    pins = {name: _git("show", f"{workshop.source.commit}:{name}") for name in PINS}
    said = provenance.statement(workshop.source, subjects, pins, workshop.versions(), builder)
    origin = archive.with_name(f"{archive.name.removesuffix('.tar.gz')}.provenance.json")
    origin.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    sums = archive.with_name("SHA256SUMS")
    files = [*subjects, origin]
    sums.write_text(
        "".join(f"{provenance.sha256(file.read_bytes())}  {file.name}\n" for file in files), encoding="ascii"
    )
    return [*files, sums]


def _bill(workshop: Workshop, product: Path) -> Path:
    """Write the bill of materials of an archive or a wheel beside it; return its path."""
    script = str(Path(__file__).with_name("bill_of_materials.py"))
    stem = product.name.removesuffix(".tar.gz").removesuffix("-py3-none-any.whl")
    bill = product.with_name(f"{stem}.cdx.json")
    epoch = str(workshop.source.epoch)
    bill.write_text(workshop.run("python", script, str(product), epoch, place=workshop.folder), encoding="utf-8")
    return bill


def sign(archive: Path, key: str) -> t.List[Path]:
    """Sign the manifest, for ansible-galaxy, and the checksums; return the signatures, ASCII-armoured."""
    stem = archive.name.removesuffix(".tar.gz")
    with tempfile.TemporaryDirectory(prefix="fcd-") as folder:
        manifest = Path(folder, reproducible.MANIFEST)
        manifest.write_bytes(reproducible.contents(archive)[manifest.name])
        pairs = [
            (manifest, archive.with_name(f"{stem}.MANIFEST.json.asc")),
            (archive.with_name("SHA256SUMS"), archive.with_name("SHA256SUMS.asc")),
        ]
        for file, signature in pairs:
            options = ["--yes", "--armor", "--detach-sign", "--local-user", key, "--output", str(signature)]
            if subprocess.run(["gpg", *options, str(file)], check=False).returncode:
                raise SystemExit(f"gpg did not sign {file.name} with the key {key}.")
    return [signature for _file, signature in pairs]


def _git(*arguments: str) -> bytes:
    safe = ["-c", f"safe.directory={CHECKOUT}"]  # the checkout may belong to somebody else
    done = subprocess.run(["git", *safe, *arguments], cwd=CHECKOUT, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {arguments[0]} ended with {done.returncode}: {done.stderr.decode().strip()}")
    return done.stdout


def last_commit(version: str) -> t.Tuple[str, int, str]:
    """Return the last commit, its time and the repository's address. Raises SystemExit for a version that is none."""
    if not VERSION.fullmatch(version):
        raise SystemExit(f"Say which version, such as: make release VERSION=1.0.0 (got: {version!r})")
    commit, epoch = _git("log", "-1", "--format=%H %ct").decode().split()
    return commit, int(epoch), str(yaml.safe_load(_git("show", f"{commit}:galaxy.yml"))["repository"])


def uncommitted(*names: str) -> t.List[str]:
    """Return the files of the checkout that differ from the last commit."""
    return [line[3:] for line in _git("status", "--porcelain", "--", *names).decode().splitlines()]


def make(arguments: argparse.Namespace, folder: Path) -> None:
    """Build everything; print what was made and what is next."""
    commit, epoch, repository = last_commit(arguments.version)
    if arguments.write and uncommitted(*WRITTEN):
        raise SystemExit(f"Commit these first: {', '.join(uncommitted(*WRITTEN))}")
    if uncommitted():
        print("What is not committed is not in it.")
    with workspace.locked("release-tools"):
        files = [CHECKOUT / "tests" / "tools" / "requirements-release.txt"]
        programs = virtual_environment.build(workspace.folder() / "release", enter.controller(), files).parent
    workshop = Workshop(
        folder, programs, provenance.Source(repository, commit, epoch, arguments.version, rehearsal=True)
    )
    changes = prepared(workshop, time.strftime("%Y-%m-%d", time.gmtime(time.time() if arguments.write else epoch)))
    workshop.source = workshop.source._replace(rehearsal=bool(changes))
    into = arguments.into or workspace.folder() / "releases" / arguments.version
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    archive = build(workshop, changes, into)
    if arguments.importer:
        import_it(workshop, archive)
    wheel = build_sandbox(workshop, changes, into)
    made = describe(workshop, archive, wheel, arguments.builder)
    made += sign(archive, arguments.key) if arguments.key else []
    for file in made:
        print(f"{provenance.sha256(file.read_bytes())}  {file}")
    print(what_next(changes, arguments))


def what_next(changes: Changes, arguments: argparse.Namespace) -> str:
    """Write the changes into the checkout where that was asked for; return what to do now."""
    again = f"make release VERSION={arguments.version}"
    if not changes:
        signed = "" if arguments.key else f" Not signed: {again} KEY=<your key>."
        return f"This is the release {arguments.version}.{signed} To tag and to publish it is up to you."
    if arguments.write:
        write(CHECKOUT, changes)
        return f"Version and changelog are written. Commit them, then build the release itself: {again} KEY=<your key>"
    shown = changes.get("CHANGELOG.rst")
    text = shown.decode() if shown else ""
    return f"{text}\nA rehearsal: the checkout is as it was. To write version and changelog: {again} RELEASE=yes"


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description="Build a release of the last commit.")
    parser.add_argument("version", help="such as 1.0.0")
    parser.add_argument("--write", action="store_true", help="write version and changelog into the checkout, too")
    parser.add_argument("--key", default="", help="GnuPG key to sign with")
    parser.add_argument("--builder", default="", help="address of who answers for the build, for the provenance")
    parser.add_argument(
        "--into", type=Path, help="folder for the files; it is emptied. Default: .work/releases/VERSION"
    )
    parser.add_argument("--no-importer", dest="importer", action="store_false", help="leave out galaxy-importer")
    arguments = parser.parse_args()
    with workspace.locked("release"), contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="fcd-release-"))
        make(arguments, Path(folder).resolve())


if __name__ == "__main__":
    main()
    sys.exit(0)

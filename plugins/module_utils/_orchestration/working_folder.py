# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The folders that the orchestration tool works in.

The working folder holds one configuration file, the plugin and the state, and all of it is private. Source:
docs/service/infrastructure.md, "Orchestration plugin". The tool looks for a plugin in a tree of folders, which is
created in addition to what the contract shows, so that it never asks a network for one. Plans go into another,
temporary folder, which is closed to everybody else: older tools write the token into them.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import json
import os
import platform
import shutil
import tempfile
import time
import typing as t

from .._core.errors import InvalidInput
from .._core.files import write_if_changed
from .._core.home import expand_home
from .._core.private_files import PRIVATE_MODE, make_private, open_regular, read_json, read_regular
from .hcl_configuration import FILE_HEADER

MAIN, STATE, LOCK, PREPARED = "main.tf", "terraform.tfstate", ".terraform.lock.hcl", ".terraform"
NOT_STORED = "errored.tfstate"  # what the tool writes when the state could not be stored
VARIABLE_FILES = ("terraform.tfvars", "terraform.tfvars.json")  # a token in one of these would override ours
TREE, CLI, STAMP = os.path.join("terraform.d", "plugins"), "terraformrc", ".fcd-orchestration.json"
READ_BY_THE_TOOL = (".tf", ".tf.json", ".tofu", ".tofu.json", ".auto.tfvars", ".auto.tfvars.json", *VARIABLE_FILES)
PLUGIN = "terraform-provider-service"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CLI_TEXT = (
    "disable_checkpoint = true\n\nprovider_installation {{\n  filesystem_mirror {{\n    path = {tree}\n  }}\n}}\n"
)
NOTE_TYPES = {"prepared_for": dict, "executable": list, "plugin": list, "schema": list, "source": list, "state": str}
"""The members of the note and their types; anything else was not written by this module."""

PREFIX = "fcd-orchestration-"
MIN_FOLDER_AGE = 60.0  # seconds within which a folder may not have its lock yet, and a tool may not have read its plan


class WorkingFolder:
    """The folder at ``path``; nothing in it is open to other users. InvalidInput says what is not possible."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(expand_home(path))

    def file(self, name: str) -> str:
        """Return the path of a file in it."""
        return os.path.join(self.path, name)

    def make(self) -> None:
        with self._errors_named():
            os.makedirs(self.path, mode=0o700, exist_ok=True)
        self.close()

    def close(self) -> None:
        """Remove other users' permissions from files that the tool may have left open."""
        with self._errors_named():
            for name in (STATE, f"{STATE}.backup", NOT_STORED, LOCK):
                if os.path.isfile(self.file(name)):
                    os.chmod(self.file(name), PRIVATE_MODE)

    def names(self) -> list[str]:
        """Return the names of the entries; none if the folder is missing."""
        with self._errors_named():
            try:
                return sorted(os.listdir(self.path))
            except FileNotFoundError:
                return []

    def check_owner(self, *, overwrite: bool) -> None:
        """Raise InvalidInput if the folder has a configuration that this module did not write."""
        found = self.names()
        others = [name for name in found if name.endswith(READ_BY_THE_TOOL) and name != MAIN]
        if others:
            raise InvalidInput(
                f"path: {self.path} contains {', '.join(others)} besides {MAIN}: all would be one configuration.",
                next_step="Give a folder of its own, or move these files away.",
                option="path",
            )
        if MAIN in found and not overwrite:
            head = (self._configuration() or b"").partition(b"\n")[0]
            if head.decode("utf-8", "replace") != FILE_HEADER:
                raise InvalidInput(
                    f"path: {self.file(MAIN)} was not written by this module.",
                    next_step="Set overwrite to replace it; an instance in its state is kept if its label is declared "
                    "here.",
                    option="path",
                )

    def _configuration(self) -> bytes | None:
        """Return the content of the configuration file, None if there is none."""
        with self._errors_named():
            try:
                return read_regular(self.file(MAIN))
            except FileNotFoundError:
                return None

    @contextlib.contextmanager
    def _errors_named(self) -> t.Iterator[None]:
        """Turn errors of the system in the block into errors of the option path."""
        try:
            yield
        except OSError as exc:
            raise InvalidInput(
                f"path: {exc.filename or self.path} cannot be used: {exc.strerror}.",
                next_step="Give a folder that this user can write to.",
                option="path",
            ) from None

    @property
    def is_prepared(self) -> bool:
        """Return whether the tool has prepared it, for whichever purpose."""
        return os.path.isdir(self.file(PREPARED))

    def plugin(self, given: str | None) -> str | None:
        """Return the plugin: the one that was given, else one in the folder, else None."""
        if given is not None:
            path = os.path.abspath(expand_home(given))
            if not _is_program(path):
                raise InvalidInput(f"plugin_path: {path} is not an executable file.", option="plugin_path")
            return path
        found = [self.file(name) for name in self.names() if name.startswith(PLUGIN)]
        return next(filter(_is_program, found), None)

    def write(self, name: str, text: str) -> bool:
        """Write this text into a file, and return whether that changes anything."""
        return write_if_changed(self.file(name), text.encode("utf-8"), PRIVATE_MODE, option="path", write=True)

    @contextlib.contextmanager
    def configured(self, text: str, *, keep: bool = True) -> t.Iterator[bool]:
        """Use this configuration while the block runs; yields whether it differed.

        With ``keep``, it stays unless the block fails.
        """
        before = self._configuration()
        changed, is_kept = self.write(MAIN, text), False
        try:
            yield changed
            is_kept = keep
        finally:
            if before is None and not is_kept:
                os.unlink(self.file(MAIN))
            elif before is not None and not is_kept:
                write_if_changed(self.file(MAIN), before, PRIVATE_MODE, option="path", write=True)

    def lay_out_plugin(self, plugin: str, source: str, version: str) -> None:
        """Put the plugin where the tool looks for it, and nowhere else."""
        machine = platform.machine()
        system = f"{platform.system().lower()}_{ARCHITECTURES.get(machine, machine)}"
        folder = self.file(os.path.join(TREE, source, version, system))
        link = os.path.join(folder, f"{PLUGIN}_v{version}")
        with self._errors_named():
            os.makedirs(folder, mode=0o700, exist_ok=True)
            if not os.path.islink(link) or os.readlink(link) != plugin:
                if os.path.lexists(link):
                    os.unlink(link)
                os.symlink(plugin, link)
        self.write(CLI, CLI_TEXT.format(tree=json.dumps(self.file(TREE), ensure_ascii=False)))

    def stamp(self) -> dict[str, t.Any]:
        """Return what was noted about the last run."""
        found = read_json(self.file(STAMP))
        noted = found if isinstance(found, dict) else {}
        return {name: value for name, value in noted.items() if isinstance(value, NOTE_TYPES.get(name, ()))}

    def copied_to(self, folder: str) -> WorkingFolder:
        """Return a copy of what a plan depends on, in a new folder."""
        make_private(folder)
        copy = WorkingFolder(folder)
        try:
            for name in (STATE, LOCK, STAMP, MAIN):
                if os.path.exists(self.file(name)):
                    shutil.copy2(self.file(name), copy.file(name))
            if self.is_prepared:
                shutil.copytree(self.file(PREPARED), copy.file(PREPARED), symlinks=True)
        except (OSError, shutil.Error) as exc:
            raise InvalidInput(f"path: {self.path} cannot be read: {exc}.", option="path") from None
        return copy


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def checksum(path: str) -> str:
    with open_regular(path) as handle:
        digest = hashlib.sha256()
        for block in iter(lambda: handle.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


@contextlib.contextmanager
def private_folder_of_run() -> t.Iterator[str]:
    """Provide a folder while the block runs, with a lock on it that the kernel releases when this process dies.

    A task that was killed leaves its folder behind; the next task removes it.
    """
    _remove_left_ones()
    path = tempfile.mkdtemp(prefix=PREFIX)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # a file system without locks; then nobody removes it
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield path
    finally:
        os.close(descriptor)
        shutil.rmtree(path, ignore_errors=True)


def _remove_left_ones() -> None:
    """Remove the folders of this user that no process has locked."""
    for path in glob.glob(os.path.join(glob.escape(tempfile.gettempdir()), f"{PREFIX}*")):
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                status = os.fstat(descriptor)
                if status.st_uid == os.geteuid() and time.time() - status.st_mtime > MIN_FOLDER_AGE:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(descriptor)

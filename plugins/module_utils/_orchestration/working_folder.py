# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The working folder of the orchestration tool: one configuration file, the plugin, the state; all of it private.

Source: contract infrastructure-rest.md, "Tool commands". The tool looks for a plugin in a tree of folders, which is
made beside what the contract shows, so that it never asks a network for one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shutil
import typing as t

from .._core.errors import InvalidInput
from .._core.files import read_json, read_regular, remove, write_if_changed
from .rendering import HEAD

MAIN, STATE, LOCK, PREPARED = "main.tf", "terraform.tfstate", ".terraform.lock.hcl", ".terraform"
NOT_STORED = "errored.tfstate"  # what the tool writes when the state could not be stored
VALUES = ("terraform.tfvars", "terraform.tfvars.json")  # a token in one of these would take the place of ours
TREE, CLI, STAMP = os.path.join("terraform.d", "plugins"), "terraformrc", ".fcd-orchestration.json"
READ_BY_THE_TOOL = (".tf", ".tf.json", ".tofu", ".tofu.json", ".auto.tfvars", ".auto.tfvars.json", *VALUES)
PLUGIN = "terraform-provider-service"
MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
CLI_TEXT = (
    "disable_checkpoint = true\n\nprovider_installation {{\n  filesystem_mirror {{\n    path = {tree}\n  }}\n}}\n"
)
PRIVATE = 0o600
NOTED = {"prepared_for": dict, "executable": list, "plugin": list, "source": list, "state": str}
"""What is noted, and as what; anything else was written by somebody else."""


class WorkingFolder:
    """The folder at ``path``; nothing in it is open to other users."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(os.path.expanduser(path))

    def file(self, name: str) -> str:
        """Return the path of a file in it."""
        return os.path.join(self.path, name)

    def make(self) -> None:
        """Make the folder where it is missing. Raises InvalidInput."""
        try:
            os.makedirs(self.path, mode=0o700, exist_ok=True)
        except OSError as exc:
            raise self._unusable(exc) from None
        self.close()

    def close(self) -> None:
        """Close what the tool may have left open to other users. Raises InvalidInput."""
        try:
            for name in (STATE, f"{STATE}.backup", NOT_STORED, LOCK):
                if os.path.isfile(self.file(name)):
                    os.chmod(self.file(name), PRIVATE)
        except OSError as exc:
            raise self._unusable(exc) from None

    def check_place(self) -> None:
        """Raise InvalidInput for what is no folder, or cannot be looked into."""
        self._names()

    def check_owner(self, *, overwrite: bool) -> None:
        """Raise InvalidInput when the folder holds a configuration that this module did not write."""
        found = self._names()
        others = [name for name in found if name.endswith(READ_BY_THE_TOOL) and name != MAIN]
        if others:
            raise InvalidInput(
                f"path: {self.path} holds {', '.join(others)} besides {MAIN}: all would be one configuration.",
                next_step="Give a folder of its own, or move them away.",
                option="path",
            )
        if MAIN in found and not overwrite and not self._is_ours():
            raise InvalidInput(
                f"path: {self.file(MAIN)} was written by somebody else.",
                next_step="Set overwrite to replace it; a machine in its state stays when its label is declared here.",
                option="path",
            )

    def _names(self) -> list[str]:
        try:
            return sorted(os.listdir(self.path))
        except FileNotFoundError:
            return []
        except OSError as exc:
            raise self._unusable(exc) from None

    def _is_ours(self) -> bool:
        return (self._configuration() or b"").partition(b"\n")[0].decode("utf-8", "replace") == HEAD

    def _configuration(self) -> bytes | None:
        """Return what stands in the configuration file, None when there is none."""
        try:
            return read_regular(self.file(MAIN))
        except FileNotFoundError:
            return None
        except OSError as exc:
            raise self._unusable(exc) from None

    def _unusable(self, exc: OSError) -> InvalidInput:
        return InvalidInput(
            f"path: {exc.filename or self.path} cannot be used: {exc.strerror}.",
            next_step="Give a folder that this user can write to.",
            option="path",
        )

    @property
    def is_prepared(self) -> bool:
        """Whether the tool has prepared it, for whatever."""
        return os.path.isdir(self.file(PREPARED))

    def plugin(self, given: str | None) -> str | None:
        """Return the plugin: the one that was given, else one in the folder, else None. Raises InvalidInput."""
        if given is not None:
            path = os.path.abspath(os.path.expanduser(given))
            if not os.access(path, os.X_OK) or not os.path.isfile(path):
                raise InvalidInput(f"plugin_path: {path} is no executable file.", option="plugin_path")
            return path
        found = [self.file(name) for name in self._names() if name.startswith(PLUGIN)]
        return next((path for path in found if os.path.isfile(path) and os.access(path, os.X_OK)), None)

    @contextlib.contextmanager
    def configured(self, text: str) -> t.Iterator[bool]:
        """Have this configuration while the block runs, and after it unless it fails; yields whether it differed."""
        before = self._configuration()
        changed = write_if_changed(self.file(MAIN), text.encode("utf-8"), PRIVATE, option="path", write=True)
        try:
            yield changed
        except BaseException:
            self._put_back(before)
            raise

    def _put_back(self, content: bytes | None) -> None:
        if content is None:
            os.unlink(self.file(MAIN))
        else:
            write_if_changed(self.file(MAIN), content, PRIVATE, option="path", write=True)

    def write_configuration(self, text: str) -> None:
        """Write the configuration."""
        write_if_changed(self.file(MAIN), text.encode("utf-8"), PRIVATE, option="path", write=True)

    def lay_out_plugin(self, plugin: str, source: str, version: str) -> None:
        """Put the plugin where the tool looks for it, and nowhere else. Raises InvalidInput."""
        folder = self.file(os.path.join(TREE, source, version, _system()))
        link = os.path.join(folder, f"{PLUGIN}_v{version}")
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            if not os.path.islink(link) or os.readlink(link) != plugin:
                if os.path.lexists(link):
                    os.unlink(link)
                os.symlink(plugin, link)
        except OSError as exc:
            raise self._unusable(exc) from None
        text = CLI_TEXT.format(tree=json.dumps(self.file(TREE), ensure_ascii=False))
        write_if_changed(self.file(CLI), text.encode("utf-8"), PRIVATE, option="path", write=True)

    def stamp(self) -> dict[str, t.Any]:
        """Return what was noted about the last run."""
        found = read_json(self.file(STAMP))
        noted = found if isinstance(found, dict) else {}
        return {name: value for name, value in noted.items() if isinstance(value, NOTED.get(name, ()))}

    def set_stamp(self, values: t.Mapping[str, t.Any]) -> None:
        """Note it."""
        text = json.dumps(values, indent=1, sort_keys=True) + "\n"
        write_if_changed(self.file(STAMP), text.encode("utf-8"), PRIVATE, option="path", write=True)

    def forget_plugin(self) -> None:
        """Forget the checksum of an earlier plugin, which the tool would hold against the new one for ever."""
        remove(self.file(LOCK))

    def forget_backend(self) -> None:
        """Forget where the state was kept before, which the tool would not do by itself."""
        remove(self.file(os.path.join(PREPARED, STATE)))

    def copied_to(self, folder: str) -> WorkingFolder:
        """Return a copy of what a plan depends on. Raises InvalidInput."""
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


def checksum(path: str) -> str:
    """Return the SHA-256 of a file."""
    with open(path, "rb") as handle:
        digest = hashlib.sha256()
        for block in iter(lambda: handle.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def _system() -> str:
    machine = platform.machine()
    return f"{platform.system().lower()}_{MACHINES.get(machine, machine)}"

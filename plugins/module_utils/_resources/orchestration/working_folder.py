# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The working folder of the orchestration tool: one configuration file, the plugin, the state; all of it private.

Source: contract infrastructure-rest.md, "Tool commands". The tool looks for a plugin in a tree of folders, which is
made beside what the contract shows, so that it never asks a network for one.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import typing as t

from ..._core.errors import InvalidInput
from ..._core.private_files import read_json, write_json
from ..._core.whole_files import keep_in
from .rendering import HEAD

MAIN, STATE, LOCK, PREPARED = "main.tf", "terraform.tfstate", ".terraform.lock.hcl", ".terraform"
TREE, CLI, STAMP = os.path.join("terraform.d", "plugins"), "terraformrc", ".fcd-orchestration.json"
PLUGIN = "terraform-provider-service"
MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
CLI_TEXT = (
    "disable_checkpoint = true\n\nprovider_installation {{\n  filesystem_mirror {{\n    path = {tree}\n  }}\n}}\n"
)
PRIVATE = 0o600


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
            raise InvalidInput(f"path: {self.path} cannot be a folder: {exc.strerror}.", option="path") from None

    def check(self, *, overwrite: bool) -> None:
        """Raise InvalidInput when the folder holds a configuration that this module did not write."""
        try:
            found = sorted(os.listdir(self.path))
        except FileNotFoundError:
            return
        except OSError as exc:
            raise InvalidInput(f"path: {self.path} cannot be used: {exc.strerror}.", option="path") from None
        others = [name for name in found if name.endswith((".tf", ".tf.json")) and name != MAIN]
        if others:
            raise InvalidInput(
                f"path: {self.path} holds {', '.join(others)} besides {MAIN}: all would be one configuration.",
                next_step="Give a folder of its own, or move them away.",
                option="path",
            )
        if MAIN in found and not overwrite and not self._is_ours():
            raise InvalidInput(
                f"path: {self.file(MAIN)} was written by somebody else.",
                next_step="Set overwrite to replace it; machines in its state stay as they are when their labels do.",
                option="path",
            )

    def _is_ours(self) -> bool:
        with open(self.file(MAIN), encoding="utf-8", errors="replace") as handle:
            return handle.readline().rstrip("\n") == HEAD

    @property
    def has_state(self) -> bool:
        """Whether there is a state beside the configuration."""
        return os.path.exists(self.file(STATE))

    def plugin(self, given: str | None) -> str | None:
        """Return the plugin: the one that was given, else one in the folder, else None. Raises InvalidInput."""
        if given is not None:
            path = os.path.abspath(os.path.expanduser(given))
            if not os.access(path, os.X_OK) or not os.path.isfile(path):
                raise InvalidInput(f"plugin_path: {path} is no executable file.", option="plugin_path")
            return path
        names = sorted(os.listdir(self.path)) if os.path.isdir(self.path) else []
        found = [self.file(name) for name in names if name.startswith(PLUGIN)]
        return next((path for path in found if os.path.isfile(path) and os.access(path, os.X_OK)), None)

    def write_configuration(self, text: str) -> bool:
        """Write the configuration and return whether it differed."""
        return keep_in(self.file(MAIN), text.encode("utf-8"), PRIVATE, option="path", write=True)

    def lay_out_plugin(self, plugin: str, source: str, version: str) -> None:
        """Put the plugin where the tool looks for it, and nowhere else."""
        folder = self.file(os.path.join(TREE, source, version, _system()))
        os.makedirs(folder, mode=0o700, exist_ok=True)
        link = os.path.join(folder, f"{PLUGIN}_v{version}")
        if not os.path.islink(link) or os.readlink(link) != plugin:
            if os.path.lexists(link):
                os.unlink(link)
            os.symlink(plugin, link)
        text = CLI_TEXT.format(tree=json.dumps(self.file(TREE)))
        keep_in(self.file(CLI), text.encode("utf-8"), PRIVATE, option="path", write=True)

    def stamp(self) -> dict[str, t.Any]:
        """Return what was noted about the last run."""
        found = read_json(self.file(STAMP))
        return found if isinstance(found, dict) else {}

    def set_stamp(self, values: t.Mapping[str, t.Any]) -> None:
        """Note it."""
        if self.stamp() != values:
            write_json(self.file(STAMP), dict(values))

    def forget_plugin(self) -> None:
        """Forget the checksum of an earlier plugin, which the tool would hold against the new one for ever."""
        try:
            os.unlink(self.file(LOCK))
        except FileNotFoundError:
            pass

    def outputs(self) -> dict[str, t.Any] | None:
        """Return the outputs in the local state, None when there is none that can be read."""
        try:
            with open(self.file(STATE), encoding="utf-8") as handle:
                found = json.load(handle).get("outputs")
        except (OSError, ValueError, AttributeError):
            return None
        return found if isinstance(found, dict) else None

    def copied_to(self, folder: str) -> WorkingFolder:
        """Return a copy of what a plan depends on."""
        copy = WorkingFolder(folder)
        for name in (STATE, LOCK, STAMP, MAIN):
            if os.path.exists(self.file(name)):
                shutil.copy2(self.file(name), copy.file(name))
        if os.path.isdir(self.file(PREPARED)):
            shutil.copytree(self.file(PREPARED), copy.file(PREPARED), symlinks=True)
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

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A repository of a site on the disk, and the collection as a file to install it from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import typing as t
from pathlib import Path

import collection_tree
import yaml

PIPELINES = Path(__file__).resolve().parents[2] / "extensions" / "pipelines"
PROGRAMS = Path(sys.executable).parent
SITE = {
    "site": "web-shop",
    "registry": {"container": "web-shop-state"},
    "private_networks": [{"name": "shop-inside"}],
    "storage_containers": [{"name": "web-shop-state"}, {"name": "site-assets"}],
    "storage_objects": [{"container": "site-assets", "name": "index.html", "content": "<h1>It works</h1>"}],
}
PRODUCTION = {"site": "web-shop", "private_networks": [{"name": "shop-production"}]}


def packed(place: Path) -> Path:
    """Build the collection from its files; return the archive."""
    with collection_tree.copied() as tree:
        build = [str(PROGRAMS / "ansible-galaxy"), "collection", "build", str(tree), "--output-path", str(place)]
        subprocess.run(build, check=True, capture_output=True)
    (archive,) = place.glob("*.tar.gz")
    return archive


class Repository:
    """A bare repository, and a work tree to change it with."""

    def __init__(self, folder: Path, archive: Path) -> None:
        """Make it, with a site in it."""
        self.bare = folder / "site.git"
        self.tree = folder / "tree"
        self._git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", str(self.bare))
        self._git(folder, "clone", "--quiet", str(self.bare), str(self.tree))
        shutil.copy(PIPELINES / "requirements.txt", self.tree)
        shutil.copy(PIPELINES / "ansible_pull" / "pull.yml", self.tree)
        self.write("requirements.yml", {"collections": [{"name": str(archive), "type": "file"}]})
        self.write("environments/production.yml", PRODUCTION)
        self.write("site.yml", SITE)
        self.push("A site")

    def write(self, name: str, content: t.Any) -> None:
        """Write a file of YAML into the work tree."""
        file = self.tree / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")

    def push(self, message: str, branch: str = "main") -> str:
        """Push what is in the work tree; return the commit."""
        self._git(self.tree, "add", "--all")
        person = ["-c", "user.name=Example", "-c", "user.email=user@example.com"]
        self._git(self.tree, *person, "commit", "--quiet", "--allow-empty", "--message", message)
        self._git(self.tree, "push", "--quiet", "origin", f"HEAD:{branch}")
        return self._git(self.tree, "rev-parse", "HEAD").strip()

    def check_out(self, place: Path, commit: str) -> None:
        """Make a work tree of a commit, as a runner does."""
        self._git(place.parent, "clone", "--quiet", str(self.bare), str(place))
        self._git(place, "checkout", "--quiet", commit)

    @staticmethod
    def _git(folder: Path, *arguments: str) -> str:
        unset = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        quiet = {**unset, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        command = ["git", *arguments]
        return subprocess.run(command, cwd=folder, env=quiet, check=True, capture_output=True, text=True).stdout

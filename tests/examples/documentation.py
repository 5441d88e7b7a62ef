# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in the documentation of a plugin, as tasks that run against the sandbox."""

from __future__ import annotations

import ast
import re
import typing as t
from pathlib import Path

import tree_yaml
import yaml

from examples.needs import ADDRESSES, CREDENTIALS, VARIABLES, Needs

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
KINDS = ("modules", "lookup", "filter", "inventory")
Item = t.Dict[str, t.Any]


class Documented(t.NamedTuple):
    """A plugin and the parts of its documentation."""

    kind: str
    name: str
    examples: list[Item]
    returned: Item

    @property
    def task_key(self) -> str:
        """What a task that runs the module has as a key."""
        return f"fcd.cloud.{self.name}"

    @property
    def writes(self) -> bool:
        """Whether its tasks are there to change something."""
        return self.kind == "modules" and not self.name.endswith("_info") and self.name != "token"


def documented() -> list[Documented]:
    """Return all plugins that have examples made of tasks."""
    places = [place for kind in KINDS for place in sorted((PLUGINS / kind).glob("[!_]*.py"))]
    return [plugin for plugin in map(_read, places) if plugin.examples]


def _read(place: Path) -> Documented:
    texts = _texts(place)
    examples = shown(place)
    # An inventory shows configuration files, which are no list.
    tasks = examples[0] if examples and isinstance(examples[0], list) else []
    return Documented(place.parent.name, place.stem, tasks, tree_yaml.load(texts.get("RETURN", "")) or {})


def shown(place: Path) -> list[t.Any]:
    """Return the YAML documents of the examples in a file."""
    return list(yaml.load_all(_texts(place).get("EXAMPLES", ""), tree_yaml.LOADER))


def _texts(place: Path) -> dict[str, str]:
    """Return the texts that are assigned at the top of a module, by name."""
    found = {}
    for node in ast.parse(place.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found[node.targets[0].id] = value.value
    return found


class Setting:
    """The sandbox and a folder, in place of what the examples name."""

    def __init__(self, info: t.Mapping[str, t.Any], folder: Path) -> None:
        """Take the ready document of the sandbox."""
        self._credentials = info["credentials"]
        self._folder = folder
        self._words = {name: info[value] for name, value in ADDRESSES.items()}
        self._words.update({name: self._credentials[value] for name, value in CREDENTIALS.items()})

    def supply(self, needs: Needs) -> dict[str, t.Any]:
        """Write the files; return the variables."""
        for name, content in needs.files.items():
            place = self._place(name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, encoding="utf-8")
            if name.startswith("/"):
                self._words[name] = str(place)
        for name in needs.folders:
            self._place(name).mkdir(parents=True, exist_ok=True)
            self._words[name] = str(self._place(name))
        own = {name: self._credentials[value] for name, value in VARIABLES.items()}
        return {**own, **needs.variables}

    def adapted(self, value: t.Any) -> t.Any:
        """Return the tasks with the words of the sandbox."""
        if isinstance(value, dict):
            return {key: self.adapted(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [self.adapted(entry) for entry in value]
        if isinstance(value, str):
            longest_first = sorted(self._words, key=len, reverse=True)
            return re.sub("|".join(map(re.escape, longest_first)), lambda found: self._words[found.group()], value)
        return value

    def _place(self, name: str) -> Path:
        return self._folder / "elsewhere" / name[1:] if name.startswith("/") else self._folder / "project" / name

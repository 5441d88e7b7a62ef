# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the documentation of every module has: related modules, and the keys of every dictionary."""

from __future__ import annotations

import re
import typing as t

import tree_yaml

MODULES = sorted(file.stem for file in tree_yaml.MODULES.glob("[!_]*.py"))
FREE = re.compile(r"[Ff]ree mapping")
ELSEWHERE = re.compile(r"RV\(\S+\)|as M\(fcd\.cloud\.\w+\) returns them")
WRITES = {"dest", "mode", "path", "src", "state", "force", "folder"}
"""Options of what changes something, here or at the service."""

Fields = t.Dict[str, t.Any]


def _open(fields: Fields, members: str, *says: re.Pattern[str]) -> list[str]:
    """Return the dictionaries that have no list of their keys and do not say where it is either."""
    found = []
    for name, field in fields.items():
        inside = field.get(members)
        if inside:
            found += [f"{name}.{deeper}" for deeper in _open(inside, members, *says)]
        elif "dict" in (field["type"], field.get("elements")):
            text = " ".join([field["description"]] if isinstance(field["description"], str) else field["description"])
            found += [] if any(pattern.search(text) for pattern in says) else [name]
    return found


def test_every_dictionary_among_the_options_lists_its_members_or_is_free() -> None:
    same = re.compile(r"O\(\w+\)")  # the form of another option
    open_ones = {module: _open(tree_yaml.options_of(module), "suboptions", FREE, same) for module in MODULES}
    assert {module: names for module, names in open_ones.items() if names} == {}


def test_every_dictionary_in_the_result_lists_its_keys_or_is_free() -> None:
    open_ones = {module: _open(tree_yaml.results_of(module), "contains", FREE, ELSEWHERE) for module in MODULES}
    assert {module: names for module, names in open_ones.items() if names} == {}


def test_keys_that_are_listed_elsewhere_in_the_result_are_listed_there() -> None:
    same = re.compile(r"Keys as in RV\(([\w.\[\]]+)\)")
    wrong = []
    for module in MODULES:
        returned = tree_yaml.results_of(module)
        for place in same.findall(str(returned)):
            members: t.Any = returned
            for name in place.replace("[]", "").split("."):
                members = members.get(name, {}).get("contains", {})
            wrong += [] if members else [f"{module}: {place}"]
    assert wrong == []


def test_dictionaries_without_their_keys_are_found() -> None:
    plain = {"type": "dict", "description": ["Some values."]}
    deep = {"type": "list", "elements": "dict", "description": "Rows.", "contains": {"inside": plain}}
    free = {"type": "dict", "description": ["Values.", "A free mapping."]}
    assert _open({"plain": plain, "deep": deep, "free": free}, "contains", FREE) == ["plain", "deep.inside"]


def test_every_module_names_related_ones() -> None:
    assert [module for module in MODULES if not tree_yaml.documentation(module).get("seealso")] == []


def test_a_reader_only_reads() -> None:
    """It has no option for a file or a state, and says itself that check mode makes no difference."""
    readers = [module for module in MODULES if module.endswith("_info")]
    reading = "fcd.cloud._attributes.reading"
    assert [
        module
        for module in readers
        if reading not in tree_yaml.documentation(module)["extends_documentation_fragment"]
        or WRITES & set(tree_yaml.options_of(module))
    ] == []

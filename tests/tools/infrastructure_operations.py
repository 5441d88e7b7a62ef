# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of the infrastructure interface as the collection has them, made of the sandbox's description.

``python tests/tools/infrastructure_operations.py`` writes what the collection checks inputs with, and the page
docs/infrastructure-operations.md, which names the modules that use each operation; a unit test fails when they are not
what this would write.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import itertools
import json
import re
import sys
import typing as t
from pathlib import Path

import tree_yaml

ROOT = Path(__file__).resolve().parents[2]

if __name__ == "__main__":
    import collection_tree

    sys.path[:0] = [str(collection_tree.linked()), str(ROOT / "tests")]

from sandbox.rest.description import PREFIX, described

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, NotFound
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import snake
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure import api
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

SOURCE = ROOT / "tests" / "sandbox" / "rest" / "operations.yaml"
PLUGINS = ROOT / "plugins"
ROOM = PLUGINS / "module_utils" / "_infrastructure"
DATA = ROOM / "described_operations.py"
PAGE = ROOT / "docs" / "infrastructure-operations.md"
LINES = {"D1": "2020", "D2": "2023"}
OF_REQUESTS = ("min", "max", "min_length", "max_length", "pattern", "enum", "values")
"""What is said of a value in a request, besides its type."""
PIECE = re.compile(r".{1,100}(?: |$)|.{1,100}")

HEAD = '''\
# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of the infrastructure interface, written by tests/tools/infrastructure_operations.py.

Source: docs/service/infrastructure.md, "The two lines". ``line`` is the only line that has an operation or a value, and
``required`` may name the only one that requires it. The values of an order are examples; those of an enumeration are
all there are.
"""

from __future__ import annotations

DESCRIPTION = (
'''


@functools.cache
def description() -> dict[str, t.Any]:
    """Return operations by name, and the types of what they send."""
    known = tree_yaml.of_file(SOURCE)
    own = [one for one in known["operations"] if "source" not in one]  # the contract's other spelling of a path
    types: dict[str, t.Any] = {}
    for one in own:
        _add_types(types, known["types"], one.get("body", ""), _lines(one))
    return {"operations": {one["id"]: _operation(one) for one in own}, "types": types}


def _lines(given: dict[str, t.Any]) -> list[str]:
    """Return the lines that have an operation, or a value."""
    found: list[str] = given.get("in", list(LINES))
    return found


def _add_types(types: dict[str, t.Any], known: dict[str, t.Any], kind: str, lines: list[str]) -> None:
    """Add a type that an operation of these lines sends, and those of its members."""
    kind = kind.rpartition(" of ")[2]
    members = {"Id": {"type": "int32"}} if kind == "ref" else known.get(kind)
    if members is not None and kind not in types:
        types[kind] = {name: _value(one, lines) for name, one in members.items()}
        for one in members.values():
            _add_types(types, known, one["type"], lines)


def _operation(given: dict[str, t.Any]) -> dict[str, t.Any]:
    (answer,) = given["returns"].values()
    query = {name: _value(one, _lines(given)) for name, one in given.get("query", {}).items()}
    parts = {"params": given.get("params"), "query": query, "body": given.get("body"), **_line(given)}
    found = {"verb": given["verb"], "path": given["path"], "returns": answer}
    return {**found, **{name: one for name, one in parts.items() if one}}


def _value(given: dict[str, t.Any], lines: list[str]) -> t.Any:
    """Return what is said of a value, in an operation of these lines; its type alone if that is all."""
    needed = given.get("required", [])
    found = {"type": given["type"], **_line(given)}
    if needed:
        found["required"] = True if {*lines} <= {*needed} else LINES[needed[0]]
    found.update((name, given[name]) for name in OF_REQUESTS if name in given)
    if not needed and given.get("default"):
        found["default"] = given["default"]
    return given["type"] if set(found) == {"type"} else found


def _line(given: dict[str, t.Any]) -> dict[str, str]:
    lines = _lines(given)
    return {"line": LINES[lines[0]]} if len(lines) == 1 else {}


def data() -> str:
    """Return the module with the description as JSON, which is read when it is needed."""
    known = description()
    lines = ['{"operations": {', *_entries(known["operations"]), '}, "types": {', *_entries(known["types"]), "}}"]
    pieces = [piece for line in lines for piece in PIECE.findall(line)]
    return HEAD + "".join(f"    {_literal(piece)}\n" for piece in pieces) + ")\n"


def _literal(piece: str) -> str:
    """Return the piece as the formatter writes it."""
    return f"r'{piece}'" if '"' in piece else f'r"{piece}"'


def _entries(table: dict[str, t.Any]) -> list[str]:
    """Return a line for each entry."""
    texts = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in table.items()]
    return [*(f"{text}, " for text in texts[:-1]), texts[-1]]


# ---------------------------------------------------------------- which modules use an operation


class Recorder:
    """Sends nothing, and notes what it was to send; every answer is that there is no such object."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def send(self, request: Request, _credentials: object) -> t.NoReturn:
        """Note method and path."""
        self.asked.append((request.method, request.url))
        raise NotFound("There is nothing.", status=404)


def requests_of_methods() -> dict[str, set[str]]:
    """Return the operations that each method of the client sends, found by calling it in every way."""
    own = {name: one for name, one in vars(Infrastructure).items() if callable(one) and not name.startswith("_")}
    return {name: _requests(one) for name, one in own.items() if name != "reading"}


def _requests(method: t.Callable[..., t.Any]) -> set[str]:
    recorder = Recorder()
    ways = list(inspect.signature(method).parameters.values())[1:]
    named = {way.name: _arguments(way) for way in ways if way.kind not in (way.VAR_KEYWORD, way.VAR_POSITIONAL)}
    for version in LINES.values():
        client = Infrastructure(t.cast("t.Any", recorder), PREFIX, t.cast("t.Any", None), version)
        for values in itertools.product(*named.values()):
            with contextlib.suppress(FcdError, KeyError):
                method(client, **dict(zip(named, values, strict=True)))
    return set(filter(None, itertools.starmap(_name_of, recorder.asked)))


def _arguments(way: inspect.Parameter) -> list[t.Any]:
    """Return arguments that lead to different paths: a flag, an address, and the keys of the tables of the client."""
    kind = str(way.annotation)
    if kind.startswith("bool"):
        return [True, False]
    if kind.startswith("str"):
        tables = [one for name, one in vars(api).items() if isinstance(one, dict) and not name.startswith("__")]
        return ["203.0.113.7", *(key for table in tables for key in table)]
    return [7] if kind.startswith("int") else [[]] if kind == "JsonObjects" else [{}]


def _name_of(method: str, path: str) -> str:
    found = described().find(method, path)
    return "" if isinstance(found, int) else found[0].id.removesuffix("_slash")


Name = t.Tuple[str, str]
"""A file, and a name at its top level."""


class SourceNames:
    """What the names at the top level of each file refer to, in the files of this interface and its modules."""

    def __init__(self, methods: t.Mapping[str, set[str]]) -> None:
        self._methods = methods
        self._refers: dict[Name, set[Name]] = {}
        self._sends: dict[Name, set[str]] = {}
        files = [*(PLUGINS / "modules").glob("*.py"), *ROOM.rglob("*.py")]
        for file in files:
            if file.name != "api.py":
                self._read(".".join(file.relative_to(PLUGINS).with_suffix("").parts), file.read_text(encoding="utf-8"))

    def sent_from(self, start: Name) -> dict[str, int]:
        """Return the operations behind a name, and through how many others it reaches each."""
        found: dict[str, int] = {}
        seen, edge, distance = {start}, {start}, 0
        while edge:
            for name in edge:
                for operation in self._sends.get(name, ()):
                    found.setdefault(operation, distance)
            edge = {one for name in edge for one in self._refers.get(name, ())} - seen
            seen |= edge
            distance += 1
        return found

    def _read(self, place: str, text: str) -> None:
        tree = ast.parse(text)
        known = {one.asname or one.name: found for one, found in _imports(place, tree)}
        own = [(target.id, node) for node in tree.body for target in _targets(node)]
        known.update((name, (place, name)) for name, _node in own)
        for name, found in known.items():  # a name that is imported stands for that of the other file
            self._refers.setdefault((place, name), set()).add(found)
        for name, node in own:
            parts = list(_code(node))
            words = {one.id for one in parts if isinstance(one, ast.Name)}
            called = {one.attr for one in parts if isinstance(one, ast.Attribute)}
            self._refers[place, name] |= {known[word] for word in words if word in known}
            self._sends[place, name] = set().union(*(self._methods.get(one, ()) for one in called))


def _imports(place: str, tree: ast.Module) -> t.Iterator[tuple[ast.alias, Name]]:
    """Yield what a file imports, with the place that it comes from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = place.split(".")[: -node.level]
            for one in node.names:
                yield one, (".".join([*above, *(node.module or "").split(".")]), one.name)


def _targets(node: ast.stmt) -> list[ast.Name]:
    """Return the names that a statement gives to something."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [ast.Name(node.name)]
    named = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [one for target in named for one in ast.walk(target) if isinstance(one, ast.Name)]


def _code(node: ast.AST) -> t.Iterator[ast.AST]:
    """Yield the parts of a statement that are carried out, which annotations are not."""
    yield node
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns"):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.AST):
                    yield from _code(one)


def modules_of_operations() -> dict[str, list[str]]:
    """Return the modules that are nearest to each operation: what others reach only through these is theirs."""
    names = SourceNames(requests_of_methods())
    far: dict[str, dict[str, int]] = {}
    for module in sorted(file.stem for file in (PLUGINS / "modules").glob("*.py")):
        for operation, distance in names.sent_from((f"modules.{module}", "OPERATION")).items():
            far.setdefault(operation, {})[module] = distance
    return {operation: _nearest(operation, known) for operation, known in far.items()}


def _nearest(operation: str, distances: dict[str, int]) -> list[str]:
    """Return the modules that an operation belongs to: readers, or what brings something to a state, if there are any.

    Of the readers, those count first whose name is in that of the operation.
    """
    if description()["operations"][operation]["verb"] == "GET":
        readers = {name: far for name, far in distances.items() if name.endswith("_info")} or distances
        named = {name: far for name, far in readers.items() if name.removesuffix("_info") in operation}
        return _least(named or readers)
    able = {name: far for name, far in distances.items() if not name.endswith("_info")}
    near = _least(able)
    return [name for name in near if "state" in tree_yaml.documentation(name)["options"]] or near


def _least(distances: dict[str, int]) -> list[str]:
    return [name for name, far in distances.items() if far == min(distances.values())]


# ---------------------------------------------------------------- the page

TITLES = {
    "/floating_ips": "Public addresses by their text",
    "/ocs": "Projects of the object storage",
    "/opns": "Private networks",
    "/watch": "Health checks",
}
INTRODUCTION = """\
# Operations of the infrastructure interface

Written by `tests/tools/infrastructure_operations.py`.

**Operations that can be called: {operations}. Paths with a module of their own: {homes} of {paths}.**

`fcd.cloud.infrastructure_call` calls each operation by its name, or by its method and path, and the lookup
`fcd.cloud.infrastructure` those that read. Where the last column names modules, prefer them: they compare before they
write.

Inputs in bold are required. Operations and inputs with a year exist only in that version of the interface, which the
option `api_version` names. [What is known of the service](service/infrastructure.md) says more.
"""


def page() -> str:
    """Return the page."""
    used = modules_of_operations()
    known = description()["operations"]
    paths = {one["path"] for one in known.values()}
    homes = {known[name]["path"] for name in used}
    lines = [INTRODUCTION.format(operations=len(known), homes=len(homes), paths=len(paths))]
    for start, names in itertools.groupby(known, lambda name: "/".join(known[name]["path"].split("/")[:2])):
        title = TITLES.get(start, start[1:].replace("_", " ").capitalize())
        lines += [f"## {title}\n", "| Operation | Request | Inputs | Modules |", "|---|---|---|---|"]
        lines += [_row(name, known[name], used.get(name, [])) for name in names]
        lines.append("")
    return "\n".join(lines)


def _row(name: str, one: dict[str, t.Any], modules: list[str]) -> str:
    path = {key: {"required": True} for key in one.get("params", ())}
    members = description()["types"][one["body"]] if "body" in one else {}
    said = {**path, **one.get("query", {}), **members}
    named = {key: {} if isinstance(given, str) else given for key, given in said.items() if key != "fields"}
    needed = sorted(named, key=lambda key: not named[key].get("required"))
    inputs = [f"**{snake(key)}**" if named[key].get("required") else snake(key) for key in needed]
    years = [_year(named[key]) for key in needed]
    cells = [
        f"`{name}`{_year(one)}",
        f"`{one['verb']} {one['path']}`",
        ", ".join(map("".join, zip(inputs, years, strict=True))),
        ", ".join(f"`{module}`" for module in modules),
    ]
    return f"| {' | '.join(cells)} |"


def _year(given: t.Mapping[str, t.Any]) -> str:
    return f" ({given['line']})" if "line" in given else ""


TARGETS = {DATA: data, PAGE: page}


def main() -> int:
    """Write both."""
    for file, text in TARGETS.items():
        file.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

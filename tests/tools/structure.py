# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What makes the tree hard to read, counted, beside what is still allowed.

``python tests/tools/structure.py`` takes out of tests/tools/structure_exceptions.json what is allowed there and is not
in the tree any more; tests/unit/test_structure.py fails until that is done, and on everything new. Nothing adds to the
list. Its entries name no folders, so that moving a file changes none of them.
"""

from __future__ import annotations

import ast
import collections
import functools
import json
import re
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLUGINS, TOOLS = ROOT / "plugins", ROOT / "tests" / "tools"
EXCEPTIONS = TOOLS / "structure_exceptions.json"
PREFIX = "ansible_collections.fcd.cloud.plugins."

MOST = 10
"""The complexity that a function may have."""

FACES = {"ActionModule", "FilterModule", "InventoryModule", "LookupModule", "ModuleDocFragment", "main", "run"}
"""Names that Ansible looks for, and ``run``, what an operation does: defined in many files."""

CALLED_BY_OTHERS = {"log_message"}
"""Methods that only the standard library calls."""

Limits = t.Dict[str, t.Dict[str, t.List[int]]]
"""By rule and name, what each of that name may weigh."""

BRANCHES = (ast.If, ast.For, ast.While, ast.AsyncFor, ast.ExceptHandler, ast.IfExp, ast.Assert)
Definition = t.Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
WORD = re.compile(r"[A-Za-z_]\w*")


class Debt(t.NamedTuple):
    """Something against the rules of the structure."""

    name: str
    weight: int
    """How bad: the complexity of a function, or 1."""
    place: str
    """The files, for the reader."""


class Source(t.NamedTuple):
    """What one file defines, names and imports; no syntax tree is kept."""

    path: Path
    public: t.Tuple[str, ...]
    """Functions and classes at the top."""
    methods: t.Tuple[str, ...]
    """Public methods and properties of its classes."""
    complex: t.Tuple[t.Tuple[str, int], ...]
    """Functions above the bound, with their complexity."""
    named: t.FrozenSet[str]
    """Every name that is used, imported, or said in a text."""
    imports: t.FrozenSet[t.Tuple[str, ...]]
    """Possible places of what it imports from the collection, as paths below plugins/ without ``.py``."""


def complexity(function: ast.AST) -> int:
    """Return the number of ways through a function: branches, parts of conditions and comprehensions counted."""
    count = 1
    for node in ast.walk(function):
        if isinstance(node, BRANCHES):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
    return count


@functools.lru_cache(maxsize=None)
def sources(folder: Path) -> tuple[Source, ...]:
    """Return what the Python files below a folder say; a link says nothing of its own."""
    files = [file for file in sorted(folder.rglob("*.py")) if not file.is_symlink()]
    return tuple(source_of(file, file.read_text(encoding="utf-8")) for file in files)


def source_of(path: Path, text: str) -> Source:
    """Return what one file says."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    top = [node for node in tree.body if isinstance(node, t.get_args(Definition))]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    members = [node for one in classes for node in one.body if isinstance(node, FUNCTIONS)]
    counted = [(node.name, complexity(node)) for node in nodes if isinstance(node, FUNCTIONS)]
    return Source(
        path,
        tuple(node.name for node in top if not node.name.startswith("_")),
        tuple(node.name for node in members if not node.name.startswith("_")),
        tuple((name, value) for name, value in counted if value > MOST),
        frozenset(_named(nodes)),
        frozenset(_imports(path, nodes)),
    )


def _named(nodes: t.Iterable[ast.AST]) -> t.Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name.rpartition(".")[2]
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from WORD.findall(node.value) if len(node.value) < 200 else ()


def _imports(path: Path, nodes: t.Sequence[ast.AST]) -> t.Iterator[tuple[str, ...]]:
    """Yield each import of the collection, late ones too; not those for types only."""
    hidden = {
        id(child)
        for node in nodes
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for child in ast.walk(node)
    }
    package = path.relative_to(PLUGINS).parent.parts if PLUGINS in path.parents else ()
    for node in nodes:
        if not isinstance(node, ast.ImportFrom) or id(node) in hidden:
            continue
        module = node.module or ""
        if node.level:
            start = package[: len(package) + 1 - node.level]
        elif module.startswith(PREFIX):
            start, module = (), module[len(PREFIX) :]
        else:
            continue
        place = (*start, *filter(None, module.split(".")))
        yield place
        yield from ((*place, alias.name) for alias in node.names)


def defined_twice(found: t.Sequence[Source]) -> list[Debt]:
    """Return the public names that more than one file defines, once for each further file."""
    first: dict[str, str] = {}
    debts = []
    for source in found:
        for name in sorted({*source.public} - FACES):
            if name in first:
                debts.append(Debt(name, 1, f"{first[name]} {_place(source)}"))
            first.setdefault(name, _place(source))
    return debts


def too_complex(found: t.Sequence[Source]) -> list[Debt]:
    """Return the functions above the bound."""
    return [Debt(name, value, _place(source)) for source in found for name, value in source.complex]


def import_circles(found: t.Sequence[Source]) -> list[Debt]:
    """Return the circles of files that import each other, by the names of the files."""
    known = {source.path.relative_to(PLUGINS).with_suffix("").parts: source for source in found}
    graph = {name: {one for one in source.imports if one in known} - {name} for name, source in known.items()}
    ahead = {name: _reached(graph, name) for name in graph}
    circles = {
        frozenset(other for other in ahead[name] if name in ahead[other]) for name in graph if name in ahead[name]
    }
    return [
        Debt(" <-> ".join(sorted(name[-1] for name in circle)), 1, " ".join(sorted("/".join(name) for name in circle)))
        for circle in circles
    ]


def _reached(graph: t.Mapping[t.Any, set[t.Any]], start: t.Any) -> set[t.Any]:
    seen: set[t.Any] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += graph[name]
    return seen


def unused(found: t.Sequence[Source]) -> list[Debt]:
    """Return the public functions, classes and methods that none of the files names."""
    used = frozenset().union(*(source.named for source in found)) | FACES | CALLED_BY_OTHERS
    return [
        Debt(name, 1, _place(source))
        for source in found
        for name in (*source.public, *source.methods)
        if name not in used
    ]


def unused_tools(found: t.Sequence[Source]) -> list[Debt]:
    """Return the public functions and classes of the tools that no word of tests/ or of the noxfile names."""
    words = collections.Counter(
        word
        for file in (ROOT / "noxfile.py", *(ROOT / "tests").rglob("*.py"))
        for word in WORD.findall(file.read_text(encoding="utf-8"))
    )
    return [Debt(name, 1, _place(source)) for source in found for name in source.public if words[name] < 2]


def unread_settings() -> list[Debt]:
    """Return the connection options whose name stands in quotes nowhere but where they are declared."""
    declared = next(file for file in PLUGINS.rglob("options.py") if "\nOPTIONS" in file.read_text(encoding="utf-8"))
    tree = ast.parse(declared.read_text(encoding="utf-8"))
    options = [
        node.value for node in tree.body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "OPTIONS"
    ]
    names = {str(key.value) for node in options for key in getattr(node, "keys", ()) if isinstance(key, ast.Constant)}
    rooms = (PLUGINS / "module_utils", PLUGINS / "plugin_utils")
    others = [file for room in rooms for file in room.rglob("*.py") if file != declared]
    texts = "".join(file.read_text(encoding="utf-8") for file in others)
    return [Debt(name, 1, str(declared)) for name in names if f'"{name}"' not in texts and f".{name}" not in texts]


def _place(source: Source) -> str:
    return str(source.path.relative_to(ROOT))


@functools.lru_cache(maxsize=None)
def debts() -> dict[str, list[Debt]]:
    """Return all that is against the rules of the structure, allowed or not."""
    plugins = sources(PLUGINS)
    return {
        "defined again": defined_twice(plugins),
        "too complex": too_complex(plugins),
        "circle of imports": import_circles(plugins),
        "unused": [*unused(plugins), *unused_tools(sources(TOOLS)), *unread_settings()],
    }


def weights(found: t.Iterable[Debt]) -> dict[str, list[int]]:
    """Return what debts weigh by their names, the heaviest first."""
    weighed: dict[str, list[int]] = collections.defaultdict(list)
    for debt in sorted(found, key=lambda debt: (debt.name, -debt.weight)):
        weighed[debt.name].append(debt.weight)
    return dict(weighed)


def allowed() -> Limits:
    """Return what each of them may still weigh."""
    found: Limits = json.loads(EXCEPTIONS.read_text(encoding="utf-8"))
    return found


def shrunk(limits: Limits) -> Limits:
    """Return the limits with no more in them than is in the tree."""
    return {
        rule: {
            name: [min(pair) for pair in zip(limits[rule][name], weighed)]
            for name, weighed in weights(found).items()
            if name in limits[rule]
        }
        for rule, found in debts().items()
    }


def written(limits: Limits) -> str:
    """Return the list of exceptions as it stands in its file: a line for each."""
    rules = []
    for rule, names in limits.items():
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(weighed)}" for name, weighed in names.items())
        rules.append(f" {json.dumps(rule)}: {{\n{lines}\n }}")
    return "{\n" + ",\n".join(rules) + "\n}\n"


if __name__ == "__main__":
    EXCEPTIONS.write_text(written(shrunk(allowed())), encoding="utf-8")

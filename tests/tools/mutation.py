# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Break the engine on purpose, in one place at a time, and see whether its unit tests notice.

``python mutation.py [FILE ...]``: without names, all files of ``_engine``. It works on a copy of the checkout; a mutant
is a child of this process that imports one file changed. What no test noticed is in ``.work/mutation/survivors.txt``.
The mutants are those of cosmic-ray that make sense, and statements left out.
"""

from __future__ import annotations

import argparse
import ast
import collections
import difflib
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import re
import resource
import signal
import sys
import time
import types
import typing as t
from pathlib import Path

import collection_tree
import enter
import virtual_environment
import workspace

try:
    import cosmic_ray.plugins
    import parso
    import pytest
    from cosmic_ray.ast import ast_nodes
    from cosmic_ray.mutating import MutationVisitor
    from cosmic_ray.operators.operator import Operator
except ImportError:  # this is not its own environment yet
    Operator = object

REQUIREMENTS = workspace.CHECKOUT / "tests" / "tools" / "requirements-mutation.txt"
ENGINE = Path("plugins", "module_utils", "_engine")
TESTS = Path("tests", "unit", "plugins", "module_utils", "engine")
RANDOM = "test_random_order.py"
"""Takes as long as all others, so that only what it is about is tried with it."""
PACKAGE = "ansible_collections.fcd.cloud.plugins.module_utils"
WORKERS = 2
SLOWER = 4
"""How many times the processor time of the unchanged file a mutant may take, and two seconds; then it is noticed."""
PATIENCE = 6
"""How many seconds on the wall one test may take, besides the same multiple of what it takes usually."""
LONGEST = 600
"""How many seconds all may take, as long as nothing is known."""
USUAL = "seconds.json"
MEMORY = 1 << 31
NOT_CHANGED = 77
"""The status of a child whose file means the same as before, or is no Python."""

SENSIBLE = re.compile(
    r"core/(ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Mod_Mul)"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is|Lt_(LtE|GtE)|LtE_(Lt|Gt)|Gt_(GtE|LtE)|GtE_(Gt|Lt))"
    r"|ReplaceUnaryOperator_Delete_\w+|Replace(True|False)\w+|Replace(And|Or|Break|Continue)With\w+"
    r"|AddNot|NumberReplacer|ExceptionReplacer|RemoveDecorator|ZeroIterationForLoop)"
)


class LeaveOut(Operator):  # type: ignore[misc,unused-ignore]
    """Leaves out a statement that only calls something, or raises an error."""

    def mutation_positions(self, node: t.Any) -> t.Iterator[t.Any]:
        """Yield where that can be done."""
        if node.type == "simple_stmt" and node.children[0].type in ("atom_expr", "raise_stmt"):
            yield node.start_pos, node.end_pos

    def mutate(self, node: t.Any, index: int) -> t.Any:
        """Do so."""
        del index
        left_out = node.children[0]
        node.children[0] = parso.python.tree.Name("pass", left_out.start_pos, left_out.get_first_leaf().prefix)
        return node

    @classmethod
    def examples(cls) -> t.Sequence[t.Any]:
        """Return nothing: these are for the tests of cosmic-ray."""
        return ()


class Mutant(t.NamedTuple):
    """One change of one file: the ``place``-th where the operator can do something."""

    file: str
    line: int
    operator: str
    place: int

    def source(self, tree: t.Any) -> str:
        """Return the changed file; ``tree`` is changed."""
        return str(MutationVisitor(self.place, operators()[self.operator]).walk(tree).get_code())


@functools.lru_cache(maxsize=None)
def operators() -> dict[str, t.Any]:
    """Return the operators by their names."""
    names = [name for name in cosmic_ray.plugins.operator_names() if SENSIBLE.fullmatch(name)]
    return {"LeaveOut": LeaveOut(), **{name: cosmic_ray.plugins.get_operator(name)() for name in names}}


def mutants_of(file: str, tree: t.Any) -> list[Mutant]:
    """Return all changes of a file, those too that mean nothing."""
    nodes = list(ast_nodes(tree))
    found: list[Mutant] = []
    for name, operator in operators().items():
        places = [(node, begin) for node in nodes for begin, _end in operator.mutation_positions(node)]
        found += [
            Mutant(file, begin[0], name, index)
            for index, (node, begin) in enumerate(places)
            if node.parent is None or node.parent.type != "parameters"  # a bare asterisk is taken for a product
        ]
    return found


def meaning(source: str) -> str:
    """Return what Python makes of a file, without annotations, docstrings and what is for types only."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.ClassDef) and "t.Protocol" in map(ast.unparse, node.bases):
            node.body = []
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            node.test, node.body = ast.Constant(False), []
    return ast.dump(tree)


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from the given source."""

    def __init__(self, name: str, source: str) -> None:
        """``name`` is that of the module."""
        self._name = name
        self._source = source

    def find_spec(self, fullname: str, *_more: t.Any) -> importlib.machinery.ModuleSpec | None:
        """Return where it comes from, if it is the one."""
        return importlib.util.spec_from_loader(fullname, self) if fullname == self._name else None

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the source."""
        exec(compile(self._source, f"{self._name} changed", "exec"), module.__dict__)


class Pace:
    """A plugin of pytest: quick tests come first, and one that takes too long ends the process."""

    def __init__(self, usual: t.Mapping[str, float]) -> None:
        """``usual`` are the seconds of each test without any change."""
        self._usual = usual
        self.taken: collections.defaultdict[str, float] = collections.defaultdict(float)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Have what takes long tried only on what nothing else has noticed."""
        items.sort(key=lambda item: self._usual.get(item.nodeid, 0.0))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Count from here."""
        signal.alarm(PATIENCE + int(SLOWER * self._usual.get(nodeid, LONGEST)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what its setup, itself or its end has taken."""
        self.taken[report.nodeid] += report.duration


class Run:
    """All mutants of some files of a copy of the checkout."""

    def __init__(self, place: Path) -> None:
        """``place`` is the copy."""
        self._place = place
        self._sources: dict[str, str] = {}
        self._trees: dict[str, t.Any] = {}
        self._meanings: dict[str, str] = {}
        self._limits: dict[str, int] = {}
        self._usual: dict[str, float] = {}
        self._running: dict[int, Mutant] = {}
        self.ended: dict[Mutant, int] = {}

    def tests_of(self, file: str) -> list[str]:
        """Return the files of tests that import it."""
        names = re.compile(rf"_engine(\.| import \(?){file}\b|_engine import .*\b{file}\b")
        tests = [
            test for test in (self._place / TESTS).glob("test_*.py") if file == "create_once" or test.name != RANDOM
        ]
        return sorted(str(test) for test in tests if names.search(test.read_text("utf-8")))

    def read(self, file: str) -> list[Mutant]:
        """Return the mutants of a file. Raises SystemExit when its tests fail without any."""
        source = (self._place / ENGINE / f"{file}.py").read_text(encoding="utf-8")
        self._sources[file], self._meanings[file] = source, meaning(source)
        self._trees[file] = parso.parse(source)
        if not self.tests_of(file):
            raise SystemExit(f"No test below {TESTS} imports {file}.")
        self._limits[file], self._usual = LONGEST, {}
        _child, status, used = os.wait4(self._begin(file, None), 0)
        self._limits[file] = 2 + int(SLOWER * (used.ru_utime + used.ru_stime))
        if status:
            raise SystemExit(f"The tests of {file} fail without any change: {' '.join(self.tests_of(file))}")
        self._usual = json.loads((self._place / USUAL).read_text("utf-8"))
        return mutants_of(file, self._trees[file])

    def all(self, mutants: t.Iterable[Mutant]) -> None:
        """Try them, some at a time."""
        try:
            for mutant in mutants:
                self._wait(WORKERS - 1)
                self._running[self._begin(mutant.file, mutant)] = mutant
            self._wait(0)
        finally:
            for child in self._running:
                os.kill(child, signal.SIGKILL)

    def _wait(self, most: int) -> None:
        """Wait until at most so many are running."""
        while len(self._running) > most:
            child, status = os.wait()
            mutant = self._running.pop(child)
            self.ended[mutant] = os.waitstatus_to_exitcode(status)
            if self.ended[mutant] == 0:
                print(f"{mutant.file}:{mutant.line} {mutant.operator} survives", flush=True)

    def _begin(self, file: str, mutant: Mutant | None) -> int:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = self._tried(file, mutant)
            finally:
                os._exit(status)
        return child

    def _tried(self, file: str, mutant: Mutant | None) -> int:
        """Run the tests in this child; return 0 if they notice nothing."""
        resource.setrlimit(resource.RLIMIT_CPU, (self._limits[file], self._limits[file]))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if mutant is not None:
            source = mutant.source(self._trees[file])
            try:
                if meaning(source) == self._meanings[file]:
                    return NOT_CHANGED
            except SyntaxError:
                return NOT_CHANGED
            sys.meta_path.insert(0, Changed(f"{PACKAGE}._engine.{file}", source))
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
        options = ["-x", "-qq", "-p", "no:cacheprovider", "--disable-warnings", "--assert", "plain"]
        options += ["--hypothesis-profile", "first failure", "--hypothesis-seed", "0"]
        pace = Pace(self._usual)
        status = int(pytest.main([*options, *self.tests_of(file)], plugins=[pace]))
        if mutant is None:
            (self._place / USUAL).write_text(json.dumps(pace.taken), encoding="utf-8")
        return status

    def shown(self, mutant: Mutant) -> str:
        """Return the change for a person."""
        source = self._sources[mutant.file]
        changed = mutant.source(parso.parse(source))
        lines = difflib.unified_diff(source.splitlines(), changed.splitlines(), lineterm="", n=0)
        return "\n".join([f"{mutant.file}:{mutant.line} {mutant.operator}", *list(lines)[3:]])


def report(run: Run, files: t.Sequence[str], seconds: float) -> str:
    """Write down what survived; return the table."""
    real = {mutant: status for mutant, status in run.ended.items() if status != NOT_CHANGED}
    survivors = sorted(mutant for mutant, status in real.items() if status == 0)
    place = workspace.folder() / "mutation"
    place.mkdir(exist_ok=True)
    (place / "survivors.txt").write_text("\n\n".join(map(run.shown, survivors)) + "\n", encoding="utf-8")
    lines = [_line(file, real, [mutant for mutant in survivors if mutant.file == file]) for file in files]
    killed = len(real) - len(survivors)
    late = sum(status < 0 for status in real.values())
    total = f"{killed} of {len(real)} mutants noticed, {killed / max(1, len(real)):.1%}, in {seconds:.0f} s"
    return "\n".join([*lines, f"{total}, {late} by their time; the others: {place / 'survivors.txt'}"])


def _line(file: str, real: t.Mapping[Mutant, int], survivors: t.Sequence[Mutant]) -> str:
    whole = sum(mutant.file == file for mutant in real)
    return f"{file:12} {whole - len(survivors):4} of {whole:4} noticed, {1 - len(survivors) / max(1, whole):6.1%}"


def main() -> None:
    """Run and sum up."""
    if Operator is object:
        python = virtual_environment.build(workspace.folder() / "mutation-tools", enter.controller(), [REQUIREMENTS])
        os.execv(python, [str(python), *sys.argv])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = argparse.ArgumentParser(description="Try whether the unit tests of the engine notice changes of it.")
    parser.add_argument("files", nargs="*", help="only these files of _engine, such as plan")
    parser.add_argument("--every", type=int, default=1, help="of so many mutants try one, for a first impression")
    arguments = parser.parse_args()
    files = arguments.files or sorted(
        file.stem for file in (workspace.CHECKOUT / ENGINE).glob("*.py") if file.stem != "__init__"
    )
    os.nice(10)
    started = time.monotonic()
    with workspace.locked("mutation"), collection_tree.copied() as place:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(place / ".work" / "hypothesis")
        sys.path.insert(0, str(place.parents[2]))
        os.chdir(place)
        sys.dont_write_bytecode = False  # the first child compiles for all
        for late in ("hypothesis.stateful", f"{PACKAGE}._core.errors", f"{PACKAGE}._core.private_files"):
            importlib.import_module(late)  # once, not in each child
        pytest.main(["--version"])  # for the same reason
        run = Run(place)
        try:
            for file in files:
                run.all(run.read(file)[:: arguments.every])
        finally:
            print(report(run, files, time.monotonic() - started))


if __name__ == "__main__":
    main()

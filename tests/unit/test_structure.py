# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree gets no harder to read: names, complexity, circles of imports, code that nothing uses.

What is allowed although it is against a rule stands in tests/tools/structure_exceptions.json, which only shrinks.
"""

from __future__ import annotations

import ast
import itertools
import sys
import typing as t
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import structure

ADVICE = {
    "defined again": "a public name is defined once below plugins: name it for what it is, begin it with an "
    "underscore, or import the one that is there",
    "too complex": f"a function may have a complexity of {structure.MOST}: give a part of it that has a name of its "
    "own to another function, or make a table of its cases",
    "circle of imports": "files import each other: move what both need into the one below, or into a third",
    "unused": "nothing in plugins uses it (tests do not count): delete it with its tests",
}


@pytest.mark.parametrize("rule", ADVICE)
def test_nothing_new_is_against_the_rule(rule: str) -> None:
    new = over(structure.debts()[rule], structure.allowed()[rule])
    assert new == [], f"{ADVICE[rule]}\n" + "\n".join(f"{debt.name} {debt.weight}: {debt.place}" for debt in new)


def test_the_exceptions_only_shrink() -> None:
    limits = structure.allowed()
    assert set(limits) == set(ADVICE)
    assert structure.shrunk(limits) == limits, "fewer exceptions are needed: run python tests/tools/structure.py"


def over(found: t.Iterable[structure.Debt], limits: t.Mapping[str, t.Sequence[int]]) -> list[structure.Debt]:
    """Return the debts that are not allowed: of one name the heaviest are held against the largest limits."""
    by_name = sorted(found, key=lambda debt: (debt.name, -debt.weight))
    return [
        debt
        for name, debts in itertools.groupby(by_name, key=lambda debt: debt.name)
        for debt, limit in itertools.zip_longest(debts, limits.get(name, ()), fillvalue=0)
        if isinstance(debt, structure.Debt) and debt.weight > limit
    ]


@pytest.mark.parametrize(
    ("limits", "names"),
    [({}, ["a", "a", "b"]), ({"a": [12]}, ["a", "b"]), ({"a": [12, 11], "b": [20]}, []), ({"a": [11, 11]}, ["a", "b"])],
)
def test_what_is_over_the_limits(limits: dict[str, list[int]], names: list[str]) -> None:
    found = [structure.Debt(name, weight, "x.py") for name, weight in (("a", 11), ("b", 20), ("a", 12))]
    assert [debt.name for debt in over(found, limits)] == names


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("return 1", 1),
        ("if x: return 1\nelif y: return 2\nelse: return 3", 3),
        ("return x and y and z or a", 4),
        ("return [x for x in y if x if y for z in x]", 5),
        ("try:\n  assert x\nexcept ValueError: pass\nexcept OSError: pass", 4),
        ("for x in y:\n  while x: x = 1 if y else 2", 4),
    ],
)
def test_complexity_is_what_a_reader_meets(body: str, value: int) -> None:
    assert structure.complexity(ast.parse(body)) == value


def source(name: str, text: str) -> structure.Source:
    return structure.source_of(structure.PLUGINS / "module_utils" / name, text)


def test_a_name_is_defined_once() -> None:
    files = [
        source("a.py", "def f(): pass\ndef _g(): pass\ndef run(): pass"),
        source("b.py", "class f: pass\ndef run(): 0"),
    ]
    assert [debt.name for debt in structure.defined_twice(files)] == ["f"]
    assert structure.defined_twice(files[:1]) == []


def test_circles_are_seen_through_late_imports_and_not_through_types() -> None:
    late = source("_b/y.py", "def f():\n  from .._a import x")
    typed = source("_b/y.py", "import typing as t\nif t.TYPE_CHECKING:\n  from .._a.x import X")
    first = source("_a/x.py", "from .._b.y import f")
    absolute = source("_a/x.py", f"from {structure.PREFIX}module_utils._b.y import f")
    assert [debt.name for debt in structure.import_circles([first, late])] == ["x <-> y"]
    assert [debt.name for debt in structure.import_circles([absolute, late])] == ["x <-> y"]
    assert structure.import_circles([first, typed]) == []


def test_what_nothing_names_is_unused() -> None:
    used = source("a.py", "class A:\n  def m(self): pass\n  def n(self): pass\ndef f(): return A().m()\n")
    assert [debt.name for debt in structure.unused([used])] == ["f", "n"]
    assert structure.unused([used, source("b.py", "from .a import f\ng = {'call': 'n'}")]) == []

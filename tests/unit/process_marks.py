# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The marks ``sandbox`` and ``process``: which tests need the sandbox or another process, so that the rest are quick.

A test is marked when its own code, that of its fixtures, or a function or class of the tests that they name, names
something of tests/sandbox (which some use without a process of its own) or what starts processes. Where only the code
under test starts one, the file says ``pytestmark = pytest.mark.process``. A process that starts in a test without a
mark is an error, so ``make quick`` never waits for one.
"""

from __future__ import annotations

import functools
import inspect
import multiprocessing.context
import os
import sys
import types
import typing as t
from pathlib import Path

import pytest

TESTS = str(Path(__file__).resolve().parents[1])
STARTERS = {
    "SandboxProcess": "sandbox",
    **dict.fromkeys(("subprocess", "multiprocessing", "fork", "FakeEngine"), "process"),
}
MARKS = frozenset(STARTERS.values())
EVENTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system")
ADVICE = "this test has no mark and starts a process: say `pytestmark = pytest.mark.process` in its file"


def marks_of(item: pytest.Item) -> set[str]:
    """Return the marks that a test is to have."""
    fixtures = getattr(item, "_fixtureinfo", None)
    definitions = [one for several in fixtures.name2fixturedefs.values() for one in several] if fixtures else []
    found: set[str] = set()
    for function in (getattr(item, "function", None), *(one.func for one in definitions)):
        found |= _started_by(inspect.unwrap(function)) if function else set()
    return found


@functools.lru_cache(maxsize=None)
def _started_by(thing: t.Any) -> frozenset[str]:
    """Return the marks for what a function or class of the tests names, and what that names in turn."""
    found: set[str] = set()
    waiting, seen = [thing], {id(thing)}
    while waiting:
        for function in _functions(waiting.pop()):
            for name, value in _used(function):
                if name in STARTERS or isinstance(value, multiprocessing.context.BaseContext):
                    found.add(STARTERS.get(name, "process"))
                elif str(getattr(value, "__module__", None)).partition(".")[0] == "sandbox":
                    found.add("sandbox")
                elif isinstance(value, (types.FunctionType, type)) and _is_of_the_tests(value.__module__):
                    waiting += [] if id(value) in seen else [value]
                    seen.add(id(value))
    return frozenset(found)


def _functions(thing: t.Any) -> list[types.FunctionType]:
    bases = thing.__mro__ if isinstance(thing, type) else ()
    members = [member for base in bases for member in vars(base).values()] or [thing]
    plain = [getattr(member, "__func__", getattr(member, "fget", None)) or member for member in members]
    return [function for function in plain if isinstance(function, types.FunctionType)]


def _names(code: types.CodeType) -> t.Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names(inner)


def _used(function: types.FunctionType) -> t.Iterator[tuple[str, t.Any]]:
    """Yield each name in the code with its global value, and what it may be in a module of the tests."""
    names = set(_names(function.__code__))
    for name in names:
        value = function.__globals__.get(name)
        yield name, value
        if isinstance(value, types.ModuleType) and _is_of_the_tests(value.__name__):
            yield from ((inner, getattr(value, inner)) for inner in names if hasattr(value, inner))


@functools.lru_cache(maxsize=None)
def _is_of_the_tests(module: str) -> bool:
    """Whether a module lies in tests/, also where the collection is a link to the checkout."""
    return os.path.realpath(getattr(sys.modules.get(module), "__file__", None) or "").startswith(TESTS)


def _is_a_look_for_a_library() -> bool:
    """Whether ctypes asks the system for one, as it does when Ansible is imported for the first time."""
    frame: types.FrameType | None = sys._getframe()
    while frame and not frame.f_code.co_filename.endswith("ctypes/util.py"):
        frame = frame.f_back
    return frame is not None


class Guard:
    """Makes the start of a process an error while a test runs that has none of the marks."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self._armed = False
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[t.Any, ...]) -> None:
        if event in EVENTS and self._armed and not _is_a_look_for_a_library():
            self.started.append(f"{event} {arguments[:2]}")
            raise RuntimeError(ADVICE)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in sorted(marks_of(item)):
                item.add_marker(mark)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> t.Iterator[None]:
        self.started.clear()
        self._armed = MARKS.isdisjoint(mark.name for mark in item.iter_markers())
        try:
            return (yield)
        finally:
            self._armed = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> t.Iterator[None]:
        """Tell of one even where the code under test made something else of the error."""
        done = yield
        assert self.started == [], ADVICE
        return done

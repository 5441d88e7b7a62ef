# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tests share: the collection where Ansible finds it, a sandbox for each worker, and what ``full`` means."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import typing as t
from pathlib import Path

import collection_tree
import conformance_sum
import pytest
import workspace
from sandbox.process import SandboxProcess

HERE = Path(__file__).resolve().parent
ROOT = str(collection_tree.linked())
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
LATER = ("night", "full")
"""Marks of tests that do not belong to ``make test``; the first that a test has says where it belongs."""

ONLY_IN_FULL = ("awx", "documentation", "orchestration", "pages", "peers", "pipelines", "releases")
"""Folders of which every test is marked ``full``."""

ONE_WORKER = ("awx", "releases")
"""Folders of which one worker runs every test."""

SPREAD = "checks/test_cores"
"""A file of few tests that take longest: any worker runs any of them."""

FIRST = (
    *("checks/test_sanity", "checks/test_cores", "checks/test_collection", "chaos/test_matrix_cells", "canaries"),
    *("awx", "releases", "documentation/test_pages", "checks/test_source", "integration/test_ordinary_modules"),
    "sites/test_model",
)
"""What takes longest for its few tests; it starts first, and short ones fill the workers at the end."""

if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

# A shell that starts a command in the background, and nohup, have signals ignored, which tests send to processes.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Set while this process has one thread: nothing of the user's reaches a test, and Ansible finds the collection.
for _name in [name for name in os.environ if name.startswith(("ANSIBLE_", "FCD_", "NOX", "SANDBOX_"))]:
    if not IS_WORKER:
        del os.environ[_name]
os.environ.update(
    ANSIBLE_COLLECTIONS_PATH=ROOT,
    CI="true",
    HYPOTHESIS_STORAGE_DIRECTORY=str(workspace.folder() / "hypothesis"),
    NO_COLOR="1",
    PYTHONPATH=os.pathsep.join(path for path in sys.path if path.startswith((str(HERE), ROOT))),
)
if not IS_WORKER:  # each sandbox of the run keeps an account there; workers inherit the variable
    os.environ["SANDBOX_CONFORMANCE"] = tempfile.mkdtemp(prefix="fcd-conformance-")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what ``make rest`` and ``make night`` run their tests with."""
    for name in LATER:
        words = f"run the tests marked `{name}`, and only them"
        parser.addoption(f"--{name}", dest="wanted", action="store_const", const=name, help=words)
    parser.addoption("--preset", default="hard", help="how the sandbox reads what is not known of the service")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the workers of ``-n auto``: what starts processes waits for two thirds of its time."""
    return 3 * (os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: t.Any) -> object:
    """Hand out files, whole folders whose tests share what takes long to make, and the tests that take longest."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            folder = nodeid.split("/")[1]
            if SPREAD in nodeid:
                return nodeid
            return folder if folder in ONE_WORKER else super()._split_scope(nodeid)

    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> t.Generator[None, object, object]:
    """Collect without looking for garbage again and again: what is collected stays until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing of the folders that the run is not for."""
    unwanted = collection_path.parent == HERE and collection_path.name in ONLY_IN_FULL
    return True if unwanted and config.getoption("wanted") != "full" and not _names_tests(config) else None


def _names_tests(config: pytest.Config) -> bool:
    return any("::" in argument for argument in config.args)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the run is not for, and put first what takes long; a test that is named is run in any case."""
    for item in items:
        if item.nodeid.split("/")[1] in ONLY_IN_FULL:
            item.add_marker("full")
    if not _names_tests(config):
        wanted = config.getoption("wanted")
        others = [item for item in items if _belongs_to(item) != wanted]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if _belongs_to(item) == wanted]
    items.sort(key=_turn)


def _belongs_to(item: pytest.Item) -> str | None:
    return next((name for name in LATER if item.get_closest_marker(name)), None)


def _turn(item: pytest.Item) -> int:
    name = item.nodeid.removeprefix("tests/")
    return next((turn for turn, start in enumerate(FIRST) if name.startswith(start)), len(FIRST))


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> t.Generator[None, object, object]:
    """Fail when any sandbox has seen a request or an answer that breaks the description of the service."""
    done = yield
    if not IS_WORKER and not session.exitstatus and _conformance().breaches:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return done


def pytest_terminal_summary(terminalreporter: t.Any) -> None:
    """Tell how much was held against the description of the service, and what broke it."""
    if (total := _conformance()).checked:
        terminalreporter.section("description of the service")
        terminalreporter.write_line("\n".join(total.lines()))


def pytest_unconfigure() -> None:
    """Remove the accounts of the sandboxes."""
    if not IS_WORKER:
        shutil.rmtree(os.environ["SANDBOX_CONFORMANCE"], ignore_errors=True)


def _conformance() -> conformance_sum.Total:
    return conformance_sum.add_up(Path(os.environ["SANDBOX_CONFORMANCE"]))


@pytest.fixture(scope="session")
def sandbox(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[SandboxProcess]:
    """The sandbox of a worker, in its hard preset by default; its secrets are words that can be searched for.

    A test resets it first, and then changes settings as it needs them.
    """
    from chaos.canaries import CREDENTIALS

    file = tmp_path_factory.mktemp("sandbox") / "credentials.json"
    file.write_text(json.dumps(CREDENTIALS), encoding="utf-8")
    preset = str(pytestconfig.getoption("--preset"))
    with SandboxProcess("--credentials", str(file), "--preset", preset) as process:
        yield process
        errors = process.errors()
    assert errors == ""

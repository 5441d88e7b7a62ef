# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One sandbox for all of these tests, and a workplace at its seed for each."""

from __future__ import annotations

import shutil
import sys
import typing as t
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(path) for path in (TESTS, TESTS / "tools") if str(path) not in sys.path]

import collection_tree
from chaos.workplace import Workplace
from sandbox.process import SandboxProcess

from examples.readme_reader import Reader


@pytest.fixture(scope="session")
def sandbox() -> t.Iterator[SandboxProcess]:
    """One process, as it comes but for the waiting."""
    with SandboxProcess("--ticket-seconds", "0.1") as process:
        yield process


@pytest.fixture(scope="session")
def contract(sandbox: SandboxProcess, tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """A workplace to take the compiled WSDL from: reading it is most of the work of the first task."""
    return Workplace(sandbox, tmp_path_factory.mktemp("contract"))


@pytest.fixture(scope="session")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree in which the collection has only the folders that it must work with."""
    return collection_tree.stripped(tmp_path_factory.mktemp("collections"))


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all tests work, one after the other."""
    return tmp_path_factory.mktemp("desk")


@pytest.fixture
def tmp_path(desk: Path) -> Path:
    """The same folder for each test, empty: with other folders, Ansible would have to be imported anew."""
    shutil.rmtree(desk)
    desk.mkdir()
    return desk


@pytest.fixture
def place(sandbox: SandboxProcess, contract: Workplace, tmp_path: Path) -> t.Iterator[Workplace]:
    """A workplace at the seed; in the end no message may have broken a description."""
    sandbox.reset()
    fresh = Workplace(sandbox, tmp_path / "home")
    fresh.keep_contract_of(contract)
    yield fresh
    contract.keep_contract_of(fresh)
    assert sandbox.violations() == []
    assert sandbox.errors() == ""


@pytest.fixture
def reader(place: Workplace, tmp_path: Path, collections: Path) -> Reader:
    """Nothing has been typed yet."""
    return Reader(place, tmp_path / "reader", collections)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled contract on disk."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import (
    CACHE_FORMAT,
    contract_file,
    load_contract,
    save_contract,
)

ADDRESS = "https://soap.example.com/x?wsdl"
DATA: dict[str, t.Any] = {
    "format": CACHE_FORMAT,
    "source": ADDRESS,
    "read_at": 1000.0,
    "endpoint": None,
    "envelope": "urn:e",
    "operations": {"Op": "In #1 - - a"},
    "left_out": {},
    "types": {"#1": "-"},
}


class At(Clock):
    def __init__(self, now: float) -> None:
        self._now = now

    def now(self) -> float:
        return self._now


def never(text: str) -> None:
    raise AssertionError(text)


@pytest.fixture
def path(tmp_path: t.Any) -> str:
    return contract_file(str(tmp_path / "state"), ADDRESS)


def test_what_is_kept_is_private_and_comes_back(path: str) -> None:
    save_contract(path, DATA, never)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    assert os.path.basename(os.path.dirname(path)) == "contracts"
    found = load_contract(path, 60.0, At(1060.0))
    assert found is not None
    assert found.operation("Op").action == "a"


@pytest.mark.parametrize("now", [1061.0, 999.0])
def test_too_old_or_from_the_future(path: str, now: float) -> None:
    save_contract(path, DATA, never)
    assert load_contract(path, 60.0, At(now)) is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        json.dumps(DATA)[:-20],
        "[]",
        "null",
        json.dumps({**DATA, "format": CACHE_FORMAT + 1}),
        json.dumps({**DATA, "types": []}),
        json.dumps({name: value for name, value in DATA.items() if name != "operations"}),
        json.dumps({**DATA, "read_at": "now"}),
    ],
)
def test_a_broken_file_counts_as_missing(path: str, content: str) -> None:
    save_contract(path, DATA, never)
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(content)
    assert load_contract(path, 60.0, At(1000.0)) is None


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o602])
def test_a_file_open_to_others_counts_as_missing(path: str, mode: int) -> None:
    save_contract(path, DATA, never)
    os.chmod(path, mode)
    assert load_contract(path, 60.0, At(1000.0)) is None


def test_a_file_of_another_user_counts_as_missing(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    save_contract(path, DATA, never)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert load_contract(path, 60.0, At(1000.0)) is None


def test_a_missing_file(path: str) -> None:
    assert load_contract(path, 60.0, At(1000.0)) is None


def test_a_cache_that_cannot_be_written_is_a_warning(tmp_path: t.Any) -> None:
    (tmp_path / "state").write_text("a file where the folder belongs")
    said: list[str] = []
    save_contract(contract_file(str(tmp_path / "state"), ADDRESS), DATA, said.append)
    assert len(said) == 1
    assert said[0].startswith("The compiled SOAP contract cannot be kept in ")


def test_files_are_told_apart_by_address_and_by_what_a_file_is(tmp_path: t.Any) -> None:
    first = contract_file("/state", ADDRESS)
    assert first != contract_file("/state", ADDRESS + "2")
    saved = tmp_path / "a.wsdl"
    saved.write_text("one")
    before = contract_file("/state", str(saved))
    saved.write_text("another")
    assert contract_file("/state", str(saved)) != before


def _keep(path: str, turns: int) -> None:
    for turn in range(turns):
        save_contract(path, {**DATA, "source": "x" * (turn * 997 % 5000)}, never)


def test_writers_at_the_same_time_leave_a_whole_file(path: str) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_keep, args=(path, 15)) for _number in range(4)]
    for writer in writers:
        writer.start()
    seen = 0
    while any(writer.is_alive() for writer in writers):
        if os.path.exists(path):
            assert load_contract(path, 60.0, At(1000.0)) is not None
            seen += 1
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert load_contract(path, 60.0, At(1000.0)) is not None
    assert seen
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes of users are told in one clear line, before anything is sent, or before anything is changed."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from chaos.bad_inputs import MISTAKES, NOTHING, SECRET, Mistake, write_files
from chaos.playbook_run import WAYS, play, task
from chaos.workplace import Workplace

PYTHON_WORDS = re.compile(r"Traceback|\b\w*(Error|Exception|Warning)\b|\bdefect\b|object at 0x|\bNone\b")
KINDS_OF_MISTAKES = {"", "InvalidInput", "MissingSettings", "Ambiguous", "ImmutableChange"}
LONGEST = 600


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Files with mistakes in them."""
    return write_files(tmp_path / "files")


def _require_clear(mistake: Mistake, message: str) -> None:
    assert re.search(mistake.says, message), f"{message!r} does not say {mistake.says!r}"
    assert "\n" not in message, f"more than one line: {message!r}"
    assert not PYTHON_WORDS.search(message), f"not for people: {message!r}"
    assert len(message) <= LONGEST, f"{len(message)} characters: {message!r}"
    assert SECRET not in message


def _require_unsent(place: Workplace, mistake: Mistake) -> None:
    assert place.writes() == []
    if mistake.sent == NOTHING:
        assert place.sandbox.counts()["by"] == {}


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistake_is_refused_in_one_line(place: Workplace, files: Path, mistake: Mistake) -> None:
    ended = place.start_alone(
        mistake.module, mistake.options(files), mistake.variables(place.environment, files)
    ).ended()
    assert ended.failed
    assert ended.result["changed"] is False
    assert ended.kind in KINDS_OF_MISTAKES
    assert "exception" not in ended.result
    _require_clear(mistake, ended.message)
    _require_unsent(place, mistake)


def test_a_wsdl_address_that_answers_with_something_else(place: Workplace) -> None:
    """That it is none can only be known after it was asked for; nothing else is sent."""
    place.sandbox.fault("html", times=0, service="soap", method="GET")
    foreign = place.sandbox.info["foreign_url"]
    for address, found in ((f"{place.sandbox.info['soap_url']}?page", "an HTML page"), (foreign, "JSON")):
        ended = place.run("warehouse", {**MISTAKES_OF_WSDL, "soap_wsdl": address})
        assert ended.kind == "InvalidInput"
        assert f"There is no WSDL at {address}: found {found}." in ended.message
    assert place.writes() == []
    (there,) = place.sandbox.requests("foreign")
    assert "Authorization" not in there["headers"], "the login belongs to the origin of soap_url"


MISTAKES_OF_WSDL = next(one.args for one in MISTAKES if one.module == "warehouse" and "soap_wsdl" in one.args)


@pytest.mark.parametrize("way", WAYS)
def test_names_of_files_that_are_not_utf8(place: Workplace, tmp_path: Path, way: str) -> None:
    """They are spelt alike everywhere, whoever reads the result can encode it, and it says what was sent."""
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in (b"ok", b"a\xe9"):
        Path(os.fsdecode(os.fsencode(tree) + b"/" + name)).write_text("x", encoding="utf-8")
    os.symlink("nowhere", os.fsencode(tree) + b"/link\xe9")
    place.run("storage_container", {"name": "latin"}).succeeded()
    push = {"mode": "push", "container": "latin", "path": str(tree)}
    file = {"container": "latin", "name": "file", "src": f"{{{{ lookup('fileglob', '{tree}/a*') }}}}"}
    tasks = [task("storage_sync", push, ignore_errors=True), task("storage_object", file)]
    played = play(place, tasks, tmp_path / "run", way=way, cmdline="--diff -vvv")
    for one in played.results:
        json.dumps(one.result, ensure_ascii=False).encode()
    synced, copied = (one.result for one in played.results)
    assert r"(1 uploaded, 1 failed): 'a\xe9': The name of an object is UTF-8, and this name is not." in synced["msg"]
    assert [failure["name"] for failure in synced["failures"]] == [r"a\xe9"]
    assert synced["warnings"] == [rf"{tree}/link\xe9 is a broken symbolic link; it is left out."]
    assert (synced["changed"], copied["changed"]) == (True, True)


def test_a_file_that_was_written_before_its_owner_was_refused(place: Workplace, tmp_path: Path) -> None:
    """Ansible itself sets what files have besides their content; the result says that the content was written."""
    place.run("storage_container", {"name": "crates"}).succeeded()
    place.run("storage_object", {"container": "crates", "name": "file", "content": "x"}).succeeded()
    args = {"container": "crates", "name": "file", "dest": str(tmp_path / "file"), "mode": "u=nonsense"}
    result = play(place, [task("storage_object_download", args, "get")], tmp_path / "run").of("get").result
    assert (result["changed"], (tmp_path / "file").exists()) == (True, True), result

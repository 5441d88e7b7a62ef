# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The key of a site, and that of a controller, which is made once."""

from __future__ import annotations

import json
import multiprocessing
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state.registry_proof import controller_key, user_key


def task(folder: Path, **settings: t.Any) -> Task:
    """Return a task that keeps its files in a folder."""
    return Task(Settings({"state_dir": str(folder), "task_timeout": 60.0, **settings}))


def make_key(folder: Path, begin: t.Any, names: t.Any) -> None:
    """Make the key of a controller when all others do."""
    begin.wait()
    names.put(controller_key(task(folder)).name)


def test_processes_that_make_the_key_at_once_have_one(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for attempt in range(5):
        folder, begin, names = tmp_path / str(attempt), context.Barrier(8), context.Queue()
        children = [context.Process(target=make_key, args=(folder, begin, names)) for _one in range(8)]
        for child in children:
            child.start()
        found = {names.get(timeout=120) for _one in children}
        for child in children:
            child.join()
        assert len(found) == 1
        assert [path.name for path in folder.iterdir()] == ["controller-key.json"]
        assert (folder / "controller-key.json").stat().st_mode & 0o777 == 0o600


def test_the_key_of_a_controller_stays(tmp_path: Path) -> None:
    first = controller_key(task(tmp_path))
    assert controller_key(task(tmp_path)) == first
    assert not first.given
    assert first.name not in (tmp_path / "controller-key.json").read_text()


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"key": 1}', '{"key": "short"}', "{}"])
def test_what_is_no_key_is_not_replaced(tmp_path: Path, content: str) -> None:
    """Nobody knows which plans were made with it: a person says that it may go."""
    path = tmp_path / "controller-key.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(InvalidInput, match=r"controller-key\.json is not a key") as caught:
        controller_key(task(tmp_path))
    assert "Remove it and make new plans" in str(caught.value)
    assert path.read_text() == content


def test_a_key_that_others_may_read_is_none(tmp_path: Path) -> None:
    path = tmp_path / "controller-key.json"
    path.write_text(json.dumps({"key": "0" * 64}))
    path.chmod(0o644)
    with pytest.raises(InvalidInput, match="other users can read it"):
        controller_key(task(tmp_path))


def test_a_given_key_has_a_length(tmp_path: Path) -> None:
    assert user_key(task(tmp_path)) is None
    with pytest.raises(InvalidInput, match="it has 5 characters; at least 16 are required"):
        user_key(task(tmp_path, site_key="short"))
    key = user_key(task(tmp_path, site_key="k" * 16))
    assert key is not None
    assert (len(key.name), key.given) == (8, True)

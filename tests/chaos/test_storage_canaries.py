# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys and tokens of the object storage in plays at -vvvvv, well and badly; then they are looked for everywhere."""

from __future__ import annotations

import tempfile
import typing as t
from pathlib import Path

import pytest

from chaos import canaries
from chaos.kinds import CONTAINER
from chaos.playbook_run import WAYS, TaskItem, task
from chaos.storage_view import make_tree
from chaos.trial import Trial
from chaos.workplace import Workplace

SEGMENT = 64 * 1024
VARIABLES = {"url_key": canaries.USER_PASSWORD, "wrong_key": canaries.WRONG_KEY}


@pytest.fixture
def trial(place: Workplace, tmp_path: Path) -> t.Iterator[Trial]:
    """Nothing has run yet. Sockets are in TMPDIR too, so its path must be short."""
    with tempfile.TemporaryDirectory(prefix="fcd-") as temporary:
        yield Trial(place, tmp_path, Path(temporary), VARIABLES)


def _tasks(folder: Path) -> list[TaskItem]:
    """Return a play that moves objects in every way."""
    tree, back = str(folder / "tree"), str(folder / "back")
    make_tree(folder / "tree", 6, 3 * SEGMENT)
    (folder / "back").mkdir()
    segments = {"segment_threshold": SEGMENT, "segment_size": SEGMENT}
    large = {"container": CONTAINER, "name": "large", "src": f"{tree}/000", **segments}
    return [
        task("storage_container", {"name": CONTAINER, "temp_url_key": "{{ url_key }}"}),
        task("storage_object", large, "large"),
        task("storage_object_download", {"container": CONTAINER, "name": "large", "dest": f"{back}-large"}, "download"),
        task("storage_sync", {"mode": "push", "path": tree, "container": CONTAINER, "prefix": "tree/"}, "push"),
        task("storage_sync", {"mode": "pull", "path": back, "container": CONTAINER, "prefix": "tree/"}, "pull"),
        task("storage_object", {"container": CONTAINER, "name": "large", "state": "absent"}, "removed"),
    ]


@pytest.mark.parametrize("way", WAYS)
def test_a_play(place: Workplace, trial: Trial, tmp_path: Path, way: str) -> None:
    """What goes well; then refused keys, a refused token, and a service whose errors repeat what it was sent."""
    place.run("storage_container", {"name": CONTAINER}).succeeded()
    token = next(one["headers"]["X-Auth-Token"] for one in place.sandbox.requests("storage") if _bears_token(one))
    words = f"refused: {token} {place.environment['FCD_STORAGE_KEY']}"
    place.sandbox.fault("status_before", status=403, body=words, times=0, method="PUT", path="/bad/")
    make_tree(tmp_path / "small", 2, 100)
    push = {"mode": "push", "path": str(tmp_path / "small"), "container": CONTAINER, "prefix": "bad/"}
    wrong = {**push, "storage_key": "{{ wrong_key }}", "token_cache": False}
    bad = [
        task("storage_sync", push, "repeated", ignore_errors=True),
        task("storage_sync", wrong, "refused", ignore_errors=True),
        task("storage_sync", {**wrong, "mode": "{{ wrong_key }}"}, "misplaced", ignore_errors=True),
    ]
    done = trial.run("done", [*_tasks(tmp_path), *bad], way)
    assert done.status == 0, done.stdout[-3000:]
    assert [one.name for one in done.results if one.failed] == [one["name"] for one in bad]
    assert all(armed["used"] for armed in place.sandbox.faults())
    trial.require_hidden()
    trial.require_private()


def _bears_token(entry: t.Mapping[str, t.Any]) -> bool:
    return "X-Auth-Token" in entry["headers"]

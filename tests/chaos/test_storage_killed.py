# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A transfer is killed as by kill -9 at any moment: the next run completes it and moves only what is missing.

No half object and no half file is ever to be seen under its name. ``FCD_CHAOS_SEED`` chooses other moments.
"""

from __future__ import annotations

import os
import random
import shutil
import typing as t
from pathlib import Path

import pytest

from chaos.kinds import Wish
from chaos.moments import Strike, spread
from chaos.storage_view import View, listed, make_tree, read_tree, write_old
from chaos.task_process import Ended
from chaos.workplace import Entry, Workplace, until

pytestmark = pytest.mark.full

SEED = int(os.environ.get("FCD_CHAOS_SEED", "20260117"))
MOMENTS = 16
FILES, SIZE = 8, 64 * 1024
SEGMENT, SEGMENTS = 64 * 1024, 8
CONTAINER = "crates"


class Trials:
    """Kills of one kind of work at moments that are spread over it.

    Without the retry budget, whose file would be moments of some runs only.
    """

    def __init__(self, place: Workplace, module: str) -> None:
        """Take the workplace, with a container and a kept token."""
        place.run("storage_container", {"name": CONTAINER}).succeeded()
        self.place = place
        self.view = View(place.sandbox)
        self._module = module
        self.killed = 0

    def moments(self, options: Wish) -> list[int]:
        """Do the whole work once, and return the moments at which it is to be killed."""
        whole = self.place.start(self._module, options, strike=Strike(), FCD_RETRY_BUDGET="0").ended()
        assert whole.succeeded()["changed"] is True
        return spread(whole.moments, MOMENTS, SEED)

    def kill(self, options: Wish, moment: int) -> None:
        """Start the task and kill it at the moment."""
        self.place.sandbox.clear_requests()  # a long log takes long to read
        self.killed += self.place.start(self._module, options, strike=Strike(moment), FCD_RETRY_BUDGET="0").struck()
        self.place.wait_until_over({"service": "storage"})

    def again(self, options: Wish) -> tuple[Ended, list[Entry]]:
        """Run the task to its end; returns it and its requests."""
        self.place.sandbox.clear_requests()
        ended = self.place.run(self._module, options)
        return ended, self.place.sandbox.requests("storage")


def count(log: t.Iterable[Entry], operation: str) -> int:
    """Return how many requests of an operation there are."""
    return sum(one["operation"] == operation for one in log)


@pytest.fixture(autouse=True)
def tell_seed() -> None:
    """Print what chooses the moments; pytest shows it where a test fails."""
    print(f"FCD_CHAOS_SEED={SEED}")


def test_sync_to_a_container(place: Workplace, tmp_path: Path) -> None:
    trials = Trials(place, "storage_sync")
    folder = tmp_path / "tree"
    contents = make_tree(folder, FILES, SIZE)
    for number in trials.moments(push(folder, "whole")):
        options = push(folder, f"at-{number:02}")
        trials.kill(options, number)
        there = below(trials.view, f"at-{number:02}")
        assert there.items() <= listed(contents).items(), "a half object, or one of another name"
        ended, log = trials.again(options)
        assert ended.succeeded()["changed"] is (len(there) < FILES)
        assert count(log, "PUT object") == FILES - len(there), "it sends what is there"
        assert below(trials.view, f"at-{number:02}") == listed(contents)
    assert trials.killed > MOMENTS / 2, "most runs had ended before they were killed"


def test_sync_from_a_container(place: Workplace, tmp_path: Path) -> None:
    trials = Trials(place, "storage_sync")
    source = tmp_path / "tree"
    contents = make_tree(source, FILES, SIZE)
    place.run("storage_sync", push(source, "there")).succeeded()
    target = tmp_path / "target"
    target.mkdir()
    options = {"mode": "pull", "path": str(target), "container": CONTAINER, "prefix": "there/"}
    for moment in trials.moments(options):
        shutil.rmtree(target)
        target.mkdir()
        trials.kill(options, moment)
        found = read_tree(target)
        there = {name for name in found if name in contents}
        assert {name: found[name] for name in there} == {name: contents[name] for name in there}, "a half file"
        ended, log = trials.again(options)
        assert ended.succeeded()["changed"] is (len(there) < FILES)
        assert count(log, "GET object") == FILES - len(there), "it receives what is there"
        assert read_tree(target) == contents, "something is left of the killed run"
    assert trials.killed > MOMENTS / 2, "most runs had ended before they were killed"


def test_upload_in_segments(place: Workplace, tmp_path: Path) -> None:
    """There was another object of that name before: either is there whole, at all times."""
    trials = Trials(place, "storage_object")
    chance = random.Random(SEED)
    before, after = chance.randbytes(1000), chance.randbytes(SEGMENT * SEGMENTS)
    write_old(tmp_path / "large", after)
    for number in trials.moments(in_segments(tmp_path / "large", "whole")):
        name = f"at-{number:02}"
        trials.view.ask("PUT", f"/{CONTAINER}/{name}", before)
        options = in_segments(tmp_path / "large", name)
        trials.kill(options, number)
        content = trials.view.content(CONTAINER, name)
        assert content in (before, after), "half of an object"
        there = sum(size == SEGMENT for size, _etag in segments(trials.view, name).values())
        ended, log = trials.again(options)
        assert ended.succeeded()["changed"] is (content == before)
        manifest = "multipart-manifest"
        sent = [one for one in log if one["operation"] == "PUT object" and manifest not in one["query"]]
        assert len(sent) == SEGMENTS - there, "it sends segments that are there"
        assert trials.view.content(CONTAINER, name) == after
        assert len(segments(trials.view, name)) == SEGMENTS, "something is left of the killed run"
    assert trials.killed > MOMENTS / 2, "most runs had ended before they were killed"


def test_download_of_one_object(place: Workplace, tmp_path: Path) -> None:
    """What a killed run has received of a large object is not asked for again; nothing shows under its name before."""
    trials = Trials(place, "storage_object_download")
    content = random.Random(SEED).randbytes(24 << 20)
    trials.view.ask("PUT", f"/{CONTAINER}/large", content)
    dest = tmp_path / "folder" / "large"
    dest.parent.mkdir()
    options = {"container": CONTAINER, "name": "large", "dest": str(dest)}
    place.sandbox.fault("drip", bytes_per_second=2 << 20, operation="^GET object$")
    victim = place.start("storage_object_download", options)
    until(lambda: sum(path.stat().st_size for path in dest.parent.iterdir()) > 4 << 20, "a part of it")
    assert victim.kill()
    assert not dest.exists()
    (part,) = dest.parent.iterdir()
    there = part.stat().st_size
    assert part.stat().st_mode & 0o077 == 0, "others can read it"
    ended, log = trials.again(options)
    assert ended.succeeded()["changed"] is True
    assert [one["headers"].get("Range") for one in log if one["operation"] == "GET object"] == [f"bytes={there}-"]
    assert list(dest.parent.iterdir()) == [dest]
    assert dest.read_bytes() == content


def push(folder: Path, prefix: str) -> Wish:
    """Return the options that send a folder below a prefix."""
    return {"mode": "push", "path": str(folder), "container": CONTAINER, "prefix": f"{prefix}/"}


def below(view: View, prefix: str) -> dict[str, tuple[int, str]]:
    """Return what is listed below a prefix, without it."""
    return {name[len(prefix) + 1 :]: entry for name, entry in view.listing(CONTAINER, f"{prefix}/").items()}


def in_segments(path: Path, name: str) -> Wish:
    """Return the options that send a file in segments."""
    sizes = {"segment_threshold": SEGMENT, "segment_size": SEGMENT, "segment_container": f"{CONTAINER}_segments"}
    return {"container": CONTAINER, "name": name, "src": str(path), **sizes}


def segments(view: View, name: str) -> dict[str, tuple[int, str]]:
    """Return the segments that are there for an object."""
    return {key: entry for key, entry in view.listing(f"{CONTAINER}_segments").items() if name in key}

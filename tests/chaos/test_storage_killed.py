# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A transfer is killed as by kill -9 at random moments: the next run completes it and moves only what is missing.

No half object and no half file is ever to be seen under its name. ``FCD_CHAOS_SEED`` chooses other moments.
"""

from __future__ import annotations

import os
import random
import shutil
import time
import typing as t
from pathlib import Path

import pytest

from chaos.kinds import Wish
from chaos.storage_view import View, listed, make_tree, read_tree, write_old
from chaos.task_process import Ended
from chaos.workplace import Entry, Workplace, until

SEED = int(os.environ.get("FCD_CHAOS_SEED", "20260117"))
MOMENTS = 30
FILES, SIZE = 16, 64 * 1024
SEGMENT, SEGMENTS = 64 * 1024, 8
CONTAINER = "crates"
ABANDONED = 0.3
"""Seconds after which a request whose body may have broken off will not be answered."""

SENT_AT_ONCE = 8 * 1024
"""Bytes of a body that is sent whole or not at all, so that the request is answered, however busy the machine is."""

LONGEST = 10.0
"""Seconds after which even that is not waited for."""


class Trials:
    """Kills of one kind of work at random moments of it."""

    def __init__(self, place: Workplace, module: str) -> None:
        """Take the workplace, with a container and a kept token."""
        place.run("storage_container", {"name": CONTAINER}).succeeded()
        self.place = place
        self.view = View(place.sandbox)
        self._module = module
        self._chance = random.Random(f"{SEED} {module}")
        self.killed = 0

    def kill(self, options: Wish, longest: float) -> None:
        """Start the task and kill it within so many seconds after its first request."""
        self.place.sandbox.clear_requests()  # a long log takes long to read
        victim = self.place.start(self._module, options)
        until(lambda: self.place.sandbox.requests("storage") or not victim.running, "the first request")
        time.sleep(self._chance.uniform(0, longest))  # not to wait for anything: the moment is random
        self.killed += victim.kill()
        until(lambda: not self._under_way(), "the end of the requests under way")

    def again(self, options: Wish) -> tuple[Ended, list[Entry]]:
        """Run the task to its end; returns it and its requests."""
        self.place.sandbox.clear_requests()
        ended = self.place.run(self._module, options)
        return ended, self.place.sandbox.requests("storage")

    def _under_way(self) -> list[Entry]:
        """Requests of the killed process; one whose body never came whole is not waited for."""
        log = self.place.sandbox.requests("storage")
        return [one for one in log if one["status"] is None and time.time() - one["time"] < _patience(one)]


def _patience(request: Entry) -> float:
    size = request["body_bytes"]
    return LONGEST if size is not None and size <= SENT_AT_ONCE else ABANDONED


def seconds(place: Workplace, module: str, options: Wish) -> float:
    """Return how long the whole work takes: the moments are spread over it."""
    ended = place.run(module, options)
    ended.succeeded()
    return ended.seconds


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
    whole = seconds(place, "storage_sync", push(folder, "whole"))
    for number in range(MOMENTS):
        options = push(folder, f"at-{number:02}")
        trials.kill(options, whole)
        there = below(trials.view, f"at-{number:02}")
        assert there.items() <= listed(contents).items(), "a half object, or one of another name"
        ended, log = trials.again(options)
        assert ended.succeeded()["changed"] is (len(there) < FILES)
        assert count(log, "PUT object") == FILES - len(there), "it sends what is there"
        assert below(trials.view, f"at-{number:02}") == listed(contents)
    assert trials.killed >= MOMENTS / 3, "most runs had ended before they were killed"


def test_sync_from_a_container(place: Workplace, tmp_path: Path) -> None:
    trials = Trials(place, "storage_sync")
    source = tmp_path / "tree"
    contents = make_tree(source, FILES, SIZE)
    place.run("storage_sync", push(source, "there")).succeeded()
    target = tmp_path / "target"
    target.mkdir()
    options = {"mode": "pull", "path": str(target), "container": CONTAINER, "prefix": "there/"}
    whole = seconds(place, "storage_sync", options)
    for _number in range(MOMENTS):
        shutil.rmtree(target)
        target.mkdir()
        trials.kill(options, whole)
        found = read_tree(target)
        there = {name for name in found if name in contents}
        assert {name: found[name] for name in there} == {name: contents[name] for name in there}, "a half file"
        ended, log = trials.again(options)
        assert ended.succeeded()["changed"] is (len(there) < FILES)
        assert count(log, "GET object") == FILES - len(there), "it receives what is there"
        assert read_tree(target) == contents, "something is left of the killed run"
    assert trials.killed >= MOMENTS / 3, "most runs had ended before they were killed"


def test_upload_in_segments(place: Workplace, tmp_path: Path) -> None:
    """There was another object of that name before: either is there whole, at all times."""
    trials = Trials(place, "storage_object")
    chance = random.Random(SEED)
    before, after = chance.randbytes(1000), chance.randbytes(SEGMENT * SEGMENTS)
    write_old(tmp_path / "large", after)
    whole = seconds(place, "storage_object", in_segments(tmp_path / "large", "whole"))
    for number in range(MOMENTS):
        name = f"at-{number:02}"
        trials.view.ask("PUT", f"/{CONTAINER}/{name}", before)
        options = in_segments(tmp_path / "large", name)
        trials.kill(options, whole)
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
    assert trials.killed >= MOMENTS / 3, "most runs had ended before they were killed"


def test_download_of_one_object(place: Workplace, tmp_path: Path) -> None:
    """What a killed run has received of a large object is not asked for again; nothing shows under its name before."""
    trials = Trials(place, "storage_object_download")
    content = random.Random(SEED).randbytes(24 << 20)
    trials.view.ask("PUT", f"/{CONTAINER}/large", content)
    dest = tmp_path / "folder" / "large"
    dest.parent.mkdir()
    options = {"container": CONTAINER, "name": "large", "dest": str(dest)}
    place.sandbox.fault("drip", bytes_per_second=16 << 20, operation="^GET object$")
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

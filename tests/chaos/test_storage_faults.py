# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Something goes wrong while objects are moved: the result is right, or there is one clear error for each object."""

from __future__ import annotations

import random
import resource
import typing as t
from pathlib import Path

import pytest

from chaos.kinds import Wish
from chaos.storage_view import View, listed, make_tree, read_tree, write_old
from chaos.task_process import Ended, context
from chaos.workplace import Workplace

FILES, SIZE = 6, 4096
LARGE = 8 << 20
MANY = 40
CONTAINER = "crates"
VICTIM = "b/001"
PUT: Wish = {"service": "storage", "operation": "^PUT object$"}
GET: Wish = {"service": "storage", "operation": "^GET object$"}
ARCHIVE: Wish = {"service": "storage", "operation": "^PUT container$"}
LOGIN: Wish = {"service": "storage", "operation": "^GET auth$"}


class Depot:
    """A folder and a container that are to be alike."""

    def __init__(self, place: Workplace, folder: Path, files: int = FILES, size: int = SIZE) -> None:
        """Make the container, and files."""
        place.run("storage_container", {"name": CONTAINER}).succeeded()
        self.place = place
        self.view = View(place.sandbox)
        self.folder = folder / "tree"
        self.contents = make_tree(self.folder, files, size)
        self.target = folder / "target"
        self.target.mkdir()

    def push(self, **more: t.Any) -> Wish:
        """Return the options that send the folder."""
        return {"mode": "push", "path": str(self.folder), "container": CONTAINER, **more}

    def pull(self, **more: t.Any) -> Wish:
        """Return the options that receive the container."""
        return {"mode": "pull", "path": str(self.target), "container": CONTAINER, **more}

    def fill(self) -> None:
        """Send the folder past the collection."""
        for name, content in self.contents.items():
            self.view.ask("PUT", f"/{CONTAINER}/{name}", content)

    def sync(self, options: Wish) -> Ended:
        """Run the task."""
        return self.place.run("storage_sync", options)

    def require_all(self) -> None:
        """Require that the container holds the folder."""
        assert self.view.listing(CONTAINER) == listed(self.contents)


@pytest.fixture
def depot(place: Workplace, tmp_path: Path) -> Depot:
    return Depot(place, tmp_path)


@pytest.fixture
def many(place: Workplace, tmp_path: Path) -> Depot:
    """Files of which the service gets archives."""
    return Depot(place, tmp_path, MANY, 100)


@pytest.mark.parametrize("status", [401, 403, 422, 507])
def test_one_object_is_refused(depot: Depot, status: int) -> None:
    """The rest goes on, what failed is told by its name, and the next run sends just that."""
    sandbox = depot.place.sandbox
    sandbox.fault("status_before", status=status, times=0, method="PUT", path=f"/{VICTIM}$")
    ended = depot.place.run("storage_sync", depot.push(), FCD_RETRIES="1")
    assert ended.failed
    assert ended.result["changed"] is True, "the others were sent"
    assert VICTIM in ended.message
    assert "Traceback" not in ended.message
    assert depot.view.listing(CONTAINER) == listed({k: v for k, v in depot.contents.items() if k != VICTIM})
    sandbox.clear_faults()
    since = depot.place.last()
    assert depot.sync(depot.push()).succeeded()["changed"] is True
    assert len(depot.place.seen(PUT, since)) == 1
    depot.require_all()


@pytest.mark.parametrize(("mode", "status"), [("push", 429), ("push", 503), ("pull", 498), ("pull", 408)])
def test_one_refusal_passes(depot: Depot, mode: str, status: int) -> None:
    """What may be asked again is asked again, and nobody is troubled."""
    if mode == "pull":
        depot.fill()
    method = "PUT" if mode == "push" else "GET"
    depot.place.sandbox.fault("status_before", status=status, retry_after=0, method=method, path=f"/{VICTIM}$")
    depot.sync(depot.push() if mode == "push" else depot.pull()).succeeded()
    assert depot.place.sandbox.faults()[0]["used"] == 1
    depot.require_all()
    assert mode == "push" or read_tree(depot.target) == depot.contents


def test_one_copy_is_refused(depot: Depot) -> None:
    """Inside the service the same holds."""
    depot.fill()
    depot.place.run("storage_container", {"name": "copies"}).succeeded()
    copy = {"mode": "copy", "source_container": CONTAINER, "container": "copies"}
    depot.place.sandbox.fault("status_before", status=413, times=0, method="COPY", path=f"/{VICTIM}$")
    ended = depot.sync(copy)
    assert ended.failed
    assert ended.result["changed"] is True
    assert VICTIM in ended.message
    depot.place.sandbox.clear_faults()
    since = depot.place.last()
    assert depot.sync(copy).succeeded()["changed"] is True
    assert len(depot.place.seen({"service": "storage", "method": "COPY"}, since)) == 1
    assert depot.view.listing("copies") == listed(depot.contents)


@pytest.mark.parametrize("fault", ["drop_before", "drop_after", "cut"])
def test_no_answer_to_a_write(depot: Depot, fault: str) -> None:
    depot.place.sandbox.fault(fault, method="PUT", path=f"/{VICTIM}$")
    assert depot.sync(depot.push()).succeeded()["changed"] is True
    assert depot.place.sandbox.faults()[0]["used"] == 1
    depot.require_all()
    assert depot.sync(depot.push()).succeeded()["changed"] is False


@pytest.mark.parametrize(
    ("alone", "fault", "more"),
    [
        (MANY, "drop_before", {}),
        (MANY, "html", {}),
        (MANY, "status_before", {"status": 413}),
        (MANY, "status_before", {"status": 503}),
        (
            MANY,
            "status_before",
            {"status": 200, "body": {"Response Status": "201 Created", "Number Files Created": 32}},
        ),
        (0, "drop_after", {}),
        (0, "cut", {}),
        (0, "cut_chunked", {}),
        (0, "status_after", {"status": 413}),
        (0, "status_after", {"status": 502}),
        (0, "status_before", {"status": 401, "times": 1}),
        (0, "status_before", {"status": 429, "times": 1, "retry_after": 0}),
    ],
)
def test_no_good_answer_to_an_archive(many: Depot, alone: int, fault: str, more: Wish) -> None:
    """What the service has unpacked is not sent again, and all else is sent alone."""
    since = many.place.last()
    many.place.sandbox.fault(fault, **{"times": 0, **ARCHIVE, **more})
    assert many.sync(many.push()).succeeded()["counts"]["uploaded"] == MANY
    assert len(many.place.seen(PUT, since)) == alone
    many.require_all()
    many.place.sandbox.clear_faults()
    assert many.sync(many.push()).succeeded()["changed"] is False


def test_one_object_of_an_archive_is_refused(many: Depot) -> None:
    """The real answer: 200, with the error of one object inside."""
    write_old(many.folder / "large", bytes(100_000))
    many.view.ask("POST", f"/{CONTAINER}", X_Container_Meta_Quota_Bytes="50000")
    since = many.place.last()
    ended = many.sync(many.push())
    assert ended.failed
    assert [(one["name"], one["error"]["status"]) for one in ended.result["failures"]] == [("large", 413)]
    assert (len(many.place.seen(ARCHIVE, since)), len(many.place.seen(PUT, since))) == (2, 1)
    many.require_all()


@pytest.mark.parametrize(
    ("fault", "more"),
    [
        ("drop_before", {}),
        ("drop_after", {}),
        ("cut", {}),
        ("cut_chunked", {}),
        ("html", {}),
        ("status_before", {"status": 503}),
        ("status_after", {"status": 502}),
    ],
)
def test_no_good_answer_to_many_deletions(many: Depot, fault: str, more: Wish) -> None:
    many.fill()
    for path in many.folder.rglob("*"):
        if path.is_file():
            path.unlink()
    many.place.sandbox.fault(fault, operation="^POST account$", **more)
    ended = many.sync(many.push(delete=True, max_delete=MANY))
    assert ended.succeeded()["counts"]["deleted"] == MANY
    assert many.place.sandbox.faults()[0]["used"] == 1
    assert many.view.listing(CONTAINER) == {}


def test_archives_are_not_offered(many: Depot) -> None:
    many.place.sandbox.settings(storage={"info": False})
    since = many.place.last()
    assert many.sync(many.push()).succeeded()["counts"]["uploaded"] == MANY
    assert (len(many.place.seen(ARCHIVE, since)), len(many.place.seen(PUT, since))) == (0, MANY)
    many.require_all()


@pytest.mark.parametrize("fault", ["drop_before", "drop_after", "cut", "cut_chunked", "html"])
def test_no_whole_answer_to_a_read(depot: Depot, fault: str) -> None:
    depot.fill()
    depot.place.sandbox.fault(fault, method="GET", path=f"/{VICTIM}$")
    assert depot.sync(depot.pull()).succeeded()["changed"] is True
    assert depot.place.sandbox.faults()[0]["used"] == 1
    assert read_tree(depot.target) == depot.contents


@pytest.mark.parametrize("fault", ["drop_before", "cut", "cut_chunked", "html"])
def test_half_a_listing_is_no_listing(depot: Depot, fault: str) -> None:
    """Half of it must not look like objects that are missing or to be removed."""
    depot.fill()
    depot.view.ask("PUT", f"/{CONTAINER}/zz-surplus", b"x")
    depot.place.sandbox.fault(fault, operation="^GET container$")
    ended = depot.sync(depot.push(delete=True, max_delete=1))
    assert ended.succeeded()["changed"] is True
    depot.require_all()
    assert depot.place.seen(PUT, depot.place.last()) == []


@pytest.mark.parametrize("mode", ["push", "pull"])
def test_token_expires_in_the_middle(depot: Depot, mode: str) -> None:
    """Both threads are refused at once; one of them logs in."""
    if mode == "pull":
        depot.fill()
    selection = PUT if mode == "push" else GET
    since = depot.place.last()
    depot.place.sandbox.fault("hold", skip=2, times=0, **selection)
    task = depot.place.start("storage_sync", depot.push(connections=2) if mode == "push" else depot.pull(connections=2))
    depot.place.wait_for(selection, 4, since)
    depot.place.sandbox.expire("storage")
    depot.place.sandbox.clear_faults()
    task.ended().succeeded()
    assert len(depot.place.seen(LOGIN, since)) == 1
    depot.view = View(depot.place.sandbox)
    depot.require_all()
    assert mode == "push" or read_tree(depot.target) == depot.contents


def test_object_changes_while_it_is_read(depot: Depot) -> None:
    """The first half is of one object, the second would be of another: it is read anew."""
    before, after = (random.Random(seed).randbytes(LARGE) for seed in (1, 2))
    depot.view.ask("PUT", f"/{CONTAINER}/large", before)
    depot.place.sandbox.fault("cut", **GET)
    depot.place.sandbox.fault("hold", **GET)
    since = depot.place.last()
    task = depot.place.start("storage_sync", depot.pull())
    depot.place.wait_for(GET, 2, since)
    depot.view.ask("PUT", f"/{CONTAINER}/large", after)
    depot.place.sandbox.clear_faults()
    ended = task.ended()
    found = read_tree(depot.target)
    if ended.failed:
        assert "large" in ended.message
        assert found == {}, "part of it is left"
    else:
        assert found == {"large": after}
    assert depot.sync(depot.pull()).succeeded()
    assert read_tree(depot.target) == {"large": after}


def test_file_changes_while_it_is_sent(depot: Depot) -> None:
    before, after = (random.Random(seed).randbytes(LARGE) for seed in (1, 2))
    write_old(depot.folder / "large", before)
    depot.place.sandbox.fault("hold", method="PUT", path="/large$")
    since = depot.place.last()
    task = depot.place.start("storage_sync", depot.push())
    depot.place.wait_for({"service": "storage", "method": "PUT", "path": "/large$"}, 1, since)
    (depot.folder / "large").write_bytes(after)
    depot.place.sandbox.clear_faults()
    ended = task.ended()
    stored = depot.view.content(CONTAINER, "large")
    assert stored in (None, before, after), "a mixture of both was stored"
    if not ended.failed:
        assert stored == after, "it says that all is well, and holds what the file held before"
    assert depot.sync(depot.push()).succeeded()
    assert depot.view.content(CONTAINER, "large") == after


def test_file_vanishes_before_it_is_sent(depot: Depot) -> None:
    """It was listed and is gone: the rest goes on."""
    depot.place.sandbox.fault("hold", operation="^GET container$")
    since = depot.place.last()
    task = depot.place.start("storage_sync", depot.push())
    depot.place.wait_for({"service": "storage", "operation": "^GET container$"}, 1, since)
    (depot.folder / VICTIM).unlink()
    depot.place.sandbox.clear_faults()
    ended = task.ended()
    assert not ended.failed or VICTIM in ended.message
    del depot.contents[VICTIM]
    depot.require_all()


def test_listing_that_lags(depot: Depot) -> None:
    """Objects that are there and not listed yet are sent once more, which does no harm; none is taken for surplus."""
    depot.place.sandbox.settings(storage={"listing_lag": 60})
    for _turn in range(2):
        since = depot.place.last()
        depot.sync(depot.push(delete=True)).succeeded()
        assert len(depot.place.seen(PUT, since)) == FILES
    depot.place.sandbox.settings(storage={"listing_lag": 0})
    depot.require_all()
    assert depot.sync(depot.push(delete=True)).succeeded()["changed"] is False


def test_segments_that_are_not_listed_yet(depot: Depot) -> None:
    """They are sent once more, and the object is right."""
    content = random.Random(3).randbytes(5 * SIZE)
    write_old(depot.folder / "large", content)
    options = {"container": CONTAINER, "name": "large", "src": str(depot.folder / "large")}
    sizes = {"segment_threshold": SIZE, "segment_size": SIZE}
    depot.place.sandbox.settings(storage={"listing_lag": 60})
    for _turn in range(2):
        depot.place.run("storage_object", {**options, **sizes}).succeeded()
        assert depot.view.content(CONTAINER, "large") == content
    depot.place.sandbox.settings(storage={"listing_lag": 0})
    assert depot.place.run("storage_object", {**options, **sizes}).succeeded()["changed"] is False


def test_disk_is_full(depot: Depot) -> None:
    """No file may grow beyond the size of the small ones: those are received, the large one is one clear error."""
    depot.fill()
    depot.view.ask("PUT", f"/{CONTAINER}/large", bytes(LARGE))
    go = context().Event()
    task = depot.place.start("storage_sync", depot.pull(), start=go)
    resource.prlimit(task.pid, resource.RLIMIT_FSIZE, (LARGE // 2, LARGE // 2))
    go.set()
    ended = task.ended()
    assert ended.failed
    assert "large" in ended.message
    assert "File too large" in ended.message
    assert read_tree(depot.target) == depot.contents, "part of it is left, or a small one is missing"
    assert depot.sync(depot.pull()).succeeded()["changed"] is True
    assert read_tree(depot.target) == {**depot.contents, "large": bytes(LARGE)}


def test_quota_is_used_up(depot: Depot) -> None:
    """The real answer of a full container, not an armed one."""
    write_old(depot.folder / "large", bytes(LARGE))
    depot.view.ask("POST", f"/{CONTAINER}", X_Container_Meta_Quota_Bytes=str(LARGE // 2))
    ended = depot.sync(depot.push())
    assert ended.failed
    assert "large" in ended.message
    assert "413" in str(ended.result)
    depot.require_all()
    depot.view.ask("POST", f"/{CONTAINER}", X_Container_Meta_Quota_Bytes="")
    assert depot.sync(depot.push()).succeeded()["changed"] is True


INJECTED = {
    "CR and LF": {"note": "x\r\nX-Object-Meta-Evil: 1"},
    "LF": {"note": "x\nX-Evil: 1"},
    "NUL": {"note": "x\0y"},
    "CR in the name": {"no\rte": "x"},
    "colon in the name": {"note: x\r\nevil": "x"},
    "underscore in the name": {"no_te": "x"},
    "long name": {"n" * 129: "x"},
    "long value": {"note": "x" * 257},
}


@pytest.mark.parametrize(
    ("module", "metadata"),
    [
        *(("storage_object", metadata) for metadata in INJECTED.values()),
        *((module, INJECTED["CR and LF"]) for module in ("storage_container", "storage_sync")),
    ],
)
def test_header_injection(depot: Depot, module: str, metadata: dict[str, str]) -> None:
    """Refused before anything is sent, but for a question about limits."""
    options: dict[str, Wish] = {
        "storage_object": {"container": CONTAINER, "name": "o", "content": "x", "metadata": metadata},
        "storage_container": {"name": "other", "metadata": metadata},
        "storage_sync": depot.push(headers=[{"match": "*", "metadata": metadata}]),
    }
    since = depot.place.last()
    ended = depot.place.run(module, options[module])
    assert ended.failed
    assert "metadata" in ended.message
    sent = [one["operation"] for one in depot.place.sandbox.requests("storage", since)]
    assert [one for one in sent if one != "GET info"] == []

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The object storage is Swift and keeps its rules."""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from sandbox.storage.attributes import MemoryAttributes
from sandbox_box import Box


def metadata(box: Box, path: str, kind: str = "Object") -> dict[str, str]:
    prefix = f"X-{kind}-Meta-"
    headers = box.storage("HEAD", path).headers
    return {name[len(prefix) :]: value for name, value in headers.items() if name.startswith(prefix)}


@pytest.fixture
def stored(box: Box) -> Box:
    """A sandbox with /c/o."""
    assert box.storage("PUT", "/c").status_code == 201
    assert box.storage("PUT", "/c/o", data=b"hello", headers={"X-Object-Meta-A": "1"}).status_code == 201
    return box


def test_one_thread_does_everything(stored: Box) -> None:
    """Threads of the system would take Swift's local data from each other, an error in one request of very many."""
    assert len(list(Path(f"/proc/{stored.process.pid}/task").iterdir())) == 1


def test_token_issue(box: Box) -> None:
    answer = box.log_in()
    assert answer.status_code == 200
    assert answer.headers["X-Storage-Token"] == answer.headers["X-Auth-Token"]
    assert answer.headers["X-Storage-Url"] == box.storage_url
    assert 86390 <= int(answer.headers["X-Auth-Token-Expires"]) <= 86400
    assert answer.json()["storage"]["local"] == box.storage_url


def test_a_live_token_is_reused_unless_a_new_one_is_asked_for(box: Box) -> None:
    first = box.log_in(**{"X-Auth-Token-Lifetime": "500"})
    assert 490 <= int(first.headers["X-Auth-Token-Expires"]) <= 500
    again = box.log_in(**{"X-Auth-Token-Lifetime": "900"})
    assert again.headers["X-Auth-Token"] == first.headers["X-Auth-Token"]
    assert int(again.headers["X-Auth-Token-Expires"]) <= 500
    new = box.log_in(**{"X-Auth-New-Token": "true", "X-Auth-Token-Lifetime": "many"})
    assert new.headers["X-Auth-Token"] != first.headers["X-Auth-Token"]
    assert int(new.headers["X-Auth-Token-Expires"]) > 86390
    assert box.storage("GET", "", token=first.headers["X-Auth-Token"]).status_code == 401
    assert box.storage("GET", "", token=new.headers["X-Auth-Token"]).status_code == 204


def test_lifetime_is_capped_and_a_setting(box: Box) -> None:
    box.process.settings(storage={"token_lifetime": 50, "token_lifetime_max": 100})
    assert int(box.log_in().headers["X-Auth-Token-Expires"]) <= 50
    box.process.expire("storage")
    assert 50 < int(box.log_in(**{"X-Auth-Token-Lifetime": "5000"}).headers["X-Auth-Token-Expires"]) <= 100


def test_a_new_token_needs_the_right_key(box: Box) -> None:
    token = box.token
    known = box.info["credentials"]
    assert box.log_in(**{"X-Auth-New-Token": "true", "X-Auth-Key": "wrong"}).status_code == 401
    assert box.log_in(**{"X-Auth-User": "nocolon"}).status_code == 401
    assert box.log_in(**{"X-Auth-User": known["storage_user"] + "x"}).status_code == 401
    assert box.storage("GET", "", token=token).status_code == 204


def test_user_and_key_are_percent_decoded(box: Box) -> None:
    key = quote(box.info["credentials"]["storage_key"], safe="").replace("-", "%2D")
    assert "%" in key
    assert box.log_in(**{"X-Auth-Key": key}).status_code == 200
    box.process.settings(storage={"percent_decode": False})
    assert box.log_in(**{"X-Auth-Key": key}).status_code == 401


def test_a_user_without_the_administrators_role(stored: Box) -> None:
    token = stored.log_in("storage_other").headers["X-Auth-Token"]
    assert stored.storage("GET", "", token=token).status_code == 403
    assert stored.storage("GET", "/c/o", token=token).status_code == 403
    user = stored.info["credentials"]["storage_other_user"]
    assert stored.storage("POST", "/c", headers={"X-Container-Read": user}).status_code == 204
    assert stored.storage("GET", "/c/o", token=token).text == "hello"


def test_statuses_of_containers(stored: Box) -> None:
    asked = [("PUT", "/c"), ("PUT", "/n"), ("HEAD", "/n"), ("POST", "/n"), ("DELETE", "/n"), ("DELETE", "/n"),
             ("HEAD", "/n"), ("POST", "/n"), ("GET", "/n"), ("DELETE", "/c")]  # fmt: skip
    assert [stored.storage(*item).status_code for item in asked] == [202, 201, 204, 204, 204, 404, 404, 404, 404, 409]


def test_statuses_of_objects(stored: Box) -> None:
    assert stored.storage("GET", "/c/o").content == b"hello"
    assert stored.storage("HEAD", "/c/o").headers["Etag"] == hashlib.md5(b"hello").hexdigest()
    assert stored.storage("PUT", "/c/o", headers={"If-None-Match": "*"}).status_code == 412
    assert stored.storage("PUT", "/c/o", data=b"x", headers={"ETag": "0" * 32}).status_code == 422
    assert stored.storage("PUT", "/none/o", data=b"x").status_code == 404
    assert stored.storage("POST", "/c/o").status_code == 202
    assert stored.storage("COPY", "/c/o", headers={"Destination": "c/p"}).status_code == 201
    assert stored.storage("COPY", "/c/o", headers={"Destination": "c"}).status_code == 412
    assert [stored.storage("DELETE", "/c/o").status_code for _ in range(2)] == [204, 404]
    assert stored.storage("GET", "/c/p", token="").status_code == 401
    assert stored.storage("GET", "/c/p").headers["X-Trans-Id"].startswith("tx")


def test_metadata_of_a_container_merges(box: Box) -> None:
    box.storage("PUT", "/c", headers={"X-Container-Meta-A": "1", "X-Container-Meta-B": "2"})
    box.storage("PUT", "/c", headers={"X-Container-Meta-C": "3"})
    box.storage("POST", "/c", headers={"X-Remove-Container-Meta-A": "x", "X-Container-Meta-D_E": "lost"})
    assert metadata(box, "/c", "Container") == {"B": "2", "C": "3"}


def test_metadata_of_an_object_is_replaced(stored: Box) -> None:
    headers = {"X-Object-Meta-B": "2", "X-Delete-At": str(int(time.time()) + 1000), "Content-Encoding": "x"}
    stored.storage("POST", "/c/o", headers=headers)
    assert metadata(stored, "/c/o") == {"B": "2"}
    stored.storage("POST", "/c/o", headers={"X-Object-Meta-C": ""})
    shown = stored.storage("HEAD", "/c/o").headers
    assert metadata(stored, "/c/o") == {"C": ""}
    assert "X-Delete-At" not in shown
    assert "Content-Encoding" not in shown


def test_copy_adds_to_the_metadata(stored: Box) -> None:
    stored.storage("COPY", "/c/o", headers={"Destination": "/c/p", "X-Object-Meta-B": "2"})
    assert metadata(stored, "/c/p") == {"A": "1", "B": "2"}
    stored.storage("COPY", "/c/o", headers={"Destination": "c/q", "X-Object-Meta-B": "2", "X-Fresh-Metadata": "true"})
    assert metadata(stored, "/c/q") == {"B": "2"}


def test_account_listing_counts_come_late(stored: Box) -> None:
    """Even when they are brought up to date in the middle of the last write."""
    stored.process.settings(storage={"account_counts_seconds": 0.01})
    for number in range(20):
        stored.storage("PUT", f"/c/{number}", data=b"x")
        while stored.storage("GET", "?format=json").json()[0]["bytes"] != 6 + number:
            time.sleep(0.01)


def test_info_can_be_switched_off(box: Box) -> None:
    url = box.info["storage_base"] + "/info"
    assert box.session.get(url).json()["swift"]["max_meta_name_length"] == 128
    box.process.settings(storage={"info": False})
    assert box.session.get(url).status_code == 404


def test_state_is_the_truth(stored: Box) -> None:
    stored.storage("PUT", "/c/" + quote("ą/b ?.txt"), data=b"", headers={"X-Object-Meta-U": quote("ż")})
    stored.storage("POST", "/c", headers={"X-Container-Read": ".r:*", "X-Container-Meta-K": "v"})
    container = stored.process.state()["storage"]["containers"]["c"]
    assert container["metadata"] == {"x-container-meta-k": "v", "x-container-read": ".r:*"}
    assert container["objects"] == {
        "o": {
            "etag": hashlib.md5(b"hello").hexdigest(),
            "bytes": 5,
            "headers": {"content-type": "application/octet-stream"},
            "metadata": {"x-object-meta-a": "1"},
        },
        "ą/b ?.txt": {
            "etag": hashlib.md5(b"").hexdigest(),
            "bytes": 0,
            "headers": {"content-type": "text/plain"},
            "metadata": {"x-object-meta-u": "%C5%BC"},
        },
    }
    assert stored.process.counts()["by"].get("storage HEAD object") is None


def test_a_large_object_is_streamed_both_ways(box: Box) -> None:
    block, count = b"0123456789abcdef" * 65536, 24
    box.storage("PUT", "/c")
    digest = hashlib.md5(block * count).hexdigest()
    answer = box.storage("PUT", "/c/big", data=iter([block] * count))
    assert (answer.status_code, answer.headers["Etag"]) == (201, digest)
    found = hashlib.md5()
    with box.storage("GET", "/c/big", stream=True) as answer:
        for part in answer.iter_content(1 << 20):
            found.update(part)
    assert found.hexdigest() == digest


def test_attributes_in_memory_are_those_of_files(tmp_path: Path) -> None:
    kept = MemoryAttributes()
    path = tmp_path / "file"
    with path.open("wb") as file:
        kept.setxattr(file.fileno(), "user.a", b"1")
        path = path.rename(tmp_path / "moved")
        assert kept.getxattr(str(path), "user.a") == kept.getxattr(file, "user.a") == b"1"
        kept.removexattr(file, "user.a")
        with pytest.raises(OSError, match="no such attribute") as caught:
            kept.getxattr(file, "user.a")
    assert caught.value.errno == errno.ENODATA


@dataclasses.dataclass
class Lagging:
    """What is listed of a container while its newest objects do not show yet."""

    place: str
    first_page: list[str]
    after_the_first: list[str]


def lagging(box: Box) -> Lagging:
    """Return what is listed within the lag; on a busy machine, the lag is made longer until that is so."""
    for lag in (0.4, 4.0, 40.0):
        place = f"/lag-{lag:.0f}"
        box.storage("PUT", place)
        box.storage("PUT", f"{place}/o", data=b"")
        box.process.settings(storage={"listing_lag": lag})
        time.sleep(lag)  # to see real time pass
        began = time.monotonic()
        for name in ("a", "p"):
            box.storage("PUT", f"{place}/{name}", data=b"")
        pages = [box.storage("GET", f"{place}?format=json&{query}").json() for query in ("limit=1", "marker=o")]
        if time.monotonic() - began < lag:
            return Lagging(place, *([entry["name"] for entry in page] for page in pages))
    raise AssertionError("four requests took longer than 40 s")


def test_a_listing_lags(stored: Box) -> None:
    """The page that would be empty for want of the newest is read on; the newest shows when its time has come."""
    listed = lagging(stored)
    assert (listed.first_page, listed.after_the_first) == (["o"], [])
    assert stored.storage("HEAD", f"{listed.place}/a").status_code == 200
    stored.process.settings(storage={"listing_lag": 0})
    assert [entry["name"] for entry in stored.storage("GET", f"{listed.place}?format=json").json()] == ["a", "o", "p"]

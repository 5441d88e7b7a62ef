# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the object storage."""

from __future__ import annotations

import typing as t

from chaos.kinds import CONTAINER, storage_object
from chaos.matrix_case import Args, Case, State, files, first, having, traits
from chaos.storage_view import write_old
from chaos.workplace import Workplace

CHANGE: t.Mapping[str, t.Any] = {"service": "storage", "reads": False}
PUT: t.Mapping[str, t.Any] = {"service": "storage", "method": "PUT"}
GET: t.Mapping[str, t.Any] = {"service": "storage", "method": "GET", "path": f"/{CONTAINER}/"}
SEGMENTS, SEGMENT = f"{CONTAINER}_segments", 32 * 1024
TREE = {"a/one": b"1" * 3000, "a/two": b"2" * 3000, "three": b"3" * 3000}


def _container(place: Workplace, _name: str) -> None:
    place.make_container()


def _tree(_place: Workplace, name: str) -> None:
    for path, content in TREE.items():
        write_old(files(name) / "tree" / path, content)


def _file(_place: Workplace, name: str) -> None:
    write_old(files(name) / "large", bytes(range(256)) * 4 * 96)


def _pushed(place: Workplace, name: str) -> None:
    place.run("storage_sync", _push(name)).succeeded()


def _push(name: str) -> Args:
    return {"mode": "push", "path": str(files(name) / "tree"), "container": CONTAINER, "prefix": f"{name}/"}


def _pull(name: str) -> Args:
    return {"mode": "pull", "path": str(files(name) / "back"), "container": CONTAINER, "prefix": f"{name}/"}


def _objects(state: State, container: str = CONTAINER) -> t.Mapping[str, t.Any]:
    found: t.Mapping[str, t.Any] = state["storage"]["containers"].get(container, {"objects": {}})["objects"]
    return found


def _all_pushed(state: State, name: str) -> int:
    there = _objects(state)
    return int(all(there.get(f"{name}/{path}", {}).get("bytes") == len(TREE[path]) for path in TREE))


def _all_pulled(_state: State, name: str) -> int:
    back = files(name) / "back"
    return int(all((back / path).is_file() and (back / path).read_bytes() == TREE[path] for path in TREE))


def _downloaded(_state: State, name: str) -> int:
    there = files(name) / "motd"
    return int(there.is_file() and there.read_bytes() == str(storage_object(name)["content"]).encode())


def _large(name: str) -> Args:
    sizes = {"segment_threshold": SEGMENT, "segment_size": SEGMENT, "segment_container": SEGMENTS}
    return {"container": CONTAINER, "name": name, "src": str(files(name) / "large"), "remote_src": True, **sizes}


def _assembled(state: State, name: str) -> int:
    """Segments of an upload that was given up count: they are paid for."""
    whole = int(name in _objects(state))
    return whole if len([one for one in _objects(state, SEGMENTS) if name in one]) == 3 * whole else 2 * whole


def _described(state: State, name: str) -> int:
    return int(_objects(state).get(name, {}).get("metadata", {}).get("x-object-meta-made-by") == "them")


CASES = (
    Case(
        "storage_container",
        "storage_container",
        PUT,
        lambda name: {"name": name},
        lambda state, name: int(name in state["storage"]["containers"]),
    ),
    Case(
        "storage_container (update)",
        "storage_container",
        {**CHANGE, "method": "POST"},
        lambda name: {"name": name, "metadata": {"owner": "matrix"}},
        lambda state, name: int("owner" in str(state["storage"]["containers"].get(name, {})).lower()),
        there=having("storage_container", name="NAME"),
        traits=traits("removable"),
    ),
    Case(
        "storage_container (absent)",
        "storage_container",
        CHANGE,
        lambda name: {"name": name, "state": "absent"},
        lambda state, name: int(name not in state["storage"]["containers"]),
        there=having("storage_container", name="NAME"),
    ),
    Case(
        "storage_object",
        "storage_object",
        PUT,
        storage_object,
        lambda state, name: int(name in _objects(state)),
        there=_container,
    ),
    Case(
        "storage_object (update)",
        "storage_object",
        CHANGE,
        lambda name: {**storage_object(name), "metadata": {"made-by": "them"}},
        _described,
        there=first(_container, lambda place, name: having("storage_object", **storage_object(name))(place, name)),
        traits=traits("removable"),
    ),
    Case(
        "storage_object (large)",
        "storage_object",
        PUT,
        _large,
        _assembled,
        there=first(_container, _file),
        traits=traits("many"),
    ),
    Case(
        "storage_object_download",
        "storage_object_download",
        GET,
        lambda name: {"container": CONTAINER, "name": name, "dest": str(files(name) / "motd")},
        _downloaded,
        there=first(_container, lambda place, name: having("storage_object", **storage_object(name))(place, name)),
    ),
    Case(
        "storage_sync (push)",
        "storage_sync",
        PUT,
        _push,
        _all_pushed,
        there=first(_container, _tree),
        traits=traits("many"),
    ),
    Case(
        "storage_sync (pull)",
        "storage_sync",
        GET,
        _pull,
        _all_pulled,
        there=first(_container, _tree, _pushed),
        traits=traits("many", "pages"),
    ),
    Case(
        "storage_account",
        "storage_account",
        {**CHANGE, "method": "POST"},
        lambda name: {"metadata": {"owner": name}},
        lambda state, name: int(state["storage"]["account"].get("x-account-meta-owner") == name),
    ),
)

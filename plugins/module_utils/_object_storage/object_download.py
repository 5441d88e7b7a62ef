# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Have the content of one object in a file."""

from __future__ import annotations

import os
import stat
import typing as t

from .._core.atomic_write import mode_of
from .._core.errors import InvalidInput
from .._session.operation import Operation, Params, Result
from .._session.task import Task
from .api import Headers, ObjectStorage
from .connection import object_storage, require_settings, service_limits
from .names import Limits, check_container, check_object, check_path
from .object_headers import record_of

Record = t.Dict[str, t.Any]

FILE_ARGUMENTS = ("owner", "group", "seuser", "serole", "selevel", "setype", "attributes")  # for AnsibleModule to apply
OPTIONS: dict[str, dict[str, t.Any]] = {
    "container": {"type": "str", "required": True},
    "name": {"type": "str", "required": True, "aliases": ["object"]},
    "version_id": {"type": "str"},
    "dest": {"type": "path", "required": True},
    "follow": {"type": "bool", "default": False},
    "mode": {"type": "raw"},
    **{name: {"type": "str"} for name in FILE_ARGUMENTS},
}
OPTIONS["attributes"]["aliases"] = ["attr"]


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say; FILE_ARGUMENTS and a symbolic mode are left to the module."""
    require_settings(task)
    limits = Limits(lambda: service_limits(task))
    place = check_container(params["container"], limits, "container"), check_object(params["name"], limits)
    path, mode = _path(params), _mode(params["mode"])
    _check_owners(params)
    storage, headers = _found(object_storage(task), place, params["version_id"])
    record = record_of(*place, headers)
    present = _present(path)
    before = {} if present is None else _described(path, present)
    if present is not None and _holds(storage, path, present, record, headers):
        after = {**before, "mode": before["mode"] if mode is None else f"{mode:04o}"}
        if after != before and not task.check_mode:
            os.chmod(path, t.cast(int, mode))
        return _result(path, record, before, after)
    if task.check_mode:
        _check_writable(path)
    else:
        record = _download(storage, place, path, record, headers, _mode_for(mode, present))
    size = {"size": record["size"], "mode": f"{_mode_for(mode, present):04o}"}
    return _result(path, record, before, {"file": path, **size}, content=True)


def _found(storage: ObjectStorage, place: tuple[str, str], version: str | None) -> tuple[ObjectStorage, Headers]:
    """Return the client that reads the object, or the version of it, and its headers. Raises NotFound, InvalidInput."""
    if version:
        from .object_version import read_version

        return read_version(storage, place, version, "version_id")
    headers = storage.object_metadata(*place)
    if headers is None:
        from .download import missing

        raise missing(place)
    return storage, headers


def _check_owners(params: Params) -> None:
    """Raise InvalidInput for an owner or a group that this host has not, before anything is fetched for them."""
    if params["owner"] is None and params["group"] is None:
        return
    from .._core.file_owners import group_id, user_id

    for option, find in (("owner", user_id), ("group", group_id)):
        if params[option] is not None:
            find(params[option])


def is_symbolic(mode: t.Any) -> bool:
    """Return whether a mode is one such as ``u=rw``, which only the module applies."""
    return isinstance(mode, str) and any(letter in mode for letter in "=+-")


def _mode(value: t.Any) -> int | None:
    return None if value is None or is_symbolic(value) else mode_of(value, "mode")


def _path(params: Params) -> str:
    """Return the path of the file: ``dest``, or in this folder the last part of the object's name."""
    path = check_path(params["dest"], "dest")
    if not path:
        raise InvalidInput("dest is empty.", next_step="Name the file to write, or a folder for it.", option="dest")
    if path.endswith("/") or os.path.isdir(path):
        last = params["name"].rpartition("/")[2]
        if not last:
            raise InvalidInput(
                f"dest: {path} is a folder, and a file cannot be named after {params['name']!r}.", option="dest"
            )
        path = os.path.join(path, last)
    from .part_file import check_place

    if params["follow"]:
        path = os.path.realpath(path)
    check_place(path, "dest")
    return path


def _present(path: str) -> os.stat_result | None:
    """Return what is known of the ordinary file there; a link is none."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _holds(storage: ObjectStorage, path: str, present: os.stat_result, record: Record, headers: Headers) -> bool:
    if record["size"] not in (None, present.st_size) or not os.access(path, os.R_OK):
        return False
    from .content import of_file

    content = of_file(path, "dest")
    if not record["large_object"]:
        return bool(content.etag == record["etag"])
    from .large_object import same_content

    return same_content(storage, record, headers, content, None)


def _mode_for(mode: int | None, present: os.stat_result | None) -> int:
    """Return the mode of the new file: as wanted, as before, or as other programs make theirs."""
    if mode is not None:
        return mode
    if present is not None:
        return stat.S_IMODE(present.st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _check_writable(path: str) -> None:
    folder = os.path.dirname(path) or "."
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidInput(f"dest: {path} cannot be written: its folder {folder} cannot be written to.", option="dest")


def _download(
    storage: ObjectStorage,
    place: tuple[str, str],
    path: str,
    record: Record,
    headers: Headers,
    mode: int,
) -> Record:
    """Return the record of the object that was read, which may be another than the one that was there at first."""
    from .download import download, version_of

    version = version_of(storage, record, headers)
    done = download(storage, place, path, version, mode=mode)
    if done == version:
        return record
    found = storage.object_metadata(*place)
    return record if found is None else record_of(*place, found)


def _described(path: str, status: os.stat_result) -> Record:
    return {"file": path, "size": status.st_size, "mode": f"{stat.S_IMODE(status.st_mode):04o}"}


def _result(path: str, record: Record, before: Record, after: Record, *, content: bool = False) -> Result:
    if content:
        after = {**after, "etag": record["etag"]}
    return {
        "changed": before != after,
        "file": path,  # AnsibleModule adds to "dest" and "path"
        "mode": after["mode"],
        "object": record,
        "diff": {"before": before, "after": after},
    }


OPERATION = Operation(name="storage_object_download", services=("storage",), options=OPTIONS, run=run)

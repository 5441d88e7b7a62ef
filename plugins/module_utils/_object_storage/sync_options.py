# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``storage_sync``, and what they mean after their checks."""

from __future__ import annotations

import os
import typing as t

from .._core.errors import InvalidInput
from .._session.operation import Params
from .cutting import OPTIONS as CUTTING
from .cutting import check_cutting
from .filters import Filter
from .header_rules import OPTIONS as RULE
from .header_rules import HeaderRules
from .local_tree import FOLLOW, REFUSE, SKIP
from .names import Limits, check_container, check_path, in_bytes
from .segments import segment_container

PUSH, PULL, COPY = "push", "pull", "copy"
CHECKSUM, SIZE = "checksum", "size"
CONNECTIONS = (1, 64)
MEANT_FOR = {  # the modes in which an option has a meaning; all others have one in each
    "path": (PUSH, PULL),
    "source_container": (COPY,),
    "source_prefix": (COPY,),
    "headers": (PUSH, COPY),
    "verify_headers": (PUSH, COPY),
    "preserve_mtime": (PUSH, PULL),
    "segment_threshold": (PUSH,),
    "segment_size": (PUSH,),
    "segment_container": (PUSH, COPY),
    "file_mode": (PULL,),
    "directory_mode": (PULL,),
}

OPTIONS: dict[str, dict[str, t.Any]] = {
    "mode": {"type": "str", "choices": [PUSH, PULL, COPY], "required": True},
    "path": {"type": "path", "aliases": ["folder", "directory"]},
    "container": {"type": "str", "required": True},
    "prefix": {"type": "str", "default": ""},
    "source_container": {"type": "str"},
    "source_prefix": {"type": "str", "default": ""},
    "include": {"type": "list", "elements": "str", "default": []},
    "exclude": {"type": "list", "elements": "str", "default": []},
    "delete": {"type": "bool", "default": False},
    "max_delete": {"type": "str"},
    "compare": {"type": "str", "choices": [CHECKSUM, SIZE], "default": CHECKSUM},
    "checksum_cache": {"type": "bool", "default": True},
    "symlinks": {"type": "str", "choices": [FOLLOW, SKIP, REFUSE], "default": FOLLOW},
    "empty_directories": {"type": "bool", "default": False},
    "headers": {"type": "list", "elements": "dict", "default": [], "options": RULE},
    "verify_headers": {"type": "bool", "default": False},
    "preserve_mtime": {"type": "bool", "default": False},
    **CUTTING,
    "file_mode": {"type": "raw"},
    "directory_mode": {"type": "raw"},
    "connections": {"type": "int", "default": 8},
    "list_limit": {"type": "int", "default": 1000},
}
RULES = {
    "required_if": [("mode", PUSH, ("path",)), ("mode", PULL, ("path",)), ("mode", COPY, ("source_container",))],
}


class Wish(t.NamedTuple):
    """The options after their checks. Prefixes are empty or end with a slash; modes are numbers, None: by the umask."""

    mode: str
    root: str
    container: str
    prefix: str
    source: tuple[str, str]
    names: Filter
    rules: HeaderRules
    file_mode: int | None
    directory_mode: int | None
    segment_container: str
    params: Params


def checked(params: Params, limits: Limits) -> Wish:
    """Return what is wanted. Raises InvalidInput."""
    mode, container = params["mode"], check_container(params["container"], limits, "container")
    _check_numbers(params)
    _check_meant(params)
    segments = params["segment_container"] or segment_container(container)
    wish = Wish(
        mode=mode,
        root=os.path.abspath(check_path(params["path"], "path")) if mode != COPY else "",
        container=container,
        prefix=_prefix(params["prefix"], "prefix"),
        source=_source(params, limits) if mode == COPY else ("", ""),
        names=Filter(params["include"], params["exclude"]),
        rules=HeaderRules(params["headers"], limits),
        file_mode=_mode(params, "file_mode"),
        directory_mode=_mode(params, "directory_mode"),
        segment_container=check_container(segments, limits, "segment_container"),
        params=params,
    )
    if mode == COPY:
        _check_apart(wish)
    return wish


def _check_meant(params: Params) -> None:
    for option, modes in MEANT_FOR.items():
        if params["mode"] not in modes and params[option] != OPTIONS[option].get("default"):
            raise InvalidInput(f"{option}: it has no meaning with mode={params['mode']}.", option=option)


def _check_numbers(params: Params) -> None:
    least, most = CONNECTIONS
    if not least <= params["connections"] <= most:
        raise InvalidInput(
            f"connections: {params['connections']} is not between {least} and {most}.", option="connections"
        )
    if params["list_limit"] < 0:
        raise InvalidInput(f"list_limit: {params['list_limit']} is below zero.", option="list_limit")
    check_cutting(params["segment_threshold"], params["segment_size"])


def _prefix(given: str, option: str) -> str:
    """Return a prefix as a folder. Raises InvalidInput."""
    if given.startswith("/"):
        raise InvalidInput(
            f"{option}: {given!r} begins with a slash, which would be part of every name.",
            next_step=f"Write {given.strip('/')!r}; an empty text is the whole container.",
            option=option,
        )
    if {".", ".."} & set(given.split("/")):
        raise InvalidInput(f"{option}: {given!r} has a part that is only a dot or two dots.", option=option)
    in_bytes(given, option)
    return given if not given or given.endswith("/") else f"{given}/"


def _source(params: Params, limits: Limits) -> tuple[str, str]:
    container = check_container(params["source_container"], limits, "source_container")
    return container, _prefix(params["source_prefix"], "source_prefix")


def _check_apart(wish: Wish) -> None:
    container, prefix = wish.source
    if container == wish.container and (prefix.startswith(wish.prefix) or wish.prefix.startswith(prefix)):
        raise InvalidInput(
            f"source_prefix: {container}/{prefix} and {wish.container}/{wish.prefix} are in one another, "
            "so that the copies would be copied again.",
            next_step="Choose a prefix beside it, or another container.",
            option="source_prefix",
        )


def _mode(params: Params, option: str) -> int | None:
    if params[option] is None:
        return None
    from .._core.atomic_write import mode_of

    return mode_of(params[option], option)

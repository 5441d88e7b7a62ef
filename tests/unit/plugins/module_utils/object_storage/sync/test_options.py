# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that cannot be meant are told before anything is sent."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.features import Features
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync_spec import (
    SYNC_OPTIONS,
    SyncSpec,
    sync_spec,
)


def wish(**given: t.Any) -> SyncSpec:
    params = {name: option.get("default") for name, option in SYNC_OPTIONS.items()}
    return sync_spec({**params, "mode": "push", "container": "c", "path": "/root", **given}, Features())


WRONG: list[tuple[t.Any, ...]] = [
    ({"container": "a/b"}, "container: 'a/b' cannot be the name of a container"),
    ({"container": ""}, "container: '' cannot be"),
    ({"prefix": "/a"}, "prefix: '/a' begins with a slash, which would be part of every name. Write 'a'"),
    ({"prefix": "a/../b"}, "prefix: 'a/../b' has a part that is only a dot or two dots"),
    ({"connections": 0}, "connections: 0 is not between 1 and 64"),
    ({"connections": 65}, "connections: 65 is not between"),
    ({"list_limit": -1}, "list_limit: -1; it must be at least 0"),
    ({"segment_size": 0}, "segment_size: 0; it must be at least 1"),
    ({"segment_container": "a/b"}, "segment_container: 'a/b' cannot be"),
    ({"include": ["/"]}, "include: '/' is not a pattern"),
    ({"exclude": [""]}, "exclude: '' is not a pattern"),
    ({"file_mode": "0644"}, "file_mode: it does not apply to mode=push"),
    ({"source_prefix": "a"}, "source_prefix: it does not apply to mode=push"),
    ({"mode": "pull", "headers": [{"match": "*"}]}, "headers: it does not apply to mode=pull"),
    ({"mode": "pull", "file_mode": "rw"}, "file_mode: 'rw' is not an octal number"),
    (
        {"mode": "pull", "file_mode": 644},
        "file_mode: it is unclear whether the number 644 is meant as octal permissions",
    ),
    ({"mode": "copy", "source_container": "d"}, "path: it does not apply to mode=copy"),
    ({"mode": "copy", "path": None, "source_container": "d/e"}, "source_container: 'd/e' cannot be"),
]


def test_impossible_options_are_refused() -> None:
    for given, message in WRONG:
        with pytest.raises(InvalidInput) as raised:
            wish(**given)
        assert message in str(raised.value)


PREFIXES: list[tuple[t.Any, ...]] = [("", ""), ("a", "a/"), ("a/", "a/"), ("a/b", "a/b/"), ("a//", "a//")]


def test_a_prefix_is_a_folder() -> None:
    for prefix, folder in PREFIXES:
        assert wish(prefix=prefix).prefix == folder

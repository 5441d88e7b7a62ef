# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What check mode foresees of the owner of a file that is not there yet."""

from __future__ import annotations

import os
import pathlib
import types
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import apply_file_arguments


def foreseen(path: pathlib.Path, **params: str | None) -> dict[str, t.Any]:
    module: t.Any = types.SimpleNamespace(
        check_mode=True,
        params={"owner": None, "group": None, **params},
        load_file_common_arguments=lambda params, path: {**params, "path": path},
        set_fs_attributes_if_different=lambda _arguments, changed, _told: changed,  # as for a file that is not there
    )
    diff: dict[str, t.Any] = {"before": {}, "after": {"file": str(path)}}
    apply_file_arguments(module, {"changed": True, "file": str(path), "mode": "0644", "diff": diff})
    return {name: value for name, value in diff["after"].items() if name != "file"}


def test_only_what_it_does_not_begin_with_shows(tmp_path: pathlib.Path) -> None:
    user, group = os.geteuid(), os.getegid()
    assert foreseen(tmp_path / "new") == {}
    assert foreseen(tmp_path / "new", owner=str(user), group=str(group)) == {}
    assert foreseen(tmp_path / "new", owner=str(user + 1), group=str(group + 1)) == {
        "owner": user + 1,
        "group": group + 1,
    }
    (tmp_path / "there").touch()
    assert foreseen(tmp_path / "there", owner=str(user + 1)) == {}


def test_a_folder_may_give_its_group_to_files(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = os.getegid()
    tmp_path.chmod(0o2755)
    monkeypatch.setattr(os, "getegid", lambda: group + 1)
    assert foreseen(tmp_path / "new", group=str(group)) == {}
    assert foreseen(tmp_path / "new", group=str(group + 1)) == {"group": group + 1}

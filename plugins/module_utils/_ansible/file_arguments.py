# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Owner, mode and the like of a file that an operation has written, as Ansible's own modules give them to theirs."""

from __future__ import annotations

import os
import stat
import typing as t

from ansible.module_utils.basic import AnsibleModule

from .._connection.operation import Result
from .._core.file_owners import group_id, user_id


def apply_file_arguments(module: AnsibleModule, result: Result) -> None:
    """Give the file that ``result`` names under ``file`` what the options say; the result tells what that changed."""
    path = result["file"]
    told: dict[str, dict[str, t.Any]] = {}
    arguments = module.load_file_common_arguments(module.params, path=path)
    result["changed"] = module.set_fs_attributes_if_different(arguments, result["changed"], told)
    if not module.check_mode:
        result["mode"] = f"{stat.S_IMODE(os.lstat(path).st_mode):04o}"
    diff = result.get("diff")
    if diff is not None and module.check_mode and not os.path.lexists(path):
        diff["after"].update(_foreseen_owners(module.params, os.path.dirname(path) or "."))
    for name, value in told.get("after", {}).items():
        if diff is not None and told["before"].get(name) != value:
            if diff["before"]:
                diff["before"].setdefault(name, told["before"].get(name))
            diff["after"][name] = value


def _foreseen_owners(params: t.Mapping[str, t.Any], folder: str) -> dict[str, int]:
    """Return what the diff of a new file will show of owner and group: numbers other than those it begins with."""
    above = os.stat(folder)
    first = {"owner": os.geteuid(), "group": above.st_gid if above.st_mode & stat.S_ISGID else os.getegid()}
    find = {"owner": user_id, "group": group_id}
    wanted = {option: find[option](params[option]) for option in find if params[option] is not None}
    return {option: number for option, number in wanted.items() if number != first[option]}

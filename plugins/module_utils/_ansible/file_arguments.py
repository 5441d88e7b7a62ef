# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Owner, mode and the like of a file that an operation has written, as Ansible's own modules give them to theirs."""

from __future__ import annotations

import os
import stat
import typing as t

from ansible.module_utils.basic import AnsibleModule

from .._session.operation import Result


def apply_file_arguments(module: AnsibleModule, result: Result) -> None:
    """Give the file that ``result`` names under ``file`` what the options say; the result tells what that changed."""
    path = result["file"]
    told: dict[str, dict[str, t.Any]] = {}
    arguments = module.load_file_common_arguments(module.params, path=path)
    result["changed"] = module.set_fs_attributes_if_different(arguments, result["changed"], told)
    if not module.check_mode:
        result["mode"] = f"{stat.S_IMODE(os.lstat(path).st_mode):04o}"
    diff = result.get("diff")
    for name, value in told.get("after", {}).items():
        if diff is not None and told["before"].get(name) != value:
            if diff["before"]:
                diff["before"].setdefault(name, told["before"].get(name))
            diff["after"][name] = value

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action plugin of the module storage_object_download."""

from __future__ import annotations

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.download import (
    FILE_ARGUMENTS,
    is_symbolic,
)
from ansible_collections.fcd.cloud.plugins.modules import storage_object_download
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import Args, InProcessAction

main = storage_object_download.main  # for ansible-lint, which checks options with it


class ActionModule(InProcessAction):
    """Downloads in the task worker, unless the file is to get what only a module can give it."""

    operation = storage_object_download.OPERATION

    def same_as_module(self, variables: Args) -> bool:
        """Whether the operation alone does all that the module does."""
        args = self._task.args
        given = any(args.get(name) is not None for name in (*FILE_ARGUMENTS, "attr"))
        return not given and not is_symbolic(args.get("mode")) and super().same_as_module(variables)

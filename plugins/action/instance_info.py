# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action plugin of the module instance_info."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import (
    SECRET_PARTS,
)
from ansible_collections.fcd.cloud.plugins.modules import instance_info
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import InProcessAction

main = instance_info.main  # for ansible-lint, which checks options with it


class ActionModule(InProcessAction):
    """Reads instances in the task worker."""

    operation = instance_info.OPERATION

    def asks_for_secrets(self, args: dict[str, t.Any]) -> bool:
        """Whether the task asks for something secret; a list may be given as a text with commas."""
        include = args.get("include") or ()
        names = include.split(",") if isinstance(include, str) else include
        return any(str(name).strip() in SECRET_PARTS for name in names)

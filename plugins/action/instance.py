# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action plugin of the module instance."""

from __future__ import annotations

import typing as t

from ansible.module_utils.parsing.convert_bool import boolean

from ansible_collections.fcd.cloud.plugins.modules import instance
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import InProcessAction

main = instance.main  # for ansible-lint, which checks options with it


class ActionModule(InProcessAction):
    """Manages instances in the task worker."""

    operation = instance.OPERATION

    def asks_for_secrets(self, args: dict[str, t.Any]) -> bool:
        """Whether the task asks for what to log in with."""
        return bool(boolean(args.get("access_data") or False, strict=False))

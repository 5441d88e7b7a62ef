# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action plugin of the module instance_console_info, written by tests/tools/action_plugins.py."""

from __future__ import annotations

from ansible_collections.fcd.cloud.plugins.modules import instance_console_info
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import InProcessAction

main = instance_console_info.main  # for ansible-lint, which checks options with it


class ActionModule(InProcessAction):
    """Runs the operation of the module in the task worker."""

    operation = instance_console_info.OPERATION

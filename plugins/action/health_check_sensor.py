# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action plugin of the module health_check_sensor, written by tests/tools/action_plugins.py."""

from __future__ import annotations

from ansible_collections.fcd.cloud.plugins.modules import health_check_sensor
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import InProcessAction

main = health_check_sensor.main  # for ansible-lint, which checks options with it


class ActionModule(InProcessAction):
    """Runs the operation of the module in the task worker."""

    operation = health_check_sensor.OPERATION

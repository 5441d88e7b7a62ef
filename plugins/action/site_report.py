# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action of the module site_report: writes reports on the controller."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.modules import site_report
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import Args, ControllerAction
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.report_files import write_reports

main = site_report.main  # for ansible-lint, which checks options with it


class ActionModule(ControllerAction):
    """Writes files of the controller and asks no service."""

    operation = site_report.OPERATION
    reaches_services = False

    def work(self, task: t.Any, params: Args) -> Args:
        """Write what differs, in check mode nothing. Raises InvalidInput."""
        del task
        return write_reports(params, write=not self._task.check_mode)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twin of the module site_report: the reports are written on the controller, whatever the host of the task is."""

from __future__ import annotations

import os
import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._resources.site_report.operation import OPERATION
from ansible_collections.fcd.cloud.plugins.plugin_utils._twin import TwinAction

Args = t.Dict[str, t.Any]


class ActionModule(TwinAction):
    """Writes reports in the task worker."""

    operation = OPERATION

    def same_as_module(self, variables: Args) -> bool:
        """Run it here in any case."""
        del variables
        return True

    def _absolute_paths(self, spec: t.Mapping[str, Args], params: Args) -> Args:
        """Make relative paths start at the current folder of the command."""
        paths = {name for name, option in spec.items() if option.get("type") == "path" and params.get(name)}
        return {name: os.path.abspath(value) if name in paths else value for name, value in params.items()}

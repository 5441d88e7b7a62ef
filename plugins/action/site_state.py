# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action of the module site_state: reads the site file for what the site is called and where its registry is."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.modules import site_state
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import Args, ControllerAction
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import read_site
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state_commands import run_state

main = site_state.main  # for ansible-lint, which checks options with it


class ActionModule(ControllerAction):
    """Works on the controller only; no secret of the site file is looked at."""

    operation = site_state.OPERATION

    def work(self, task: t.Any, params: Args) -> Args:
        """Read the site file and do what the command says. Raises FcdError."""
        src, overlays, environment = params["src"], params["overlays"], params["environment"] or None
        declaration = read_site(self._loader, self._templar, src, overlays, environment, secrets=False)
        return run_state(declaration, task, params)

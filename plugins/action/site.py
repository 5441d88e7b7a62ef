# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans and applies a site; it reads the site file itself, so that no secret of it is an argument or a variable."""

from __future__ import annotations

import typing as t

from ansible import constants

from ansible_collections.fcd.cloud.plugins.modules import site
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import Args, ControllerAction
from ansible_collections.fcd.cloud.plugins.plugin_utils._screen import display, show_lines
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import read_site
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.outputs import with_distinct_names
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_policies import PolicyCheck, read_policies
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.terminal import output_lines, plan_lines
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.site_run import Policies, RunObserver, run_site

main = site.main  # for ansible-lint, which checks options with it


class ActionModule(ControllerAction):
    """Works on the controller only."""

    operation = site.OPERATION
    shares_plans = True

    def work(self, task: t.Any, params: Args) -> Args:
        """Read the site file and bring the site to its state. Raises FcdError."""
        files = params["src"], params["overlays"]
        declaration = read_site(self._loader, self._templar, *files, params["environment"] or None)
        shows = params["show_plan"] and self.progress.readable
        watcher = RunObserver(self.progress.announce, _show_plan if shows else None)
        policies = self._policies([*declaration.policies, *params["policies"]])
        result = run_site(declaration, task, params, policies, watcher)
        if "hosts" in result:
            known = self._templar.available_variables
            result["hosts"] = with_distinct_names(result["hosts"], known, params["host_groups"], task.warn)
        if shows and not task.check_mode and not result.get("failed"):
            _show_outputs(result.get("outputs", {}))
        return result

    def _policies(self, paths: t.Sequence[str]) -> Policies:
        if not paths:
            return lambda _plan: []

        return PolicyCheck(self._loader, self._templar.available_variables, read_policies(paths)).results


def _show_plan(plan: Args) -> None:
    lines = plan_lines(plan, everything=display.verbosity > 0)
    show_lines((line.text, getattr(constants, line.colour) if line.colour else None) for line in lines)


def _show_outputs(outputs: Args) -> None:
    show_lines((line, None) for line in output_lines(outputs))

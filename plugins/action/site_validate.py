# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action of the module site_validate: checks a site file on the controller."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.modules import site_validate
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import ControllerAction
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import read_site, validation_result

main = site_validate.main  # for ansible-lint, which checks options with it


class ActionModule(ControllerAction):
    """Reads what is declared and sends nothing."""

    operation = site_validate.OPERATION
    reaches_services = False

    def work(self, task: t.Any, params: dict[str, t.Any]) -> dict[str, t.Any]:
        """Return what is declared. Raises InvalidInput with all that is wrong."""
        del task
        files = params["src"], params["overlays"], params["environment"] or None
        read = params["read_secrets"]
        how = {"secrets": read, "lookups": read, "strict_names": params["strict_names"]}
        return validation_result(read_site(self._loader, self._templar, *files, **how))

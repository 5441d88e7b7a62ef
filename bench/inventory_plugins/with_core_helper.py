# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory plugin with the groups made by ansible-core's own helper, to compare with."""

from __future__ import annotations

import typing as t

from ansible.inventory.host import Host

from ansible_collections.fcd.cloud.plugins.inventory import instances
from ansible_collections.fcd.cloud.plugins.plugin_utils._constructed import ConstructedInventory

DOCUMENTATION = instances.DOCUMENTATION.replace("name: instances", "name: with_core_helper").replace(
    "      - fcd.cloud.instances\n", "      - with_core_helper\n"
)


def _build(self: ConstructedInventory, hosts: t.Sequence[Host]) -> None:
    plugin = self._plugin
    for host in hosts:
        plugin._set_composite_vars(plugin.get_option("compose"), {}, host.name, plugin.get_option("strict"))
        plugin._add_host_to_composed_groups(plugin.get_option("groups"), {}, host.name, plugin.get_option("strict"))
        plugin._add_host_to_keyed_groups(plugin.get_option("keyed_groups"), {}, host.name, plugin.get_option("strict"))


class InventoryModule(instances.InventoryModule):
    """Same hosts, same variables; core's groups."""

    NAME = "with_core_helper"

    def parse(self, *arguments: t.Any, **more: t.Any) -> None:
        """Add the hosts."""
        ConstructedInventory.build = _build  # type: ignore[method-assign] # nothing else runs in this process
        super().parse(*arguments, **more)

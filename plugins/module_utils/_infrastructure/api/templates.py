# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates (wire-facts section 4): one method for each remote operation; the list is in Infrastructure."""

from __future__ import annotations

from .infrastructure import Infrastructure, Item


class Templates:
    """What instances are made from."""

    def __init__(self, rest: Infrastructure) -> None:
        self._rest = rest

    def get_template(self, number: int) -> Item:
        """Return one template. Raises NotFound."""
        return self._rest.one(f"Read template {number}", f"/templates/{number}")

    def get_instance_template(self, instance_id: int) -> Item:
        """Return the template that was made from an instance. Raises NotFound; the older line has no such path."""
        operation = f"Read the template made from instance {instance_id}"
        return self._rest.one(operation, f"/instances/{instance_id}/template")

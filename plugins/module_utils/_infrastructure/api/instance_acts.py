# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What makes something else out of an instance (wire-facts section 5.4): one method for each remote operation."""

from __future__ import annotations

import typing as t

from .infrastructure import Infrastructure, Item


class InstanceActs:
    """Acts on instances that Infrastructure has no room for."""

    def __init__(self, rest: Infrastructure) -> None:
        self._rest = rest

    def clone_instance(self, number: int, body: t.Mapping[str, t.Any]) -> Item:
        """Make a second instance like this one and return the ticket."""
        return self._rest.ticket(
            f"Clone instance {number}", "POST", f"/instances/{number}/clone_ticket", json=dict(body)
        )

    def convert_to_template(self, number: int, body: t.Mapping[str, t.Any]) -> Item:
        """Make a template out of an instance, which ceases to exist, and return the ticket."""
        return self._rest.ticket(
            f"Convert instance {number} to a template",
            "POST",
            f"/instances/{number}/convert_to_template_ticket",
            json=dict(body),
        )

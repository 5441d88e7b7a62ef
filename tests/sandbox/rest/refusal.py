# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A request that the service understands and does not carry out."""

from __future__ import annotations


class Refusal(Exception):
    """Ends a call with that HTTP status and a text for ``Message`` (docs/service/infrastructure.md, "Errors")."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

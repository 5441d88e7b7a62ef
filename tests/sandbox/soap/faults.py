# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of the service (docs/service/contract.md, "Faults"); the error codes but for 133 are assumptions."""

from __future__ import annotations

DENIED = "AuthorizationErrorDescription"
BUSINESS = "ErrorDescription"

LOCKED = 133
NOT_FOUND = 1001
TAKEN = 1002
WRONG_PASSWORD = 1003
INVALID = 1004


class Fault(Exception):
    """An answer that is a SOAP fault.

    ``element`` names the error element in the detail (empty: no detail); it holds ``error_code`` and the reason.
    """

    def __init__(
        self,
        reason: str,
        *,
        code: str = "Sender",
        subcode: tuple[str, str] | None = None,
        element: str = "",
        error_code: int = 0,
        status: int = 500,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.subcode = subcode
        self.element = element
        self.error_code = error_code
        self.status = status


def business(error_code: int, reason: str) -> Fault:
    """A fault with an error code, for requests that the rules of the service forbid."""
    return Fault(reason, element=BUSINESS, error_code=error_code)


def not_found(what: str, number: object) -> Fault:
    """The object that a write names does not exist."""
    return business(NOT_FOUND, f"{what} {number} does not exist")

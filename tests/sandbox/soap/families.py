# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which function answers which operation: each family's functions carry the names of their operations."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable

from sandbox.soap import (
    catalogue,
    clients,
    contacts,
    logon,
    pricing,
    templates,
    users,
    virtual_machines,
    warehouses,
)
from sandbox.soap.schema import contract
from sandbox.soap.state import Inputs, State

Handler = Callable[[State, Inputs], Any]

_MODULES: tuple[ModuleType, ...] = (
    catalogue,
    clients,
    contacts,
    logon,
    pricing,
    templates,
    users,
    virtual_machines,
    warehouses,
)


def handlers() -> dict[str, Handler]:
    """The function of every operation of the contract."""
    return {
        name: function
        for module in _MODULES
        for name, function in vars(module).items()
        if name in contract().operations
    }

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""All handlers: importing this fills the table from every file beside it."""

from __future__ import annotations

import importlib
import pkgutil

from sandbox import rest
from sandbox.rest.handlers import HANDLERS

for _file in pkgutil.iter_modules(rest.__path__):
    if _file.name != "operations":
        importlib.import_module(f"{rest.__name__}.{_file.name}")

__all__ = ["HANDLERS"]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Third-party libraries: imported late, and missed with a helpful message."""

from __future__ import annotations

import importlib
import sys
import typing as t

from .errors import MissingLibrary


def require(name: str, package: str | None = None, *, purpose: str = "this module") -> t.Any:
    """Return the module called ``name``.

    ``package`` is its name on the package index where that differs. Raises MissingLibrary.
    """
    try:
        return importlib.import_module(name)
    except ImportError as exc:
        wanted = package or name.partition(".")[0]
        raise MissingLibrary(
            f"{purpose} needs the Python library {wanted}, which {sys.executable} does not have ({exc}).",
            next_step=f"Install it with: {sys.executable} -m pip install {wanted}",
            library=wanted,
            python=sys.executable,
        ) from exc

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Third-party libraries: imported late, and missed with a helpful message."""

from __future__ import annotations

import importlib
import sys
import typing as t

from .errors import MissingLibrary


def require(
    name: str, package: str | None = None, *, purpose: str = "this module", besides: t.Iterable[str] = ()
) -> t.Any:
    """Return the module called ``name``.

    ``package`` is its name on the package index where that differs, ``besides`` are modules that will be needed too.
    Raises MissingLibrary, naming all that are missing.
    """
    try:
        return importlib.import_module(name)
    except ImportError as exc:
        missing = [package or name.partition(".")[0]]
        missing += [
            own for own in (other.partition(".")[0] for other in besides if not _there(other)) if own not in missing
        ]
        what, them = ("library", "it") if len(missing) == 1 else ("libraries", "them")
        raise MissingLibrary(
            f"{purpose} needs the Python {what} {' and '.join(missing)}, which {sys.executable} does not have ({exc}).",
            next_step=f"Install {them} with: {sys.executable} -m pip install {' '.join(missing)}",
            library=missing[0],
            libraries=missing,
            python=sys.executable,
        ) from exc


def _there(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True

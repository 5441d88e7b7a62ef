# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own modules from byte code, as Python loads all others. Importing this is all there is to do.

Ansible's loader compiles what a collection imports from its text, in each process again: of the time that a site took
which had nothing to do, that was a third. Byte code is kept when and where Python keeps it: in ``__pycache__`` beside
the files, as that of the plugins themselves; not where nothing can be written, or PYTHONDONTWRITEBYTECODE forbids it.
Modules that run in processes of their own do not come here.
"""

from __future__ import annotations

import sys
import typing as t
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader

_PLUGINS = __name__.rpartition("plugin_utils.")[0]
OURS = (f"{_PLUGINS}module_utils.", f"{_PLUGINS}plugin_utils.")


class OwnModules(MetaPathFinder):
    """Finds the files of this collection that plugins import, and nothing else."""

    def __init__(self) -> None:
        """Look into no folder yet."""
        self._folders: dict[str, FileFinder] = {}

    def find_spec(self, fullname: str, path: t.Sequence[str] | None, target: t.Any = None) -> ModuleSpec | None:
        """Return how one of our modules is loaded; None for others, and for folders without code."""
        del target
        for folder in path or () if fullname.startswith(OURS) else ():
            spec = self._folder(folder).find_spec(fullname)
            if spec is not None and spec.has_location:
                return spec
        return None

    def _folder(self, folder: str) -> FileFinder:
        if folder not in self._folders:
            self._folders[folder] = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
        return self._folders[folder]


sys.meta_path.insert(0, OwnModules())  # before Ansible's, which takes all names of collections

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which unit tests and integration targets of the collection can turn out differently with another ansible-core.

Of ``module_utils`` only ``_ansible`` imports anything of Ansible, which tests/unit/test_layers.py sees to. The tests of
all else there say the same with every core on the same Python, and the session ``units`` runs them. For the same reason
an integration target that tries one module deeply need not do so with every core, where others run that module too.
"""

from __future__ import annotations

import re
from pathlib import Path

TARGETS = Path(__file__).resolve().parents[1] / "integration" / "targets"
DEEP = {"client", "client_user", "storage_container", "storage_sync", "warehouse"}
"""Targets whose modules roles and other targets run as well; what they find out, module_utils does alone."""

PURE = "module_utils"
OF_ANSIBLE = re.compile(r"\bansible\b|_ansible\b|\bplugins\.(?!module_utils\b)")


def chosen(folder: Path, *, same_python: bool) -> list[Path]:
    """Return what pytest has to run of the folder ``tests/unit/plugins`` with a core.

    ``same_python`` says that the core is on a Python of the version that ``units`` runs on. Everything is returned
    where it is not, and where a file that tests share knows of Ansible.
    """
    files = [file for file in sorted((folder / PURE).rglob("*.py")) if OF_ANSIBLE.search(file.read_text("utf-8"))]
    if not same_python or not all(file.name.startswith("test_") for file in files):
        return [folder]
    faces = [place for place in sorted(folder.iterdir()) if place.name != PURE and any(place.glob("test_*.py"))]
    return [*faces, *files]


def targets() -> list[str]:
    """Return the integration targets that together run everything that uses ansible-core, and each module."""
    all_targets = {place.name for place in TARGETS.iterdir() if not place.name.startswith("setup_")}
    return sorted(all_targets - DEEP)

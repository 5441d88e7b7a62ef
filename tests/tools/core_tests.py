# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which unit tests of the collection can turn out differently with another ansible-core.

Of ``module_utils`` only ``_ansible`` imports anything of Ansible, which tests/unit/test_layers.py sees to. The tests of
all else there say the same with every core on the same Python, and the session ``units`` runs them, and only them: the
others run with the oldest and the newest core, on the Pythons of these.
"""

from __future__ import annotations

import re
from pathlib import Path

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

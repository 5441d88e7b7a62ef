# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers from the package index, each in an environment of its own that is built on first use."""

from __future__ import annotations

from pathlib import Path

import enter
import virtual_environment
import workspace

TOOLS = workspace.CHECKOUT / "tests" / "tools"


def swift() -> Path:
    """Return the program of python-swiftclient."""
    return _python("swift").with_name("swift")


def openstack() -> Path:
    """Return a Python that has openstacksdk and, among its packages, the collection openstack.cloud."""
    return _python("openstack")


def collections_beside(python: Path) -> Path:
    """Return the folder in which ansible-core finds the collections that are packages of that Python."""
    (found,) = python.parent.parent.glob("lib/python*/site-packages")
    return found


def _python(name: str) -> Path:
    with workspace.locked(f"peer-{name}"):
        place = workspace.folder() / f"peer-{name}"
        return virtual_environment.build(place, enter.controller(), [TOOLS / f"requirements-{name}.txt"])

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation site, built once for all of these tests."""

from __future__ import annotations

from pathlib import Path

import docsite as builder
import pytest


@pytest.fixture(scope="session")
def site() -> Path:
    """Return the folder of the pages; building it fails on any warning."""
    return builder.build()

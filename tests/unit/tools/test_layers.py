# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing of the layers shows those that the imports are checked against."""

from __future__ import annotations

import layers
import workspace


def test_the_drawing_is_that_of_the_rules() -> None:
    kept = (workspace.CHECKOUT / "docs" / "static" / "layers.svg").read_text(encoding="utf-8")
    assert kept == layers.drawing(), "run: python tests/tools/pictures.py layers"

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The doc fragments and the guide to the connection options say what the table of options says."""

from __future__ import annotations

import connection_docs
import pytest


@pytest.mark.parametrize("name", connection_docs.FRAGMENTS)
def test_the_fragment_is_up_to_date(name: str) -> None:
    written = connection_docs.path(name).read_text(encoding="utf-8")
    assert written == connection_docs.source(name), "run: python tests/tools/connection_docs.py"


def test_the_guide_is_up_to_date() -> None:
    written = connection_docs.GUIDE.read_text(encoding="utf-8")
    assert written == connection_docs.guide(), "run: python tests/tools/connection_docs.py"


def test_every_option_is_described_and_no_other() -> None:
    assert set(connection_docs.TEXTS) == set(connection_docs.OPTIONS)

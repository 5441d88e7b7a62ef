# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One browser for all tests, and the pages they look at."""

from __future__ import annotations

import typing as t
from pathlib import Path

import browser_at_hand
import pytest
import workspace

from pages.browser import Browser
from pages.sample_pages import write_pages


@pytest.fixture(scope="session")
def folder() -> Path:
    """Where pages and pictures stay, so that a pipeline can keep them."""
    place = workspace.folder() / "pages"
    place.mkdir(exist_ok=True)
    for old in place.glob("*.*"):
        old.unlink()
    return place


@pytest.fixture(scope="session")
def pages(folder: Path) -> dict[str, Path]:
    """The pages by name."""
    return write_pages(folder)


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Browser]:
    """The browser."""
    if missing := browser_at_hand.missing():
        pytest.skip(f"NOT RUN: {missing}")
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def browser(started: Browser) -> t.Iterator[Browser]:
    """The browser, wide and light, with scripts; it ends without errors and without having asked for anything else."""
    started.look(width=1280, scheme="light")
    started.scripts(run=True)
    yield started
    started.scripts(run=True)

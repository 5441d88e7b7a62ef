# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How hypothesis looks for examples, and a clock that never waits."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock

hypothesis.settings.register_profile("night", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("inner loop", hypothesis.settings.get_profile("night"), max_examples=20)
hypothesis.settings.register_profile(
    "first failure",  # tests/tools/mutation.py wants to know only that there is one
    hypothesis.settings.get_profile("inner loop"),
    phases=[hypothesis.Phase.generate],
    report_multiple_bugs=False,
)
hypothesis.settings.load_profile("inner loop")


class FakeClock(Clock):
    """Time that passes only when somebody sleeps; ``pauses`` are the sleeps so far, in seconds."""

    def __init__(self) -> None:
        self.time = 1_700_000_000.0
        self.pauses: list[float] = []

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.time += max(0.0, seconds)


@pytest.fixture
def fake_clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty home folder, and an environment without settings and proxies."""
    for name in list(os.environ):
        if name.startswith("FCD_") or name.lower().endswith("_proxy") or name.endswith("_CA_BUNDLE"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sanity tests of ansible-test with each older core, a file of their own for a worker of their own."""

from __future__ import annotations

import cores
import pytest

from checks.sanity import everything

pytestmark = pytest.mark.full


@pytest.mark.parametrize("core", [core for core in cores.CORES if core != cores.newest()], ids=lambda core: core.series)
def test_everything(core: cores.Core) -> None:
    everything(core)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The integration targets that no other file names: what belongs to instances, roles that make them, and new ones."""

from __future__ import annotations

import typing as t

import pytest

from integration import conftest, test_contract_targets, test_instance_targets, test_storage_targets

ELSEWHERE = {*test_contract_targets.TARGETS, *test_instance_targets.TARGETS, *test_storage_targets.TARGETS}
TARGETS = sorted({target.name for target in conftest.TARGETS.iterdir()} - ELSEWHERE - {"setup_sandbox"})


@pytest.mark.parametrize("target", TARGETS)
def test_the_target_runs(target: str, play: t.Callable[..., str]) -> None:
    play(roles=[target])

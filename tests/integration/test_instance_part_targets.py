# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The integration targets of what belongs to instances, and of roles that make them, in the task worker."""

from __future__ import annotations

import typing as t

import pytest

TARGETS = (
    *("instance_acts", "instance_parts", "orchestration", "role_instances", "role_orchestrated_instances"),
    "role_provision",
)


@pytest.mark.parametrize("target", TARGETS)
def test_the_target_runs(target: str, play: t.Callable[..., str]) -> None:
    play(roles=[target])

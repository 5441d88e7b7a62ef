# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The integration targets of the object storage, of tokens and of whole sites, in the task worker."""

from __future__ import annotations

import typing as t

import pytest

TARGETS = (
    *("lookup_token", "role_credentials", "role_object_storage", "site", "site_export", "site_report", "site_state"),
    *("site_validate", "storage_account", "storage_container", "storage_object", "storage_sync", "token"),
)


@pytest.mark.parametrize("target", TARGETS)
def test_the_target_runs(target: str, play: t.Callable[..., str]) -> None:
    play(roles=[target])

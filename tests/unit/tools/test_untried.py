# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the integration targets have to try both ways, of each module."""

from __future__ import annotations

import untried

WHOLE = ["create", "create, in check mode", "failed: InvalidInput", "unchanged"]


def lines(module: str, *tried: str) -> list[str]:
    everything = {f"fcd.cloud.{name}": WHOLE for name in untried.modules()}
    return untried.lacking({**everything, f"fcd.cloud.{module}": tried})


def test_whole_notes_lack_nothing() -> None:
    assert lines("warehouse", *WHOLE) == []
    assert lines("warehouse_info", "unchanged", "failed: InvalidInput") == []


def test_a_module_that_nobody_tried_lacks_everything() -> None:
    (first, *_others) = untried.lacking({})
    assert first.startswith(untried.modules()[0])
    assert {line.partition(":")[0] for line in untried.lacking({})} == set(untried.modules())


def test_check_mode_counts_for_itself_only() -> None:
    checked = [outcome for outcome in WHOLE if outcome != "create"]
    assert lines("warehouse", *checked) == ["warehouse: no change"]
    assert lines("warehouse", "create", "failed: InvalidInput", "unchanged") == ["warehouse: nothing in check mode"]
    assert lines("warehouse", "create", "failed: InvalidInput", "unchanged, in check mode") == [
        "warehouse: nothing that leaves all as it is"
    ]


def test_a_reader_changes_nothing_and_has_to_fail_too() -> None:
    assert lines("warehouse_info", "unchanged") == ["warehouse_info: nothing that fails"]

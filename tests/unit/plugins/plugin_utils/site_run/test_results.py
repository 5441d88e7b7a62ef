# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The message of a run in which entries failed."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, note_change
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Entry
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_document import applied_result, planned_result
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.stages import Done, EntryOutcome, EntryResult


def error(name: str, msg: str, next_step: str | None = None) -> dict[str, t.Any]:
    return {"kind": "disks", "name": name, "source": "site.yml:1", "msg": msg, "next_step": next_step}


def message(*errors: dict[str, t.Any]) -> str:
    plan = {"site": "shop", "counts": {}, "changes": [], "entries": 20, "errors": list(errors)}
    return str(planned_result(plan, [])["msg"])


def test_one_reason_is_told_once() -> None:
    told = message(
        *(error(f"d{n}", "The log-in was refused.", "Check it.") for n in range(8)), error("x", "It is odd.")
    )
    assert told.count("The log-in was refused. Check it.") == 1
    assert "disks d4 (site.yml:1) and 3 more: The log-in" in told
    assert told.endswith("; disks x (site.yml:1): It is odd.")


def test_of_many_reasons_the_first_are_told() -> None:
    told = message(*(error(f"d{n}", f"Reason {n}.") for n in range(7)))
    assert "Reason 4." in told
    assert "Reason 5." not in told
    assert told.endswith("; and 2 more, see failed_entries")


def test_each_entry_is_done_or_failed_or_not_begun() -> None:
    """One that has changed something and failed then is not done."""
    made, half_made = EntryResult("create", {}, {}, 7), FcdError("The lock is lost.")
    note_change(half_made)
    ends: list[tuple[EntryOutcome, bool]] = [
        (made, True),
        (half_made, True),
        (FcdError("It was refused."), True),
        (FcdError("It was not begun."), False),
    ]
    entries = [Entry("disks", f"d{n}", f"d{n}", {}, {}, f"site.yml:{n}") for n in range(len(ends))]
    done = [
        Done(entry, expected=EntryResult("create", {}, {}), verdict="create", actual=end, started=started)
        for entry, (end, started) in zip(entries, ends)
    ]
    plan = {"site": "shop", "counts": {"create": 4}, "by_kind": {}, "changes": [], "entries": 4, "errors": []}
    result = applied_result(plan, done, Redactor())
    assert result["counts"] == {"create": 4, "changed": 1, "failed": 2, "not_begun": 1}

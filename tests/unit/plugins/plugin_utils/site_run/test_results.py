# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The message of a run in which entries failed."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_document import planned_result


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

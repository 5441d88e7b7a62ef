# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two tasks change different fields of one object at the same moment, and its update replaces all of them."""

from __future__ import annotations

import typing as t

import pytest

from chaos.kinds import Wish
from chaos.task_process import context
from chaos.workplace import Workplace

CLIENT, USER = "client", "client_user"
CASES: list[tuple[str, str, str, Wish, Wish, Wish]] = [
    (CLIENT, "GetClient$", "^UpdateIndividual", {"id": 100}, {"commission": "7"}, {"project_name": "Heron"}),
    (USER, "GetUser$", "^UpdateUserInfo", {"id": 2}, {"first_name": "Ada"}, {"last_name": "Heron"}),
]


@pytest.mark.parametrize(("module", "reads", "updates", "who", "one", "other"), CASES, ids=["client", "client_user"])
def test_neither_change_is_lost(
    place: Workplace, module: str, reads: str, updates: str, who: Wish, one: Wish, other: Wish
) -> None:
    reading: Wish = {"service": "soap", "operation": reads}
    writing: Wish = {"service": "soap", "operation": updates}
    place.sandbox.fault("hold", times=0, number=2, **reading)
    go = context().Event()
    tasks = [place.start(module, {**who, **change}, start=go) for change in (one, other)]
    go.set()
    assert [task.ended().succeeded()["changed"] for task in tasks] == [True, True]
    sent = [place.seen(writing)[0]["n"], place.seen(writing)[1]["n"]]
    looked = {entry["client_port"] for entry in place.seen(reading) if entry["n"] < sent[0]}
    assert len(looked) == 2, "the tasks have not read it at the same time: nothing is proved"
    place.sandbox.clear_faults()
    told = place.run(module, {**who, **one, **other}).succeeded()
    assert told["changed"] is False, t.cast("object", told["diff"])

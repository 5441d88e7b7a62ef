# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fleet as tests declare it, and what there really is of it."""

from __future__ import annotations

import typing as t
from collections import Counter

from chaos.kinds import DELETED, PLACE, Wish
from chaos.task_process import Ended
from chaos.workplace import Workplace

MODULE = "instance_fleet"
LONG = 7200.0
"""Seconds that are never over by themselves: longer than a task may take, and than its clock leaps."""

CREATE: Wish = {"service": "rest", "method": "POST", "path": "/instances$"}


def fleet(prefix: str, number: int, **more: t.Any) -> Wish:
    """Return the options of a fleet of instances named ``<prefix>-0`` and so on."""
    return {
        "instances": [{"name": f"{prefix}-{one}"} for one in range(number)],
        "instance_defaults": PLACE,
        "concurrency": 8,
        "create_grace": 30.0,
        "wait_timeout": LONG,
        **more,
    }


def forced(prefix: str, number: int) -> Wish:
    """Return the options after a look at the service: what is not there is created, whatever was sent before."""
    return fleet(prefix, number, create_grace=0.5, force_create=True)


def failed(ended: Ended) -> dict[str, dict[str, t.Any]]:
    """Return the instances that failed, by name."""
    return {one["name"]: one for one in ended.result["outcomes"] if one["action"] == "failed"}


def kinds(ended: Ended) -> dict[str, str]:
    """Return the kinds of the failures, by name."""
    return {name: one["error"]["kind"] for name, one in failed(ended).items()}


def really(place: Workplace, prefix: str) -> Counter[str]:
    """Return how often each name stands at the service."""
    return Counter(
        one["Name"]
        for one in place.sandbox.state()["rest"]["instances"]
        if one["Name"].startswith(f"{prefix}-") and one["Status"] != DELETED
    )


def once_each(prefix: str, number: int) -> Counter[str]:
    """Return what there is to be."""
    return Counter(f"{prefix}-{one}" for one in range(number))

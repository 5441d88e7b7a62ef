# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fleet as tests declare it, and what there really is of it."""

from __future__ import annotations

import typing as t
from collections import Counter

from chaos.kinds import DELETED, PLACE, Wish
from chaos.workplace import Workplace

MODULE = "instance_fleet"
LONG = 7200.0
"""Seconds that are never over by themselves: longer than a task may take, and than its clock leaps."""

CREATE: Wish = {"service": "rest", "method": "POST", "path": "/instances$"}


def fleet(prefix: str, number: int, **more: t.Any) -> Wish:
    """Return the options of a fleet of machines named ``<prefix>-0`` and so on."""
    return {
        "instances": [{"name": f"{prefix}-{one}"} for one in range(number)],
        "instance_defaults": PLACE,
        "concurrency": 8,
        "create_grace": 30.0,
        "wait_timeout": LONG,
        **more,
    }


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

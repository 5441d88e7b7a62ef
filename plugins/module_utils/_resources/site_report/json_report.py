# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan itself as JSON, for programs."""

from __future__ import annotations

import json

from .plan_contents import Plan


def json_report(plan: Plan) -> str:
    """Return all that the plan has, its names sorted, so that the same plan gives the same file."""
    return json.dumps(plan.raw, indent=2, sort_keys=True, allow_nan=False) + "\n"

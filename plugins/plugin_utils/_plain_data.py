# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a playbook as a module would get them."""

from __future__ import annotations

import datetime as dt
import typing as t


def plain_data(value: t.Any) -> t.Any:
    """Return the value without the tags and kinds of text that only the controller knows."""
    if isinstance(value, t.Mapping):
        return {str(key): plain_data(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_data(entry) for entry in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (dt.date, dt.time)):  # YAML makes them of texts without quotes; a module gets ISO 8601
        return value.isoformat()
    for kind in (int, float):
        if isinstance(value, kind):
            return kind(value)
    return str(value)  # texts, and what becomes one when it is sent

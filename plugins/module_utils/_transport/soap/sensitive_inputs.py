# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values in a request that nobody may see again: the service may repeat them in its words."""

from __future__ import annotations

import typing as t

from ..._core.names import fold

NAMES = {"password", "newpassword", "oldpassword", "adpassword", "token", "code", "verificationcode", "pesel"}


def secrets_of(values: t.Any) -> t.Iterator[str]:
    """Yield the texts of members with such a name, at any depth."""
    if isinstance(values, t.Mapping):
        for name, value in values.items():
            if isinstance(value, str) and fold(str(name)) in NAMES:
                yield str(value)
            else:
                yield from secrets_of(value)
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from secrets_of(value)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the older line of the interface does not know in the create of an instance (infrastructure facts, R3 and R4)."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure
    from .wanted import Wanted

REFUSED = ("init_script", "without_public_ip")  # the service would leave them out without a word
ATTACHED = "private_networks"


def require_known(api: Infrastructure, wanted: Wanted) -> None:
    """Raise InvalidInput for what only a create can bring, and this service's create does not.

    It is the moment to ask for the line, before anything is removed or made; for other creates nobody asks.
    """
    given = [option for option in REFUSED if wanted.get(option)]
    if not (given or wanted.get(ATTACHED)) or not api.is_older_line() or not given:
        return
    raise InvalidInput(
        f"{given[0]}: the service runs version 2020 of the interface, whose create of an instance does not know it.",
        next_step=f"Leave {' and '.join(given)} out; or set api_version to 2023 where the service is a later one.",
        option=given[0],
    )


def sent(api: Infrastructure, values: t.Mapping[str, t.Any]) -> t.Mapping[str, t.Any]:
    """Return the values that the create is sent with; private networks may have to be attached afterwards."""
    if not values.get(ATTACHED) or not api.is_older_line():
        return values
    return {name: value for name, value in values.items() if name != ATTACHED}

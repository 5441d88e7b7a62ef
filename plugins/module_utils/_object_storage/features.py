# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service tells about itself: limits, features and storage policies. It may tell nothing (wire-facts 10.6)."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .stated import Told, entries, section

SHOW = "The module storage_account_info shows what it offers."


class Features:
    """Asked at most once, and only when it matters. ``ask`` returns what the service tells, nothing where it is silent.

    Where it is silent nothing is refused here: the request is sent, and the service answers.
    """

    def __init__(self, ask: t.Callable[[], Told]) -> None:
        self._ask = ask
        self._told: Told | None = None

    @property
    def told(self) -> Told:
        """All that the service tells, by the names of its features."""
        if self._told is None:
            self._told = self._ask()
        return self._told

    def limits(self) -> Told:
        """Return the limits that it states, by its names for them."""
        return section(self.told, "swift") or {}

    def check(self, feature: str, option: str, flag: str | None = None) -> None:
        """Raise InvalidInput when the service tells its features and this one is not among them.

        ``flag`` is one of the kinds of the feature; a service that names no kinds is taken to have all.
        """
        if not self.told:
            return
        found = section(self.told, feature)
        kinds = entries(found or {}, "allowed_flags")
        if found is None or (flag and kinds and flag not in kinds):
            raise InvalidInput(
                f"{option}: this object storage does not offer it; {flag or feature} is not among its features.",
                next_step=SHOW,
                option=option,
            )

    def policy(self, wanted: str) -> str:
        """Return the storage policy as the service spells it. Raises InvalidInput when it lists no such policy."""
        policies = [one for one in entries(self.limits(), "policies") if isinstance(one, dict) and one.get("name")]
        if not policies:
            return wanted
        for policy in policies:
            names = [str(policy["name"]), *str(policy.get("aliases", "")).split(",")]
            if wanted.casefold() in [name.strip().casefold() for name in names]:
                return str(policy["name"])
        raise InvalidInput(
            f"storage_policy: there is no policy {wanted!r}.",
            next_step=f"There are: {', '.join(str(policy['name']) for policy in policies)}.",
            option="storage_policy",
        )

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service offers: features and limits, as it states them."""

from __future__ import annotations

import sys
import typing as t

from .._core.errors import InvalidInput

ServiceInfo = t.Mapping[str, object]
SWIFT_LIMITS: dict[str, int] = {  # of Swift; the service's own are read from /info when one is passed
    "max_container_name_length": 256,
    "max_object_name_length": 1024,
    "max_meta_name_length": 128,
    "max_meta_value_length": 256,
    "max_meta_count": 90,
    "max_meta_overall_size": 4096,
    "max_file_size": 5368709122,
}


def feature_section(info: ServiceInfo, feature: str) -> ServiceInfo | None:
    """Return what the service says about a feature, None if it does not offer it."""
    found = info.get(feature)
    return None if found is None else found if isinstance(found, dict) else {}


def positive_number_in(info: ServiceInfo, name: str, usual: int) -> int:
    """Return the number of this name if it is at least 1, else the usual one."""
    found = info.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else usual


def list_in(info: ServiceInfo, name: str) -> list[object]:
    """Return the list of this name, an empty one if there is none."""
    found = info.get(name)
    return found if isinstance(found, list) else []


class Features:
    """The features and limits of the service, requested at most once, and only if they matter.

    ``ask`` returns what the service says about itself. If it says nothing, no feature is refused here: the request is
    sent, and the service answers.
    """

    def __init__(self, ask: t.Callable[[], ServiceInfo] = dict) -> None:
        self._ask = ask
        self._info: ServiceInfo | None = None

    @property
    def info(self) -> ServiceInfo:
        """All that the service says at /info, by feature."""
        if self._info is None:
            self._info = self._ask()
        return self._info

    def section(self, feature: str) -> ServiceInfo:
        """Return what the service says about a feature, nothing if it does not offer it."""
        return feature_section(self.info, feature) or {}

    def check(self, feature: str, option: str, flag: str | None = None) -> None:
        """Raise InvalidInput if the service lists its features, and this one is not among them.

        ``flag`` is one of the kinds of the feature; a service that names no kinds is taken to have all.
        """
        if not self.info:
            return
        found = feature_section(self.info, feature)
        kinds = list_in(found or {}, "allowed_flags")
        if found is None or (flag and kinds and flag not in kinds):
            raise InvalidInput(
                f"{option}: this object storage does not offer it; {flag or feature} is not among its features.",
                next_step="The module storage_account_info shows what it offers.",
                option=option,
            )

    def limit(self, name: str) -> int:
        """Return a limit of the service, the usual one if it states none."""
        return positive_number_in(self.section("swift"), name, SWIFT_LIMITS[name])

    def check_limit(self, name: str, used: int, what: str, unit: str = "bytes", *, ask: bool = False) -> None:
        """Raise InvalidInput when ``used`` passes the limit. ``ask``: the service may allow less than is usual."""
        if (ask or used > SWIFT_LIMITS[name]) and used > self.limit(name):
            allowed = self.limit(name)
            raise InvalidInput(f"{what}: {used} {unit} are too many; the service allows {allowed}.", limit=allowed)


UNLIMITED = Features(lambda: {"swift": dict.fromkeys(SWIFT_LIMITS, sys.maxsize)})
"""Limits that nothing passes, for checks without the service, which may allow more than is usual."""

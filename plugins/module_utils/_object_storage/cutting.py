# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which contents are stored in segments, and how large these are."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .features import Features
from .names import Limits
from .stated import number, section

ASK_FROM = 1 << 20  # bytes; a larger body cannot be refused cleanly while it is sent, so the limit is read before

OPTIONS: dict[str, dict[str, t.Any]] = {
    "segment_threshold": {"type": "int"},
    "segment_size": {"type": "int"},
    "segment_container": {"type": "str"},
}


class Cutting:
    """``threshold`` and ``wanted`` (size of the segments) are in bytes; None: what the service can take.

    The service is asked for its limits only about contents above a MiB.
    """

    def __init__(self, features: Features, threshold: int | None, wanted: int | None) -> None:
        self._features = features
        self._limits = Limits(features.limits)
        self._threshold = threshold
        self.wanted = wanted

    def each(self, size: int) -> int | None:
        """Return the size of the segments for a content of ``size`` bytes, None where it is stored as one object.

        Raises InvalidInput when it would have to be cut and cannot be.
        """
        if not self._is_large(size):
            return None
        from .segments import USUAL_NUMBER, USUAL_SIZE, segment_size

        if self._threshold is None and self._features.told and "slo" not in self._features.told:
            self._limits.check("max_file_size", size, "The content", ask=True)
        self._features.check("slo", "segment_threshold")
        slo = section(self._features.told, "slo") or {}
        largest, least = self._limits.value("max_file_size"), number(slo, "min_segment_size", 1)
        wanted = self.wanted
        if wanted is None and largest < USUAL_SIZE:
            wanted = largest
        each = segment_size(size, wanted, number(slo, "max_manifest_segments", USUAL_NUMBER))
        if not least <= each <= largest:
            raise InvalidInput(
                f"segment_size: the service takes segments of {least} to {largest} bytes, not of {each}.",
                option="segment_size",
            )
        return each

    def _is_large(self, size: int) -> bool:
        if self._threshold is not None:
            return size > self._threshold
        return size > ASK_FROM and size > self._limits.value("max_file_size")


def check_cutting(threshold: int | None, wanted: int | None) -> None:
    """Raise InvalidInput when the options cannot be meant."""
    for option, value in (("segment_threshold", threshold), ("segment_size", wanted)):
        if value is not None and value < 1:
            raise InvalidInput(f"{option}: {value} bytes; it must be at least 1.", option=option)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds up what all sandboxes held against the description of the service: ``python conformance_sum.py FOLDER``."""

from __future__ import annotations

import json
import shutil
import sys
import typing as t
from collections import Counter
from pathlib import Path

SHOWN = 40


class Total(t.NamedTuple):
    """What was checked, by line of the service and side, and every breach."""

    checked: Counter[tuple[str, str]]
    breaches: list[dict[str, t.Any]]

    def lines(self) -> list[str]:
        """What to print."""
        counts = [
            f"Line {line} of the service: {number} {side}s checked"
            for (line, side), number in sorted(self.checked.items())
        ]
        kinds = Counter(f"{one['side']} {one['operation']}: {one['text'][:300]}" for one in self.breaches)
        shown = [f"BREACH {number} x {text}" for text, number in kinds.most_common(SHOWN)]
        return [*counts, f"{len(self.breaches)} breaches of the interface descriptions", *shown]


def emptied(folder: Path) -> Path:
    """Return the folder, made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def add_up(folder: Path) -> Total:
    """Add up the accounts in a folder."""
    total = Total(Counter(), [])
    for file in sorted(folder.glob("*.json")):
        account = json.loads(file.read_text(encoding="utf-8"))
        for line, sides in account["checked"].items():
            total.checked.update({(line, side): number for side, number in sides.items()})
        total.breaches.extend(account["breaches"])
    return total


if __name__ == "__main__":
    found = add_up(Path(sys.argv[1]))
    print("\n".join(found.lines()))
    sys.exit(bool(found.breaches))

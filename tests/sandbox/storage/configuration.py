# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swift's own configuration file. It must be in place before any other part of Swift is imported."""

from __future__ import annotations

from pathlib import Path

from swift.common import utils

TEXT = """[swift-hash]
swift_hash_path_prefix = sandbox
swift_hash_path_suffix = sandbox
[swift-constraints]
"""


def write(directory: Path, limits: list[str]) -> None:
    """Make the directory, write swift.conf into it, and let Swift look for it there.

    Args:
        directory: must not exist.
        limits: lines ``name=value``, such as ``max_file_size=5242882`` or ``container_listing_limit=7``.

    Raises:
        ValueError: Swift has no limit of that name, or its value is no number.
    """
    directory.mkdir()
    (directory / "swift.conf").write_text(TEXT + "".join(f"{line}\n" for line in limits), encoding="utf-8")
    utils.set_swift_dir(str(directory))
    from swift.common.constraints import DEFAULT_CONSTRAINTS

    known = [name for name, value in DEFAULT_CONSTRAINTS.items() if isinstance(value, int)]
    for line in limits:
        name, _, value = line.partition("=")
        if name.strip() not in known or not value.strip().isdecimal():
            raise ValueError(f"no limit of the storage: {line!r}; known are {', '.join(known)}, each =NUMBER")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Types that every room uses: objects of JSON, of which no more is known, and how a user is warned."""

from __future__ import annotations

import typing as t

JsonObject = t.Dict[str, t.Any]
JsonObjects = t.List[JsonObject]
JsonMapping = t.Mapping[str, t.Any]
"""An object that is only read."""

Warn = t.Callable[[str], None]

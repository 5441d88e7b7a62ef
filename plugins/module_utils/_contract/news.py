# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""News items, read only (contract/soap-common-fcd.md, "Catalogue")."""

from __future__ import annotations

from .member_reading import Attribute
from .reading import Reading, reader

ATTRIBUTES = (Attribute("id", ("NewsId",)), Attribute("title", ("Subject", "Name")))

OPERATION = reader(
    "news_info",
    {
        "one": Reading("GetNews", ("news_id",), ("news_id",), rows="News", attributes=ATTRIBUTES, key="news"),
        "all": Reading(
            "GetNewses", ("language_dict_id",), searched=True, rows="NewsResultItem", attributes=ATTRIBUTES, key="news"
        ),
    },
    {"news_id": {"type": "int", "aliases": ["id"]}, "language_dict_id": {"type": "int", "aliases": ["language_id"]}},
)

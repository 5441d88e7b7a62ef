# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Privileges that users can have, read only (contract/soap-common-fcd.md, "Users and credentials")."""

from __future__ import annotations

from .member_reading import Attribute
from .reading import Reading, reader

ATTRIBUTES = (
    Attribute("id", ("PrivilegeId",)),
    Attribute("name", ("PrivilegeName", "DisplayName")),
    Attribute("description"),
)

OPERATION = reader(
    "privilege_info",
    {"privileges": Reading("GetPrivileges", ("type_dict_id",), rows="Privilege", attributes=ATTRIBUTES)},
    {"type_dict_id": {"type": "int", "required": True, "aliases": ["privilege_type_id"]}},
)

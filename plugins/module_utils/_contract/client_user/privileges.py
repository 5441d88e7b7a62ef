# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Privileges: a user's as a set of numbers, and the numbers behind names.

Source: contract/soap-common-fcd.md (GetPrivileges, GetUserPrivileges); the members of both types are not known.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import number_in, quoted
from ..._engine.labels import resolve
from ..common_fcd import CommonFcd
from ..member_reading import Attribute, MemberReader

OPTION = "privileges"


def numbers(api: CommonFcd, given: t.Sequence[str], type_id: int | None) -> list[int]:
    """Return the numbers of the privileges in rising order; the service is asked only when there are names.

    Raises InvalidInput for a name that the service does not have, Ambiguous for one that it has twice.
    """
    texts = [str(entry).strip() for entry in given]
    names = [text for text in texts if number_in(text) is None]
    found = {int(text) for text in texts if number_in(text) is not None}
    if names:
        found.update(_resolved(api, names, type_id))
    return sorted(found)


def of_user(api: CommonFcd, user: int) -> list[int]:
    """Return the numbers of the privileges that a user has, in rising order."""
    attribute = Attribute("privilege_id", ("Privilege",), ("privilege_id", "id"))
    reader = MemberReader(api.members("UserPrivilege"), [attribute])
    reader.needed("privilege_id")
    return sorted({reader.record(row)["privilege_id"] for row in api.get_user_privileges(user)})


def _resolved(api: CommonFcd, names: t.Sequence[str], type_id: int | None) -> set[int]:
    if type_id is None:
        raise InvalidInput(
            f"{OPTION}: names need privilege_type_id: {', '.join(repr(name) for name in names)}.",
            next_step="Give it, the number of a dictionary item (fcd.cloud.catalogue_info lists them), "
            "or give the privileges by number.",
            option="privilege_type_id",
        )
    attributes = [Attribute("id", ("PrivilegeId",)), Attribute("name", ("PrivilegeName", "DisplayName"))]
    reader = MemberReader(api.members("Privilege"), attributes)
    reader.needed("id", "name")
    records = [reader.record(row) for row in api.get_privileges(type_id)]
    if not records:
        raise InvalidInput(
            f"{OPTION}: the service lists no privileges of type {type_id}, so none of these names: "
            f"{', '.join(map(quoted, names))}.",
            next_step=f"Check privilege_type_id ({type_id}).",
            option="privilege_type_id",
        )
    items = [(record["id"], record["name"] or "") for record in records]
    return {resolve(name, items, option=OPTION, where=f"the privileges of type {type_id}") for name in names}

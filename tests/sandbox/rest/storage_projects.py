# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects of the object storage (docs/service/infrastructure.md, "Account"); read only."""

from __future__ import annotations

from typing import Any

from sandbox.rest import seeding
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.paging import envelope
from sandbox.rest.refusal import Refusal


@handles("list_storage_projects")
def list_projects(_call: Call) -> Any:
    """All projects; this list has no pages."""
    members = {"Id": "id", "Name": "name", "Description": "description", "Url": "url"}
    rows = seeding.read("account")["projects"]
    return envelope([{**{m: row.get(name) for m, name in members.items()}, "AuthorizationType": None} for row in rows])


def require_project(call: Call) -> str:
    """The ID of the project that the body names; 400 if there is none."""
    number: str = call.body["OcsProjectId"]
    if all(row["id"] != number for row in seeding.read("account")["projects"]):
        raise Refusal(400, f"OcsProjectId: there is no project {number}.")
    return number

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects of the object storage, whose IDs are texts: listed, and found by name for exports and imports.

Source: docs/service/infrastructure.md, "Account".
"""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import Ambiguous, InvalidInput
from .._core.text import did_you_mean, nearest, shortened
from .api import infrastructure
from .rest_reading import select_listed
from .rest_records import item, plain_members

if t.TYPE_CHECKING:
    from .._core.type_aliases import JsonMapping, JsonObject
    from .api import Infrastructure

_PLAIN = {"id": "Id", "name": "Name", "description": "Description", "url": "Url"}


def storage_project_record(project: JsonMapping) -> JsonObject:
    """Return the record of a project."""
    return {**plain_members(project, _PLAIN), "authorization_type": item(project.get("AuthorizationType"))}


def project_id(api: Infrastructure, given: str, option: str = "project") -> str:
    """Return the ID of the project that the option gives by name or ID. Raises InvalidInput, Ambiguous."""
    text, projects = given.strip(), api.list_storage_projects()
    ids = [one.get("Id") for one in projects]
    named = [one.get("Id") for one in projects if one.get("Name") == text]
    found = [text] if text in ids else named
    if len(found) > 1:
        raise Ambiguous(
            f"{option}: there are {len(found)} projects with the name {text!r}: {', '.join(map(str, found))}.",
            next_step="Give the ID of the right one.",
            ids=found,
        )
    if not found:
        near = nearest(text, [str(one.get("Name")) for one in projects])
        raise InvalidInput(
            f"{option}: there is no project {shortened(text)!r} in the object storage.",
            next_step=did_you_mean(text, near) if near else "storage_project_info lists them.",
            option=option,
        )
    return str(found[0])


def read_projects(task: Task, params: Params) -> Result:
    """Return projects, all or selected ones; one request."""
    records = [storage_project_record(one) for one in infrastructure(task).list_storage_projects()]
    found, missing = select_listed(params, records)
    return {"changed": False, "storage_projects": found, **missing}


INFO = Operation(
    "storage_project_info",
    (REST,),
    {
        "id": {"type": "list", "elements": "str", "aliases": ["project_id"]},
        "name": {"type": "list", "elements": "str"},
    },
    read_projects,
    {"mutually_exclusive": [("id", "name")]},
)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates that instances are made from, read only (wire-facts section 4)."""

from __future__ import annotations

import typing as t

from .._api.templates import Templates
from .._core.errors import Forbidden, NotFound
from .._session.infrastructure import infrastructure
from .._session.operation import Operation, Params, Result
from .._session.options import REST
from .._session.task import Task
from .rest_reading import IDS, chosen, filters, numbers_of
from .rest_records import Row, item, items, login, plain

if t.TYPE_CHECKING:
    from .._api.infrastructure import Infrastructure, Items

SOURCES = {
    "all": "All",
    "standard": "Standard",
    "own": "Own",
    "community_catalogue": "CommunityCatalogue",
    "marketplace": "Marketplace",
}
_PLAIN = {
    "id": "Id",
    "name": "Name",
    "version": "Version",
    "description": "Description",
    "creation_date": "CreationDate",
    "last_change_date": "LastChangeDate",
    "ethernet_controllers_number": "EthernetControllersNumber",
}
_NAMED = {
    "template_type": "TemplateType",
    "system_category": "SystemCategory",
    "default_instance_type": "DefaultInstanceType",
    "minimum_instance_type": "MinimumInstanceType",
    "ethernet_controllers_type": "EthernetControllersType",
    "owner_account": "OwnerAccount",
    "publication_status": "PublicationStatus",
}
_DISK = {
    "id": "Id",
    "name": "Name",
    "size": "SpaceCapacity",
    "controller": "Controller",
    "slot": "Slot",
    "is_system_disk": "IsSystemDisk",
    "creation_date": "CreationDate",
}
_NAMED_OF_DISK = {"disk_class": "Tier"}


def described(template: t.Mapping[str, t.Any]) -> Row:
    """Return the record of a template."""
    return {
        **plain(template, _PLAIN),
        **items(template, _NAMED),
        "disks": [{**plain(disk, _DISK), **items(disk, _NAMED_OF_DISK)} for disk in template.get("Disks") or ()],
        "software": [item(one) for one in template.get("Software") or ()],
        "creation_user": login(template),
    }


def run(task: Task, params: Params) -> Result:
    """Return templates, all or those asked for; one request."""
    api, numbers = infrastructure(task), numbers_of(params)
    if numbers is None:
        query = filters(source=SOURCES[params.get("source") or "all"], query=params.get("query"))
        return {"changed": False, "templates": [described(template) for template in api.list_templates(**query)]}
    templates, missing = chosen(map(described, _numbered(api, numbers)), numbers)
    return {"changed": False, "templates": templates, "missing": missing}


def _numbered(api: Infrastructure, numbers: t.Sequence[int]) -> Items:
    """Return the templates with these numbers, and others; one is read by itself, several come from the list.

    403 may be said of what is not there and of missing rights; the list tells these apart.
    """
    if len(numbers) != 1:
        return api.list_templates(source=SOURCES["all"]) if numbers else []
    try:
        return [Templates(api).get_template(numbers[0])]
    except NotFound:
        return []
    except Forbidden:
        listed = api.list_templates(source=SOURCES["all"])
        if any(one.get("Id") == numbers[0] for one in listed):
            raise
        return []


OPERATION = Operation(
    "instance_template_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["template_id"]},
        "source": {"type": "str", "choices": list(SOURCES)},
        "query": {"type": "str"},
    },
    run,
    {"mutually_exclusive": [("id", "source"), ("id", "query")]},
)

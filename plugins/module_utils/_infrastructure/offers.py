# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service offers: types, templates and subregions of instances.

Source: docs/service/infrastructure.md, "Subregions, templates and types".
"""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import Forbidden, NotFound
from .._core.type_aliases import JsonObject
from .api import infrastructure
from .reference_names import resolve_id
from .rest_reading import IDS, ids_in, pick_records, select_listed
from .rest_records import check_numbers, item, plain_members, record_of

if t.TYPE_CHECKING:
    from .._core.type_aliases import JsonObjects
    from .api import Infrastructure

TYPE_CATEGORIES = 141  # dictionary
_PLAIN_OF_TYPE = {
    "id": "Id",
    "name": "Name",
    "cpu_number": "Cpu",
    "ram_mb": "Ram",
    "available_for_freemium": "AvailableForFreemium",
}


def read_types(task: Task, params: Params) -> Result:
    """Return instance types, all or selected ones; one request, and one for the label of a category."""
    check_numbers(params)
    api = infrastructure(task)
    category = resolve_id(
        "category",
        params.get("category"),
        lambda: api.get_dictionary(TYPE_CATEGORIES),
        "the categories of instance types",
    )
    query = {"category_id": category, "available_for_freemium": params.get("available_for_freemium")}
    records = [
        {**plain_members(kind, _PLAIN_OF_TYPE), "category": item(kind.get("Category"))}
        for kind in api.list_instance_types(**query)
    ]
    found, missing = select_listed(params, records)
    return {"changed": False, "instance_types": found, **missing}


INSTANCE_TYPE_INFO = Operation(
    "instance_type_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["type_id"]},
        "name": {"type": "list", "elements": "str"},
        "category": {"type": "str", "aliases": ["category_id"]},
        "available_for_freemium": {"type": "bool", "aliases": ["isfreemium", "is_freemium"]},
    },
    read_types,
    {"mutually_exclusive": [("id", "name")]},
)


TEMPLATE_SOURCES = {
    "all": "All",
    "standard": "Standard",
    "own": "Own",
    "community_catalogue": "CommunityCatalogue",
    "marketplace": "Marketplace",
}
_PLAIN_OF_TEMPLATE = {
    "id": "Id",
    "name": "Name",
    "version": "Version",
    "description": "Description",
    "creation_date": "CreationDate",
    "last_change_date": "LastChangeDate",
    "ethernet_controllers_number": "EthernetControllersNumber",
}
_NAMED_OF_TEMPLATE = {
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


def template_record(template: t.Mapping[str, t.Any]) -> JsonObject:
    """Return the record of a template."""
    return {
        **record_of(template, _PLAIN_OF_TEMPLATE, _NAMED_OF_TEMPLATE),
        "disks": [
            {**plain_members(disk, _DISK), "disk_class": item(disk.get("Tier"))} for disk in template.get("Disks") or ()
        ],
        "software": [item(one) for one in template.get("Software") or ()],
    }


def read_templates(task: Task, params: Params) -> Result:
    """Return templates, all or selected ones; one request."""
    api, numbers = infrastructure(task), ids_in(params)
    if numbers is None:
        query = {"source": TEMPLATE_SOURCES[params.get("source") or "all"], "query": params.get("query")}
        return {"changed": False, "templates": [template_record(template) for template in api.list_templates(**query)]}
    templates, missing = pick_records(map(template_record, _read_templates_by_id(api, numbers)), numbers)
    return {"changed": False, "templates": templates, "missing": missing}


def _read_templates_by_id(api: Infrastructure, numbers: t.Sequence[int]) -> JsonObjects:
    """Return the templates with these IDs, and others; one is read by itself, several come from the list.

    The answer is 403 for missing objects and for missing rights; the list tells these apart.
    """
    if len(numbers) != 1:
        return api.list_templates(source=TEMPLATE_SOURCES["all"]) if numbers else []
    try:
        return [api.get_template(numbers[0])]
    except NotFound:
        return []
    except Forbidden:
        listed = api.list_templates(source=TEMPLATE_SOURCES["all"])
        if any(one.get("Id") == numbers[0] for one in listed):
            raise
        return []


INSTANCE_TEMPLATE_INFO = Operation(
    "instance_template_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["template_id"]},
        "source": {"type": "str", "choices": list(TEMPLATE_SOURCES)},
        "query": {"type": "str"},
    },
    read_templates,
    {"mutually_exclusive": [("id", "source"), ("id", "query")]},
)


def read_subregions(task: Task, params: Params) -> Result:
    """Return subregions, all or selected ones; one request."""
    check_numbers(params)
    plain = {"id": "Id", "name": "Name", "is_active": "IsActive"}
    records = [plain_members(subregion, plain) for subregion in infrastructure(task).list_subregions()]
    found, missing = select_listed(params, records)
    active = params.get("is_active")
    found = [one for one in found if active is None or bool(one["is_active"]) is active]
    return {"changed": False, **missing, "subregions": found}


SUBREGIONS = Operation(
    "subregion_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["subregion_id"]},
        "name": {"type": "list", "elements": "str"},
        "is_active": {"type": "bool", "aliases": ["active"]},
    },
    read_subregions,
    {"mutually_exclusive": [("id", "name")]},
)

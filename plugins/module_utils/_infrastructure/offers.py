# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What instances can be made from and where: types, templates and subregions (wire-facts section 4)."""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import Forbidden, NotFound
from .api import infrastructure
from .rest_reading import IDS, TYPE_CATEGORIES, chosen, filters, number_of, numbers_of, once_each
from .rest_records import Row, item, item_members, login, plain_members

if t.TYPE_CHECKING:
    from .api import Infrastructure
    from .rest_client import Items

_PLAIN_OF_TYPE = {
    "id": "Id",
    "name": "Name",
    "cpu_number": "Cpu",
    "ram_mb": "Ram",
    "available_for_freemium": "AvailableForFreemium",
}
_NAMED_OF_TYPE = {"category": "Category"}


def instance_type_record(kind: t.Mapping[str, t.Any]) -> Row:
    """Return the record of a type."""
    return {**plain_members(kind, _PLAIN_OF_TYPE), **item_members(kind, _NAMED_OF_TYPE)}


def read_types(task: Task, params: Params) -> Result:
    """Return types of instances, all or those asked for; one request, and one for the label of a category."""
    numbers, names = numbers_of(params), params.get("name")
    api = infrastructure(task)
    category = number_of(
        "category",
        params.get("category"),
        lambda: api.get_dictionary(TYPE_CATEGORIES),
        "the categories of instance types",
    )
    query = filters(
        category_id=category,
        available_for_freemium=params.get("available_for_freemium"),
    )
    records = [instance_type_record(kind) for kind in api.list_instance_types(**query)]
    result: Result = {"changed": False, "instance_types": records}
    if numbers is not None:
        result["instance_types"], result["missing"] = chosen(records, numbers)
    if names is not None:
        result["instance_types"], result["missing"] = chosen(records, once_each(names), "name")
    return result


TYPES = Operation(
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


SOURCES = {
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
_NAMED_OF_DISK = {"disk_class": "Tier"}


def template_record(template: t.Mapping[str, t.Any]) -> Row:
    """Return the record of a template."""
    return {
        **plain_members(template, _PLAIN_OF_TEMPLATE),
        **item_members(template, _NAMED_OF_TEMPLATE),
        "disks": [
            {**plain_members(disk, _DISK), **item_members(disk, _NAMED_OF_DISK)} for disk in template.get("Disks") or ()
        ],
        "software": [item(one) for one in template.get("Software") or ()],
        "creation_user": login(template),
    }


def read_templates(task: Task, params: Params) -> Result:
    """Return templates, all or those asked for; one request."""
    api, numbers = infrastructure(task), numbers_of(params)
    if numbers is None:
        query = filters(source=SOURCES[params.get("source") or "all"], query=params.get("query"))
        return {"changed": False, "templates": [template_record(template) for template in api.list_templates(**query)]}
    templates, missing = chosen(map(template_record, _templates_numbered(api, numbers)), numbers)
    return {"changed": False, "templates": templates, "missing": missing}


def _templates_numbered(api: Infrastructure, numbers: t.Sequence[int]) -> Items:
    """Return the templates with these numbers, and others; one is read by itself, several come from the list.

    403 may be said of what is not there and of missing rights; the list tells these apart.
    """
    if len(numbers) != 1:
        return api.list_templates(source=SOURCES["all"]) if numbers else []
    try:
        return [api.get_template(numbers[0])]
    except NotFound:
        return []
    except Forbidden:
        listed = api.list_templates(source=SOURCES["all"])
        if any(one.get("Id") == numbers[0] for one in listed):
            raise
        return []


TEMPLATES = Operation(
    "instance_template_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["template_id"]},
        "source": {"type": "str", "choices": list(SOURCES)},
        "query": {"type": "str"},
    },
    read_templates,
    {"mutually_exclusive": [("id", "source"), ("id", "query")]},
)


_PLAIN_OF_SUBREGION = {"id": "Id", "name": "Name", "is_active": "IsActive"}


def read_subregions(task: Task, params: Params) -> Result:
    """Return subregions, all or those asked for; one request."""
    numbers, names = numbers_of(params), params.get("name")
    records = [plain_members(subregion, _PLAIN_OF_SUBREGION) for subregion in infrastructure(task).list_subregions()]
    result: Result = {"changed": False}
    if numbers is not None:
        records, result["missing"] = chosen(records, numbers)
    if names is not None:
        records, result["missing"] = chosen(records, once_each(names), "name")
    active = params.get("is_active")
    result["subregions"] = [one for one in records if active is None or bool(one["is_active"]) is active]
    return result


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

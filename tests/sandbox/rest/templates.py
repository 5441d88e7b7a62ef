# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates (docs/service/infrastructure.md, "Subregions, templates and types")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup, seeding
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Template, TemplateDisk
from sandbox.rest.paging import fits, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.staleness import freeze_listing, release_listing
from sandbox.rest.times import optional, show

PUBLICATION = {"Own": 1245, "CommunityCatalogue": 1247, "Marketplace": 1247}
"""Items of dictionary 140 by source; a standard template has none."""


def describe_template(call: Call, one: Template) -> dict[str, Any]:
    """The answer's form of a template."""
    dictionaries = call.world.dictionaries
    owner = {"Id": call.world.account.id, "Name": "Account of the sandbox"} if one.source == "Own" else None
    return {
        "Id": one.id,
        "Name": one.name,
        "Description": one.description,
        "Version": one.version,
        "CreationDate": show(one.created),
        "LastChangeDate": optional(one.changed),
        "CreationUser": call.world.account.user,
        "DefaultInstanceType": dictionaries.value(12, one.default),
        "MinimumInstanceType": dictionaries.value(12, one.minimum),
        "EthernetControllersNumber": 1,
        "EthernetControllersType": dictionaries.value(167, one.network_controller),
        "SystemCategory": dictionaries.value(70, one.category),
        "OwnerAccount": owner,
        "PublicationStatus": dictionaries.optional(140, PUBLICATION.get(one.source)),
        "Disks": [_describe_disk(call, one, disk) for disk in one.disks],
        "Software": [{"Id": number, "Name": name} for number, name in one.software.items()],
        "TemplateType": dictionaries.value(52, one.type),
    }


def _describe_disk(call: Call, one: Template, disk: TemplateDisk) -> dict[str, Any]:
    return {
        "Id": disk.id,
        "Name": "System disk",
        "SpaceCapacity": disk.capacity,
        "Tier": call.world.dictionaries.value(17, 48),
        "CreationDate": show(one.created),
        "Controller": 0,
        "Slot": disk.slot,
        "IsSystemDisk": True,
    }


declare(
    Resource(
        Template,
        "Template",
        describe_template,
        missing="missing_template_status",
        first_id=60101,
        seed=seeding.templates,
        name="templates",
        truth=lambda _world, one: {
            "Id": one.id,
            "Name": one.name,
            "Source": one.source,
            "Description": one.description,
        },
    )
)


@handles("list_templates")
def list_templates(call: Call) -> Any:
    """Templates of the desired source; without one private and market templates only."""
    source = call.query.get("source")
    sources = call.settings["templates_without_source"] if source is None else [source]
    order = {
        "Name": lambda one: one.name,
        "Version": lambda one: one.version or "",
        "creationDate": lambda one: one.created,
        "SystemCategory": lambda one: call.world.dictionaries.label(70, one.category),
    }
    matches = (
        one
        for one in call.world.table(Template).values()
        if ("All" in sources or one.source in sources) and fits(call, one, one.description)
    )
    return page(call, matches, lambda one: describe_template(call, one), order)


@handles("read_template")
def read_template(call: Call) -> Any:
    """One template."""
    return describe_template(call, lookup.addressed(call, Template))


def shown_text(call: Call, texts: list[dict[str, Any]]) -> str:
    """The description that is read, of those in several languages (setting read_language)."""
    place = {"first": 0, "last": -1}[call.settings["read_language"]]
    return texts[place]["Description"] if texts else ""


def _own(call: Call) -> Template:
    found = lookup.addressed(call, Template)
    if found.source != "Own":
        raise Refusal(403, f"Template {found.id} belongs to somebody else.")
    return found


@handles("update_template")
def change_template(call: Call) -> Any:
    """New name and description of an own template."""
    found = _own(call)
    empties = call.settings["put_empties"]
    freeze_listing(call, found)
    release_listing(call, found, call.now)
    found.name = call.body.get("Name", "" if empties else found.name)
    texts = call.body.get("TemplateDescriptions")
    if texts or empties:
        found.description = shown_text(call, texts or [])
    found.changed = call.now
    return describe_template(call, found)


@handles("delete_template")
def delete_template(call: Call) -> Any:
    """An own template goes; instances made from it stay."""
    del call.world.table(Template)[_own(call).id]
    return NOTHING

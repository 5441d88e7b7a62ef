# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turning an instance into a template; the instance ceases to exist.

Source: docs/service/infrastructure.md, "Changing an instance".
"""

from __future__ import annotations

import typing as t
from functools import partial

from ..._connection.check_mode_state import is_planned
from ..._connection.options import REST, OptionSpecs
from ..._connection.task import ManagedObject, Operation, Params, Result, Task
from ..._core.errors import CannotDetermine, Forbidden, InvalidInput, NotFound, OperationFailed
from ..._core.later import LATER
from ..._core.text import is_alike
from ..._core.type_aliases import JsonObject
from ..._engine.change import Change, Ticket, search_for_new_object, wait_for_object, wait_for_ticket
from ..._engine.scheduler import Job, Progress
from ..api import infrastructure
from ..reference_names import resolve_id
from ..rest_records import TEXT_REFUSED, check_letters, check_not_empty, check_numbers, plain_members
from .instance_acts import (
    TARGET,
    TARGET_RULES,
    WAIT_AND_GRACE,
    missing_instance,
    named_instance,
    resource_of,
    unlisted_instance,
    wait_until_free,
)
from .instance_options import Labels, known_id, reference
from .instance_records import InstanceSearch
from .instance_template import DESCRIPTIONS, MAX_TEMPLATE_NAME, check_descriptions, in_every_language, texts_by_language

if t.TYPE_CHECKING:
    from ..api import Infrastructure
    from .instance_planning import DeclaredInstance

WINDOWS_TYPES = 84  # dictionary
TEMPLATE_MEMBERS = {"id": "Id", "name": "Name", "version": "Version"}
TEMPLATE_REFERENCES = {"system_category": "system_category", "default_type": "type", "minimum_type": "type"}
"""Options with the member of the instance that is used if the option is not given."""


def run(task: Task, params: Params) -> Result:
    """Create the template from the instance."""
    _check(params)
    api = infrastructure(task)
    search = InstanceSearch(api)
    instance = named_instance(search, params)
    if instance is None:
        earlier = _earlier_result(api, params)
        instance = None if earlier is not None else unlisted_instance(task, search, params)
        if instance is None:
            return _require_result(earlier, search, params)
    body = _body(api, params, instance)
    if task.check_mode:
        _require_new(api, params)
        if task.planned_objects is not None:
            task.planned_objects.add(task, "instance", instance["id"], None)  # it becomes the template
        return _result({"id": None, "name": params["template_name"], "version": params["version"]}, None)
    resource = resource_of(task, search, params, instance)
    return resource.run_job(_convert(resource, params, instance, body))


def _check(params: Params) -> None:
    check_numbers(params)
    if not 1 <= len(params["template_name"]) <= MAX_TEMPLATE_NAME:
        raise InvalidInput(f"template_name: it must have 1 to {MAX_TEMPLATE_NAME} characters.", option="template_name")
    check_not_empty(params, "template_name", "version", "windows_type")
    check_letters(params["template_name"], TEXT_REFUSED, "template_name")
    check_descriptions(params["descriptions"])


def _body(api: Infrastructure, params: Params, instance: JsonObject) -> JsonObject:
    labels = Labels(api)
    windows = resolve_id(
        "windows_type", params["windows_type"], lambda: api.get_dictionary(WINDOWS_TYPES), "the types of Windows"
    )
    optional = {"TemplateWindowsTypeId": windows, "TechSupportPassword": params["support_password"]}
    texts = texts_by_language(labels, params["descriptions"])
    numbers = {option: _referenced_id(labels, params, option, instance) for option in TEMPLATE_REFERENCES}
    return {
        "TemplateName": params["template_name"],
        "TemplateDescriptions": in_every_language(labels, texts, next(iter(texts.values()))),
        "TemplateVersion": params["version"],
        "TemplateSystemCategoryId": numbers["system_category"],
        "TemplateDefaultTypeId": numbers["default_type"],
        "TemplateMinimumTypeId": numbers["minimum_type"],
        **{member: value for member, value in optional.items() if value is not None},
    }


def _referenced_id(labels: Labels, params: Params, option: str, instance: JsonObject) -> int:
    given = reference(params, option)
    if given is None:
        given = (instance.get(TEMPLATE_REFERENCES[option]) or {}).get("id")
    if given is not None:
        return known_id(labels, option, given)

    if is_planned(instance["id"]):
        return 0  # known after apply, and nothing is sent in check mode
    raise InvalidInput(f"{option}: the service does not return it for this instance; set it.", option=option)


def _convert(resource: DeclaredInstance, params: Params, instance: JsonObject, body: JsonObject) -> Job[Result]:
    context, api = resource.context, resource.search.api
    number, what = instance["id"], f"Converting instance {instance['name']!r} to a template"
    if (yield from wait_until_free(context, instance, what)) is None:
        return _require_result(_earlier_result(api, params), resource.search, params)
    _require_new(api, params)
    if api.is_older_line():
        body = {**body, "TemplateWithInitialization": False}
    send = partial(api.convert_to_template, number, body)
    ticket = yield from Change(context, number, what, send, _is_gone).submit()
    if not context.wait:
        return _result({"id": None, "name": body["TemplateName"], "version": body["TemplateVersion"]}, ticket)
    yield Progress(what)
    if ticket is not None:
        yield from wait_for_ticket(context, ticket, what)
    yield from wait_for_object(context, number, _is_gone, what)
    missing = f"{what}: the instance is gone, and no template {params['template_name']!r} is listed."
    template = yield from search_for_new_object(
        context,
        lambda: _template_of(api, number) or _newest_template(api, params),
        lambda: CannotDetermine(missing, next_step="Run the task again later."),
        what,
        "looking for the template",  # which may appear late
    )
    if template["name"] != params["template_name"]:
        raise OperationFailed(
            f"{what}: the template {template['id']} was created, but its name is {template['name']!r}.",
            next_step="Declare template_name as the service has it.",
            id=template["id"],
        )
    return _result(template, ticket)


def _template_of(api: Infrastructure, number: int) -> JsonObject | None:
    """Return the template that, according to the service, was created from the instance; not every line says so."""
    if api.is_older_line():
        return None
    try:
        return plain_members(api.get_instance_template(number), TEMPLATE_MEMBERS)
    except (Forbidden, NotFound):
        return None


def _newest_template(api: Infrastructure, params: Params) -> JsonObject | None:
    return max(_templates(api, params), key=lambda one: int(one["id"]), default=None)


def _templates(api: Infrastructure, params: Params, *, alike: bool = False) -> list[JsonObject]:
    """Return the account's own templates of that name and version, from the whole list if the filter finds none.

    If there is none of exactly that name: ``alike``, those whose names the service may have made of it.
    """
    name, version, same = params["template_name"], params["version"], []
    for query in (name, None):
        listed = api.list_templates(source="Own", query=query)
        same = [plain_members(one, TEMPLATE_MEMBERS) for one in listed if str(one.get("Version") or "") == version]
        if any(one["name"] == name for one in same):
            return [one for one in same if one["name"] == name]
    return [one for one in same if alike and is_alike(name, one["name"] or "")]


def _earlier_result(api: Infrastructure, params: Params) -> Result | None:
    """Return the template that an earlier run has created, or None."""
    found = _newest_template(api, params)
    return None if found is None else _result(found, None, changed=False)


def _require_result(earlier: Result | None, search: InstanceSearch, params: Params) -> Result:
    """Return what an earlier run has created. Raises InvalidInput if there is nothing: the instance is missing."""
    if earlier is None:
        problem = missing_instance(search, params)
        problem.next_step = f"{problem.next_step} A template that was just created may take a while to be listed."
        for one in _templates(search.api, params, alike=True):
            problem.message += (
                f" There is the template {one['name']!r} ({one['id']}), and the service may change names."
            )
        raise problem
    return earlier


def _require_new(api: Infrastructure, params: Params) -> None:
    found = _templates(api, params)
    if found:
        raise InvalidInput(
            f"There already is a template {params['template_name']!r} of version {params['version']!r}: "
            f"{found[0]['id']}. The instance was left unchanged.",
            next_step="Give another version, or remove that template.",
            option="version",
            ids=[one["id"] for one in found],
        )


def _result(template: JsonObject, ticket: Ticket | None, *, changed: bool = True) -> Result:
    after = {**template, "id": LATER} if template["id"] is None else template
    return {
        "changed": changed,
        "template": template,
        "ticket": ticket and ticket["Id"],
        "diff": {"before": {} if changed else template, "after": after},
    }


def _is_gone(record: JsonObject | None) -> bool:
    return record is None


TEMPLATE_OPTIONS: OptionSpecs = {
    **TARGET,
    "template_name": {"type": "str", "required": True},
    "version": {"type": "str", "required": True},
    "descriptions": {**DESCRIPTIONS, "required": True},
    "windows_type": {"type": "str", "aliases": ["windows_type_id"]},
    "support_password": {"type": "str", "no_log": True},
    **{
        name: spec
        for one in TEMPLATE_REFERENCES
        for name, spec in ((one, {"type": "str"}), (f"{one}_id", {"type": "int"}))
    },
    **WAIT_AND_GRACE,
}
TEMPLATE_RULES: JsonObject = {
    **TARGET_RULES,
    "mutually_exclusive": [*TARGET_RULES["mutually_exclusive"], *((one, f"{one}_id") for one in TEMPLATE_REFERENCES)],
}
OPERATION = Operation(
    "instance_to_template",
    (REST,),
    TEMPLATE_OPTIONS,
    run,
    TEMPLATE_RULES,
    manages=ManagedObject("template", "template"),
)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turning an instance into a template; the instance ceases to exist (wire-facts section 5.4)."""

from __future__ import annotations

import typing as t

from ..._connection.options import REST
from ..._connection.task import ManagedObject, Operation, Params, Result, Task
from ..._core.errors import CannotDetermine, Forbidden, InvalidInput, NotFound, Rejected
from ..._engine.change import Change, Ticket, run_to_end, search_for_new_object, wait_for_object, wait_for_ticket
from ..._engine.plan import LATER
from ..._engine.scheduler import Job, Progress
from ..api import infrastructure
from ..rest_options import TEXT_REFUSED, check_letters, check_not_empty, number_of
from ..rest_records import Row, check_numbers
from .instance_acts import (
    LIMITS,
    MEANT,
    MEANT_RULES,
    act_context,
    missing_instance,
    named_instance,
    unlisted_source,
    unlocked_or_gone,
)
from .instance_options import Labels, reference
from .instance_records import InstanceContext, InstanceSearch

if t.TYPE_CHECKING:
    from ..api import Infrastructure

Body = t.Dict[str, t.Any]
WINDOWS_TYPES = 84  # dictionary, infrastructure facts a.2
LONGEST = 300  # characters of a template's name, wire-facts section 4
REFERENCES = {"system_category": "system_category", "default_type": "type", "minimum_type": "type"}
"""Options with the member of the instance that is used if the option is not given."""


def run(task: Task, params: Params) -> Result:
    """Create the template from the instance."""
    _check(params)
    api = infrastructure(task)
    search = InstanceSearch(api)
    instance = named_instance(search, params)
    if instance is None:
        made = _made_before(api, params)
        instance = None if made is not None else unlisted_source(task, search, params)
        if instance is None:
            return _or_missing(made, search, params)
    body = _body(api, params, instance)
    if task.check_mode:
        _require_none(api, params)
        if task.promises is not None:
            task.promises.add(task, "instance", instance["id"], None)  # it becomes the template
        foreseen = {"id": None, "name": params["template_name"], "version": params["version"]}
        return _result(foreseen, None)
    context = act_context(task, search, params)
    return run_to_end(context.change, _converted(context, params, instance, body))


def _check(params: Params) -> None:
    check_numbers(params)
    if not 1 <= len(params["template_name"]) <= LONGEST:
        raise InvalidInput(f"template_name: it must have 1 to {LONGEST} characters.", option="template_name")
    check_not_empty(params, "template_name", "version", "windows_type")
    check_letters(params["template_name"], TEXT_REFUSED, "template_name")
    if not params["descriptions"]:
        raise InvalidInput("descriptions: at least one is needed.", option="descriptions")
    for one in params["descriptions"]:
        check_not_empty(one, "language", "description")


def _body(api: Infrastructure, params: Params, instance: Row) -> Body:
    labels = Labels(api)
    windows = number_of(
        "windows_type", params["windows_type"], lambda: api.get_dictionary(WINDOWS_TYPES), "the types of Windows"
    )
    optional = {"TemplateWindowsTypeId": windows, "TechSupportPassword": params["support_password"]}
    numbers = {option: _number(labels, params, option, instance) for option in REFERENCES}
    return {
        "TemplateName": params["template_name"],
        "TemplateDescriptions": _descriptions(labels, params),
        "TemplateVersion": params["version"],
        "TemplateSystemCategoryId": numbers["system_category"],
        "TemplateDefaultTypeId": numbers["default_type"],
        "TemplateMinimumTypeId": numbers["minimum_type"],
        **{member: value for member, value in optional.items() if value is not None},
    }


def _descriptions(labels: Labels, params: Params) -> list[Body]:
    """Return a description in each language: the first one if one is missing, as public clients send it."""
    given = {_known(labels, "language", one["language"]): one["description"] for one in params["descriptions"]}
    try:
        languages = [int(entry["Id"]) for entry in labels.entries("language")]
    except Rejected:  # no right to read dictionaries; IDs were given
        languages = []
    first = next(iter(given.values()))
    whole = {**given, **{number: first for number in languages if number not in given}}
    return [{"LanguageId": number, "Description": text} for number, text in whole.items()]


def _number(labels: Labels, params: Params, option: str, instance: Row) -> int:
    given = reference(params, option)
    if given is None:
        given = (instance.get(REFERENCES[option]) or {}).get("id")
    if given is None and _is_promised(instance["id"]):
        return 0  # known after apply, and nothing is sent in check mode
    if given is None:
        raise InvalidInput(f"{option}: the service does not return it for this instance; set it.", option=option)
    return given if isinstance(given, int) else _known(labels, option, given)


def _is_promised(number: int) -> bool:
    from ..._connection.check_mode_promises import is_promised  # the option is left out by few

    return is_promised(number)


def _known(labels: Labels, option: str, given: str) -> int:
    text = str(given).strip()
    number = reference({option: text}, option)
    return number if isinstance(number, int) else int(labels.item(option, text)["id"])


def _converted(context: InstanceContext, params: Params, instance: Row, body: Body) -> Job[Result]:
    number, what = instance["id"], f"Converting instance {instance['name']!r} to a template"
    if (yield from unlocked_or_gone(context, instance, what)) is None:
        return _or_missing(_made_before(context.api, params), context.search, params)
    _require_none(context.api, params)
    if context.api.is_older_line():
        body = {**body, "TemplateWithInitialization": False}
    ticket = yield from Change(
        context.change, number, what, lambda: context.api.convert_to_template(number, body), _is_gone
    ).submit()
    if not context.change.wait:
        foreseen = {"id": None, "name": body["TemplateName"], "version": body["TemplateVersion"]}
        return _result(foreseen, ticket)
    yield Progress(what)
    if ticket is not None:
        yield from wait_for_ticket(context.change, ticket, what)
    yield from wait_for_object(context.change, number, _is_gone, what)
    return _result((yield from _shown(context, params, number, what)), ticket)


def _shown(context: InstanceContext, params: Params, number: int, what: str) -> Job[Row]:
    """Return the new template, which may appear late."""

    def find() -> Row | None:
        found = _made_from(context.api, number) or _templates(context.api, params)
        return _newest(found) if found else None

    def missing() -> CannotDetermine:
        return CannotDetermine(
            f"{what}: the instance is gone, and no template {params['template_name']!r} is listed.",
            next_step="Run the task again later.",
        )

    return (yield from search_for_new_object(context.change, find, missing, what, "looking for the template"))


def _made_from(api: Infrastructure, number: int) -> list[Row]:
    """Return the template that, according to the service, was created from the instance; not every line says so."""
    if api.is_older_line():
        return []
    try:
        return [_told(api.get_instance_template(number))]
    except (Forbidden, NotFound):
        return []


def _told(template: t.Mapping[str, t.Any]) -> Row:
    return {"id": template["Id"], "name": template.get("Name"), "version": template.get("Version")}


def _templates(api: Infrastructure, params: Params) -> list[Row]:
    """Return the account's own templates of that name and version."""
    name, version = params["template_name"], params["version"]
    return [
        _told(one)
        for one in api.list_templates(source="Own", query=name)
        if one.get("Name") == name and str(one.get("Version") or "") == version
    ]


def _made_before(api: Infrastructure, params: Params) -> Result | None:
    """Return the template that an earlier run has created, or None."""
    found = _templates(api, params)
    return _result(_newest(found), None, changed=False) if found else None


def _newest(found: t.Sequence[Row]) -> Row:
    return max(found, key=lambda one: int(one["id"]))


def _or_missing(made: Result | None, search: InstanceSearch, params: Params) -> Result:
    """Return what an earlier run has created. Raises InvalidInput if there is nothing: the instance is missing."""
    if made is None:
        problem = missing_instance(search, params)
        problem.next_step = f"{problem.next_step} A template that was just created may take a while to be listed."
        raise problem
    return made


def _require_none(api: Infrastructure, params: Params) -> None:
    found = _templates(api, params)
    if found:
        raise InvalidInput(
            f"There already is a template {params['template_name']!r} of version {params['version']!r}: "
            f"{found[0]['id']}. The instance was left unchanged.",
            next_step="Give another version, or remove that template.",
            option="version",
            ids=[one["id"] for one in found],
        )


def _result(template: Row, ticket: Ticket | None, *, changed: bool = True) -> Result:
    after = {**template, "id": LATER} if template["id"] is None else template
    return {
        "changed": changed,
        "template": template,
        "ticket": ticket and ticket["Id"],
        "diff": {"before": {} if changed else template, "after": after},
    }


def _is_gone(record: Row | None) -> bool:
    return record is None


OPTIONS: dict[str, dict[str, t.Any]] = {
    **MEANT,
    "template_name": {"type": "str", "required": True},
    "version": {"type": "str", "required": True},
    "descriptions": {
        "type": "list",
        "elements": "dict",
        "required": True,
        "options": {
            "language": {"type": "str", "required": True},
            "description": {"type": "str", "required": True},
        },
    },
    "windows_type": {"type": "str", "aliases": ["windows_type_id"]},
    "support_password": {"type": "str", "no_log": True},
    **{name: spec for one in REFERENCES for name, spec in ((one, {"type": "str"}), (f"{one}_id", {"type": "int"}))},
    **LIMITS,
}
RULES: dict[str, t.Any] = {
    **MEANT_RULES,
    "mutually_exclusive": [*MEANT_RULES["mutually_exclusive"], *((one, f"{one}_id") for one in REFERENCES)],
}
OPERATION = Operation(
    "instance_to_template",
    (REST,),
    OPTIONS,
    run,
    RULES,
    manages=ManagedObject("template", "template"),
)

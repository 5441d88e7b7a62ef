# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account's own templates: found by name, version and system, or by ID; renamed, described and removed.

An instance is made into one by instance_to_template.py. Source: docs/service/infrastructure.md, "Own templates".
"""

from __future__ import annotations

import typing as t

from ..._connection.options import REST
from ..._connection.task import CREATE_OPTIONS, STATE, WAIT_OPTIONS, ManagedObject, Operation, Params, Result, Task
from ..._core.errors import InvalidInput, Rejected
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.plan import Field, same_text
from ..api import Infrastructure, infrastructure
from ..offers import template_record
from ..reference_names import resolve_id
from ..rest_changes import change_of, removal_of
from ..rest_records import RestSearch, check_name, check_not_empty
from ..rest_resource import WholeUpdates, reconcile_resource
from .instance_options import Labels, known_id

if t.TYPE_CHECKING:
    from ..._connection.options import OptionSpec
    from ..._engine.change import Change

SYSTEM_CATEGORIES = 70  # dictionary
MAX_TEMPLATE_NAME = 300  # characters
DESCRIPTIONS: OptionSpec = {
    "type": "list",
    "elements": "dict",
    "options": {"language": {"type": "str", "required": True}, "description": {"type": "str", "required": True}},
}


def check_descriptions(descriptions: t.Sequence[Params] | None) -> None:
    """Raise InvalidInput for an empty list, or one with empty texts."""
    if descriptions is not None and not descriptions:
        raise InvalidInput("descriptions: at least one is needed.", option="descriptions")
    for one in descriptions or ():
        check_not_empty(one, "language", "description")


def texts_by_language(labels: Labels, descriptions: t.Iterable[Params]) -> dict[int, str]:
    """Return the texts that an option gives, by the IDs of their languages."""
    return {known_id(labels, "language", one["language"]): one["description"] for one in descriptions}


def in_every_language(labels: Labels, texts: t.Mapping[int, str], other: str) -> list[JsonObject]:
    """Return a description in each language, as public clients send it: ``other`` where no text is given.

    Raises Rejected if the languages cannot be read and no text is given.
    """
    try:
        languages = [int(entry["Id"]) for entry in labels.entries("language")]
    except Rejected:
        if not texts:
            raise
        languages = []  # IDs were given
    return [{"LanguageId": one, "Description": texts.get(one, other)} for one in dict.fromkeys([*texts, *languages])]


class TemplateSearch(RestSearch):
    """Finds the account's own templates; ``version`` and ``category`` tell those of one name apart."""

    kind = "template"
    describe = staticmethod(template_record)
    queries = True
    within = ("version", "system_category")

    def __init__(self, api: Infrastructure, version: str | None = None, category: int | None = None) -> None:
        super().__init__(api)
        self._version = version
        self._category = category

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the own templates that the service lists."""
        return self.api.list_templates(source="Own", **filters)

    def read(self, number: int) -> JsonObject:
        """Return one template, whoever owns it."""
        return self.api.get_template(number)

    def match(self, name: str, items: t.Iterable[JsonObject], *, wild: bool = False) -> list[JsonObject]:
        """Return the records of those with exactly this name, of that version and system."""
        found = super().match(name, items, wild=wild)
        return [
            record
            for record in found
            if self._version in (None, record["version"] or "")
            and self._category in (None, (record["system_category"] or {}).get("id"))
        ]


class DeclaredTemplate(WholeUpdates):
    """The own template that the options declare."""

    search: TemplateSearch

    def __init__(self, task: Task, search: TemplateSearch, params: Params) -> None:
        super().__init__(task, search, params)
        self._labels = Labels(search.api)
        self._texts = [str(one["description"]) for one in params.get("descriptions") or ()]
        description = Field("description", self._is_given, follows=("last_change_date",))
        self.fields = (Field("name", follows=("last_change_date",)), description)

    def _is_given(self, _desired: object, current: object) -> bool:
        """Return whether the one text that the service returns is one of those that were given."""
        return any(same_text(text, current) for text in self._texts)

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired name and description. Raises InvalidInput if there is no template."""
        if current is None:
            raise self._missing()
        desired = {} if self.name is None else {"name": self.name}
        return {**desired, "description": self._texts[0]} if self._texts else desired

    def _more(self) -> str:
        given = ((option, self.params.get(option)) for option in ("version", "system_category"))
        return "".join(f" with the {option} {value!r}" for option, value in given if value is not None)

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return the name, and the one description that is read, by the option that gives descriptions."""
        del current, changes
        return {"name": "Name", "descriptions": "Description"}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise InvalidInput for a template of somebody else, which only an ID can name."""
        super().verify(action, changes, current)
        if self.params.get("id") is None or current is None:
            return
        if all(one.get("Id") != current["id"] for one in self.search.list_items()):
            raise InvalidInput(
                f"Template {current['id']} ({current['name']}) is not one of your account: it cannot be changed or "
                "removed.",
                next_step="Check the ID; instance_template_info with source: own lists the templates of your account.",
                option="id",
            )

    def create_request(self, values: JsonMapping) -> t.NoReturn:
        """Raise InvalidInput: only instance_to_template creates one."""
        del values
        raise self._missing()

    def _missing(self) -> InvalidInput:
        return InvalidInput(
            f"There is no template {self.name!r}{self._more()} of your account.",
            next_step="instance_to_template creates one from an instance; instance_template_info with source: own "
            "lists those there are.",
            option="name",
        )

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the request that changes name and descriptions, which are sent together."""
        number, values = current["id"], {**current, **changes}
        body: JsonObject = {"Name": values["name"]}
        texts = texts_by_language(self._labels, self.params.get("descriptions") or ())
        if values["description"]:  # what is left out may be emptied
            body["TemplateDescriptions"] = in_every_language(self._labels, texts, values["description"])

        def send() -> None:
            self.search.api.change_template(number, body)

        def is_done(record: JsonObject | None) -> bool:
            fields = [field for field in self.fields if field.name in changes]
            return record is not None and all(
                field.compare(changes[field.name], record[field.name]) for field in fields
            )

        return [change_of(self, current, f"Changing {self.title(current)}", send, is_done)]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it; the answer is empty."""
        return [removal_of(self, current, self.search.api.delete_template)]


def run(task: Task, params: Params) -> Result:
    """Bring the template to its state."""
    check_name(params.get("name"), MAX_TEMPLATE_NAME, any_letters=True)
    check_not_empty(params, "system_category")
    check_descriptions(params.get("descriptions"))
    api = infrastructure(task)
    category = resolve_id(
        "system_category",
        params.get("system_category"),
        lambda: api.get_dictionary(SYSTEM_CATEGORIES),
        "the families of operating systems",
    )
    return reconcile_resource(
        DeclaredTemplate(task, TemplateSearch(api, params.get("version"), category), params), "template"
    )


OPERATION = Operation(
    "instance_template",
    (REST,),
    {
        **STATE,
        "name": {"type": "str", "aliases": ["template_name"]},
        "id": {"type": "int", "aliases": ["template_id"]},
        "version": {"type": "str"},
        "system_category": {"type": "str", "aliases": ["system_category_id"]},
        "descriptions": DESCRIPTIONS,
        **WAIT_OPTIONS,
        "create_grace": CREATE_OPTIONS["create_grace"],
    },
    run,
    {"required_one_of": [("name", "id")], "mutually_exclusive": [("id", "version"), ("id", "system_category")]},
    members=tuple(template_record({})),
    manages=ManagedObject("template", "template"),
)

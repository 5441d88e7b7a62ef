# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading instances: by ID, by name, or by filters (docs/service/infrastructure.md, "Instances").

Everything that an instance shows is in the list; none is read separately.
"""

from __future__ import annotations

import typing as t

from ..._connection.options import REST, Option, OptionSpecs, convert_option, resolve_label
from ..._connection.task import Operation, Params, Result, Task, non_null_options
from ..._core.errors import Forbidden, InvalidInput, NotFound
from ..._core.text import did_you_mean
from ..._core.type_aliases import JsonObject
from ..api import infrastructure
from ..reference_names import SUBREGION, TEMPLATE, ReferenceNames, resolve_id
from ..rest_reading import IDS, ids_in, is_pattern, pick_records, unique_keys
from ..rest_records import OF_ITEM, check_numbers
from .instance_included import with_included
from .instance_records import DELETED, InstanceSearch, instance_record, status_of

if t.TYPE_CHECKING:
    from ..._core.type_aliases import JsonObjects
    from ..api import Infrastructure

KnownItems = dict[tuple[str, object, object], object]

TEMPLATE_TYPES = 52  # dictionary
FILTER_OPTIONS: OptionSpecs = {
    "query": {"type": "str"},
    "is_turned_on": {"type": "bool"},
    "subregion": {"type": "str"},
    "subregion_id": {"type": "int"},
    "type": {"type": "str"},
    "type_id": {"type": "int"},
    "template_type": {"type": "str"},
    "template_type_id": {"type": "int"},
}
LABELS = {"subregion": "the subregions", "type": "the instance types"}
FILTERS = {name: str(spec["type"]) for name, spec in FILTER_OPTIONS.items() if name != "template_type"}
"""The filters of the service itself, with their types; labels become numbers."""


def parse_filters(given: t.Mapping[str, object]) -> JsonObject:
    """Return the filters in their types. Raises InvalidInput."""
    for name in given:
        if name not in FILTERS:
            raise InvalidInput(
                f"filters: there is no {name!r}.", next_step=did_you_mean(name, FILTERS), option="filters"
            )
    typed = {
        name: convert_option("filters", Option(FILTERS[name], ()), value, f"filters.{name}")
        for name, value in given.items()
        if value is not None
    }
    check_numbers(typed, "filters.")
    for label in LABELS:
        if label in typed and f"{label}_id" in typed:
            raise InvalidInput(f"filters: give {label} or {label}_id, not both.", option="filters")
    return typed


def read_instances(
    api: Infrastructure, filters: t.Mapping[str, t.Any], names: ReferenceNames, *, templates: bool = False
) -> list[JsonObject]:
    """Return the records of the instances that the service selects, without deleted ones.

    Subregions have their names, and so have templates if wanted. Equal ``{id, label}`` of one attribute are one object,
    and what the service sent is released as it is read: ten thousand instances have few types, and both together take
    much memory.
    """
    query = {name: value for name, value in filters.items() if name not in LABELS}
    for name in LABELS:
        if name in filters:
            query[f"{name}_id"] = _number(api, names, name, filters[name])
    entries = api.list_instances(**query)
    entries.reverse()
    records: dict[t.Any, JsonObject] = {}
    known: KnownItems = {}
    while entries:
        record = instance_record(entries.pop())
        share_items([record], known)
        records[record["id"]] = record
    found = [record for record in records.values() if status_of(record) != DELETED]
    names.fill(found, SUBREGION, *([TEMPLATE] if templates else []))
    return found


def _number(api: Infrastructure, names: ReferenceNames, name: str, label: str) -> int:
    """Return the number for a label. Raises InvalidInput with the most similar ones, or Ambiguous."""
    entries = names.entries(SUBREGION) if name == SUBREGION else api.list_instance_types()
    items = [(entry["Id"], str(entry.get("Name"))) for entry in entries]
    return resolve_label(label, items, option=f"filters.{name}", where=LABELS[name])


def share_items(records: t.Iterable[JsonObject], known: KnownItems | None = None) -> None:
    """Make equal ``{id, label}`` of one attribute of the records, and those that are known, one object."""
    known = {} if known is None else known
    for record in records:
        for name, value in record.items():
            if isinstance(value, dict) and tuple(value) == OF_ITEM:
                record[name] = known.setdefault((name, value["id"], value["label"]), value)


SECRET_PARTS = ("access_data", "init_script")
INCLUDABLE = (
    "disks",
    "ip_addresses",
    "private_networks",
    "ssh_keys",
    "snapshots",
    "interfaces",
    "events",
    "software",
    "autoscaler",
    *SECRET_PARTS,
)
"""What belongs to an instance and can be read with it; how is in instance_included.py."""

MAX_SINGLE_INSTANCES = 5  # up to so many instances are read one by one; more come from the list


def run(task: Task, params: Params) -> Result:
    """Return instances: those with the given IDs or names, or those that fit all filters."""
    api, numbers, names = infrastructure(task), ids_in(params), params.get("name")
    missing: list[t.Any] = []
    known = ReferenceNames(api)
    if numbers is not None:
        records, missing = _read_numbered(api, known, numbers)
    elif names is not None:
        records, missing = _read_named(api, known, unique_keys(names))
    else:
        records = _read_filtered(api, known, params)
    if params.get("include"):
        selected = records
        records = with_included(api, known, records, unique_keys(params["include"]), params["include_limit"])
        key, existing = "name" if numbers is None else "id", {record["id"] for record in records}
        missing += [record[key] for record in selected if record["id"] not in existing]
    known.fill(records, SUBREGION, TEMPLATE)
    found: Result = {"changed": False, "instances": records}
    return found if numbers is None and names is None else {**found, "missing": unique_keys(missing)}


def _read_numbered(
    api: Infrastructure, known: ReferenceNames, numbers: t.Sequence[int]
) -> tuple[list[JsonObject], list[int]]:
    """Return the instances with these IDs, and the IDs that do not exist.

    The answer is 403 for missing objects and for missing rights; the list tells these apart.
    """
    if len(numbers) > MAX_SINGLE_INSTANCES:
        return pick_records(read_instances(api, {}, known), numbers)
    records: list[JsonObject] = []
    refused: dict[int, Forbidden | NotFound] = {}
    for number in numbers:
        try:
            records.append(instance_record(api.get_instance(number)))
        except (Forbidden, NotFound) as refusal:
            refused[number] = refusal
    for record in read_instances(api, {}, known) if refused else ():
        if record["id"] in refused:
            raise refused[record["id"]]
    return pick_records((record for record in records if status_of(record) != DELETED), numbers)


def _read_named(
    api: Infrastructure, known: ReferenceNames, names: t.Sequence[str]
) -> tuple[list[JsonObject], list[str]]:
    """Return the instances with these names, which are not unique, and the names that no instance has."""
    if len(names) != 1 or is_pattern(names[0]):
        return pick_records(read_instances(api, {}, known) if names else [], names, "name")
    found = InstanceSearch(api).by_names(names)[names[0]]
    return found, [] if found else list(names)


def _read_filtered(api: Infrastructure, known: ReferenceNames, params: Params) -> list[JsonObject]:
    """Return the instances that fit the filters; labels are looked up first."""
    labels: dict[str, tuple[t.Callable[[], JsonObjects], str]] = {
        SUBREGION: (lambda: known.entries(SUBREGION), "the subregions"),
        "type": (api.list_instance_types, "the instance types"),
        "template_type": (lambda: api.get_dictionary(TEMPLATE_TYPES), "the template types"),
    }
    query = non_null_options(params, [name for name in FILTER_OPTIONS if name not in labels])
    for name, (entries, where) in labels.items():
        number = resolve_id(name, params.get(name), entries, where)
        if number is not None:
            query[f"{name}_id"] = number
    return read_instances(api, query, known)


def includes_secrets(result: Result) -> bool:
    """Return whether a password was read, or a script that may contain one."""
    return any(
        name in (record.get("included") or {}) for record in result.get("instances") or () for name in SECRET_PARTS
    )


OPERATION = Operation(
    "instance_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["instance_id"]},
        "name": {"type": "list", "elements": "str", "aliases": ["instance_name"]},
        **FILTER_OPTIONS,
        "include": {"type": "list", "elements": "str", "choices": [*INCLUDABLE]},
        "include_limit": {"type": "int", "default": 100},
    },
    run,
    {
        "mutually_exclusive": [
            ("id", "name"),
            *[(key, name) for key in ("id", "name") for name in FILTER_OPTIONS],
            ("subregion", "subregion_id"),
            ("type", "type_id"),
            ("template_type", "template_type_id"),
        ]
    },
    returns_secrets=includes_secrets,
)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading instances: by ID, by name, or by filters; and choosing among them (wire-facts section 5.2).

Everything that an instance shows is in the list; none is read separately.
"""

from __future__ import annotations

import typing as t
from collections import Counter
from fnmatch import fnmatchcase

from ..._connection.options import REST, Option, convert_option, resolve_label
from ..._connection.task import Operation, Params, Result, Task, non_null_options
from ..._core.errors import Forbidden, InvalidInput, NotFound
from ..._core.text import did_you_mean
from ..api import infrastructure
from ..rest_records import (
    IDS,
    SUBREGION,
    TEMPLATE,
    TEMPLATE_TYPES,
    ReferenceNames,
    Row,
    check_numbers,
    ids_in,
    is_pattern,
    pick_records,
    resolve_id,
    unique_keys,
)
from .instance_records import DELETED, InstanceSearch, instance_record, status_of

if t.TYPE_CHECKING:
    from ..api import Infrastructure
    from ..rest_client import Items

Path = t.Tuple[str, ...]
Rule = t.List[t.Tuple[Path, t.Any]]
KnownItems = t.Dict[t.Tuple[str, t.Any, t.Any], t.Any]

FILTERS = {
    "query": "str",
    "is_turned_on": "bool",
    "subregion": "str",
    "subregion_id": "int",
    "type": "str",
    "type_id": "int",
    "template_type_id": "int",
}
"""The filters of the service itself, with their types; labels become numbers."""

LABELS = {"subregion": "the subregions", "type": "the instance types"}
KEYS = tuple(instance_record({}))
OF_ITEM = ("id", "label")
ADDRESSES = {
    "public": ("ip_address",),
    "private": ("private_ip_address",),
    "public_or_private": ("ip_address", "private_ip_address"),
    "private_or_public": ("private_ip_address", "ip_address"),
    "dns": ("dns_address",),
    "none": (),
}
"""Members of the record that give the address; the first that is not empty counts."""


def checked_filters(given: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
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
) -> list[Row]:
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
    records: dict[t.Any, Row] = {}
    known: KnownItems = {}
    while entries:
        record = instance_record(entries.pop())
        _share_items(record, known)
        records[record["id"]] = record
    found = [record for record in records.values() if status_of(record) != DELETED]
    names.fill(found, SUBREGION, *([TEMPLATE] if templates else []))
    return found


def _number(api: Infrastructure, names: ReferenceNames, name: str, label: str) -> int:
    """Return the number for a label. Raises InvalidInput with the most similar ones, or Ambiguous."""
    entries = names.entries(SUBREGION) if name == SUBREGION else api.list_instance_types()
    items = [(entry["Id"], str(entry.get("Name"))) for entry in entries]
    return resolve_label(label, items, option=f"filters.{name}", where=LABELS[name])


def share_items(records: t.Iterable[Row]) -> None:
    """Make equal ``{id, label}`` of the records one object, as ``read`` does."""
    known: KnownItems = {}
    for record in records:
        _share_items(record, known)


def _share_items(record: Row, known: KnownItems) -> None:
    for name, value in record.items():
        if isinstance(value, dict) and tuple(value) == OF_ITEM:
            record[name] = known.setdefault((name, value["id"], value["label"]), value)


def path_of_key(option: str, key: t.Any) -> Path:
    """Return the path to a value of a record: ``name``, ``status``, ``status.label``. Raises InvalidInput."""
    head, *rest = path = tuple(str(key).split("."))
    if head not in KEYS:
        raise InvalidInput(
            f"{option}: an instance has no {key!r}.", next_step=did_you_mean(str(key), KEYS), option=option
        )
    if rest and (len(rest) > 1 or rest[0] not in OF_ITEM):
        raise InvalidInput(
            f"{option}: there is no {key!r}; after the dot, use id or label, as in {head}.label.", option=option
        )
    return path


def value_of(record: Row, path: Path) -> t.Any:
    """Return the value, None if there is none."""
    value: t.Any = record
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def rules_of(option: str, given: t.Sequence[t.Any]) -> list[Rule]:
    """Return the entries of ``include`` or ``exclude`` for ``fits``. Raises InvalidInput."""
    for entry in given:
        if not isinstance(entry, dict) or not entry:
            raise InvalidInput(f"{option} takes mappings from keys to values, not {entry!r}.", option=option)
    return [[(path_of_key(option, key), desired) for key, desired in entry.items()] for entry in given]


def fits_rules(record: Row, given: t.Iterable[Rule]) -> bool:
    """Return whether one of the rules fits the record in all its parts."""
    return any(all(_equals(value_of(record, path), desired) for path, desired in rule) for rule in given)


def _equals(value: t.Any, desired: t.Any) -> bool:
    """Compare a text or a number with a pattern; either part of ``{id, label}`` may match, and any item of a list."""
    if isinstance(desired, list):
        return any(_equals(value, one) for one in desired)
    if isinstance(value, dict):
        return any(_equals(one, desired) for one in value.values())
    if desired is None or value is None or isinstance(value, bool) or isinstance(desired, bool):
        return value is desired
    return fnmatchcase(str(value), str(desired))


def address_of(record: Row, choice: str) -> str | None:
    """Return the address to connect to, None if there is none."""
    found = (record[name] for name in ADDRESSES[choice])
    return next((str(address) for address in found if address), None)


def distinct_names(
    names: t.Sequence[str], numbers: t.Sequence[int], taken: t.Callable[[str], bool]
) -> tuple[list[str], dict[str, str]]:
    """Return names that are all different, and which of them had to be changed to what.

    Names of instances are not unique (wire-facts section 5.2). All that share a name get their ID appended, so that
    none depends on the order of the list; so do those with a name that is ``taken``.
    """
    counts = Counter(names)
    single = {name for name, count in counts.items() if count == 1 and not taken(name)}
    result, changed = [], {}
    for name, number in zip(names, numbers):
        own = name
        if name not in single:
            own = f"{name}_{number}"
            while own in single or taken(own):
                own = f"{own}_{number}"
            changed[own] = name
        result.append(own)
    return result, changed


FILTER_OPTIONS: dict[str, dict[str, t.Any]] = {
    "query": {"type": "str"},
    "is_turned_on": {"type": "bool"},
    "subregion": {"type": "str"},
    "subregion_id": {"type": "int"},
    "type": {"type": "str"},
    "type_id": {"type": "int"},
    "template_type": {"type": "str"},
    "template_type_id": {"type": "int"},
}
SECRET = ("access_data", "init_script")
INCLUDED = (
    "disks",
    "ip_addresses",
    "private_networks",
    "ssh_keys",
    "snapshots",
    "events",
    "software",
    *SECRET,
)
FEW = 5  # up to so many instances are read one by one; more come from the list


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
        records = _filtered(api, known, params)
    if params.get("include"):
        from .instance_included import with_included

        all_of_them = records
        records = with_included(api, known, records, unique_keys(params["include"]), params["include_limit"])
        key, there = "name" if numbers is None else "id", {record["id"] for record in records}
        missing += [record[key] for record in all_of_them if record["id"] not in there]
    known.fill(records, SUBREGION, TEMPLATE)
    found: Result = {"changed": False, "instances": records}
    return found if numbers is None and names is None else {**found, "missing": unique_keys(missing)}


def _read_numbered(api: Infrastructure, known: ReferenceNames, numbers: t.Sequence[int]) -> tuple[list[Row], list[int]]:
    """Return the instances with these IDs, and the IDs that do not exist.

    The answer is 403 for missing objects and for missing rights (wire-facts section 2.1); the list tells these apart.
    """
    if len(numbers) > FEW:
        return pick_records(read_instances(api, {}, known), numbers)
    records: list[Row] = []
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


def _read_named(api: Infrastructure, known: ReferenceNames, names: t.Sequence[str]) -> tuple[list[Row], list[str]]:
    """Return the instances with these names, which are not unique, and the names that no instance has."""
    if len(names) != 1 or is_pattern(names[0]):
        return pick_records(read_instances(api, {}, known) if names else [], names, "name")
    found = InstanceSearch(api).by_names(names)[names[0]]
    return found, [] if found else list(names)


def _filtered(api: Infrastructure, known: ReferenceNames, params: Params) -> list[Row]:
    """Return the instances that fit the filters; labels are looked up first."""
    labels: dict[str, tuple[t.Callable[[], Items], str]] = {
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
    return any(name in (record.get("included") or {}) for record in result.get("instances") or () for name in SECRET)


OPERATION = Operation(
    "instance_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["instance_id"]},
        "name": {"type": "list", "elements": "str", "aliases": ["instance_name"]},
        **FILTER_OPTIONS,
        "include": {"type": "list", "elements": "str", "choices": list(INCLUDED)},
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

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading instances: by ID, by name, or by filters; choosing among them; and what belongs to them (wire-facts 5.2).

Everything that an instance shows is in the list; none is read separately. If a list of the whole account says which
instance each part belongs to, it is read once for several instances. The rest takes a request for each instance, and
those are limited.
"""

from __future__ import annotations

import base64
import binascii
import typing as t
from collections import Counter
from fnmatch import fnmatchcase

from ..._connection.options import REST, Option, OptionSpecs, convert_option, resolve_label
from ..._connection.task import Operation, Params, Result, Task, non_null_options
from ..._core.errors import Forbidden, InvalidInput, NotFound
from ..._core.text import did_you_mean, join_names
from ..api import infrastructure
from ..rest_records import (
    IDS,
    INSTANCE,
    SUBREGION,
    TEMPLATE,
    ReferenceNames,
    Row,
    check_numbers,
    ids_in,
    is_pattern,
    item,
    item_members,
    pick_records,
    plain_members,
    resolve_id,
    unique_keys,
)
from .instance_records import DELETED, InstanceSearch, by_instance, instance_record, read_access_data, status_of

if t.TYPE_CHECKING:
    from ..api import Infrastructure
    from ..rest_client import Item, Items

Path = tuple[str, ...]
Rule = list[tuple[Path, object]]
KnownItems = dict[tuple[str, object, object], object]

TEMPLATE_TYPES = 52  # dictionary, wire-facts section 3.1
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
FILTERS = {name: str(spec["type"]) for name, spec in FILTER_OPTIONS.items() if name != "template_type"}
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


def parse_filters(given: t.Mapping[str, object]) -> Row:
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


def share_items(records: t.Iterable[Row], known: KnownItems | None = None) -> None:
    """Make equal ``{id, label}`` of one attribute of the records, and those that are known, one object."""
    known = {} if known is None else known
    for record in records:
        for name, value in record.items():
            if isinstance(value, dict) and tuple(value) == OF_ITEM:
                record[name] = known.setdefault((name, value["id"], value["label"]), value)


def path_of_key(option: str, key: object) -> Path:
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


def value_of(record: Row, path: Path) -> object:
    """Return the value, None if there is none."""
    value: t.Any = record
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def rules_of(option: str, given: t.Sequence[t.Any]) -> list[Rule]:
    """Return the entries of ``include`` or ``exclude`` for ``fits_rules``. Raises InvalidInput."""
    for entry in given:
        if not isinstance(entry, dict) or not entry:
            raise InvalidInput(f"{option} takes mappings from keys to values, not {entry!r}.", option=option)
    return [[(path_of_key(option, key), desired) for key, desired in entry.items()] for entry in given]


def fits_rules(record: Row, given: t.Iterable[Rule]) -> bool:
    """Return whether one of the rules fits the record in all its parts."""
    return any(all(_equals(value_of(record, path), desired) for path, desired in rule) for rule in given)


def _equals(value: object, desired: object) -> bool:
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


SECRET = ("access_data", "init_script")
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
        records = _read_filtered(api, known, params)
    if params.get("include"):
        selected = records
        records = with_included(api, known, records, unique_keys(params["include"]), params["include_limit"])
        key, existing = "name" if numbers is None else "id", {record["id"] for record in records}
        missing += [record[key] for record in selected if record["id"] not in existing]
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


def _read_filtered(api: Infrastructure, known: ReferenceNames, params: Params) -> list[Row]:
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


# ---------------------------------------------------------------- what belongs to instances

NAMELESS_PARTS = ("disks", "ip_addresses", "private_networks", "snapshots")
"""What refers to other objects by ID only."""

REFERENCES = ("subregion", "default_subregion", "instance", "instances")
_EVENT = {"id": "Id", "date": "Date", "message": "Message"}
_NAMED_OF_EVENT = {"operation_type": "OperationType", "operation_status": "OperationStatus"}


def with_included(
    api: Infrastructure, known: ReferenceNames, records: t.Sequence[Row], names: t.Sequence[str], limit: int
) -> list[Row]:
    """Return the instances with what belongs to them in ``included``, without those that are gone by now.

    Raises InvalidInput if there are too many of them.
    """
    _check_requests(names, len(records), limit)
    whole = {name: LISTS[name](api) for name in names if name in LISTS} if len(records) > 1 else {}
    result = []
    for record in records:
        try:
            included = {name: _read(api, record["id"], name, whole.get(name)) for name in names}
        except (Forbidden, NotFound) as refusal:
            InstanceSearch(api).require_unlisted(record["id"], refusal)
        else:
            result.append({**record, "included": included})
    _name_parts(known, records, result)
    return result


def _name_parts(known: ReferenceNames, records: t.Sequence[Row], result: t.Sequence[Row]) -> None:
    """Name what the parts refer to, which is often one of the instances."""
    known.know(INSTANCE, [{"Id": record["id"], "Name": record["name"]} for record in records])
    parts = [one for record in result for name in NAMELESS_PARTS for one in record["included"].get(name, ())]
    known.fill(parts, *REFERENCES)


def _check_requests(names: t.Sequence[str], count: int, limit: int) -> None:
    single = [name for name in names if name not in LISTS]
    if single and count > limit:
        raise InvalidInput(
            f"include: {join_names(single)} would take {len(single) * count} requests, because there are {count} "
            f"instances; include_limit is {limit}.",
            next_step="Choose fewer instances with id, name or the filters, or raise include_limit.",
            option="include_limit",
        )


def _read(api: Infrastructure, number: int, name: str, grouped: t.Mapping[int, Items] | None) -> t.Any:
    """Return what belongs to one instance; ``grouped`` is the list of the account, if it was read for all."""
    found = EACH[name](api, number) if grouped is None else grouped.get(number, [])
    if name in SECRET:
        return found
    describe = _descriptions()[name]
    records = [describe(one) for one in found]
    if name == "private_networks":  # of this instance only: a large one would be repeated for each of its members
        for record in records:
            record["instances"] = [one for one in record["instances"] if one["id"] == number]
    return records


def _descriptions() -> dict[str, t.Callable[[Item], t.Any]]:
    from .. import (  # few tasks read more than the instances
        disk,
        ip_address,
        private_network,
        snapshot,
        ssh_key,
    )

    return {
        "disks": disk.disk_record,
        "ip_addresses": ip_address.ip_address_record,
        "private_networks": private_network.private_network_record,
        "ssh_keys": ssh_key.ssh_key_record,
        "snapshots": snapshot.snapshot_record,
        "events": _event,
        "software": item,
    }


def _event(event: Item) -> Row:
    user = event.get("User") or {}
    return {**plain_members(event, _EVENT), **item_members(event, _NAMED_OF_EVENT), "user": user.get("Login")}


def _init_script(api: Infrastructure, number: int) -> str | None:
    """Return the text of the script; if it is not base64 of a text, it stays as the service has it."""
    sent = api.get_init_script(number)
    if sent is None:
        return None
    try:
        return base64.b64decode(sent, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return sent


LISTS: dict[str, t.Callable[[Infrastructure], dict[int, Items]]] = {
    "disks": lambda api: by_instance(api.list_disks(), lambda one: one.get("Connections")),
    "ip_addresses": lambda api: by_instance(api.list_ip_addresses(), lambda one: [one]),
    "private_networks": lambda api: by_instance(api.list_networks(), lambda one: one.get("PrivateIps")),
}
"""What the service lists for the whole account, grouped by the IDs of the instances."""

EACH: dict[str, t.Callable[[Infrastructure, int], t.Any]] = {
    "disks": lambda api, number: api.list_instance_disks(number),
    "ip_addresses": lambda api, number: api.list_instance_ip_addresses(number),
    "private_networks": lambda api, number: api.list_instance_networks(number),
    "ssh_keys": lambda api, number: api.list_instance_ssh_keys(number),
    "snapshots": lambda api, number: api.list_instance_snapshots(number),
    "events": lambda api, number: api.list_instance_events(number),
    "software": lambda api, number: api.list_instance_software(number),
    "access_data": read_access_data,
    "init_script": _init_script,
}


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
        "include": {"type": "list", "elements": "str", "choices": list(EACH)},
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

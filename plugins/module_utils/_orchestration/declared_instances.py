# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The instances of a task by label, the IDs of those to be adopted, and which of the recorded ones are gone.

Source of the attributes: docs/service/infrastructure.md, "Orchestration plugin".
"""

from __future__ import annotations

import re
import typing as t

from .._connection.options import OptionSpecs
from .._core.errors import FcdError, InvalidInput
from .._core.type_aliases import JsonMapping, JsonObject
from .._infrastructure.api import Infrastructure
from .._infrastructure.instance.instance_options import (
    CREATE_REFERENCES,
    Labels,
    check_instance,
    check_instance_name,
    reference,
)
from .._infrastructure.instance.instance_options import INSTANCE_OPTIONS as OF_AN_INSTANCE
from .._infrastructure.instance.instance_options import INSTANCE_RULES as RULES_OF_AN_INSTANCE
from .._infrastructure.instance.instance_records import InstanceSearch, existing_records, only_instance
from .plugin_schema import PLUGIN_OPTIONS

LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
DECLARED_OPTIONS: OptionSpecs = {
    "instance_name": {"type": "str", "required": True, "aliases": ["name"]},
    "label": {"type": "str"},
    **{name: spec for name, spec in OF_AN_INSTANCE.items() if name in (*PLUGIN_OPTIONS, *CREATE_REFERENCES)},
}
INSTANCE_EXCLUSIVE = [
    group for group in RULES_OF_AN_INSTANCE["mutually_exclusive"] if set(group) <= set(DECLARED_OPTIONS)
]


def declared_instances(
    entries: t.Sequence[JsonMapping], labels: t.Callable[[], Labels], warn: t.Callable[[str], None]
) -> dict[str, JsonObject]:
    """Return the options of each instance by the label of its resource. Raises InvalidInput naming the entry."""
    instances: dict[str, JsonObject] = {}
    for number, entry in enumerate(entries):
        try:
            label = _label(entry)
            if label in instances:
                raise InvalidInput(
                    f"label: {label!r} is already the label of {instances[label]['instance_name']!r}.",
                    next_step="Give one of the two another label.",
                    option="label",
                )
            check_instance_name(entry["instance_name"], "instance_name")
            check_instance({**entry, "name": entry["instance_name"]})
            instances[label] = _attributes(entry, labels)
            if (entry.get("instances_count") or 1) > 1:
                warn(f"instances_count: the service may create only one instance for {label}; use one entry for each.")
        except FcdError as error:
            error.message = f"instances[{number}] ({entry['instance_name']}): {error.message}"
            raise
    return instances


def _label(entry: JsonMapping) -> str:
    """Return the label of an entry, made from its name if it has none. Raises InvalidInput."""
    label: str | None = entry.get("label")
    if label is None:
        label = re.sub(r"[^A-Za-z0-9_-]+", "_", entry["instance_name"])
        return label if LABEL.fullmatch(label) else f"_{label}"
    if not LABEL.fullmatch(label):
        raise InvalidInput(
            f"label: {label!r} cannot be the name of a resource.",
            next_step="Use letters a to z, digits, hyphens and underscores, and do not start with a digit or hyphen.",
            option="label",
        )
    return label


def _attributes(entry: JsonMapping, labels: t.Callable[[], Labels]) -> JsonObject:
    found = {name: entry[name] for name in PLUGIN_OPTIONS if entry.get(name) is not None}
    for option in CREATE_REFERENCES:
        given = reference(entry, option)
        if given is not None:
            attribute = option if option == "disk_class" else f"{option}_id"
            found[attribute] = given if isinstance(given, int) else labels().item(option, given)["id"]
    return found


def adopted_numbers(
    infrastructure: t.Callable[[], Infrastructure],
    declared: t.Mapping[str, JsonObject],
    managed: t.Mapping[str, JsonObject],
) -> dict[str, str]:
    """Return the IDs, as text, of the instances that exist and are to be adopted, by label.

    Both mappings are attributes by label. Raises Ambiguous if several have the same name, and InvalidInput for one
    that is managed under another label: the tool would remove it there.
    """
    labels = _labels_by_name({label: entry for label, entry in declared.items() if label not in managed})
    if not labels:
        return {}
    names = list(labels)
    owners = {str(entry.get("id")): label for label, entry in managed.items()}
    found = {}
    for name, records in InstanceSearch(infrastructure()).by_names(names).items():
        record = only_instance(name, records)
        if record is None:
            continue
        number = str(record["id"])
        if number in owners:
            raise InvalidInput(
                f"adopt: {name!r} is instance {number}, which is already managed under the label {owners[number]}.",
                next_step=f"Set label to {owners[number]} in its entry.",
                option="adopt",
            )
        found[labels[name]] = number
    return found


def _labels_by_name(instances: t.Mapping[str, JsonObject]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for label, attributes in instances.items():
        name = attributes["instance_name"]
        if name in labels:
            raise InvalidInput(
                f"adopt: {labels[name]} and {label} both have the name {name!r}; it is not known which of them exists.",
                next_step="Give them different names, or omit adopt.",
                option="adopt",
            )
        labels[name] = label
    return labels


def labels_of_gone(infrastructure: Infrastructure, managed: t.Mapping[str, int]) -> list[str]:
    """Return the labels of the instances that do not exist any more; ``managed`` are IDs by label."""
    listed = {record["id"] for record in existing_records(infrastructure.list_instances())}
    search = InstanceSearch(infrastructure)
    return [label for label, number in managed.items() if number not in listed and search.by_id(number) is None]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The machines of a configuration: entries with labels or numbers, turned into attributes under the names of resources.

Source of the attributes: contract infrastructure-rest.md, "Instance attributes".
"""

from __future__ import annotations

import re
import typing as t

from .._core.errors import FcdError, InvalidInput
from .._infrastructure.instance.instance_options import INSTANCE_OPTIONS as OF_AN_INSTANCE
from .._infrastructure.instance.instance_options import INSTANCE_RULES as RULES_OF_AN_INSTANCE
from .._infrastructure.instance.instance_options import REFERENCES, check_instance, check_instance_name, reference
from .rendering import ATTRIBUTES

if t.TYPE_CHECKING:
    from .._infrastructure.instance.instance_options import Labels

    LateLabels = t.Callable[[], Labels]

Params = t.Mapping[str, t.Any]
LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
NUMBERS = {name: name if name == "disk_class" else f"{name}_id" for name in REFERENCES}
"""Attributes of the configuration for what ``instance`` takes as a label or a number."""

OPTIONS: dict[str, dict[str, t.Any]] = {
    "instance_name": {"type": "str", "required": True, "aliases": ["name"]},
    "label": {"type": "str"},
    **{name: spec for name, spec in OF_AN_INSTANCE.items() if name in (*ATTRIBUTES, *REFERENCES)},
}
EXCLUSIVE = [group for group in RULES_OF_AN_INSTANCE["mutually_exclusive"] if set(group) <= set(OPTIONS)]


def machines_of(
    entries: t.Sequence[Params], labels: LateLabels, warn: t.Callable[[str], None]
) -> dict[str, dict[str, t.Any]]:
    """Return the attributes of each machine by the label of its resource. Raises InvalidInput naming the entry."""
    machines: dict[str, dict[str, t.Any]] = {}
    for number, entry in enumerate(entries):
        try:
            label = label_of(entry)
            if label in machines:
                raise InvalidInput(
                    f"label: {label!r} stands for {machines[label]['instance_name']!r} already.",
                    next_step="Give one of the two a label of its own.",
                    option="label",
                )
            check_instance_name(entry["instance_name"], "instance_name")
            check_instance({**entry, "name": entry["instance_name"]})
            machines[label] = _attributes(entry, labels)
            if (entry.get("instances_count") or 1) > 1:  # wire-facts section 5.3
                warn(f"instances_count: the service may make one machine only of {label}; give one entry for each.")
        except FcdError as error:
            error.message = f"instances[{number}] ({entry['instance_name']}): {error.message}"
            raise
    return machines


def label_of(entry: Params) -> str:
    """Return the label of an entry, made of its name when it has none. Raises InvalidInput."""
    if entry.get("label") is None:
        label = re.sub(r"[^A-Za-z0-9_-]+", "_", entry["instance_name"])
        return label if LABEL.fullmatch(label) else f"_{label}"
    if not LABEL.fullmatch(entry["label"]):
        raise InvalidInput(
            f"label: {entry['label']!r} cannot be the name of a resource.",
            next_step="Use letters a to z, digits, hyphens and underscores, and no digit or hyphen at the beginning.",
            option="label",
        )
    return t.cast(str, entry["label"])


def _attributes(entry: Params, labels: LateLabels) -> dict[str, t.Any]:
    found = {name: entry[name] for name in ATTRIBUTES if entry.get(name) is not None}
    for option, attribute in NUMBERS.items():
        given = reference(entry, option)
        if given is not None:
            found[attribute] = given if isinstance(given, int) else labels().item(option, given)["id"]
    return found

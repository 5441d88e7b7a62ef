# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines that exist and that the orchestration tool does not manage yet, found by their names."""

from __future__ import annotations

import os
import typing as t

from .._core.errors import InvalidInput
from .._infrastructure.instance.instance_records import InstanceSearch, only_instance

if t.TYPE_CHECKING:
    from .._infrastructure.api import Infrastructure

Machines = t.Mapping[str, t.Mapping[str, t.Any]]


def adopted(infrastructure: t.Callable[[], Infrastructure], wanted: Machines, managed: Machines) -> dict[str, str]:
    """Return the numbers, as texts, of the machines to be taken over, by label.

    Both mappings are attributes by label. Raises Ambiguous when there are several of a name, and InvalidInput for one
    that is managed under another label: the tool would remove it there.
    """
    labels = _by_name({label: entry for label, entry in wanted.items() if label not in managed})
    if not labels:
        return {}
    names = list(labels)
    owners = {str(entry.get("id")): label for label, entry in managed.items()}
    found = {}
    for name, records in InstanceSearch(infrastructure()).by_names(names, os.path.commonprefix(names)).items():  # noqa: RUF071 - texts
        record = only_instance(name, records)
        if record is None:
            continue
        number = str(record["id"])
        if number in owners:
            raise InvalidInput(
                f"adopt: {name!r} is instance {number}, which is managed under the label {owners[number]} already.",
                next_step=f"Set label to {owners[number]} in its entry.",
                option="adopt",
            )
        found[labels[name]] = number
    return found


def _by_name(machines: Machines) -> dict[str, str]:
    labels: dict[str, str] = {}
    for label, attributes in machines.items():
        name = attributes["instance_name"]
        if name in labels:
            raise InvalidInput(
                f"adopt: {labels[name]} and {label} both have the name {name!r}; which of them exists cannot be told.",
                next_step="Give them different names, or leave adopt out.",
                option="adopt",
            )
        labels[name] = label
    return labels

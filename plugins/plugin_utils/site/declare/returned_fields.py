# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of results, as RETURN of the modules documents them, which the paths of outputs name."""

from __future__ import annotations

import importlib
import re
import typing as t

from ansible.module_utils.common.yaml import yaml_load

from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.text import did_you_mean
from ..model import EntryKind

ReturnField = t.Mapping[str, t.Any]
SAME_KEYS = re.compile(r"Keys as in RV\(([\w.]+)\)")  # in a description, instead of the keys


def check_output_path(kind: EntryKind, label: str, path: t.Sequence[str]) -> None:
    """Raise InvalidInput when a result of the module cannot have a value at the path, whatever the service returns.

    A field whose members are not documented may have any.
    """
    returned = _returned(kind)
    field = record_field(returned)
    for number, member in enumerate(path):
        so_far = ".".join((label, *path[:number]))
        kind_of_value, members = field.get("type"), _members(field, returned)
        if kind_of_value == "list":
            if not member.isdigit():
                raise InvalidInput(f"{so_far} is a list. Continue with a position such as 0, not {member!r}.")
            field = {"type": field.get("elements"), "contains": members}
        elif members:
            if member not in members:
                raise InvalidInput(f"{so_far} has no field {member!r}. {did_you_mean(member, members)}")
            field = members[member]
        elif kind_of_value in ("str", "int", "float", "bool"):
            raise InvalidInput(f"{so_far} is a single value and has no {member!r}.")
        else:
            return


def record_field(returned: ReturnField) -> ReturnField:
    """Return what RETURN of a module says of the object: the first dictionary with an ID, or else the first one."""
    fields: list[ReturnField] = [
        field for name, field in returned.items() if field.get("type") == "dict" and name not in ("diff", "error")
    ]
    return next((field for field in fields if "id" in field.get("contains", ())), fields[0] if fields else {})


def _returned(kind: EntryKind) -> ReturnField:
    module = importlib.import_module(f"{__package__.rpartition('.plugin_utils')[0]}.modules.{kind.module}")
    return t.cast("ReturnField", yaml_load(module.RETURN))


def _members(field: ReturnField, returned: ReturnField) -> t.Any:
    """Return the members of a field, listed there or where its description says; None if they are not documented."""
    elsewhere = SAME_KEYS.search(str(field.get("description")))
    if not elsewhere or field.get("contains"):
        return field.get("contains")
    members: t.Any = returned
    for name in elsewhere[1].split("."):
        members = members[name].get("contains")
    return members

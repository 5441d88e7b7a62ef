# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which values an output can name: the fields that the module of its entry documents in RETURN."""

from __future__ import annotations

import importlib
import typing as t

from ansible.module_utils.common.yaml import yaml_load

from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.text import did_you_mean
from .model import EntryKind

Field = t.Mapping[str, t.Any]


def check_output_path(kind: EntryKind, label: str, path: t.Sequence[str]) -> None:
    """Raise InvalidInput when a result of the module cannot have a value at the path, whatever the service returns.

    A field whose members are not documented may have any.
    """
    field = record_field(kind)
    for number, member in enumerate(path):
        so_far = ".".join((label, *path[:number]))
        kind_of_value, members = field.get("type"), field.get("contains")
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


def record_field(kind: EntryKind) -> Field:
    """Return what RETURN of the module says of the object: the first dictionary with an ID, or else the first one."""
    module = importlib.import_module(f"{__package__.rpartition('.plugin_utils')[0]}.modules.{kind.module}")
    fields: list[Field] = [
        field
        for name, field in yaml_load(module.RETURN).items()
        if field.get("type") == "dict" and name not in ("diff", "error")
    ]
    return next((field for field in fields if "id" in field.get("contains", ())), fields[0] if fields else {})

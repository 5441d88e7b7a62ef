# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a state of the orchestration tool says about the machines; its version 4 is what both tools write."""

from __future__ import annotations

import json
import typing as t

from .._core.errors import InvalidInput
from .._engine.plan import HIDDEN
from .rendering import RESOURCE

State = t.Dict[str, t.Any]
VERSION = 4


def parsed(content: bytes, where: str) -> State | None:
    """Return the state; None for an empty file. Raises InvalidInput naming ``where`` it is for what is no state."""
    if not content.strip():
        return None
    try:
        found = json.loads(content)
        if found["version"] != VERSION:
            problem = f"it has the version {found['version']}, not {VERSION}"
        elif all(map(_is_whole, found["resources"])):
            return t.cast(State, found)
        else:
            problem = "it is damaged"
    except (ValueError, KeyError, TypeError, AttributeError):
        problem = "it is damaged"
    raise InvalidInput(
        f"The state {where} cannot be used: {problem}.",
        next_step="Put back a copy of it; without it the tool would make every machine once more.",
        option="path",
    )


def _is_whole(resource: dict[str, t.Any]) -> bool:
    """Whether a resource of a state has what is read of it here; what is no mapping raises AttributeError."""
    attributes = [one.get("attributes") for one in resource["instances"]]
    return isinstance(resource["name"], str) and all(isinstance(one, (dict, type(None))) for one in attributes)


def is_empty(state: State | None) -> bool:
    """Whether the tool manages nothing."""
    return not (state or {}).get("resources")


def machines(state: State | None) -> dict[str, dict[str, t.Any]]:
    """Return the attributes of the machines by label; what is secret is hidden."""
    found = {}
    for resource in (state or {}).get("resources", ()):
        if resource.get("type") == RESOURCE and resource.get("mode") == "managed":
            for instance in resource.get("instances", ())[:1]:
                found[resource["name"]] = _shown(instance)
    return found


def attributes(state: State | None) -> dict[str, t.Any]:
    """Return what the state itself has of every resource, by label; it may be secret."""
    every = (state or {}).get("resources", ())
    return {resource["name"]: one.get("attributes") for resource in every for one in resource.get("instances", ())}


def _shown(instance: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    secret = {path[0].get("value") for path in instance.get("sensitive_attributes") or () if path}
    return {
        name: HIDDEN if name in secret else value
        for name, value in (instance.get("attributes") or {}).items()
        if value is not None or name not in secret
    }

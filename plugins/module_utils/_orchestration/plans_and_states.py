# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tool's plans and states say, as data, and which plans are refused.

Source: ``show -json`` of a plan, and version 4 of the state, which is what both tools write.
"""

from __future__ import annotations

import itertools
import json
import typing as t

from .._core.errors import InvalidInput
from .._core.later import LATER
from .._core.text import HIDDEN
from .._core.type_aliases import JsonObject
from .plugin_schema import NAME_ATTRIBUTES, NEW_TYPE, OLD_TYPE, instance_name_of

Document = t.Dict[str, t.Any]
Action = t.Dict[str, t.Any]
STATE_VERSION = 4
NO_CHANGE = (["no-op"], ["read"])
ACTION_WORDS = {"delete": "removed", "replace": "removed and created again, without its data"}


def actions_of(plan: Document) -> list[Action]:
    """Return what the plan would do: ``address``, ``action`` (create, update, replace, delete, import) and ``id``."""
    actions = []
    for entry in _changes(plan):
        change = entry["change"]
        words, importing = change["actions"], change.get("importing")
        if importing and len(words) == 1:  # otherwise the adopted instance would be removed at once
            word, number = "import", importing.get("id")
        else:
            word, number = "replace" if len(words) > 1 else words[0], (change.get("before") or {}).get("id")
        actions.append({"address": entry["address"], "action": word, "id": number})
    return actions


def diff_of(plan: Document) -> dict[str, dict[str, JsonObject]]:
    """Return attributes before and after by the address of their resource; secret ones are hidden."""
    before, after = {}, {}
    for entry in _changes(plan):
        change = entry["change"]
        if change.get("before") is not None:
            before[entry["address"]] = _shown(change["before"], _marked(change.get("before_sensitive")))
        if change.get("after") is not None:
            after[entry["address"]] = _shown(
                change["after"], _marked(change.get("after_sensitive")), _marked(change.get("after_unknown"))
            )
    return {"before": before, "after": after}


def planned_instances(plan: Document) -> dict[str, JsonObject]:
    """Return the attributes of the instances after the plan by label, as far as they are known."""
    later = {entry["address"]: entry["change"].get("after_unknown") for entry in plan.get("resource_changes") or ()}
    found = {}
    for entry in _resources(plan.get("planned_values")):
        if _is_instance(entry):
            unknown = _marked(later.get(entry["address"]))
            found[entry["name"]] = _shown(entry.get("values") or {}, _marked(entry.get("sensitive_values")), unknown)
    return found


def not_as_planned(planned: t.Mapping[str, JsonObject], recorded: t.Mapping[str, JsonObject | None]) -> list[str]:
    """Return which attributes are not as they were planned, as far as that was known."""
    return [
        f"{name} of {label} is {now[name]}, not {value}"
        for label, attributes in planned.items()
        for now in [recorded.get(label) or {}]
        for name, value in attributes.items()
        if value not in (None, LATER, HIDDEN) and now.get(name, value) != value
    ]


def attributes_before(plan: Document) -> dict[str, JsonObject | None]:
    """Return the attributes of every resource before the plan, by label, drift included; they may be secret."""
    return {entry["name"]: entry.get("values") for entry in _resources((plan.get("prior_state") or {}).get("values"))}


class PlannedCreate(t.NamedTuple):
    """An instance that the tool is going to create."""

    address: str
    label: str
    name: str


def creates_of(plan: Document) -> list[PlannedCreate]:
    """Return the instances that the plan would create, including those that it would replace."""
    return [
        PlannedCreate(entry["address"], entry["name"], instance_name_of(entry["change"]["after"]))
        for entry in _changes(plan)
        if _is_instance(entry) and "create" in entry["change"]["actions"]
    ]


def drift_of(plan: Document) -> list[str]:
    """Return the addresses of resources that were changed or removed by others since the tool last saw them."""
    return [entry["address"] for entry in plan.get("resource_drift") or ()]


def refuse_protected(actions: t.Iterable[Action], protect: t.Collection[str]) -> None:
    """Raise InvalidInput if the plan would do what is protected."""
    refused = [action for action in actions if action["action"] in protect]
    if not refused:
        return
    words = "; ".join(f"{action['address']} would be {ACTION_WORDS[action['action']]}" for action in refused)
    kinds = sorted({action["action"] for action in refused})
    raise InvalidInput(
        f"protect: {words}. Nothing was done.",
        next_step=f"Remove {' and '.join(kinds)} from protect if you want this.",
        option="protect",
        refused=refused,
    )


def refuse_renaming(plan: Document, protect: t.Collection[str]) -> None:
    """Raise InvalidInput if an instance would be removed and one like it created under another name.

    Then somebody has renamed it without keeping its label, which is all that the tool recognizes it by.
    """
    if "replace" not in protect:
        return
    alone = [entry for entry in _changes(plan) if not entry["change"].get("importing")]
    removed = [entry for entry in alone if entry["change"]["actions"] == ["delete"]]
    created = [entry for entry in alone if entry["change"]["actions"] == ["create"]]
    for old, new in itertools.product(removed, created):
        if _is_same_but_for_name(old["change"]["before"], new["change"]["after"]):
            label = old["address"].partition(".")[2]
            raise InvalidInput(
                f"protect: {old['address']} would be removed, and {new['address']} created with all but its name. "
                "Nothing was done.",
                next_step=f"If this is the same instance with a new name, set its label to {label}; "
                "otherwise remove replace from protect.",
                option="protect",
                refused=[
                    {"address": old["address"], "action": "delete"},
                    {"address": new["address"], "action": "create"},
                ],
            )


def _is_same_but_for_name(before: JsonObject, after: JsonObject) -> bool:
    """Return whether everything that is known of a new instance equals the other one, except for its name."""
    known = {name: value for name, value in after.items() if name not in NAME_ATTRIBUTES and value is not None}
    return all(before.get(name) == value for name, value in known.items())


def _changes(plan: Document) -> list[Document]:
    every = plan.get("resource_changes") or []
    return [entry for entry in every if entry["change"]["actions"] not in NO_CHANGE or entry["change"].get("importing")]


def _resources(values: Document | None) -> list[Document]:
    return ((values or {}).get("root_module") or {}).get("resources") or []


def _is_instance(resource: Document) -> bool:
    return bool(resource.get("type") in (OLD_TYPE, NEW_TYPE) and resource.get("mode") == "managed")


def parsed_state(content: bytes, where: str) -> Document | None:
    """Return the state; None for an empty file. Raises InvalidInput, naming ``where`` it is, for anything else."""
    if not content.strip():
        return None
    problem = "it is damaged"
    try:
        found: Document = json.loads(content)
        if found["version"] != STATE_VERSION:
            problem = f"it has the version {found['version']}, not {STATE_VERSION}"
        elif all(map(_is_whole, found["resources"])):
            return found
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise InvalidInput(
        f"The state {where} cannot be used: {problem}.",
        next_step="Restore a copy of it; without it, the tool would create every instance again.",
        option="path",
    )


def _is_whole(resource: Document) -> bool:
    """Return whether a resource of a state has all members that are read here; a non-mapping raises AttributeError."""
    attributes = [one.get("attributes") for one in resource["instances"]]
    return isinstance(resource["name"], str) and all(isinstance(one, (dict, type(None))) for one in attributes)


def is_empty_state(state: Document | None) -> bool:
    """Return whether the tool manages nothing."""
    return not (state or {}).get("resources")


def recorded_instances(state: Document | None) -> dict[str, JsonObject]:
    """Return the attributes of the instances in a state by label; secret ones are hidden."""
    found = {}
    for resource in (state or {}).get("resources", ()):
        if _is_instance(resource) and resource.get("instances"):
            found[resource["name"]] = _recorded(resource["instances"][0])
    return found


def recorded_types(state: Document | None) -> set[str]:
    """Return the types of the instances in a state."""
    return {resource["type"] for resource in (state or {}).get("resources", ()) if _is_instance(resource)}


def _recorded(instance: Document) -> JsonObject:
    secret = {path[0].get("value") for path in instance.get("sensitive_attributes") or () if path}
    attributes = (instance.get("attributes") or {}).items()
    return _shown({name: value for name, value in attributes if value is not None or name not in secret}, secret)


def recorded_attributes(state: Document | None) -> dict[str, JsonObject | None]:
    """Return the attributes of every resource in the state itself, by label; they may be secret."""
    every = (state or {}).get("resources", ())
    return {resource["name"]: one.get("attributes") for resource in every for one in resource.get("instances", ())}


def _marked(marks: object) -> list[str]:
    """Return the names of the attributes that a plan marks as secret or unknown; a single value may mark all."""
    return [name for name, is_so in marks.items() if is_so] if isinstance(marks, dict) else []


def _shown(values: JsonObject, secret: t.Collection[str], unknown: t.Iterable[str] = ()) -> JsonObject:
    shown = {name: HIDDEN if name in secret else value for name, value in values.items()}
    return {**shown, **dict.fromkeys(unknown, LATER)}

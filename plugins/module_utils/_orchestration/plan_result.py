# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan of the orchestration tool would do, out of its JSON."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._engine.plan import HIDDEN, LATER
from .rendering import RESOURCE

Action = t.Dict[str, t.Any]
NOTHING = (["no-op"], ["read"])
WORDS = {"delete": "removed", "replace": "removed and made anew, without its data"}


def actions_of(plan: t.Mapping[str, t.Any]) -> list[Action]:
    """Return what the plan would do: ``address``, ``action`` (create, update, replace, delete, import) and ``id``."""
    return [_action(change) for change in _changes(plan)]


def diff_of(plan: t.Mapping[str, t.Any]) -> dict[str, dict[str, t.Any]]:
    """Return attributes before and after by the address of their resource; what is secret is hidden."""
    before, after = {}, {}
    for entry in _changes(plan):
        change = entry["change"]
        if change.get("before") is not None:
            before[entry["address"]] = _shown(change["before"], change.get("before_sensitive"))
        if change.get("after") is not None:
            shown = _shown(change["after"], change.get("after_sensitive"))
            after[entry["address"]] = {**shown, **_unknown(change.get("after_unknown"))}
    return {"before": before, "after": after}


def planned_machines(plan: t.Mapping[str, t.Any]) -> dict[str, dict[str, t.Any]]:
    """Return the attributes of the machines after the plan by label, as far as they are known."""
    values = (plan.get("planned_values") or {}).get("root_module") or {}
    later = {entry["address"]: entry["change"].get("after_unknown") for entry in plan.get("resource_changes") or ()}
    found = {}
    for entry in values.get("resources") or ():
        if entry.get("type") == RESOURCE and entry.get("mode") == "managed":
            known = _shown(entry.get("values") or {}, entry.get("sensitive_values"))
            found[entry["name"]] = {**known, **_unknown(later.get(entry["address"]))}
    return found


def attributes_before(plan: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the attributes of every resource before the plan, by label, drift included; they may be secret."""
    values = ((plan.get("prior_state") or {}).get("values") or {}).get("root_module") or {}
    return {entry["name"]: entry.get("values") for entry in values.get("resources") or ()}


def drift_of(plan: t.Mapping[str, t.Any]) -> list[str]:
    """Return the addresses of what somebody else has changed or removed since the tool saw it last."""
    return [entry["address"] for entry in plan.get("resource_drift") or ()]


def refuse_protected(actions: t.Iterable[Action], protect: t.Collection[str]) -> None:
    """Raise InvalidInput when the plan would do what must not be done."""
    refused = [action for action in actions if action["action"] in protect]
    if not refused:
        return
    words = "; ".join(f"{action['address']} would be {WORDS[action['action']]}" for action in refused)
    kinds = sorted({action["action"] for action in refused})
    raise InvalidInput(
        f"protect: {words}. Nothing was done.",
        next_step=f"Take {' and '.join(kinds)} out of protect when that is meant.",
        option="protect",
        refused=refused,
    )


def refuse_renaming(plan: t.Mapping[str, t.Any], protect: t.Collection[str]) -> None:
    """Raise InvalidInput when a machine would be removed and one like it made under another name.

    Somebody has renamed it then and has not kept its label, by which alone the tool knows it.
    """
    if "replace" not in protect:
        return
    gone = {entry["address"]: entry["change"]["before"] for entry in _changes(plan) if _is(entry, "delete")}
    new = {entry["address"]: entry["change"]["after"] for entry in _changes(plan) if _is(entry, "create")}
    renamed = [(old, one) for old, before in gone.items() for one, after in new.items() if _alike(before, after)]
    if not renamed:
        return
    old, one = renamed[0]
    raise InvalidInput(
        f"protect: {old} would be removed, and {one} made with all but its name. Nothing was done.",
        next_step=f"If it is the same machine with a new name, give it label: {old.partition('.')[2]}; "
        "else take replace out of protect.",
        option="protect",
        refused=[{"address": old, "action": "delete"}, {"address": one, "action": "create"}],
    )


def _is(entry: t.Mapping[str, t.Any], word: str) -> bool:
    return bool(entry["change"]["actions"] == [word] and not entry["change"].get("importing"))


def _alike(before: t.Mapping[str, t.Any], after: t.Mapping[str, t.Any]) -> bool:
    """Return whether all that is known of a new machine is as with the other, but for its name."""
    known = {name: value for name, value in after.items() if name != "instance_name" and value is not None}
    return all(before.get(name) == value for name, value in known.items())


def _changes(plan: t.Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    every = plan.get("resource_changes") or []
    return [entry for entry in every if entry["change"]["actions"] not in NOTHING or entry["change"].get("importing")]


def _action(entry: t.Mapping[str, t.Any]) -> Action:
    change = entry["change"]
    words = change["actions"]
    if change.get("importing") and len(words) == 1:  # else what is taken over would be removed at once
        return {"address": entry["address"], "action": "import", "id": change["importing"].get("id")}
    word = "replace" if len(words) > 1 else words[0]
    return {"address": entry["address"], "action": word, "id": (change.get("before") or {}).get("id")}


def _unknown(later: t.Any) -> dict[str, str]:
    return {name: LATER for name, is_later in later.items() if is_later} if isinstance(later, dict) else {}


def _shown(values: t.Mapping[str, t.Any], sensitive: t.Any) -> dict[str, t.Any]:
    secret = sensitive if isinstance(sensitive, dict) else {}
    return {name: HIDDEN if secret.get(name) else value for name, value in values.items()}

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan of the orchestration tool would do, out of its JSON."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._engine.plan import HIDDEN, LATER

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
            unknown = {name: LATER for name, is_later in (change.get("after_unknown") or {}).items() if is_later}
            after[entry["address"]] = {**_shown(change["after"], change.get("after_sensitive")), **unknown}
    return {"before": before, "after": after}


def planned_instances(plan: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the machines as they would be after the plan, as far as that is known."""
    outputs = (plan.get("planned_values") or {}).get("outputs") or {}
    return t.cast("dict[str, t.Any]", (outputs.get("instances") or {}).get("value") or {})


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


def _changes(plan: t.Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    every = plan.get("resource_changes") or []
    return [entry for entry in every if entry["change"]["actions"] not in NOTHING or entry["change"].get("importing")]


def _action(entry: t.Mapping[str, t.Any]) -> Action:
    change = entry["change"]
    words = change["actions"]
    if change.get("importing"):
        return {"address": entry["address"], "action": "import", "id": change["importing"].get("id")}
    word = "replace" if len(words) > 1 else words[0]
    return {"address": entry["address"], "action": word, "id": (change.get("before") or {}).get("id")}


def _shown(values: t.Mapping[str, t.Any], sensitive: t.Any) -> dict[str, t.Any]:
    secret = sensitive if isinstance(sensitive, dict) else {}
    return {name: HIDDEN if secret.get(name) else value for name, value in values.items()}

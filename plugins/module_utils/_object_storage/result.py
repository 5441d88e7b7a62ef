# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Results about containers, objects and the account: they have no id, and some of their attributes are secret."""

from __future__ import annotations

import typing as t

from .._engine.converge import Outcome
from .._engine.plan import CREATE, HIDDEN, LATER
from .._session.operation import Result


def storage_result(
    key: str, outcome: Outcome, unknown: t.Mapping[str, t.Any], secret: t.Collection[str] = ()
) -> Result:
    """Return the result; what is not known yet (in check mode) is there with the value from ``unknown``."""
    record = None if outcome.record is None else {**unknown, **shown(_without_id(outcome.record), secret)}
    diff = {name: _without_id(side) for name, side in outcome.diff.items()}
    if outcome.action == CREATE:  # in check mode it has only what is asked for
        diff["after"] = {**unknown, **diff["after"]}
    return {"changed": outcome.changed, key: record, "action": outcome.action or "none", "diff": diff}


def foreseen(outcome: Outcome, *, new: t.Sequence[str] = (), changed: t.Sequence[str] = ()) -> Outcome:
    """Return the outcome in check mode: what only the service will know reads ``(known after apply)``.

    ``new`` names what it decides about something new, ``changed`` what it decides with every change.
    """
    if outcome.record is None or not outcome.changed:
        return outcome
    names = changed
    if outcome.action == CREATE:
        names = [name for name in (*new, *changed) if name not in outcome.record]
    later = dict.fromkeys(names, LATER)
    return Outcome(outcome.action, {**outcome.record, **later}, outcome.before, {**outcome.after, **later})


def shown(record: t.Mapping[str, t.Any], secret: t.Collection[str]) -> dict[str, t.Any]:
    """Return the record with ``(hidden)`` in place of the secret attributes that are set."""
    return {name: HIDDEN if name in secret and value else value for name, value in record.items()}


def _without_id(record: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    return {name: value for name, value in record.items() if name != "id"}

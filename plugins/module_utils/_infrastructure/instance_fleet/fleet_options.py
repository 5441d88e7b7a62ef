# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of a fleet, options of each instance, and which surplus instances are removed."""

from __future__ import annotations

import re
import typing as t
from fnmatch import fnmatchcase

from ..._connection.task import WAIT
from ..._core.errors import FcdError, InvalidInput
from ..._engine.plan import RemovalLimit
from ..instance.instance_options import INSTANCE_OPTIONS as INSTANCE
from ..instance.instance_options import INSTANCE_RULES, Params, check_instance
from ..instance.instance_records import DELETED, instance_record, status_of
from ..rest_records import Row

if t.TYPE_CHECKING:
    from .fleet_journal import FleetJournal

OF_THE_TASK = (
    *("state", "id", "instances_count", "purge_instances", "max_delete"),
    *("wait", "wait_timeout", "create_grace", "force_create", "access_data"),
)
"""Options of ``instance`` that an instance of a fleet does not have: they are for the whole, or one at a time."""

CONCURRENCY = (1, 100)
EXCLUSIVE: list[tuple[str, ...]] = [
    group for group in INSTANCE_RULES["mutually_exclusive"] if not set(group) & set(OF_THE_TASK)
]


OF_A_MEMBER = {  # without defaults, so that it is known what was given
    name: {key: value for key, value in spec.items() if key != "default"}
    for name, spec in INSTANCE.items()
    if name not in OF_THE_TASK
}
SHARED = {name: spec for name, spec in OF_A_MEMBER.items() if name not in ("name", "ip_address_id", "ip_addresses")}

FLEET_OPTIONS: dict[str, dict[str, t.Any]] = {
    "state": INSTANCE["state"],
    "instances": {
        "type": "list",
        "elements": "dict",
        "required": True,
        "options": {**OF_A_MEMBER, "name": {**OF_A_MEMBER["name"], "required": True}},
        "mutually_exclusive": EXCLUSIVE,
    },
    "instance_defaults": {
        "type": "dict",
        "options": SHARED,
        "mutually_exclusive": [group for group in EXCLUSIVE if set(group) <= set(SHARED)],
    },
    "concurrency": {"type": "int", "default": 20},
    "fleet": {"type": "str"},
    "prune": {
        "type": "dict",
        "options": {
            "name_pattern": {"type": "str"},
            "from_journal": {"type": "bool", "default": False},
            "max_delete": {"type": "str"},
            "delete_disks": {"type": "bool"},
        },
    },
    **WAIT,
    "create_grace": INSTANCE["create_grace"],
    "force_create": INSTANCE["force_create"],
}


def member_params(params: Params) -> list[dict[str, t.Any]]:
    """Return the options of each instance in the form that ``instance`` takes. Raises InvalidInput."""
    own = {name: params[name] for name in ("wait", "wait_timeout", "create_grace", "force_create", "state")}
    shared = params.get("instance_defaults") or {}
    whole = [{**_merged(shared, instance), **own} for instance in params["instances"]]
    _require_single_names([instance["name"] for instance in whole])
    for number, instance in enumerate(whole):
        try:
            check_instance(instance)
        except FcdError as error:
            error.message = f"instances[{number}] ({instance['name']}): {error.message}"
            raise
    return whole


def _merged(shared: Params, instance: Params) -> dict[str, t.Any]:
    """Return the options of an instance, with the common ones as defaults.

    If there are two ways to set one thing (ID, label), the instance's own setting overrides both.
    """
    given = {name for name in OF_A_MEMBER if instance.get(name) is not None}
    void = set().union(*(group for group in EXCLUSIVE if given & set(group))) - given
    merged = {name: spec.get("default") for name, spec in INSTANCE.items()}
    merged.update((name, shared[name]) for name in SHARED if shared.get(name) is not None and name not in void)
    merged.update((name, instance[name]) for name in given)
    return merged


def _require_single_names(names: list[str]) -> None:
    double = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if double:
        raise InvalidInput(f"instances: these names occur more than once: {', '.join(double)}.", option="instances")


def concurrency(params: Params) -> int:
    """Return how many requests may be in progress at the same time. Raises InvalidInput."""
    number: int = params["concurrency"]
    if not CONCURRENCY[0] <= number <= CONCURRENCY[1]:
        raise InvalidInput(
            f"concurrency: {number} is not between {CONCURRENCY[0]} and {CONCURRENCY[1]}.", option="concurrency"
        )
    return number


def check_prune(params: Params) -> None:
    """Raise InvalidInput if it is not clear which instances may be removed."""
    prune = params.get("prune")
    if prune is None:
        return
    if params["state"] == "absent":
        raise InvalidInput("prune: with state=absent, only what is declared is removed.", option="prune")
    if not params["instances"]:
        raise InvalidInput(
            "prune: instances is empty, so the whole fleet would be removed.",
            next_step="If this is what you want, list the instances with state=absent.",
            option="instances",
        )
    _check_bounds(params, prune)


def _check_bounds(params: Params, prune: Params) -> None:
    if prune["name_pattern"] is None and not prune["from_journal"]:
        raise InvalidInput(
            "prune: it needs name_pattern, from_journal or both, to say which instances belong to the fleet.",
            option="prune",
        )
    if prune["name_pattern"] is not None and not re.sub(r"\[[^]]*\]|[*?\s]", "", prune["name_pattern"]):
        raise InvalidInput(
            f"prune.name_pattern: {prune['name_pattern']!r} matches every instance of the account.",
            next_step="Give a pattern that contains letters of the names, such as web-*.",
            option="prune",
        )
    if prune["from_journal"] and not params.get("fleet"):
        raise InvalidInput("prune.from_journal: it needs fleet, the name of the journal.", option="fleet")
    _limit(prune)


def surplus(
    params: Params, listed: t.Sequence[Row], known: FleetJournal | None, warn: t.Callable[[str], None]
) -> list[Row]:
    """Return the instances to remove. Raises InvalidInput if they are more than allowed."""
    prune, declared = params["prune"], {instance["name"] for instance in params["instances"]}
    scope = _scope(prune, listed, known)
    extra = [record for record in scope if record["name"] not in declared]
    if prune["from_journal"] and known is not None:
        asked = known.asked_for()
        there = {name for name in (_new_of(entry, asked) for entry in listed) if name is not None}
        _tell_unknown(there - declared, warn)
    from ..instance.surplus_instances import require_allowed

    whole = len(scope)
    require_allowed([record["name"] for record in extra], whole, _limit(prune).of(whole), "prune.max_delete")
    return extra


def _scope(prune: Params, listed: t.Iterable[Row], known: FleetJournal | None) -> list[Row]:
    """Return the instances that belong to the fleet; an ID that now has another name does not."""
    made = known.made() if known is not None and prune["from_journal"] else None
    pattern = prune["name_pattern"]
    fitting = [
        entry
        for entry in listed
        if (pattern is None or fnmatchcase(str(entry.get("Name")), pattern))
        and (made is None or made.get(entry["Id"]) == entry.get("Name"))
    ]
    return [record for record in map(instance_record, fitting) if status_of(record) != DELETED]


def _limit(prune: Params) -> RemovalLimit:
    return RemovalLimit(prune["max_delete"], "prune.max_delete")


def _new_of(entry: Row, asked: t.Mapping[str, int | None]) -> str | None:
    """Return the name of a listed instance that was requested and is not the one that it was to replace."""
    name = str(entry.get("Name"))
    return name if name in asked and asked[name] != entry["Id"] else None


def _tell_unknown(names: t.Collection[str], warn: t.Callable[[str], None]) -> None:
    if names:
        warn(
            f"prune: {', '.join(sorted(names))} may have been created by a run that was interrupted, and the ID is "
            "not known. Such an instance is not removed: declare it again, or remove it by its ID."
        )

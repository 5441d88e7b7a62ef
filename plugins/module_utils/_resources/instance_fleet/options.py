# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the fleet: those of each machine are the ones of ``instance``."""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError, InvalidInput
from ..._session.operation import WAIT
from ..instance.options import OPTIONS as INSTANCE
from ..instance.options import RULES as INSTANCE_RULES
from ..instance.options import Params
from ..instance.options import check as check_machine

OF_THE_TASK = ("state", "id", "instances_count", "wait", "wait_timeout", "create_grace", "access_data")
"""Options of ``instance`` that a machine of a fleet does not have: they are for the whole, or one at a time."""

CONCURRENCY = (1, 100)
EXCLUSIVE: list[tuple[str, ...]] = [
    group for group in INSTANCE_RULES["mutually_exclusive"] if not set(group) & set(OF_THE_TASK)
]


def _without_default(spec: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the option so that one can see whether it was given."""
    return {name: value for name, value in spec.items() if name != "default"}


OF_A_MACHINE = {name: _without_default(spec) for name, spec in INSTANCE.items() if name not in OF_THE_TASK}
SHARED = {name: spec for name, spec in OF_A_MACHINE.items() if name not in ("name", "ip_address_id", "ip_addresses")}

OPTIONS: dict[str, dict[str, t.Any]] = {
    "state": INSTANCE["state"],
    "machines": {
        "type": "list",
        "elements": "dict",
        "required": True,
        "options": {**OF_A_MACHINE, "name": {**OF_A_MACHINE["name"], "required": True}},
        "mutually_exclusive": EXCLUSIVE,
    },
    "machine_defaults": {
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
    "create_grace": {"type": "float", "default": 30.0},
}


def machine_params(params: Params) -> list[dict[str, t.Any]]:
    """Return the options of each machine, as ``instance`` takes them. Raises InvalidInput."""
    own = {name: params[name] for name in ("wait", "wait_timeout", "create_grace", "state")}
    shared = params.get("machine_defaults") or {}
    whole = [{**_merged(shared, machine), **own} for machine in params["machines"]]
    _require_single_names([machine["name"] for machine in whole])
    for number, machine in enumerate(whole):
        try:
            check_machine(machine)
        except FcdError as error:
            error.message = f"machines[{number}] ({machine['name']}): {error.message}"
            raise
    return whole


def _merged(shared: Params, machine: Params) -> dict[str, t.Any]:
    """Return the options of a machine with those for all laid under them.

    Of two ways to say one thing (a number, a label) the machine's own makes the other void.
    """
    given = {name for name in OF_A_MACHINE if machine.get(name) is not None}
    void = {name for group in EXCLUSIVE if given & set(group) for name in group} - given
    merged = {name: spec.get("default") for name, spec in INSTANCE.items()}
    merged.update((name, shared[name]) for name in SHARED if shared.get(name) is not None and name not in void)
    merged.update((name, machine[name]) for name in given)
    return merged


def _require_single_names(names: list[str]) -> None:
    double = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if double:
        raise InvalidInput(f"machines: these names stand there more than once: {', '.join(double)}.", option="machines")


def concurrency(params: Params) -> int:
    """Return how many requests may be on their way at once. Raises InvalidInput."""
    number: int = params["concurrency"]
    if not CONCURRENCY[0] <= number <= CONCURRENCY[1]:
        raise InvalidInput(
            f"concurrency: {number} is not between {CONCURRENCY[0]} and {CONCURRENCY[1]}.", option="concurrency"
        )
    return number

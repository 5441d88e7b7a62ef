# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of whole sites: objects of all services that belong together, applied and pruned."""

from __future__ import annotations

import typing as t

from chaos.kinds import PLACE, Wish
from chaos.matrix_case import Args, Case, State, traits
from chaos.matrix_cases_rest import PUBLIC_KEY
from chaos.workplace import Workplace

GONE = 126
MANY = traits("lists", "tickets", "many")


def _content(name: str, *, whole: bool = True) -> Wish:
    kept: Wish = {
        "private_networks": [{"name": f"{name}-net"}],
        "instances": [{"name": f"{name}-web", "private_networks": [f"{name}-net"], **PLACE}],
        "storage_containers": [{"name": f"{name}-files"}],
    }
    more = {
        "ssh_keys": [{"name": f"{name}-key", "public_key": PUBLIC_KEY}],
        "warehouses": [
            {"name": name, "partner_id": 12, "template_id": 304, "data_store_number": name, "queue_length": 4}
        ],
    }
    return {**kept, **more} if whole else kept


def _args(name: str) -> Args:
    return {"content": _content(name), "site": name}


def _pruned_args(name: str) -> Args:
    return {"content": _content(name, whole=False), "site": name, "prune": True}


def _counts(state: State, name: str) -> tuple[list[int], list[int]]:
    """Return how often what is always declared is there, and what may be pruned."""
    rest = state["rest"]
    kept = [
        sum(one["Name"] == f"{name}-net" for one in rest["networks"]),
        sum(one["Name"] == f"{name}-web" and one["Status"] != GONE for one in rest["instances"]),
        int(f"{name}-files" in state["storage"]["containers"]),
    ]
    more = [
        sum(one["Name"] == f"{name}-key" for one in rest["keys"]),
        sum(one["WarehouseName"] == name for one in state["soap"]["warehouses"]),
    ]
    return kept, more


def _applied(state: State, name: str) -> int:
    kept, more = _counts(state, name)
    return max(kept + more) if min(kept + more) else 0


def _pruned(state: State, name: str) -> int:
    kept, more = _counts(state, name)
    return max(kept) if min(kept) and not any(more) else 0


def _apply(place: Workplace, name: str) -> None:
    place.run("site", _args(name)).succeeded()


def _case(name: str, write: t.Mapping[str, t.Any], *, prune: bool = False) -> Case:
    if prune:
        return Case(name, "site", write, _pruned_args, _pruned, there=_apply, traits=MANY - {"tickets", "many"})
    return Case(name, "site", write, _args, _applied, creates=True, traits=MANY)


CASES = (
    _case("site (REST)", {"service": "rest", "method": "POST"})._replace(traits=MANY | {"pages"}),
    _case("site (SOAP)", {"service": "soap", "operation": "^CreateWarehouse$"}),
    _case("site (storage)", {"service": "storage", "method": "PUT"}),
    _case("site (prune, REST)", {"service": "rest", "method": "DELETE"}, prune=True),
    _case("site (prune, SOAP)", {"service": "soap", "reads": False}, prune=True),
)

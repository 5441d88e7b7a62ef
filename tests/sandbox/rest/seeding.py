# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the YAML files of the seed into objects."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from sandbox.rest.models import InstanceType, Subregion, Template, TemplateDisk

FOLDER = Path(__file__).parent / "seed"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
PLAIN_TEMPLATE = {"default": 1047, "minimum": 1047, "source": "Standard", "type": 174, "tools": 1367}
PLAIN_DISKS = (5,)
"""What most templates have: the file says only what is different. Disks in GB."""


@dataclass(frozen=True)
class Account:
    """Whose objects these are; ``user`` is the answer's form of the user."""

    id: int
    user: dict[str, Any]


@cache
def read(name: str) -> Any:
    """Content of one seed file; shared, so nobody may change it."""
    return yaml.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), Loader=LOADER)


def account(login: str) -> Account:
    """The account with its user, who carries the login of the credentials."""
    data = read("account")
    user = data["user"]
    names = {"FirstName": user["first_name"], "LastName": user["last_name"]}
    return Account(data["account"], {"Id": user["id"], "Login": login, **names})


def dictionary_names() -> dict[int, str]:
    """Names by dictionary id."""
    return {row["id"]: row["name"] for row in read("dictionaries")}


def dictionary_labels() -> dict[int, dict[int, str]]:
    """Labels by dictionary id and item id, instance types included."""
    labels = {row["id"]: {**row["items"], **row.get("assumed", {})} for row in read("dictionaries")}
    labels[12] = {one.id: one.name for one in instance_types(0)}
    return labels


def subregions(_now: float) -> Iterator[Subregion]:
    """Subregions."""
    return (Subregion(**row) for row in read("subregions"))


def instance_types(_now: float) -> Iterator[InstanceType]:
    """Instance types."""
    for group in read("instance_types"):
        for number, name, cpu, ram, free in group["types"]:
            yield InstanceType(number, name, cpu, ram, free, group["category"])


def templates(now: float) -> Iterator[Template]:
    """Templates, made at the time of the seed."""
    disk_ids = itertools.count(80001)
    for row in itertools.chain.from_iterable(read("templates").values()):
        sizes = enumerate(row.get("disks", PLAIN_DISKS))
        disks = [TemplateDisk(next(disk_ids), capacity, slot) for slot, capacity in sizes]
        given = {**PLAIN_TEMPLATE, **row, "disks": disks}
        yield Template(created=now, description=f"{row['name']} of the sandbox", **given)

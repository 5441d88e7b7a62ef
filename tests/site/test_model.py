# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small model of a site, driven at random: edits, renames, replacements, moves, adoptions, changes by hand, faults.

After each apply the account is compared with the model: what is declared is there once, what is not the site's is as it
was, plans and applies say the same, and a second plan is empty. SITE_MODEL_EXAMPLES says how many lives are tried.
"""

from __future__ import annotations

import copy
import importlib
import json
import os
import shutil
import typing as t
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from operations import done
from plain_site import QUICK, Ran, run
from sandbox.process import SandboxProcess

EXAMPLES = int(os.environ.get("SITE_MODEL_EXAMPLES", "8"))
PLACE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
KEYS = [f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{letter}o= k" for letter in "pqrs"]
NEW: dict[str, dict[str, t.Any]] = {
    "ssh_keys": {"public_key": KEYS[0], "recreate": True},
    "private_networks": {},
    "disks": {"size": 10, "disk_class": "Tier 1", "subregion": "EU-001"},
    "instances": {**PLACE, "recreate": True},
}
MODULES = {"ssh_keys": "ssh_key", "private_networks": "private_network", "disks": "disk", "instances": "instance"}
LISTS = {"ssh_keys": "keys", "private_networks": "networks", "disks": "disks", "instances": "instances"}
REPLACED_BY = {"ssh_keys": ("public_key", KEYS), "instances": ("template", ["CentOS 7", "Debian 8"])}
DELETED, SYSTEM_DISK = 126, "System disk"  # what comes and goes with its instance
NAMES = ("ant", "bee", "cat")

RENAMED = ("private_networks", "disks", "instances")  # the service has no other name for a key
EDITS = (
    *("declare",) * 3,
    *("edit",) * 2,
    *("take_out", "rename", "adopt", "release", "destroy", "somebody_makes_one", "somebody_removes_one"),
)

PATHS = ("/keys", "/opns", "/disks", "/instances")

Place = t.Tuple[str, str]
Day = t.Tuple[t.List[t.Tuple[str, str, int]], str, int]
DAYS = st.lists(
    st.tuples(
        st.lists(
            st.tuples(st.sampled_from(EDITS), st.sampled_from(sorted(NEW)), st.integers(0, 11)), min_size=3, max_size=7
        ),
        st.sampled_from(["apply", "apply", "prune", "fail"]),
        st.integers(0, 11),
    ),
    min_size=5,
    max_size=9,
)
Things = t.Dict[t.Tuple[str, int], t.Dict[str, t.Any]]


def chosen(places: t.Iterable[Place], which: int) -> Place | None:
    """Return one of them by a number, None where there is none."""
    known = sorted(places)
    return known[which % len(known)] if known else None


def operation(kind: str) -> t.Any:
    return importlib.import_module(f"ansible_collections.fcd.cloud.plugins.modules.{MODULES[kind]}").OPERATION


class SiteModel:
    """One account with one site. ``owned`` are the numbers of what the site has made, adopted or replaced."""

    def __init__(self, sandbox: SandboxProcess, home: Path) -> None:
        self.sandbox = sandbox
        self.home = home
        sandbox.reset()
        sandbox.settings(rest=QUICK)
        shutil.rmtree(home / "state", ignore_errors=True)
        self.declared: dict[Place, dict[str, t.Any]] = {}
        self.moved: list[dict[str, str]] = []
        self.removed: list[dict[str, t.Any]] = []
        self.new_names: set[Place] = set()  # what has moved since the last apply
        self.owned: dict[Place, int] = {}

    def things(self) -> Things:
        """Return what there is in the account, by kind and number."""
        rest = self.sandbox.state()["rest"]
        return {
            (kind, one["Id"]): copy.deepcopy(one)
            for kind, name in LISTS.items()
            for one in rest[name]
            if (kind != "instances" or one["Status"] != DELETED) and one["Name"] != SYSTEM_DISK
        }

    def content(self) -> dict[str, t.Any]:
        whole: dict[str, t.Any] = {kind: [] for kind in NEW}
        for (kind, name), options in self.declared.items():
            whole[kind].append({"name": name, **options})
        for word, rows in (("moved", self.moved), ("removed", self.removed)):
            if rows:
                whole[word] = copy.deepcopy(rows)
        return whole

    def numbers(self, place: Place) -> list[int]:
        """Return the numbers of all of that kind and name."""
        return [number for (kind, number), one in self.things().items() if (kind, one["Name"]) == place]

    def free(self, kind: str) -> list[str]:
        """Return names that nothing of the kind has, in the file or in the account."""
        there = {one["Name"] for (of, _number), one in self.things().items() if of == kind}
        return [name for name in NAMES if name not in there and (kind, name) not in self.declared]

    # The file is edited: each takes a number that says which one is meant

    def declare(self, kind: str, which: int) -> None:
        name = NAMES[which % len(NAMES)]
        self.mean_anew((kind, name))
        options = copy.deepcopy(NEW[kind])
        if kind == "disks":  # they only grow
            sizes = [
                one["SpaceCapacity"] for (of, _id), one in self.things().items() if (of, one["Name"]) == (kind, name)
            ]
            options["size"] = max([options["size"], *sizes])
        self.declared.setdefault((kind, name), options)

    def mean_anew(self, place: Place) -> None:
        """Take out of the file what it says of something that had this name before."""
        label = ".".join(place)
        self.moved = [one for one in self.moved if one["from"] != label]
        self.removed = [one for one in self.removed if one["what"] != label]

    def edit(self, kind: str, which: int) -> None:
        place = chosen([place for place in self.declared if place[0] == kind], which)
        if place is None:
            return
        options = self.declared[place]
        if kind in REPLACED_BY:
            option, values = REPLACED_BY[kind]
            options[option] = values[which % len(values)]
        elif kind == "disks":
            options["size"] += 5

    def take_out(self, kind: str, which: int) -> None:
        place = chosen([place for place in self.declared if place[0] == kind and place not in self.new_names], which)
        if place is not None:
            self.give_up(place)

    def give_up(self, place: Place) -> None:
        self.declared.pop(place, None)
        self.moved = [one for one in self.moved if one["to"] != ".".join(place)]

    def rename(self, kind: str, which: int) -> None:
        known = [place for place in self.declared if place[0] == kind and place in self.owned]
        place, free = chosen(known, which), self.free(kind)
        if place is None or kind not in RENAMED or not free:
            return
        new = (kind, free[which % len(free)])
        self.declared[new] = self.declared.pop(place)
        self.owned[new] = self.owned.pop(place)
        self.mean_anew(new)
        self.moved.append({"from": f"{kind}.{place[1]}", "to": f"{kind}.{new[1]}"})
        self.new_names.add(new)

    def adopt(self, kind: str, which: int) -> None:
        others = {(of, one["Name"]) for (of, number), one in self.things().items() if of == kind}
        place = chosen([other for other in others - set(self.owned) if len(self.numbers(other)) == 1], which)
        if place is not None and place[1] in NAMES:
            self.declare(kind, NAMES.index(place[1]))
            self.declared[place]["adopt"] = True

    def release(self, kind: str, which: int, *, destroy: bool = False) -> None:
        place = chosen([place for place in self.owned if place[0] == kind and place not in self.new_names], which)
        if place is not None:
            self.give_up(place)
            self.mean_anew(place)
            self.removed.append({"what": f"{kind}.{place[1]}", "destroy": destroy})

    def destroy(self, kind: str, which: int) -> None:
        self.release(kind, which, destroy=True)

    # Somebody works at the service

    def somebody_makes_one(self, kind: str, which: int) -> None:
        free = self.free(kind)
        if free:
            wait = {"wait_timeout": 60} if kind in ("instances", "disks") else {}
            made = {name: value for name, value in NEW[kind].items() if name != "recreate"}
            done(operation(kind), {"name": free[which % len(free)], **made, **wait})

    def somebody_removes_one(self, kind: str, which: int) -> None:
        place = chosen([place for place in self.owned if place[0] == kind and len(self.numbers(place)) == 1], which)
        if place is not None:
            done(operation(kind), {"name": place[1], "state": "absent"})

    # Runs

    def planned(self, **options: t.Any) -> Ran:
        """Return two plans that are the same, and send nothing."""
        before = self.sandbox.counts()["writes"]
        first, second = (run(self.content(), check_mode=True, **options) for _each in range(2))
        assert self.sandbox.counts()["writes"] == before, "a plan has written"
        assert first.plan["changes"] == second.plan["changes"]
        return first

    def apply(self, bound: bool) -> None:
        limits = {"max_replace": "100", "max_delete": "100"}
        before, owned = self.things(), dict(self.owned)
        planned = self.planned(**limits).succeeded()
        options: dict[str, t.Any] = dict(limits)
        if bound:
            path = self.home / "site.plan.json"
            path.write_text(json.dumps(planned.plan), encoding="utf-8")
            options["plan"] = str(path)
        ran = run(self.content(), **options).succeeded()
        assert told(ran) == told(planned), "the apply did something else than its plan"
        assert ran.result["counts"]["changed"] == len([one for one in told(ran) if one[2] != "orphan"])
        self.settle(before, owned)
        again = self.planned(**limits).succeeded()
        assert [one for one in told(again) if one[2] != "orphan"] == [], "a second plan is not empty"
        assert {one[:2] for one in told(again)} == set(self.owned) - set(self.declared), "the orphans"

    def settle(self, before: Things, owned: dict[Place, int]) -> None:
        """Compare the account with the model after an apply, and take over what the site owns now."""
        after = self.things()
        self.owned, self.new_names = {}, set()
        for place in self.declared:
            (number,) = self.numbers(place)
            was = owned.get(place)
            made = (place[0], number) not in before
            if made or number == was or self.declared[place].get("adopt"):
                self.owned[place] = number
        for place, number in owned.items():
            given_up = next((one for one in self.removed if one["what"] == ".".join(place)), None)
            if given_up is not None:
                assert ((place[0], number) in after) <= (not given_up["destroy"])
            elif place not in self.declared and (place[0], number) in after:
                self.owned[place] = number
        self.others_are_as_they_were(before, after, {(place[0], number) for place, number in owned.items()})

    def others_are_as_they_were(self, before: Things, after: Things, own: t.Collection[tuple[str, int]]) -> None:
        for key, one in before.items():
            declared = (key[0], one["Name"]) in self.declared
            if key not in own and not declared:
                assert after.get(key) == one, f"{key} is not the site's own"

    def prune(self) -> None:
        before = self.things()
        going = {place for place in self.owned if place not in self.declared and self.is_there(place)}
        planned = self.planned(prune=True)
        assert {one[:2] for one in told(planned.succeeded())} == going
        ran = run(self.content(), prune=True).succeeded()
        assert {one[:2] for one in told(ran)} == going
        after = self.things()
        assert {(kind, before[kind, number]["Name"]) for kind, number in before.keys() - after.keys()} == going
        self.owned = {place: number for place, number in self.owned.items() if place in self.declared}

    def is_there(self, place: Place) -> bool:
        return (place[0], self.owned[place]) in self.things()

    def fail_once(self, path: str) -> None:
        """An apply in which nothing can be made of one kind; the next one mends it."""
        before, owned = self.things(), dict(self.owned)
        self.sandbox.fault(
            "status_before", service="rest", method="POST", path=f"{path}$", status=422, own_words=True, times=0
        )
        run(self.content(), max_replace="100", max_delete="100")
        self.sandbox.clear_faults()
        for (of, number), one in self.things().items():
            place = (of, one["Name"])
            if place in self.declared and (of, number) not in before:
                owned[place] = number
        self.owned = owned
        self.apply(bound=False)

    def live(self, day: Day) -> None:
        """Edit the file, work by hand, and then run what is run that day."""
        edits, runs, which = day
        for what, kind, number in edits:
            getattr(self, what)(kind, number)
        if runs == "fail":
            self.fail_once(PATHS[which % len(PATHS)])
        self.apply(bound=bool(which % 2))
        if runs == "prune":
            self.prune()


def told(ran: Ran) -> list[tuple[str, str, str]]:
    """Return what a run says of the changes, in a fixed order."""
    return sorted((one["kind"], one["name"], one["action"]) for one in ran.plan["changes"])


@pytest.mark.usefixtures("home")
def test_lives_of_a_site(sandbox: SandboxProcess, home: Path) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize="SITE_MODEL_EXAMPLES" not in os.environ,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(days=DAYS)
    def try_lives(days: list[Day]) -> None:
        site = SiteModel(sandbox, home)
        for day in days:
            site.live(day)

    try_lives()

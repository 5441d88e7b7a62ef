# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small model of a site, driven at random: edits, renames, replacements, moves, adoptions, work by hand, faults.

After each apply the account is compared with the model: what is declared is there once and as declared, with its parts
on the right instance, what is not the site's is as it was, nothing went that the plan did not name, plans and applies
say the same, limits hold, and a second plan is empty. SITE_MODEL_LIVES says how many lives the long run tries; where it
does, they are others each time.
"""

from __future__ import annotations

import copy
import decimal
import importlib
import json
import os
import random
import shutil
import time
import typing as t
from hashlib import md5
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sandbox.process import SandboxProcess
from sandbox.rest.settings import DEFAULTS

from ansible_collections.fcd.cloud.plugins.module_utils._engine.create_once import CreateNote
from sites.operations import done
from sites.plain_site import CLERK, QUICK, Ran, run

LIVES = int(os.environ.get("SITE_MODEL_LIVES", "15"))
PLACE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
KEYS = [f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{letter}o= k" for letter in "pqrs"]
NEW: dict[str, dict[str, t.Any]] = {
    "ssh_keys": {"public_key": KEYS[0], "recreate": True},
    "private_networks": {},
    "ip_addresses": {"subregion": "EU-001", "static": True},
    "disks": {"size": 10, "disk_class": "Tier 1", "subregion": "EU-001"},
    "instances": {**PLACE, "recreate": True},
    "health_checks": {"kind": "http", "address": "www.example.com"},
    "storage_containers": {},
    "storage_objects": {"content": "one"},
    "warehouses": {"name": "wh", "queue_length": 5},
    "client_users": {name: value for name, value in CLERK.items() if name not in ("user_name", "email")},
    "client_fixed_amounts": {"amount": "12.50", "date_from": "2026-01-01"},
}
MODULES = {
    "snapshots": "snapshot",
    "ssh_keys": "ssh_key",
    "private_networks": "private_network",
    "ip_addresses": "ip_address",
    "disks": "disk",
    "exports": "site_export",
    "load_balancers": "load_balancer",
    "instances": "instance",
    "health_checks": "health_check",
    "storage_containers": "storage_container",
    "storage_objects": "storage_object",
    "warehouses": "warehouse",
    "client_users": "client_user",
    "client_fixed_amounts": "client_fixed_amount",
}
LISTS = {
    "ssh_keys": "keys",
    "private_networks": "networks",
    "ip_addresses": "ips",
    "disks": "disks",
    "instances": "instances",
    "health_checks": "health_checks",
}
SOAP_LISTS = {"warehouses": ("WarehouseId", "DataStoreNumber"), "client_users": ("UserId", "AdLogin")}
CLIENTS = {"ant": 100, "bee": 101, "cat": 102}  # those of the seed: they cannot be created
SHELF = "shelf"  # the container of the objects, which is not the site's own
PREFIXES = {"storage_objects": f"{SHELF}/", "warehouses": "100/767/", "client_users": "shop."}
"""What stands before the names in plans."""

CHANGED: dict[str, tuple[str, list[t.Any]]] = {
    "health_checks": ("interval", [60, 90]),
    "storage_containers": ("metadata", [{"day": "monday"}, {"day": "friday"}]),
    "storage_objects": ("content", ["one", "two", "three"]),
    "warehouses": ("queue_length", [5, 6, 7]),
    "client_users": ("first_name", ["Shop", "Other"]),
    "client_fixed_amounts": ("amount", ["12.50", "13.75", "7.25"]),
}
REPLACED_BY = {"ssh_keys": ("public_key", KEYS), "instances": ("template", ["CentOS 7", "Debian 8"])}
TYPES = {"v1.standard-2.2": 34, "v1.standard-4.4": 35}  # the numbers are those of the seed
TEMPLATES = {"CentOS 7": 767, "Debian 8": 304}
DELETED, SYSTEM_DISK = 126, "System disk"  # what comes and goes with its instance
GOES = ("delete", "replace")
NAMES = ("ant", "bee", "cat")
BY_COMMENT = "ip_addresses"  # an address has no name

RENAMED = ("private_networks", "ip_addresses", "disks", "instances")  # the service has no other name for a key
PARTS = ("disks", "ip_addresses")  # of instances
MARKED = ("storage_containers", "storage_objects")  # they have no numbers
EDITS = (
    *("declare", "edit") * 4,
    *(
        "put_on_an_instance",
        "create_first",
        "edit_what_stays",
        "rename",
        "adopt",
        "somebody_changes_one",
        "somebody_makes_one",
    )
    * 2,
    *("take_out", "take_off", "release", "destroy", "somebody_removes_one", "somebody_takes_a_snapshot"),
)
EDITED = (*NEW, "instances", "instances")
RUNS = ("apply", "apply", "prune", "fail")
DAYS, TRIES = 4, 9  # in each life; of an edit, for some have nothing to work on

FAULTS: tuple[dict[str, t.Any], ...] = (
    *(
        {"fault": "status_before", "service": "rest", "method": "POST", "path": f"{path}$", "status": 422}
        for path in ("/keys", "/opns", "/disks", "/instances", "/ip_addresses")
    ),
    {"fault": "status_before", "service": "storage", "method": "PUT", "path": "/(ant|bee|cat)$", "status": 403},
    {"fault": "status_before", "service": "soap", "operation": "^Create(Warehouse|User)", "status": 500},
    {"fault": "drop_after", "service": "storage", "method": "PUT", "path": "/(ant|bee|cat)$"},
    {"fault": "drop_after", "service": "rest", "method": "POST", "path": "/(opns|disks|instances)$"},
)

Place = t.Tuple[str, str]
Things = t.Dict[t.Tuple[str, t.Any], t.Dict[str, t.Any]]


def chosen(places: t.Iterable[Place], which: int) -> Place | None:
    """Return one of them by a number, None where there is none."""
    known = sorted(places)
    return known[which % len(known)] if known else None


def name_of(kind: str, one: t.Mapping[str, t.Any]) -> str:
    return str(one["Comment" if kind == BY_COMMENT else "Name"])


def called(place: Place) -> dict[str, t.Any]:
    """Return the options that say which one is meant, and what no two may have alike."""
    kind, name = place
    if kind == "storage_objects":
        return {"container": SHELF, "name": name}
    if kind == "warehouses":
        return {"partner_id": 100, "template_id": 767, "data_store_number": name}
    if kind == "client_fixed_amounts":
        return {"client_id": CLIENTS[name]}
    if kind == "client_users":
        return {"user_name": f"shop.{name}", "email": f"{name}@example.com"}
    return {"comment" if kind == BY_COMMENT else "name": name}


def placed(kind: str, instance: str | None) -> dict[str, t.Any]:
    """Return the options of a part that is on this instance, None for none."""
    if kind == "disks":
        return {"instances": [instance] if instance else []}
    return {"instance": instance} if instance else {"detached": True}


def instance_of(options: t.Mapping[str, t.Any]) -> str | None:
    """Return the instance that a part is declared to be on."""
    return next(iter(options.get("instances") or [options.get("instance")]), None)


def operation(kind: str) -> t.Any:
    return importlib.import_module(f"ansible_collections.fcd.cloud.plugins.modules.{MODULES[kind]}").OPERATION


class SiteModel:
    """One account with one site. ``owned`` are the numbers of what the site has made, adopted or replaced."""

    def __init__(self, sandbox: SandboxProcess, home: Path) -> None:
        self.sandbox = sandbox
        self.home = home
        sandbox.reset()
        sandbox.settings(rest=QUICK)
        for kept in [one for one in (home / "state").glob("*") if one.name != "contracts"]:
            if kept.is_dir():
                shutil.rmtree(kept)
            else:
                kept.unlink()
        CreateNote._of_process.clear()  # else the notes of an earlier life come back
        done(operation("storage_containers"), {"name": SHELF})
        self.declared: dict[Place, dict[str, t.Any]] = {}
        self.moved: list[dict[str, str]] = []
        self.removed: list[dict[str, t.Any]] = []
        self.new_names: set[Place] = set()  # what has moved since the last apply
        self.owned: dict[Place, int] = {}
        self.applied: dict[Place, dict[str, t.Any]] = {}  # what was declared then
        self.snapshots: dict[int, int] = {}  # before an apply, with their instances
        self.marks: dict[Place, str] = {}  # of what has no number, when it was applied last
        self.pricelist = 1  # of the clients; like their projects and the folder, declared and never the site's own
        self.last_change = 0.0  # by somebody or a run, on the monotonic clock
        (home / "public").mkdir(exist_ok=True)

    def things(self) -> Things:
        """Return what there is in the account, by kind and number."""
        state = self.sandbox.state()
        found: Things = {
            (kind, one["Id"]): one
            for kind, name in LISTS.items()
            for one in state["rest"][name]
            if (kind != "instances" or one["Status"] != DELETED) and name_of(kind, one) not in (SYSTEM_DISK, "None")
        }
        for kind, (number, name) in SOAP_LISTS.items():
            for one in state["soap"][kind.removeprefix("client_")]:
                found[kind, one[number]] = {**one, "Name": str(one[name]).removeprefix("shop.")}
        names = {number: name for name, number in CLIENTS.items()}
        for one in state["soap"]["fixed_amounts"]:
            found["client_fixed_amounts", one["ClientFixedAmountId"]] = {**one, "Name": names[one["ClientId"]]}
        containers = state["storage"]["containers"]
        for name, one in containers.items():  # names are all that tells one from another
            found["storage_containers", name] = {"Name": name, "metadata": one["metadata"]}
        for name, one in containers[SHELF]["objects"].items():
            if name in NAMES:  # all else belongs to a folder
                found["storage_objects", name] = {**one, "Name": name}
        return found

    def content(self) -> dict[str, t.Any]:
        whole: dict[str, t.Any] = {kind: [] for kind in NEW}
        for (kind, name), options in self.declared.items():
            whole[kind].append({"key": name, **called((kind, name)), **options})
        whole["clients"] = [{"id": number, "project_name": self.project()} for number in CLIENTS.values()]
        whole["client_pricelists"] = [{"client_ids": list(CLIENTS.values()), "pricelist_id": self.pricelist}]
        (self.home / "public" / "page").write_text(self.project())
        whole["storage_folders"] = [{"container": SHELF, "prefix": "pages", "path": str(self.home / "public")}]
        for word, rows in (("moved", self.moved), ("removed", self.removed)):
            if rows:
                whole[word] = copy.deepcopy(rows)
        return whole

    def numbers(self, place: Place, things: Things | None = None) -> list[int]:
        """Return the numbers of all of that kind and name, by what there is now or is given."""
        there = self.things() if things is None else things
        return [number for (kind, number), one in there.items() if (kind, name_of(kind, one)) == place]

    def free(self, kind: str) -> list[str]:
        """Return names that nothing of the kind has, in the file or in the account."""
        there = {name_of(kind, one) for (of, _number), one in self.things().items() if of == kind}
        return [name for name in NAMES if name not in there and (kind, name) not in self.declared]

    # The file is edited: each takes a number that says which one is meant

    def declare(self, kind: str, which: int) -> None:
        name = NAMES[which % len(NAMES)]
        self.mean_anew((kind, name))
        options = copy.deepcopy(NEW[kind])
        if kind == "disks":  # they only grow
            sizes = [
                one["SpaceCapacity"]
                for (of, _id), one in self.things().items()
                if (of, name_of(of, one)) == (kind, name)
            ]
            options["size"] = max([options["size"], *sizes])
        self.declared.setdefault((kind, name), options)

    def mean_anew(self, place: Place) -> None:
        """Take out of the file what it says of something that had this name before, or has it still before an apply."""
        label = ".".join(place)
        for one in self.moved:
            new = (place[0], one["to"].partition(".")[2])
            if one["from"] == label and new in self.new_names and place not in self.owned:
                self.owned[place] = self.owned.pop(new)
                self.new_names.discard(new)
        self.moved = [one for one in self.moved if one["from"] != label]
        self.removed = [one for one in self.removed if one["what"] != label]

    def edit(self, kind: str, which: int) -> None:
        place = chosen([place for place in self.declared if place[0] == kind and place not in self.new_names], which)
        if place is None:
            return
        options = self.declared[place]
        if kind in CHANGED:
            option, values = CHANGED[kind]
            options[option] = values[which % len(values)]
        elif kind == "instances" and which % 3 == 0:
            options["type"] = sorted(TYPES)[which % len(TYPES)]
        elif kind in REPLACED_BY:
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
        if place[0] == "instances":
            self.have_on(place[1], None)

    def have_on(self, old: str, new: str | None) -> None:
        """Let the parts of one instance be those of another one, or of none."""
        for (kind, _name), options in self.declared.items():
            if kind in PARTS and instance_of(options) == old:
                self.place_part(kind, options, new)

    @staticmethod
    def place_part(kind: str, options: dict[str, t.Any], instance: str | None) -> None:
        for option in ("instances", "instance", "detached"):
            options.pop(option, None)
        options.update(placed(kind, instance))

    def put_on_an_instance(self, kind: str, which: int) -> None:
        place = chosen([place for place in self.declared if place[0] in PARTS], which)
        instance = chosen([place for place in self.declared if place[0] == "instances"], which + len(kind))
        if place is not None and instance is not None:
            self.place_part(place[0], self.declared[place], instance[1])

    def take_off(self, kind: str, which: int) -> None:
        place = chosen([place for place in self.declared if place[0] == kind and kind in PARTS], which)
        if place is not None:
            self.place_part(kind, self.declared[place], None)

    def create_first(self, _kind: str, which: int) -> None:
        place = chosen([place for place in self.declared if place[0] == "instances"], which)
        if place is not None:
            self.declared[place]["lifecycle"] = {"create_before_destroy": which % 4 > 0}

    def rename(self, kind: str, which: int) -> None:
        known = [place for place in self.declared if place[0] == kind and place in self.owned and self.stays(place)]
        place, free = chosen(known, which), self.free(kind)
        if place is None or kind not in RENAMED or not free:
            return
        new = (kind, free[which % len(free)])
        self.declared[new] = self.declared.pop(place)
        self.owned[new] = self.owned.pop(place)
        if kind == "instances":
            self.have_on(place[1], new[1])
        self.mean_anew(new)
        old, label = f"{kind}.{place[1]}", f"{kind}.{new[1]}"
        begun = next((one["from"] for one in self.moved if one["to"] == old and place in self.new_names), old)
        self.moved = [one for one in self.moved if one["to"] != old]  # done before, or not begun at all
        self.moved.append({"from": begun, "to": label})
        self.new_names = (self.new_names - {place}) | {new}

    def stays(self, place: Place) -> bool:
        """Return whether nothing forces a replacement: a plan refuses that together with a new name."""
        option = REPLACED_BY.get(place[0], ("", ()))[0]
        return bool(self.declared[place].get(option) == self.applied.get(place, self.declared[place]).get(option))

    def adopt(self, kind: str, which: int) -> None:
        things = self.things()
        others = {(of, name_of(of, one)) for (of, number), one in things.items() if of == kind}
        place = chosen([other for other in others - set(self.owned) if len(self.numbers(other, things)) == 1], which)
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

    def edit_what_stays(self, _kind: str, which: int) -> None:
        self.pricelist = 1 + which % 2

    def project(self) -> str:
        """Return what the clients' projects are called, and what is written on the page."""
        return f"project {self.pricelist}"

    # Somebody works at the service

    def somebody_makes_one(self, kind: str, which: int) -> None:
        free = self.free(kind)
        if free:
            wait = {"wait_timeout": 60} if kind in ("instances", "disks") else {}
            made = {name: value for name, value in NEW[kind].items() if name != "recreate"}
            done(operation(kind), {**called((kind, free[which % len(free)])), **made, **wait})

    def somebody_removes_one(self, kind: str, which: int) -> None:
        place = self.known_to_somebody(kind, which)
        if place is not None:
            forced = {"force_detach": True} if kind in PARTS else {}
            done(operation(kind), {**called(place), "state": "absent", **forced})

    def known_to_somebody(self, kind: str, which: int) -> Place | None:
        things, owned = self.things(), [place for place in self.owned if place[0] == kind]
        return chosen([place for place in owned if len(self.numbers(place, things)) == 1], which)

    def somebody_changes_one(self, kind: str, which: int) -> None:
        """An instance gets another type, or a part is taken off it; others get another value."""
        kind = kind if kind in (*PARTS, *CHANGED) else "instances"
        place = self.known_to_somebody(kind, which)
        if place is None:
            return
        other = {"type": sorted(TYPES)[which % len(TYPES)]} if kind == "instances" else placed(kind, None)
        if kind in CHANGED:
            option, values = CHANGED[kind]
            other = {option: values[which % len(values)]}
        if kind == "storage_objects":
            other["container"] = SHELF
        done(operation(kind), {**called(place), **other})

    def somebody_takes_a_snapshot(self, _kind: str, which: int) -> None:
        place = self.known_to_somebody("instances", which)
        if place is not None:
            done(operation("snapshots"), {"name": f"of {place[1]} {which}", "instance": place[1]})

    # Runs

    def planned(self, **options: t.Any) -> Ran:
        """Return a plan, and send nothing."""
        before = self.sandbox.counts()["writes"]
        planned = run(self.content(), check_mode=True, **options)
        assert self.sandbox.counts()["writes"] == before, "a plan has written"
        return planned

    def applied_now(self, **options: t.Any) -> Ran:
        """Return what came of an apply."""
        ran = run(self.content(), **options)
        self.last_change = time.monotonic()
        return ran

    def wait_for_lists(self) -> None:
        """Let lists show what has changed: of what is to go, a plan shows what they show."""
        time.sleep(max(0.0, self.last_change + DEFAULTS["list_lag"] - time.monotonic()))

    def apply(self, bound: bool) -> None:
        self.wait_for_lists()
        limits = {"max_replace": "100", "max_delete": "100"}
        before, owned = self.things(), dict(self.owned)
        spared = self.changed_by_others(before)
        self.snapshots = {one["Id"]: one["Instance"] for one in self.sandbox.state()["rest"]["snapshots"]}
        planned = self.planned(**limits).succeeded()
        options: dict[str, t.Any] = dict(limits)
        if bound:
            path = self.home / "site.plan.json"
            path.write_text(json.dumps(planned.plan), encoding="utf-8")
            options["plan"] = str(path)
        ran = self.applied_now(**options).succeeded()
        assert ran.plan["changes"] == planned.plan["changes"], "the apply did something else than its plan"
        assert ran.result["counts"]["changed"] == len([one for one in told(ran) if one[2] != "orphan"])
        self.settle(before, owned, spared)
        self.is_as_declared()
        self.goes_only_as_told(before, told(planned))
        again = self.planned(**limits).succeeded()
        assert [one for one in told(again) if one[2] != "orphan"] == [], "a second plan is not empty"
        assert {one[:2] for one in told(again)} == set(self.owned) - set(self.declared), "the orphans"

    def mark(self, place: Place, things: Things) -> str:
        """Return by what the site tells something that has no number from what somebody has put in its place."""
        if place[0] == "storage_objects":
            return str(things[place]["etag"])
        return str(done(operation(place[0]), called(place), check_mode=True)["container"]["last_modified"])

    def changed_by_others(self, things: Things) -> set[Place]:
        """Return what is not declared any more and was changed or made again since then: it is not the site's own."""
        orphans = self.owned.keys() & self.marks.keys() & things.keys() - self.declared.keys()
        return {place for place in orphans if self.mark(place, things) != self.marks[place]}

    def settle(self, before: Things, owned: dict[Place, int], spared: set[Place]) -> None:
        """Compare the account with the model after an apply, and take over what the site owns now."""
        after = self.things()
        assert [one for one in after.values() if "(replaced" in str(one.get("Name"))] == []
        self.owned, self.new_names = {}, set()
        self.applied = copy.deepcopy(self.declared)
        for place in self.declared:
            (number,) = self.numbers(place, after)
            was = owned.get(place)
            made = (place[0], number) not in before
            if made or number == was or self.declared[place].get("adopt"):
                self.owned[place] = number
        self.marks.update({place: self.mark(place, after) for place in self.owned if place[0] in MARKED})
        owned = {place: number for place, number in owned.items() if place not in spared}
        for place, number in owned.items():
            given_up = next((one for one in self.removed if one["what"] == ".".join(place)), None)
            if given_up is not None:
                assert ((place[0], number) in after) <= (not given_up["destroy"])
            elif place not in self.declared and (place[0], number) in after:
                self.owned[place] = number
        self.others_are_as_they_were(before, after, {(place[0], number) for place, number in owned.items()})

    def is_as_declared(self) -> None:
        """Compare what the service has of what is declared: types, sizes, and on which instance the parts are."""
        self.what_stays_is_as_declared()
        things = self.things()
        for place, options in self.declared.items():
            kind, (number,) = place[0], self.numbers(place, things)
            one = things[kind, number]
            if kind == "instances":
                assert (one["Type"], one["Template"]) == (TYPES[options["type"]], TEMPLATES[options["template"]]), place
            elif kind == "disks":
                assert one["SpaceCapacity"] == options["size"], place
            elif kind in CHANGED and CHANGED[kind][0] in options:
                assert self.shown(kind, one) == options[CHANGED[kind][0]], place
            if placed(kind, None).keys() & options.keys() or instance_of(options):
                on = one["Instances"] if kind == "disks" else [one["Instance"]] if one["Instance"] else []
                name = instance_of(options)
                assert on == (self.numbers(("instances", name), things) if name else []), place

    def what_stays_is_as_declared(self) -> None:
        state = self.sandbox.state()
        assert set(state["soap"]["client_pricelists"].values()) == {self.pricelist}
        assert {one["ProjectName"] for one in state["soap"]["clients"]} == {self.project()}
        page = state["storage"]["containers"][SHELF]["objects"]["pages/page"]
        assert page["etag"] == md5(self.project().encode()).hexdigest()

    @staticmethod
    def shown(kind: str, one: t.Mapping[str, t.Any]) -> t.Any:
        """Return what the service has of the option that is edited."""
        if kind == "storage_containers":
            return {name.removeprefix("x-container-meta-"): value for name, value in one["metadata"].items()}
        if kind == "storage_objects":
            return next((text for text in CHANGED[kind][1] if md5(text.encode()).hexdigest() == one["etag"]), None)
        if kind == "client_fixed_amounts":
            return f"{decimal.Decimal(one['Amount']):.2f}"
        members = {"warehouses": "QueueLength", "health_checks": "Interval", "client_users": "FirstName"}
        return one[members[kind]]

    def goes_only_as_told(self, before: Things, changes: t.Sequence[tuple[str, str, str]]) -> None:
        """Nothing goes that the plan does not name as removed or replaced, and no snapshot without its instance."""
        going = {(kind, name.split(" (")[0]) for kind, name, action in changes if action in GOES}
        after = self.things()
        for kind, number in before.keys() - after.keys():
            assert (kind, name_of(kind, before[kind, number]).split(" (")[0]) in going, (kind, number)
        there = {number for kind, number in after if kind == "instances"}
        kept = {one["Id"] for one in self.sandbox.state()["rest"]["snapshots"]}
        assert {number for number, instance in self.snapshots.items() if instance in there} <= kept
        self.snapshots = {}

    def others_are_as_they_were(self, before: Things, after: Things, own: t.Collection[tuple[str, int]]) -> None:
        for key, one in before.items():
            declared = (key[0], name_of(key[0], one)) in self.declared
            if key not in own and not declared:
                assert after.get(key) == _left(one, after), f"{key} is not the site's own"

    def prune(self) -> None:
        self.wait_for_lists()
        before = self.things()
        going = {place for place in self.owned if place not in self.declared and self.is_there(place)}
        planned = self.planned(prune=True, max_delete="100")
        assert {one[:2] for one in told(planned.succeeded())} == going
        ran = self.applied_now(prune=True, max_delete="100").succeeded()
        assert ran.plan["changes"] == planned.plan["changes"]
        after = self.things()
        gone = before.keys() - after.keys()
        assert {(kind, name_of(kind, before[kind, number])) for kind, number in gone} == going
        self.owned = {place: number for place, number in self.owned.items() if place in self.declared}

    def is_there(self, place: Place) -> bool:
        return (place[0], self.owned[place]) in self.things()

    def fail_once(self, fault: dict[str, t.Any]) -> None:
        """An apply in which nothing can be made of one kind, or an answer is lost; the next one mends it."""
        before, owned = self.things(), dict(self.owned)
        refuses: dict[str, t.Any] = {"own_words": True, "times": 0} if fault["fault"] == "status_before" else {}
        self.sandbox.fault(**fault, **refuses)
        self.applied_now(max_replace="100", max_delete="100")
        self.sandbox.clear_faults()
        for (of, number), one in self.things().items():
            place = (of, name_of(of, one))
            if place in self.declared and (of, number) not in before:
                owned[place] = number
        self.owned = owned
        self.apply(bound=False)

    def live(self, chance: random.Random) -> None:
        """Have an instance with parts, and then days on which something is edited, by hand too, and run."""
        for kind in NEW:
            self.declare(kind, 0)
        for kind in PARTS:
            self.place_part(kind, self.declared[kind, NAMES[0]], NAMES[0])
        self.apply(bound=True)
        for _day in range(DAYS):
            for _edit in range(chance.randint(3, 6)):
                self.change_something(chance)
            runs = chance.choice(RUNS)
            if runs == "fail":
                self.fail_once(chance.choice(FAULTS))
            self.apply(bound=chance.random() < 0.5)
            if runs == "prune":
                self.prune()
        self.protected_stays(chance.randrange(99))

    def protected_stays(self, which: int) -> None:
        """What is protected stops a removal of all and its own replacement; without the protection the plan has it."""
        replaced = [place for place in self.declared if place[0] in REPLACED_BY and place in self.owned]
        for place, options in (
            (chosen(self.owned.keys() & self.declared.keys(), which), {"state": "absent"}),
            (chosen(replaced, which), {}),
        ):
            if place is None:
                continue
            before, declared = self.things(), copy.deepcopy(self.declared)
            if not options:
                option, values = REPLACED_BY[place[0]]
                self.declared[place][option] = next(one for one in values if one != self.declared[place][option])
            limits: dict[str, t.Any] = {"max_replace": "100", "max_delete": "100", **options}
            assert place in {one[:2] for one in told(self.planned(**limits).succeeded()) if one[2] in GOES}
            self.declared[place].setdefault("lifecycle", {})["prevent_destroy"] = True
            for check_mode in (True, False):
                ran = run(self.content(), check_mode=check_mode, **limits)
                assert ran.result.get("failed"), f"{place} is protected"
                if check_mode:
                    errors = {
                        (one["kind"], modelled(one["kind"], one["name"])): one["msg"] for one in ran.plan["errors"]
                    }
                    assert "lifecycle.prevent_destroy" in errors.get(place, ""), (place, errors)
                assert self.things() == before, "something was changed beside what is protected"
            self.declared = declared

    def change_something(self, chance: random.Random) -> None:
        """Do one edit that has an effect."""
        for _try in range(TRIES):
            before = copy.deepcopy(self.state())
            getattr(self, chance.choice(EDITS))(chance.choice(EDITED), chance.randrange(12))
            after = self.state()
            if after != before:
                if after[-1] != before[-1]:
                    self.last_change = time.monotonic()
                return

    def state(self) -> tuple[t.Any, ...]:
        return self.declared, self.moved, self.removed, self.pricelist, self.sandbox.counts()["writes"]


def told(ran: Ran) -> list[tuple[str, str, str]]:
    """Return what a run says of the changes, in a fixed order."""
    return sorted((one["kind"], modelled(one["kind"], one["name"]), one["action"]) for one in ran.plan["changes"])


def modelled(kind: str, name: str) -> str:
    """Return the name that the model has for what a plan names."""
    if kind == "client_fixed_amounts":
        return next((one for one, number in CLIENTS.items() if name == str(number)), name)
    return name.removeprefix(PREFIXES.get(kind, ""))


def _left(one: dict[str, t.Any], after: Things) -> dict[str, t.Any]:
    """Return what is left of somebody else's object: a disk goes on without an instance of the site that is removed."""
    if "Instances" not in one:
        return one
    return {**one, "Instances": [number for number in one["Instances"] if ("instances", number) in after]}


@pytest.mark.parametrize("number", [2, pytest.param(LIVES, marks=pytest.mark.full, id="many")])
def test_lives_of_a_site(sandbox: SandboxProcess, home: Path, number: int) -> None:
    @settings(
        max_examples=number,
        deadline=None,
        derandomize="SITE_MODEL_LIVES" not in os.environ,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(life=st.integers(0, 2**32 - 1))
    def try_lives(life: int) -> None:
        SiteModel(sandbox, home).live(random.Random(life))

    try_lives()

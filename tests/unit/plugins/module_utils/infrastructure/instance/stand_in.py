# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the infrastructure client: instances and tickets on a clock that only moves when somebody sleeps.

It has the methods of the client, not its requests; the requests are tested in ``test_requests.py`` and against the
sandbox.
"""

from __future__ import annotations

import functools
import types
import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    Conflict,
    FcdError,
    Forbidden,
    NotFound,
    Rejected,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

Json = t.Dict[str, t.Any]
STATUSES = {86: "Powered On", 87: "Powered Off", 126: "Deleted", 1748: "Initializing"}
TYPES = {34: "v1.standard-2.2", 35: "v1.standard-4.4"}
SUBREGIONS = {1: "EU-001", 4: "EU-002"}
TEMPLATES = {60001: ("Golden image", "2025-01"), 60002: ("Golden image", "2025-02"), 767: ("CentOS 7", "7.0")}
NETWORKS = {41001: "backend", 41002: "storage"}
ADDRESSES = {120001: "203.0.113.1", 120002: "203.0.113.2"}
SIZES = {34: (2, 2048), 35: (4, 4096)}
READS = ("read_one", "read_pages", "read_json")
KEYS = {31001: "operations", 31002: "twice", 31003: "twice"}
DICTIONARIES = {
    17: ("Disk classes", {48: "Tier 1", 49: "Tier 2"}),
    27: ("Instance statuses", STATUSES),
    1: ("Languages", {1: "Polish", 2: "English"}),
    70: ("Template system categories", {1272: "Debian", 1278: "CentOS"}),
    84: ("Empty one", {}),
    159: ("Instance authorization methods", {1398: "SSH keys", 1399: "User and password"}),
}


class SteppingClock(t.Protocol):
    """A clock that only moves when somebody sleeps: the fixture ``fake_clock``."""

    time: float

    def now(self) -> float:
        """Seconds since the epoch."""

    def sleep(self, seconds: float) -> None:
        """Move on."""


class Fault(t.NamedTuple):
    """What goes wrong with one call: before it had its effect, or after."""

    error: FcdError
    after: bool = False


Method = t.TypeVar("Method", bound=t.Callable[..., t.Any])


def remote(method: Method) -> Method:
    """Log the call, carry out what is due, and strike where a fault is planned."""

    @functools.wraps(method)
    def call(self: StandIn, *args: t.Any, **kwargs: t.Any) -> t.Any:
        name = method.__name__
        self.calls.append((name, args, kwargs))
        self.advance()
        faults = self.faults.get(name, [])
        fault = faults.pop(0) if faults else None
        if fault is not None and not fault.after:
            raise fault.error
        answer = method(self, *args, **kwargs)
        if fault is not None:
            raise fault.error
        return answer

    return t.cast("Method", call)


class StandIn:
    """The service. ``seconds`` is how long an operation takes, ``hidden`` how long lists hide a new instance."""

    def __init__(self, clock: SteppingClock) -> None:
        self.clock = clock
        self.calls: list[tuple[str, tuple[t.Any, ...], Json]] = []
        self.faults: dict[str, list[Fault | None]] = {}  # one for each call to come
        self.instances: dict[int, Json] = {}
        self.made = 0
        self.tickets: dict[int, Json] = {}
        self.due: list[tuple[float, t.Callable[[], object]]] = []
        self.seconds = 20.0
        self.hidden = 0.0
        self.fails: set[str] = set()
        self.lost: set[int] = set()
        self.events: list[Json] = []
        self.search_blind = False
        self.templates: dict[int, Json] = {}  # what is told of some of them
        self.withdrawn: set[int] = set()  # templates
        self.ignored: set[str] = set()  # operations that end well and do nothing
        self.gives_address = False  # to a new instance, whatever was asked for
        self.lock_status = 409
        self.lag = 0.0  # seconds for which lists show what was removed
        self.ghosts: list[tuple[float, Json]] = []
        self.own_templates: list[Json] = []
        self.converted: list[Json] = []  # bodies
        self.made_from: dict[int, Json] = {}  # the template that is told of an instance
        self.clone_tells_source = False  # its ticket
        self.inactive: set[int] = set()
        self.older = False  # the line of 2020
        self.addresses: dict[int, int] = {}  # the instance of each that is attached
        self.access: list[t.Any] = []  # what is told of access, one for each call

    def __getattr__(self, name: str) -> t.Any:
        """Return a method of the client that is not replaced here: it sends through those that are."""
        return types.MethodType(getattr(Infrastructure, name), self)

    def is_older_line(self) -> bool:
        """Tell the line without asking anybody."""
        return self.older

    # ---------------------------------------------------------------- for the tests

    def names(self) -> list[str]:
        """Names of the methods that were called."""
        return [name for name, _args, _kwargs in self.calls]

    def writes(self) -> list[str]:
        """Names of the writing methods that were called."""
        return [name for name in self.names() if not name.startswith(("get_", "list_", *READS))]

    def add(self, name: str, **members: t.Any) -> Json:
        """Put an instance there."""
        number = 250001 + self.made
        self.made += 1
        instance = {
            "Id": number,
            "Name": name,
            "IsLocked": False,
            "Status": {"Id": 86, "Label": STATUSES[86]},
            "Type": {"Id": 34, "Label": TYPES[34]},
            "Subregion": {"Id": 1},
            "Template": {"Id": 60001},
            "IsFreemium": False,
            "visible": self.clock.now(),
            "disk": {"Id": 150001, "Tier": {"Id": 48, "Label": "Tier 1"}, "SpaceCapacity": 20, "IsLocked": False},
            "networks": [],
            **members,
        }
        self.instances[number] = instance
        return instance

    def advance(self) -> None:
        """Carry out what is due."""
        ready = [entry for entry in self.due if entry[0] <= self.clock.now()]
        self.due = [entry for entry in self.due if entry[0] > self.clock.now()]
        for _when, effect in sorted(ready, key=lambda entry: entry[0]):
            effect()

    def later(self, seconds: float, effect: t.Callable[[], object]) -> None:
        """Do something when so many seconds have passed."""
        self.due.append((self.clock.now() + seconds, effect))

    # ---------------------------------------------------------------- instances

    @remote
    def list_instances(self, query: str | None = None) -> list[Json]:
        if query is not None and self.search_blind:
            return []
        shown = [one for one in self.instances.values() if one["visible"] <= self.clock.now()]
        shown += [one for until, one in self.ghosts if self.clock.now() < until]
        return [one for one in shown if query is None or query.lower() in one["Name"].lower()]

    def listed_instances(self, name: str) -> list[Json]:
        return [one for one in self.list_instances(query=name) if one["Name"] == name]

    @remote
    def get_instance(self, number: int) -> Json:
        return dict(self._instance(number))

    @remote
    def create_instance(self, body: Json) -> Json:
        instance = self.add(
            body["InstanceName"],
            IsLocked=True,
            Status={"Id": 1748, "Label": STATUSES[1748]},
            Type={"Id": body["TypeId"], "Label": TYPES[body["TypeId"]]},
            Subregion={"Id": body["SubregionId"]},
            Template={"Id": body["TemplateId"]},
            visible=self.clock.now() + self.hidden,
        )
        if self.gives_address:
            self.addresses[120001] = instance["Id"]
        return self._start("create", instance, lambda: self._on(instance), object_id=None)

    @remote
    def change_name(self, number: int, name: str) -> Json:
        instance = self._free(number)
        return self._start("rename", instance, lambda: instance.update(Name=name))

    @remote
    def change_type(self, number: int, type_id: int) -> Json:
        instance = self._free(number)
        return self._start("type", instance, lambda: instance.update(Type={"Id": type_id, "Label": TYPES[type_id]}))

    @remote
    def power_on(self, number: int) -> Json:
        instance = self._free(number)
        return self._start("power on", instance, lambda: self._on(instance))

    @remote
    def power_off(self, number: int) -> Json:
        instance = self._free(number)
        return self._start("power off", instance, lambda: self._off(instance))

    @remote
    def shutdown(self, number: int) -> Json:
        instance = self._free(number)
        return self._start("shutdown", instance, lambda: None if "guest" in self.fails else self._off(instance))

    @remote
    def reboot(self, number: int) -> Json:
        return self._start("reboot", self._free(number), lambda: None)

    @remote
    def reset(self, number: int) -> Json:
        return self._start("reset", self._free(number), lambda: None)

    @remote
    def extend_disk(self, number: int, space_capacity: int) -> Json:
        instance = self._with_disk(number)
        return self._start("extend", instance, lambda: instance["disk"].update(SpaceCapacity=space_capacity))

    @remote
    def change_disk_tier(self, number: int, tier_id: int) -> Json:
        instance = self._with_disk(number)
        tier = {"Id": tier_id, "Label": DICTIONARIES[17][1][tier_id]}
        return self._start("tier", instance, lambda: instance["disk"].update(Tier=tier))

    @remote
    def delete_instance(self, number: int, *, deep: bool = False) -> Json:
        instance = self._free(number)

        def end() -> None:
            self.ghosts.append((self.clock.now() + self.lag, dict(instance)))
            self.instances.pop(number, None)

        return self._start("delete", instance, end)

    @remote
    def list_instance_disks(self, number: int, disk_type: str | None = None) -> list[Json]:
        instance = self._instance(number)
        if instance["disk"] is None:
            return []
        return [{**instance["disk"], "Connections": [{"Instance": {"Id": number}, "IsSystemDisk": True}]}]

    @remote
    def list_instance_events(self, number: int) -> list[Json]:
        return self.events

    @remote
    def list_instance_ip_addresses(self, number: int) -> list[Json]:
        return [self._address(one) for one, owner in self.addresses.items() if owner == self._instance(number)["Id"]]

    @remote
    def list_ip_addresses(self) -> list[Json]:
        return [self._address(one) for one in ADDRESSES]

    # ---------------------------------------------------------------- what other files of the client send through it

    @remote
    def read_pages(self, operation: str, path: str) -> list[Json]:
        if path == "/opns":
            return [{"Id": number, "Name": name} for number, name in NETWORKS.items()]
        instance = self._instance(int(path.split("/")[2]))
        return [{"Id": one, "Name": NETWORKS[one]} for one in instance["networks"]]

    @remote
    def read_one(self, operation: str, path: str) -> Json:
        if path.endswith("/template"):
            made = self.made_from.get(int(path.split("/")[2]))
            if made is None:
                raise NotFound("no such template", status=404)
            return made
        number = int(path.rpartition("/")[2])
        if number not in TEMPLATES or number in self.withdrawn:
            raise NotFound("no such template", status=404)
        name, version = TEMPLATES[number]
        return {"Id": number, "Name": name, "Version": version, **self.templates.get(number, {})}

    @remote
    def read_json(self, operation: str, path: str) -> t.Any:
        return self.access.pop(0)

    @remote
    def start(
        self,
        operation: str,
        method: str,
        path: str,
        params: Json | None = None,
        json: t.Any = None,
    ) -> Json:
        """Attach or detach a private network or an address, clone, or convert."""
        _, _, number, act = path.split("/")
        instance = self._free(int(number))
        if act == "clone_ticket":
            return self._clone(instance, json)
        if act == "convert_to_template_ticket":
            return self._convert(instance, json)
        if "opn" in act:
            network, inside = json["OpnId"], instance["networks"]
            effect = inside.append if act.startswith("attach") else inside.remove
            return self._start(act, instance, lambda: effect(network))
        address = (params or {})["ipId"]
        if act.startswith("attach"):
            return self._start(act, instance, lambda: self.addresses.update({address: instance["Id"]}))
        return self._start(act, instance, lambda: self.addresses.pop(address, None))

    # ---------------------------------------------------------------- tickets

    @remote
    def get_ticket(self, number: int) -> Json:
        if number in self.lost or number not in self.tickets:
            raise NotFound("no such ticket", status=404)
        return dict(self.tickets[number])

    @remote
    def list_tickets(self, creation_date_from: str | None = None) -> list[Json]:
        return [dict(one) for one in self.tickets.values() if one["Id"] not in self.lost]

    # ---------------------------------------------------------------- labels

    @remote
    def list_instance_types(self) -> list[Json]:
        sizes = {number: {"Cpu": cpu, "Ram": ram} for number, (cpu, ram) in SIZES.items()}
        return [{"Id": number, "Name": name, **sizes[number]} for number, name in TYPES.items()]

    @remote
    def list_subregions(self) -> list[Json]:
        return [{"Id": one, "Name": name, "IsActive": one not in self.inactive} for one, name in SUBREGIONS.items()]

    @remote
    def list_templates(self, source: str | None = None, query: str | None = None) -> list[Json]:
        if source == "Own":
            return self.own_templates
        left = {number: told for number, told in TEMPLATES.items() if number not in self.withdrawn}
        return [{"Id": number, "Name": name, "Version": version} for number, (name, version) in left.items()]

    @remote
    def list_ssh_keys(self) -> list[Json]:
        return [{"Id": number, "Name": name} for number, name in KEYS.items()]

    @remote
    def list_dictionaries(self) -> list[Json]:
        return [{"Id": number, "Name": name} for number, (name, _items) in DICTIONARIES.items()]

    @remote
    def get_dictionary(self, number: int) -> list[Json]:
        if number not in DICTIONARIES:
            raise NotFound("Dictionary does not exist.", status=404)
        return [{"Id": item, "Label": label} for item, label in DICTIONARIES[number][1].items()]

    # ---------------------------------------------------------------- inside

    def _clone(self, source: Json, body: Json) -> Json:
        clone = self.add(
            body["CloneName"],
            IsLocked=True,
            Status={"Id": 1748, "Label": STATUSES[1748]},
            visible=self.clock.now() + self.hidden,
        )

        def made() -> None:
            source["IsLocked"] = clone["IsLocked"] = False
            self._on(clone) if body.get("PowerOn") else self._off(clone)

        source["IsLocked"] = True
        if self.clone_tells_source:
            return self._start("clone", source, made)
        return self._start("clone", clone, made, object_id=None)

    def _convert(self, instance: Json, body: Json) -> Json:
        self.converted.append(body)
        made = {"Id": 650001, "Name": body["TemplateName"], "Version": body["TemplateVersion"]}

        def end() -> None:
            self.instances.pop(instance["Id"], None)
            self.own_templates.append(made)

        return self._start("convert", instance, end)

    def _instance(self, number: int) -> Json:
        if number not in self.instances:
            raise Forbidden("There is no such instance, or no right to it.", status=403)
        return self.instances[number]

    def _free(self, number: int) -> Json:
        instance = self._instance(number)
        if instance["IsLocked"] and self.lock_status == 400:
            raise Rejected("This cannot be done now.", status=400)
        if instance["IsLocked"]:
            raise Conflict("The object is locked.", status=409)
        return instance

    def _on(self, instance: Json) -> None:
        instance["Status"] = {"Id": 86, "Label": STATUSES[86]}

    def _off(self, instance: Json) -> None:
        instance["Status"] = {"Id": 87, "Label": STATUSES[87]}

    def _with_disk(self, number: int) -> Json:
        return self._free(next(one["Id"] for one in self.instances.values() if one["disk"]["Id"] == number))

    def _address(self, number: int) -> Json:
        owner = self.addresses.get(number)
        instance = None if owner is None else {"Id": owner}
        return {"Id": number, "Address": ADDRESSES[number], "Instance": instance}

    def _start(self, operation: str, instance: Json, effect: t.Callable[[], t.Any], object_id: int | None = 0) -> Json:
        number = 5_000_000_001 + len(self.tickets)
        instance["IsLocked"] = True
        ticket = {
            "Id": number,
            "Status": {"Id": 135, "Label": "Running"},
            "ObjectType": {"Id": 139, "Label": "Instance"},
            "ObjectId": object_id if object_id is None else instance["Id"],
            "ObjectName": instance["Name"],
            "OperationType": {"Id": {"reboot": 1368, "reset": 153}.get(operation, 144)},
            "Progress": 0,
        }
        self.tickets[number] = ticket

        def end() -> None:
            instance["IsLocked"] = False
            if operation in self.fails:
                ticket["Status"] = {"Id": 137, "Label": "Error"}
                return
            if operation not in self.ignored:
                effect()
            ticket.update(Status={"Id": 136, "Label": "Succeed"}, ObjectId=instance["Id"], Progress=100)

        self.later(self.seconds, end)
        return dict(ticket)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Load balancers of groups: brought to their declared state and listed.

Source: docs/service/infrastructure.md, "Load balancers". A group has one at most, so it has the ID and the name of its
group here, and a create that is sent twice does no harm.
"""

from __future__ import annotations

import typing as t
from functools import partial

from .._connection.options import REST
from .._connection.task import (
    CREATE_OPTIONS,
    STATE,
    ManagedObject,
    Operation,
    Params,
    Result,
    Task,
    non_null_options,
    result_of,
)
from .._core.errors import Forbidden, InvalidInput, NotFound
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import make_changes
from .._engine.plan import UPDATE, Created, Field, Outcome, make_plan
from .api import Infrastructure, infrastructure
from .instance_group import GroupSearch, group_of, required_group
from .reference_names import resolve_item
from .rest_changes import change_of, removal_of
from .rest_records import RestSearch, check_not_empty, item_members, plain_members, require_later_line, same_item
from .rest_resource import WholeUpdates, reconcile_resource, rest_reader

if t.TYPE_CHECKING:
    from .._engine.change import Change
    from .._engine.scheduler import Job

DICTIONARIES = {
    "service_type": (15, "the service types"),
    "session_persistence": (16, "the types of session persistence"),
    "algorithm": (77, "the load-balancing algorithms"),
    "ip_version": (36, "the IP versions"),
    "proxy_protocol": (302, "the versions of the proxy protocol"),
}
DEFAULTS: JsonObject = {
    "service_type": "43",
    "session_persistence": "46",
    "algorithm": "612",
    "ip_version": "115",
    "ssl": True,
    "health_check": True,
    "common_persistence": True,
}
"""What a new one has where nothing is given: that of the orchestration plugin."""
PORT_OPTIONS = ("port", "target_port", "ssl_target_port")
MAX_PORT = 65535
FLAGS = {
    "ssl": "SslEnabled",
    "health_check": "HealthCheckEnabled",
    "common_persistence": "CommonPersistenceForHttpAndHttpsEnabled",
}
VALUES = {
    "port": "PortNumber",
    "target_port": "TargetPortNumber",
    "ssl_target_port": "SslTargetPortNumber",
    **FLAGS,
}
ITEMS = {
    "service_type": "ServiceType",
    "session_persistence": "SessionPersistenceType",
    "algorithm": "Algorithm",
    "ip_version": "IpVersion",
    "proxy_protocol": "ProxyProtocolVersion",
}
NEEDED_BY_CREATE = ("service_type", "session_persistence", "algorithm", "ip_version")
_PLAIN = {"id": "GroupId", "name": "GroupName", "ip_address": "IpAddress", "ip_address_v6": "IpV6Address", **VALUES}
_PLACE = {"ip_address": "IpAddress", "port": "Port"}
_SERVER = {
    **_PLACE,
    "protocol": "Protocol",
    "active_services": "ActiveServices",
    "inactive_services": "InactiveServices",
}


def balancer_record(balancer: JsonMapping) -> JsonObject:
    """Return the record of a load balancer; its servers have their services only if its details were read."""
    servers = [
        {**plain_members(one, _SERVER), **item_members(one, {"status": "Status"}), "services": _services(one)}
        for one in balancer.get("Servers") or ()
    ]
    return {**plain_members(balancer, _PLAIN), **item_members(balancer, ITEMS), "servers": servers}


def _services(server: JsonMapping) -> list[JsonObject]:
    named = {"instance": "Instance", "instance_status": "InstanceState", "status": "Status"}
    return [{**item_members(one, named), **plain_members(one, _PLACE)} for one in server.get("Services") or ()]


class BalancerSearch(RestSearch):
    """Finds load balancers by the ID of their group; with ``details``, what it returns has the services, too."""

    kind = "load balancer"
    describe = staticmethod(balancer_record)
    member = "GroupName"

    def __init__(self, api: Infrastructure, *, details: bool = False) -> None:
        super().__init__(api)
        self._details = details

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the load balancers that the service lists."""
        return self.api.list_load_balancers(**filters)

    def read(self, number: int) -> JsonObject:
        """Return the one of a group."""
        return self.api.get_load_balancer(number, details=self._details)

    def by_id(self, number: int) -> JsonObject | None:
        """Return the one of a group, or None. After 403, the group says whether it has one."""
        try:
            return self.describe(self.read(number))
        except NotFound:
            return None
        except Forbidden:
            group = GroupSearch(self.api).by_id(number)
            if group is None or group["has_load_balancer"] is False:
                return None
            raise

    def list_shows(self, names: t.Collection[str]) -> bool:
        """Return False: nobody looks for one in the list to change it."""
        del names
        return False

    def name_references(self, *records: JsonObject | None) -> None:
        """Set the services of those that come from a list, in place."""
        for record in records if self._details else ():
            if record:
                record.update(self.by_id(record["id"]) or {})


def balancer_body(values: JsonMapping, address: JsonObject | None) -> JsonObject:
    """Return the body of POST and PUT: all that is known; ``address`` is the one that it is to have."""
    items = {member: values.get(name) for name, member in ITEMS.items()}
    items["LoadBalancerAlgorithm"] = items.pop("Algorithm")
    numbers = {member: None if one is None else one["id"] for member, one in items.items()}
    plain = {member: values.get(name) for name, member in VALUES.items()}
    whole = {**numbers, **plain, "LoadBalancerIpId": None if address is None else address["Id"]}
    return {member: value for member, value in whole.items() if value is not None}


class DeclaredBalancer(WholeUpdates):
    """The load balancer that the options declare."""

    search: BalancerSearch
    fields = (
        *(Field(name, same_item, may_be_unknown=True) for name in ITEMS),
        *(Field(name, may_be_unknown=name in FLAGS) for name in VALUES),
        Field("ip_address", follows=("ip_address_v6", "servers"), may_be_unknown=True),
    )

    def locate(self) -> JsonObject | None:
        """Return the one of the group."""
        return self.search.by_id(self.params["id"])

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values, labels resolved; a new one gets the defaults."""
        api, present = self.search.api, current or {}
        given = non_null_options(self.params, (*ITEMS, *VALUES))
        require_later_line(api, self.kind, UPDATE, given)
        desired = {**({} if current else DEFAULTS), **given}
        for option, (number, where) in DICTIONARIES.items():
            if option in desired:
                desired[option] = resolve_item(
                    desired[option], present.get(option), partial(api.get_dictionary, number), option, where
                )
        if self.params.get("ip_address") is not None:
            desired["ip_address"] = self._address(str(self.params["ip_address"]).strip(), present)
        return desired

    def _address(self, given: str, present: JsonMapping) -> str:
        """Return the IPv4 text of an address of the account, given by text or ID."""
        if given == present.get("ip_address"):
            return given
        address = self._account_address(given)
        if address is None:
            raise InvalidInput(
                f"ip_address: the account has no address {given}.",
                next_step="Check it with ip_address_info, or omit it to have one assigned.",
                option="ip_address",
            )
        return str(address["Address"])

    def _account_address(self, given: str | None) -> JsonObject | None:
        wanted = str(given).lower()
        for row in self.search.api.list_ip_addresses() if given else ():
            if wanted in (str(row["Id"]), str(row.get("Address")), str(row.get("AddressV6")).lower()):
                return row
        return None

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return what each request needs, and what it would turn off; the older line leaves others out."""
        del current, changes
        return {**{name: ITEMS[name] for name in NEEDED_BY_CREATE}, **FLAGS}

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that creates it; what something else has created meanwhile is compared again."""
        group = {"id": self.params["id"], "name": self.params["name"]}
        what, request = f"Creating {self.title(group)}", self.create_request(values)
        changes = [change_of(self, group, what, request, lambda record: record is not None)]
        record = t.cast("JsonObject", (yield from make_changes(changes, self.note_ticket)))
        return Created(record, by_us=self._shows(values, record), changed=True)

    def _shows(self, values: JsonMapping, record: JsonObject | None) -> bool:
        """Return whether it is there with these values."""
        return record is not None and not make_plan(self.fields, values, record, "present", kind=self.kind).changed

    def create_request(self, values: JsonMapping) -> t.Callable[[], t.Any]:
        """Return what creates it."""
        api, number = self.search.api, self.params["id"]
        body = balancer_body(values, self._account_address(values.get("ip_address")))
        return lambda: api.create_load_balancer(number, body)

    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject | None]:
        """Return the job that changes it; it warns if that has given the load balancer another address."""
        record = yield from super().update(current, changes)
        before, after = current["ip_address"], (record or current)["ip_address"]
        if "ip_address" not in changes and before and after and before != after:
            self.task.warn(f"The change has given {self.title(current)} another address: {before} became {after}.")
        return record

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the one PUT. Its address is sent again, by the ID that the addresses of the account have for it."""
        values = self.whole(current, changes)
        body = balancer_body(values, self._account_address(values["ip_address"] or values["ip_address_v6"]))
        send = partial(self.search.api.change_load_balancer, current["id"], body)
        return [change_of(self, current, f"Changing {self.title(current)}", send, partial(self._shows, changes))]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it; its group stays."""
        return [removal_of(self, current, self.search.api.delete_load_balancer)]


def check_load_balancer(params: Params) -> None:
    """Raise InvalidInput for values that the service does not accept."""
    check_not_empty(params, "group", "ip_address", *ITEMS)
    for option in PORT_OPTIONS:
        number = params.get(option)
        if number is not None and not 1 <= number <= MAX_PORT:
            raise InvalidInput(f"{option}: {number} is not a port; ports are 1 to {MAX_PORT}.", option=option)


def run(task: Task, params: Params) -> Result:
    """Bring the load balancer to its state."""
    check_load_balancer(params)
    api = infrastructure(task)
    absent = params["state"] == "absent"
    group = group_of(api, params["group"]) if absent else required_group(api, params["group"])
    if group is None:
        return {**result_of("load_balancer", Outcome(None, None, {}, {})), "ticket": None}  # gone with its group
    own = {**params, "id": group["id"], "name": group["label"]}
    result = reconcile_resource(DeclaredBalancer(task, BalancerSearch(api), own), "load_balancer")
    for shown in filter(None, (result["load_balancer"], result["diff"]["after"])):  # known before it is created
        shown.update(id=group["id"], name=group["label"])
    return result


OPERATION = Operation(
    "load_balancer",
    (REST,),
    {
        **STATE,
        "group": {"type": "str", "required": True, "aliases": ["group_id", "instance_group"]},
        "service_type": {"type": "str"},
        "port": {"type": "int", "aliases": ["port_number"]},
        "target_port": {"type": "int", "aliases": ["target_port_number"]},
        "ssl": {"type": "bool", "aliases": ["ssl_enabled"]},
        "ssl_target_port": {"type": "int", "aliases": ["ssl_target_port_number"]},
        "session_persistence": {"type": "str", "aliases": ["session_persistence_type"]},
        "common_persistence": {"type": "bool"},
        "algorithm": {"type": "str", "aliases": ["load_balancer_algorithm"]},
        "ip_version": {"type": "str"},
        "proxy_protocol": {"type": "str", "aliases": ["proxy_protocol_version"]},
        "health_check": {"type": "bool", "aliases": ["health_check_enabled"]},
        "ip_address": {"type": "str"},
        "create_grace": CREATE_OPTIONS["create_grace"],
    },
    run,
    fields=DeclaredBalancer.fields,
    members=tuple(balancer_record({})),
    manages=ManagedObject("load_balancer", "load_balancer"),
    check=check_load_balancer,
)


INFO = rest_reader(
    "load_balancer_info",
    "load_balancers",
    lambda api, params: BalancerSearch(api, details=params["details"]),
    {"name": {"type": "str", "aliases": ["group"]}, "details": {"type": "bool", "default": False}},
    {"mutually_exclusive": [("id", "name")]},
)

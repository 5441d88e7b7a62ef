# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks: found by name or ID, created, renamed, removed and listed.

Source: docs/service/infrastructure.md, "Private networks".
"""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import CREATE_OPTIONS, STATE, WAIT_OPTIONS, ManagedObject, Operation, Params, Result, Task
from .._core.errors import Forbidden, InvalidInput, NotFound
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import Change
from .._engine.plan import DELETE, Field, in_words
from .api import infrastructure
from .rest_changes import change_of, detachment_of, removal_of
from .rest_records import NETWORK_OBJECT, RestSearch, check_name, plain_members, record_of, require_options
from .rest_resource import RestResource, reconcile_resource, rest_reader

_PLAIN = {"id": "Id", "name": "Name", "creation_date": "CreationDate", "last_change_date": "LastChangeDate"}
_MEMBER = {"address": "Address", "address_v6": "AddressV6", "mac_address": "MacAddress", "interface_id": "InterfaceId"}


def private_network_record(network: JsonMapping) -> JsonObject:
    """Return the record of a private network; ``instances`` are those in it, with their addresses there."""
    instances = [
        {"id": one["Instance"].get("Id"), "label": one["Instance"].get("Name"), **plain_members(one, _MEMBER)}
        for one in network.get("PrivateIps") or ()
        if one.get("Instance")
    ]
    return {**record_of(network, _PLAIN, {}), "instances": instances}


class NetworkSearch(RestSearch):
    """Finds private networks."""

    kind = "private network"
    describe = staticmethod(private_network_record)
    queries = True
    references = ("instances",)

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the private networks that the service lists."""
        return self.api.list_networks(**filters)

    def read(self, number: int) -> JsonObject:
        """Return one private network."""
        return self.api.get_network(number)

    def by_id(self, number: int) -> JsonObject | None:
        """Return the private network with this ID, or None: what cannot be read may still be listed.

        The request for a single one is younger than the list.
        """
        try:
            return private_network_record(self.read(number))
        except (Forbidden, NotFound):
            return next((private_network_record(item) for item in self.list_items() if item.get("Id") == number), None)


MAX_NETWORK_NAME = 500  # characters


class DeclaredNetwork(RestResource):
    """The private network that the options declare."""

    search: NetworkSearch
    fields = (Field("name", follows=("last_change_date",)),)
    object_type = NETWORK_OBJECT

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired name."""
        if current is None:
            require_options(self.params, self.kind, str(self.params.get("name")), ["name"])
        return {} if self.params.get("name") is None else {"name": self.params["name"]}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise for a removal that the service would refuse, and for a name that another one has."""
        super().verify(action, changes, current)
        if action == DELETE and current is not None and current["instances"] and not self.params["force_detach"]:
            raise InvalidInput(
                f"Private network {current['name']!r} ({current['id']}) was not removed: it has instances, "
                f"{in_words(current['instances'])}.",
                next_step="Set force_detach: true to have them detached first.",
                option="force_detach",
                id=current["id"],
            )

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what creates the network."""
        return lambda: self.search.api.create_network(values["name"])

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the request that renames it; the answer is empty."""
        number, name = current["id"], changes["name"]
        return [
            change_of(
                self,
                current,
                f"Renaming {self.title(current)}",
                lambda: self.search.api.change_network(number, name),
                lambda record: record is not None and record["name"] == name,
            )
        ]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the requests of a removal: all instances must be detached before."""
        api = self.search.api
        detaching = [detachment_of(self, current, api.detach_network, one["id"]) for one in current["instances"]]
        return [*detaching, removal_of(self, current, api.delete_network)]


def check_private_network(params: Params) -> None:
    """Raise InvalidInput for a name that the service does not accept."""
    check_name(params.get("name"), MAX_NETWORK_NAME)


def run(task: Task, params: Params) -> Result:
    """Bring the private network to its state."""
    check_private_network(params)
    return reconcile_resource(DeclaredNetwork(task, NetworkSearch(infrastructure(task)), params), "private_network")


OPERATION = Operation(
    "private_network",
    (REST,),
    {
        **STATE,
        "name": {"type": "str", "aliases": ["opn_name"]},
        "id": {"type": "int"},
        "force_detach": {"type": "bool", "default": False},
        **WAIT_OPTIONS,
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("name", "id")]},
    fields=DeclaredNetwork.fields,
    members=tuple(private_network_record({})),
    manages=ManagedObject("private_network", "private_network"),
    check=check_private_network,
)


INFO = rest_reader(
    "private_network_info",
    "private_networks",
    lambda api, _params: NetworkSearch(api),
    {"name": {"type": "str"}, "query": {"type": "str"}, "instance": {"type": "str", "aliases": ["instance_id"]}},
    {"mutually_exclusive": [("id", "name", "query"), ("id", "instance")]},
)

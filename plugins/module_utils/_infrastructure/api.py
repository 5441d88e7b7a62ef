# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure interface: one method for each remote operation.

Source: docs/service/infrastructure.md.

An operation that takes time returns its ticket. An immediate operation returns the object, or nothing if the service
answers with an empty body. RestClient says what they raise.
"""

from __future__ import annotations

import copy
import re
import typing as t
from functools import partial

from .._connection.credentials import AccountCredentials, GivenToken, IdentityAccount
from .._connection.options import REST
from .._connection.task import Task, exchange
from .._core.errors import NotFound, Unusable
from .._core.type_aliases import JsonMapping, JsonObject, JsonObjects
from .._http.client import Exchange
from .check_mode_infrastructure import CheckModeInfrastructure
from .rest_client import LATER_PATH, PAGES, Changed, ObjectKind, RestClient, RestRead, RestReader, ignore, is_id

IP_ADDRESSES = "/instances/ip_addresses"
HEALTH_CHECKS = "/watch/healthchecks"
NOTIFICATIONS = f"{HEALTH_CHECKS}/notifications"
ASSIGNMENTS = "/watch/sensors/assignments"
HEALTH_CHECK_PATHS = {
    kind: f"{HEALTH_CHECKS}/{kind.replace('_', '')}"
    for kind in (
        *("dns", "full_page", "full_page_https", "http", "https", "imap", "imap_ssl", "ping", "sip", "smtp"),
        "tcp",
    )
}
IPV4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}", re.ASCII)


class Infrastructure(RestClient):
    """All operations of the service; inputs have the names of the service, numbers are IDs."""

    kinds: t.ClassVar[t.Dict[str, ObjectKind]] = {}

    def reading(self, read: RestReader, changed: Changed = ignore) -> Infrastructure:
        """Return a client with the same connection that reads with ``read``, which mostly wraps that of this one."""
        client = copy.copy(self)
        client.read, client.changed = read, changed
        return client

    # ---------------------------------------------------------------- dictionaries

    def list_dictionaries(self) -> JsonObjects:
        """Return ``{Id, Name}`` of every dictionary.

        The contract writes the path with a slash at its end, public descriptions write it without.
        """
        try:
            return self.read_list("List dictionaries", "/dictionaries/")
        except NotFound:
            return self.read_list("List dictionaries", "/dictionaries")

    def get_dictionary(self, number: int) -> JsonObjects:
        """Return the items ``{Id, Label, Dictionary}`` of one dictionary."""
        return self.read_list(f"Read dictionary {number}", f"/dictionaries/{number}")

    # ---------------------------------------------------------------- subregions, templates and types

    def list_subregions(self) -> JsonObjects:
        """Return ``{Id, Name, IsActive}`` of every subregion."""
        return self.read_list("List subregions", "/subregions")

    kinds["template"] = ObjectKind("/templates", ("Name", "creationDate"))
    kinds["instance_type"] = ObjectKind("/instances/types", ("Name",))

    def list_templates(self, source: str | None = None, **filters: t.Any) -> JsonObjects:
        """Return templates; ``source`` is All, Standard, Own, CommunityCatalogue or Marketplace."""
        return self.read_pages("List templates", "/templates", source=source, **filters)

    def get_template(self, number: int) -> JsonObject:
        """Return one template. Raises NotFound."""
        return self.read_one(f"Read template {number}", f"/templates/{number}")

    def change_template(self, number: int, body: JsonMapping) -> JsonObject:
        """Change name and descriptions of an own template, at once."""
        return self.change_at_once(f"Change template {number}", "PUT", f"/templates/{number}", json=dict(body))

    def delete_template(self, number: int) -> None:
        """Remove an own template, at once."""
        self.change_silently(f"Delete template {number}", "DELETE", f"/templates/{number}")

    def get_instance_template(self, instance_id: int) -> JsonObject:
        """Return the template that was created from an instance. Raises NotFound; the older line has no such path."""
        operation = f"Read the template created from instance {instance_id}"
        return self.read_one(operation, f"/instances/{instance_id}/template")

    def list_instance_types(self, **filters: object) -> JsonObjects:
        """Return ``{Id, Name, Cpu, Ram, AvailableForFreemium, Category}`` of the instance types; Ram is in MB."""
        return self.read_pages("List instance types", "/instances/types", **filters)

    # ---------------------------------------------------------------- instances

    kinds["instance"] = ObjectKind("/instances", ("Name", "CreationDate"), members={"isfreemium": "IsFreemium"})

    def list_instances(self, **filters: object) -> JsonObjects:
        """Return instances; filters: query, template_type_id, is_turned_on, subregion_id, type_id."""
        return self.read_pages("List instances", "/instances", **filters)

    def get_instance(self, number: int) -> JsonObject:
        """Return one instance. Raises Forbidden or NotFound if there is none; Forbidden may mean missing rights."""
        return self.read_one(f"Read instance {number}", f"/instances/{number}")

    def listed_instances(self, name: str) -> JsonObjects:
        """Return the instances of that name as a list shows them."""
        polling = self.reading(lambda request: self.read(request._replace(polls=True)))
        return [one for one in polling.list_instances(query=name) if one.get("Name") == name]

    def create_instance(self, body: JsonMapping) -> JsonObject:
        """Create an instance."""
        return self.start("Create instance", "POST", "/instances", json=dict(body))

    def clone_instance(self, number: int, body: JsonMapping) -> JsonObject:
        """Create a second instance like this one."""
        return self.start(f"Clone instance {number}", "POST", f"/instances/{number}/clone_ticket", json=dict(body))

    def convert_to_template(self, number: int, body: JsonMapping) -> JsonObject:
        """Turn an instance into a template; the instance ceases to exist."""
        operation = f"Convert instance {number} to a template"
        return self.start(operation, "POST", f"/instances/{number}/convert_to_template_ticket", json=dict(body))

    def change_name(self, number: int, name: str) -> JsonObject:
        """Rename an instance."""
        return self._act("instance", number, "change_name_ticket", name=name)

    def change_type(self, number: int, type_id: int) -> JsonObject:
        """Change the type of an instance."""
        return self._act("instance", number, "change_type_ticket", typeId=type_id)

    def change_subregion(self, number: int, subregion_id: int) -> JsonObject:
        """Move an instance to another subregion."""
        operation, path = f"Move instance {number} to another subregion", f"/instances/{number}/change_subregion_ticket"
        return self.start(operation, "POST", path, json={"SubregionId": subregion_id})

    def change_controller(self, number: int, controller_id: int) -> JsonObject:
        """Change the disk controller of an instance."""
        return self._act("instance", number, "change_scsi_controllers_type_ticket", scsiControllerTypeId=controller_id)

    def change_hot_plug(self, number: int, *, enabled: bool) -> JsonObject:
        """Turn hot plug of an instance on or off; the older line cannot."""
        return self._act("instance", number, "change_hotplug_ticket", hotPlugEnabled=str(enabled).lower())

    def power_on(self, number: int) -> JsonObject:
        """Turn an instance on."""
        return self._act("instance", number, "power_on_ticket")

    def power_off(self, number: int) -> JsonObject:
        """Turn an instance off at once, like pulling the plug."""
        return self._act("instance", number, "power_off_ticket")

    def shutdown(self, number: int) -> JsonObject:
        """Let the guest shut itself down; it needs guest tools."""
        return self._act("instance", number, "shutdown_ticket")

    def reboot(self, number: int) -> JsonObject:
        """Let the guest restart itself; it needs guest tools."""
        return self._act("instance", number, "reboot_ticket")

    def reset(self, number: int) -> JsonObject:
        """Restart an instance at once."""
        return self._act("instance", number, "reset_ticket")

    def delete_instance(self, number: int, *, deep: bool | None = None) -> JsonObject:
        """Remove an instance; additional disks are removed only with ``deep``."""
        params = {"deep": deep or None}
        return self.start(f"Delete instance {number}", "DELETE", f"/instances/{number}", params=params)

    # ---------------------------------------------------------------- what belongs to an instance

    kinds["event"] = ObjectKind(orders=("Date",), below="events")

    def list_instance_disks(self, number: int, **filters: t.Any) -> JsonObjects:
        """Return the disks of an instance; filters: disk_type (All, System, Custom), query."""
        return self.read_pages(f"List the disks of instance {number}", f"/instances/{number}/disks", **filters)

    def list_instance_ip_addresses(self, number: int) -> JsonObjects:
        """Return the public addresses of an instance."""
        return self.read_pages(f"List the addresses of instance {number}", f"/instances/{number}/ip_addresses")

    def list_instance_interfaces(self, number: int) -> JsonObjects:
        """Return the network interfaces of an instance, eight at most: a list, declared as one object."""
        operation = f"List the interfaces of instance {number}"
        found = self.read_json(operation, f"/instances/{number}/interfaces")
        found = found.get("Items", [found]) if isinstance(found, dict) else found
        rows = [] if found is None else found
        if isinstance(rows, list) and all(map(partial(_is_interface_of, number), rows)):
            return rows
        raise _of_another_kind(operation, "list of interfaces of this instance")

    def change_interface(self, number: int, interface_id: int, network_id: int) -> JsonObject:
        """Move an interface of an instance to another private network."""
        operation = f"Move interface {interface_id} of instance {number} to private network {network_id}"
        body = {"TargetOpnId": network_id, "InterfaceId": interface_id}
        return self.start(operation, "POST", f"/instances/{number}/change_opn_ticket", json=body)

    def list_instance_networks(self, number: int) -> JsonObjects:
        """Return the private networks of an instance."""
        return self.read_pages(f"List the private networks of instance {number}", f"/instances/{number}/opns")

    def list_instance_events(self, number: int, **filters: object) -> JsonObjects:
        """Return the events of an instance; filters: operation_type_id, date_from, date_to (ISO 8601, UTC)."""
        return self.read_pages(f"List the events of instance {number}", f"/instances/{number}/events", **filters)

    def list_instance_snapshots(self, number: int) -> JsonObjects:
        """Return the snapshots of one instance; this list has no pages."""
        return self.read_list(f"List the snapshots of instance {number}", f"/instances/{number}/snapshots")

    def list_instance_ssh_keys(self, number: int) -> JsonObjects:
        """Return ``{Id, Name, Value}`` of the SSH keys of an instance; this list has no pages."""
        return self.read_list(f"List the SSH keys of instance {number}", f"/instances/{number}/ssh_keys")

    def list_instance_software(self, number: int) -> JsonObjects:
        """Return ``{Id, Name}`` of the software of an instance; this list has no pages."""
        return self.read_list(f"List the software of instance {number}", f"/instances/{number}/software")

    def get_init_script(self, number: int) -> str | None:
        """Return the init script as it was sent, base64 text; None if there is none."""
        operation = f"Read the init script of instance {number}"
        try:
            found = self.read_json(operation, f"/instances/{number}/init_script")
        except NotFound:
            return None
        if found is None or isinstance(found, str):
            return found
        raise _of_another_kind(operation, "text")

    def get_access_data(self, number: int) -> JsonObject:
        """Return ``{Password, SshKeys}``; empty, or with null values, for some minutes after the creation."""
        operation = f"Read the access data of instance {number}"
        found = self.read_json(operation, f"/instances/{number}/access_data")
        if found is None or isinstance(found, dict):
            return found or {}
        raise _of_another_kind(operation, "object")

    # ---------------------------------------------------------------- exports and imports; no export can be removed

    kinds["export"] = ObjectKind(
        "/exports",
        ("CreationDate", "Name"),
        below="exports",
        instances="instance",
        members={"location": "OcsLocation", "project_id": "OcsProjectId"},
    )

    def list_storage_projects(self) -> JsonObjects:
        """Return ``{Id, Name, Description, Url, AuthorizationType}`` of the projects of the object storage."""
        operation = "List the projects of the object storage"
        found = self.read_json(operation, "/ocs/projects")  # no list of objects with numbers: their IDs are texts
        items = (found or {}).get("Items") if isinstance(found, (dict, type(None))) else None
        if isinstance(items, list) and all(isinstance(one, dict) for one in items):
            return items
        raise _of_another_kind(operation, "list")

    def list_exports(self, **filters: object) -> JsonObjects:
        """Return exports; filters: instance_id, status_id."""
        return self.read_pages("List exports", "/exports", **filters)

    def get_export(self, number: int) -> JsonObject:
        """Return one export."""
        return self.read_one(f"Read export {number}", f"/exports/{number}")

    def create_export(self, instance_id: int, body: JsonMapping) -> JsonObject:
        """Start the export of an instance, which has no ticket: its status tells how it goes."""
        operation = f"Export instance {instance_id}"
        return self.change_at_once(operation, "POST", f"/instances/{instance_id}/exports", json=dict(body))

    kinds["import"] = ObjectKind("/imports", ("Name", "CreationDate"))

    def list_imports(self, **filters: object) -> JsonObjects:
        """Return imports."""
        return self.read_pages("List imports", "/imports", **filters)

    def get_import(self, number: int) -> JsonObject:
        """Return one import."""
        return self.read_one(f"Read import {number}", f"/imports/{number}")

    def list_import_disks(self, number: int) -> JsonObjects:
        """Return ``{Id, DiskName, Capacity, ...}`` of the disks in an import; this list has no pages."""
        return self.read_list(f"List the disks of import {number}", f"/imports/{number}/disks")

    def create_import(self, body: JsonMapping) -> JsonObject:
        """Start an import, which has no ticket: its status tells how it goes."""
        return self.change_at_once("Create import", "POST", "/imports", json=dict(body))

    def delete_import(self, number: int) -> None:
        """Remove an import, at once."""
        self.change_silently(f"Delete import {number}", "DELETE", f"/imports/{number}")

    def run_import(self, number: int, body: JsonMapping) -> JsonObject:
        """Create an instance from an import."""
        return self.start(f"Run import {number}", "POST", f"/imports/{number}/run_ticket", json=dict(body))

    # ---------------------------------------------------------------- console and screenshot of an instance

    def get_console(self, number: int) -> JsonObject | None:
        """Return the open remote console of an instance; None if there is none."""
        operation = f"Read the remote console of instance {number}"
        try:
            found = self.read_json(operation, f"/instances/{number}/remote_console_connection")
        except NotFound:
            return None
        if found is None or (isinstance(found, dict) and _instance_of(found) in (None, number)):
            return found or None
        raise _of_another_kind(operation, "console of this instance")

    def create_console(self, number: int, body: JsonMapping) -> t.Any:
        """Open a remote console, at once; the answer describes it."""
        operation = f"Open a remote console of instance {number}"
        return self.change_silently(operation, "POST", f"/instances/{number}/remote_console_connection", dict(body))

    def change_console(self, number: int, body: JsonMapping) -> t.Any:
        """Change source address and time of the remote console, at once; the answer describes it."""
        operation = f"Change the remote console of instance {number}"
        return self.change_silently(operation, "PUT", f"/instances/{number}/remote_console_connection", dict(body))

    def delete_console(self, number: int) -> None:
        """Close the remote console, at once."""
        operation = f"Close the remote console of instance {number}"
        self.change_silently(operation, "DELETE", f"/instances/{number}/remote_console_connection")

    def get_screenshot(self, number: int, width: int | None = None, height: int | None = None) -> str | None:
        """Return the text of a screenshot; None if the answer is empty."""
        operation = f"Take a screenshot of instance {number}"
        found = self.read_json(operation, f"/instances/{number}/screenshot", width=width, height=height)
        if found is None or isinstance(found, str):
            return found
        raise _of_another_kind(operation, "text")

    # ---------------------------------------------------------------- disks

    kinds["disk"] = ObjectKind(
        "/disks",
        ("Name", "SpaceCapacity"),
        below="disks",
        instances="instances",
        places="Connections",
        members={"size": "SpaceCapacity", "disk_class": "Tier", "isfreemium": "IsFreemium"},
    )

    def list_disks(self, **filters: t.Any) -> JsonObjects:
        """Return disks; filters: disk_type (All, System, Custom), show_deleted, query."""
        return self.read_pages("List disks", "/disks", **filters)

    def get_disk(self, number: int) -> JsonObject:
        """Return one disk. Raises Forbidden or NotFound if there is none; Forbidden may mean missing rights."""
        return self.read_one(f"Read disk {number}", f"/disks/{number}")

    def create_disk(self, body: JsonMapping) -> JsonObject:
        """Create a disk."""
        return self.start("Create disk", "POST", "/disks", json=dict(body))

    def replace_disk(self, number: int, body: JsonMapping) -> JsonObject:
        """Replace every attribute: instances that are left out lose the disk."""
        return self.start(f"Change disk {number}", "PUT", f"/disks/{number}", json=dict(body))

    def delete_disk(self, number: int) -> JsonObject:
        """Remove a disk; it must be detached."""
        return self.start(f"Delete disk {number}", "DELETE", f"/disks/{number}")

    def extend_disk(self, number: int, space_capacity: int) -> JsonObject:
        """Grow a disk to a new size in GB."""
        params = {"spaceCapacity": space_capacity}
        return self.start(f"Extend disk {number}", "POST", f"/disks/{number}/extend_ticket", params)

    def change_disk_tier(self, number: int, tier_id: int) -> JsonObject:
        """Move a disk to another class."""
        operation = f"Change the class of disk {number}"
        return self.start(operation, "POST", f"/disks/{number}/change_tier_ticket", {"tierId": tier_id})

    def change_disk_subregion(self, number: int, subregion_id: int) -> JsonObject:
        """Move a detached disk to another subregion."""
        return self._act("disk", number, "change_subregion_ticket", subregionId=subregion_id)

    def attach_disk(self, number: int, instance_id: int) -> JsonObject:
        """Attach a disk to an instance."""
        return self._act("disk", number, "attach_to_instance_ticket", instanceId=instance_id)

    def detach_disk(self, number: int, instance_id: int) -> JsonObject:
        """Detach a disk from an instance."""
        return self._act("disk", number, "detach_from_instance_ticket", instanceId=instance_id)

    # ---------------------------------------------------------------- public addresses

    kinds["ip_address"] = ObjectKind(
        IP_ADDRESSES,
        ("Address",),
        below="ip_addresses",
        instances="instance",
        of_instance="ip_addresses",
        members={"reverse_dns": "RevDns", "reverse_dns_v6": "RevDnsV6"},
    )

    def list_ip_addresses(self, **filters: t.Any) -> JsonObjects:
        """Return public addresses; filters: instance_id, only_free."""
        return self.read_pages("List addresses", IP_ADDRESSES, **filters)

    def get_ip_address(self, number: int) -> JsonObject:
        """Return one address. Raises NotFound."""
        return self.read_one(f"Read address {number}", f"{IP_ADDRESSES}/{number}")

    def create_ip_address(self, subregion_id: int) -> JsonObject:
        """Reserve an address, at once."""
        return self.change_at_once("Reserve address", "POST", IP_ADDRESSES, json={"SubregionId": subregion_id})

    def change_ip_address(self, number: int, body: JsonMapping, text: str | None = None) -> None:
        """Change comment, type and reverse names, at once.

        Here and below, ``text`` is the IPv4 address: the later line deprecates changes by the ID.
        """
        self.change_silently(f"Change address {number}", "PUT", self._address_path(number, text), json=dict(body))

    def delete_ip_address(self, number: int, text: str | None = None) -> None:
        """Release an address, at once; it must be detached."""
        self.change_silently(f"Delete address {number}", "DELETE", self._address_path(number, text))

    def change_ip_address_subregion(self, number: int, subregion_id: int, text: str | None = None) -> JsonObject:
        """Move an address to another subregion."""
        operation = f"Change the subregion of address {number}"
        place, address = (LATER_PATH, {"ipV4": text}) if self._takes_text(text) else (IP_ADDRESSES, {"ipId": number})
        path, params = f"{place}/change_ip_subregion_ticket", {**address, "subregionId": subregion_id}
        return self.start(operation, "POST", path, params)

    def attach_ip_address(self, number: int, instance_id: int, text: str | None = None) -> JsonObject:
        """Attach an address to an instance."""
        operation = f"Attach address {number} to instance {instance_id}"
        return self._move_address(operation, "attach_ip_ticket", number, instance_id, text)

    def detach_ip_address(self, number: int, instance_id: int, text: str | None = None) -> JsonObject:
        """Detach an address from an instance."""
        operation = f"Detach address {number} from instance {instance_id}"
        return self._move_address(operation, "detach_ip_ticket", number, instance_id, text)

    def _move_address(self, operation: str, action: str, number: int, instance_id: int, text: str | None) -> JsonObject:
        if self._takes_text(text):
            return self.start(operation, "POST", f"{LATER_PATH}/{action}", {"instanceId": instance_id, "ipV4": text})
        return self.start(operation, "POST", f"/instances/{instance_id}/{action}", {"ipId": number})

    def _address_path(self, number: int, text: str | None) -> str:
        return f"{LATER_PATH}/{text}" if self._takes_text(text) else f"{IP_ADDRESSES}/{number}"

    def _takes_text(self, text: str | None) -> bool:
        """Return whether to name an address by its text; that of an address without IPv4 is not known."""
        return bool(text) and IPV4.fullmatch(str(text)) is not None and not self.is_older_line()

    # ---------------------------------------------------------------- private networks

    kinds["private_network"] = ObjectKind(
        "/opns", ("Name",), below="opns", instances="instances", of_instance="private_networks", places="PrivateIps"
    )

    def list_networks(self, **filters: t.Any) -> JsonObjects:
        """Return private networks; filters: instance_id, query."""
        return self.read_pages("List private networks", "/opns", **filters)

    def get_network(self, number: int) -> JsonObject:
        """Return one private network. Raises Forbidden or NotFound if there is none."""
        return self.read_one(f"Read private network {number}", f"/opns/{number}")

    def create_network(self, name: str) -> JsonObject:
        """Create a private network."""
        return self.start("Create private network", "POST", "/opns", json={"OpnName": name})

    def change_network(self, number: int, name: str) -> None:
        """Rename a private network, at once."""
        self.change_silently(f"Rename private network {number}", "PUT", f"/opns/{number}", json={"OpnName": name})

    def delete_network(self, number: int) -> JsonObject:
        """Remove a private network; no instance may be in it."""
        return self.start(f"Delete private network {number}", "DELETE", f"/opns/{number}")

    def attach_network(self, number: int, instance_id: int) -> JsonObject:
        """Attach a private network to an instance."""
        operation = f"Attach private network {number} to instance {instance_id}"
        return self.start(operation, "POST", f"/instances/{instance_id}/attach_opn_ticket", json={"OpnId": number})

    def detach_network(self, number: int, instance_id: int) -> JsonObject:
        """Detach a private network from an instance."""
        operation = f"Detach private network {number} from instance {instance_id}"
        return self.start(operation, "POST", f"/instances/{instance_id}/detach_opn_ticket", json={"OpnId": number})

    # ---------------------------------------------------------------- groups, and what spreads requests over them

    kinds["instance_group"] = ObjectKind(
        "/groups",
        ("Name",),
        below="groups",
        instances="instances",
        places="Assignments",
        members={
            "affinity": "AffinityRuleType",
            "autoscaling": "AutoscalingType",
            "has_load_balancer": "IsLoadBalancer",
        },
    )
    kinds["load_balancer"] = ObjectKind(
        "/groups/load_balancers",
        ("GroupName",),
        members={
            "id": "GroupId",
            "name": "GroupName",
            "port": "PortNumber",
            "target_port": "TargetPortNumber",
            "ssl_target_port": "SslTargetPortNumber",
            "ssl": "SslEnabled",
            "health_check": "HealthCheckEnabled",
            "common_persistence": "CommonPersistenceForHttpAndHttpsEnabled",
            "session_persistence": "SessionPersistenceType",
            "proxy_protocol": "ProxyProtocolVersion",
            "ip_address_v6": "IpV6Address",
        },
        reads=("/groups/{id}/load_balancer", "/groups/{id}/load_balancer/details"),
    )

    def list_groups(self, **filters: object) -> JsonObjects:
        """Return the groups."""
        return self.read_pages("List groups", "/groups", **filters)

    def list_instance_groups(self, number: int) -> JsonObjects:
        """Return the groups of one instance; this list has no pages."""
        return self.read_list(f"List the groups of instance {number}", f"/instances/{number}/groups")

    def get_group(self, number: int) -> JsonObject:
        """Return one group. Raises Forbidden or NotFound if there is none."""
        return self.read_one(f"Read group {number}", f"/groups/{number}")

    def create_group(self, name: str, affinity_id: int) -> JsonObject:
        """Create a group without instances, at once."""
        body = {"Name": name, "AffinityRuleType": affinity_id}
        return self.change_at_once("Create group", "POST", "/groups", json=body)

    def change_group(self, number: int, name: str, affinity_id: int) -> JsonObject:
        """Change name and affinity, at once."""
        body = {"Name": name, "AffinityRuleType": affinity_id}
        return self.change_at_once(f"Change group {number}", "PUT", f"/groups/{number}", json=body)

    def delete_group(self, number: int) -> None:
        """Remove a group, at once."""
        self.change_silently(f"Delete group {number}", "DELETE", f"/groups/{number}")

    def list_group_assignments(self, number: int) -> JsonObjects:
        """Return ``{InstanceId, IpId, IpV4, IpV6}`` of the instances in a group; this list has no pages."""
        return self.read_list(f"List the instances in group {number}", f"/groups/{number}/assignments")

    def change_group_assignments(self, number: int, assignments: JsonObjects) -> None:
        """Replace the instances in a group by these ``{InstanceId, IpId}``, at once."""
        operation, path = f"Change the instances in group {number}", f"/groups/{number}/assignments"
        self.change_silently(operation, "PUT", path, json={"Assignments": assignments})

    def list_load_balancers(self, **filters: object) -> JsonObjects:
        """Return the load balancers of all groups; they have a GroupId and no Id."""
        return self.read_pages("List load balancers", "/groups/load_balancers", **filters)

    def get_load_balancer(self, group_id: int, *, details: bool = False) -> JsonObject:
        """Return the load balancer of a group; its servers have their ``Services`` only with ``details``.

        Raises NotFound if there is none, Forbidden perhaps too.
        """
        operation, path = f"Read the load balancer of group {group_id}", f"/groups/{group_id}/load_balancer"
        found = self.read_json(operation, f"{path}/details" if details else path)
        if found is None:
            raise NotFound(f"{operation}: there is none.", operation=operation, status=404)
        if not isinstance(found, dict) or found.get("GroupId") != group_id:
            raise _of_another_kind(operation, "load balancer of this group")
        return found

    def create_load_balancer(self, group_id: int, body: JsonMapping) -> None:
        """Create the load balancer of a group, at once."""
        operation = f"Create the load balancer of group {group_id}"
        self.change_silently(operation, "POST", f"/groups/{group_id}/load_balancer", json=dict(body))

    def change_load_balancer(self, group_id: int, body: JsonMapping) -> None:
        """Replace every value of the load balancer of a group, at once."""
        operation = f"Change the load balancer of group {group_id}"
        self.change_silently(operation, "PUT", f"/groups/{group_id}/load_balancer", json=dict(body))

    def delete_load_balancer(self, group_id: int) -> None:
        """Remove the load balancer of a group, at once."""
        operation = f"Delete the load balancer of group {group_id}"
        self.change_silently(operation, "DELETE", f"/groups/{group_id}/load_balancer")

    def change_load_balancer_service(self, group_id: int, body: JsonMapping) -> None:
        """Take an instance out of the load balancer of a group, or put it in."""
        operation = f"Change a service of the load balancer of group {group_id}"
        self.change_silently(operation, "PUT", f"/groups/{group_id}/load_balancer/services", json=dict(body))

    # ---------------------------------------------------------------- snapshots

    kinds["snapshot"] = ObjectKind("/snapshots", ("CreationDate", "Name"), below="snapshots", instances="instance")

    def list_snapshots(self, **filters: object) -> JsonObjects:
        """Return the snapshots of all instances."""
        return self.read_pages("List snapshots", "/snapshots", **filters)

    def get_snapshot(self, number: int) -> JsonObject:
        """Return one snapshot."""
        return self.read_one(f"Read snapshot {number}", f"/snapshots/{number}")

    def create_snapshot(self, instance_id: int, body: JsonMapping) -> JsonObject:
        """Create a snapshot of an instance."""
        operation = f"Create snapshot of instance {instance_id}"
        return self.start(operation, "POST", f"/instances/{instance_id}/snapshots", json=dict(body))

    def change_snapshot(self, number: int, body: JsonMapping) -> JsonObject:
        """Change name and description, at once."""
        return self.change_at_once(f"Change snapshot {number}", "PUT", f"/snapshots/{number}", json=dict(body))

    def delete_snapshot(self, number: int) -> JsonObject:
        """Remove a snapshot."""
        return self.start(f"Delete snapshot {number}", "DELETE", f"/snapshots/{number}")

    def restore_snapshot(self, number: int) -> JsonObject:
        """Restore the instance from the snapshot."""
        return self.start(f"Restore snapshot {number}", "POST", f"/snapshots/{number}/restore_ticket")

    # ---------------------------------------------------------------- schedules; all is done at once

    kinds["instance_schedule"] = ObjectKind(
        "/instances/schedulers",
        ("Name", "CreationDate"),
        below="schedulers",
        instances="instance",
        members={"timezone": "TimeZoneName", "instance_type": "NewInstanceType", "storage_project": "StorageProjectId"},
    )

    def list_schedules(self, **filters: object) -> JsonObjects:
        """Return the schedules of all instances."""
        return self.read_pages("List schedules", "/instances/schedulers", **filters)

    def list_instance_schedules(self, number: int) -> JsonObjects:
        """Return the schedules of one instance; this list has no pages."""
        return self.read_list(f"List the schedules of instance {number}", f"/instances/{number}/schedulers")

    def get_schedule(self, number: int) -> JsonObject:
        """Return one schedule; a deleted one may still be there."""
        return self.read_one(f"Read schedule {number}", f"/instances/schedulers/{number}")

    def create_schedule(self, instance_id: int, body: JsonMapping) -> JsonObject:
        """Create a schedule of an instance."""
        operation = f"Create schedule of instance {instance_id}"
        return self.change_at_once(operation, "POST", f"/instances/{instance_id}/schedulers", json=dict(body))

    def change_schedule(self, number: int, body: JsonMapping) -> JsonObject:
        """Replace every value of a schedule."""
        return self.change_at_once(f"Change schedule {number}", "PUT", f"/instances/schedulers/{number}", dict(body))

    def delete_schedule(self, number: int) -> None:
        """Remove a schedule."""
        self.change_silently(f"Delete schedule {number}", "DELETE", f"/instances/schedulers/{number}")

    kinds["group_schedule"] = ObjectKind("/groups/schedulers", members={"timezone": "TimeZoneName"})

    def list_group_schedules(self, group_id: int) -> JsonObjects:
        """Return the schedules of one group; this list has no pages, and there is none of all groups."""
        return self.read_list(f"List the schedules of group {group_id}", f"/groups/{group_id}/schedulers")

    def get_group_schedule(self, number: int) -> JsonObject:
        """Return one schedule; a deleted one may still be there."""
        return self.read_one(f"Read group schedule {number}", f"/groups/schedulers/{number}")

    def create_group_schedule(self, group_id: int, body: JsonMapping) -> JsonObject:
        """Create a schedule of a group."""
        operation = f"Create schedule of group {group_id}"
        return self.change_at_once(operation, "POST", f"/groups/{group_id}/schedulers", json=dict(body))

    def change_group_schedule(self, number: int, body: JsonMapping) -> JsonObject:
        """Replace every value of a schedule."""
        return self.change_at_once(f"Change group schedule {number}", "PUT", f"/groups/schedulers/{number}", dict(body))

    def delete_group_schedule(self, number: int) -> None:
        """Remove a schedule."""
        self.change_silently(f"Delete group schedule {number}", "DELETE", f"/groups/schedulers/{number}")

    # ---------------------------------------------------------------- autoscalers

    kinds["instance_autoscaler"] = ObjectKind(
        reads=("/instances/{id}/autoscaler",),
        members={
            "increase_type": "HasAgreedToIncreaseClass",
            "decrease_type": "HasAgreedToDecreaseClass",
            "restart": "HasAgreedToRestart",
            "restart_from": "RestartTimeFrom",
            "restart_to": "RestartTimeTo",
            "timezone": "TimeZoneName",
            "hot_plug": "HotPlugEnabled",
        },
    )

    def get_autoscaler(self, instance_id: int) -> JsonObject:
        """Return ``{AutoscalingMode, HotPlugEnabled, AutoscalingParameter}`` of an instance, which has no ID."""
        operation = f"Read the autoscaler of instance {instance_id}"
        found = self.read_json(operation, f"/instances/{instance_id}/autoscaler")
        if found is None or isinstance(found, dict):
            return found or {}
        raise _of_another_kind(operation, "object")

    def change_autoscaler(self, instance_id: int, body: JsonMapping) -> None:
        """Replace every parameter of the autoscaler of an instance, at once."""
        operation = f"Change the autoscaler of instance {instance_id}"
        self.change_silently(operation, "PUT", f"/instances/{instance_id}/autoscaler", json=dict(body))

    def enable_autoscaler(self, instance_id: int) -> JsonObject:
        """Turn on the autoscaler of an instance."""
        operation = f"Turn on the autoscaler of instance {instance_id}"
        return self.start(operation, "POST", f"/instances/{instance_id}/autoscaler/enable_ticket")

    def disable_autoscaler(self, instance_id: int) -> JsonObject:
        """Turn off the autoscaler of an instance."""
        operation = f"Turn off the autoscaler of instance {instance_id}"
        return self.start(operation, "POST", f"/instances/{instance_id}/autoscaler/disable_ticket")

    kinds["group_autoscaler"] = ObjectKind(
        reads=("/groups/{id}/autoscaler",),
        members={"min_instances": "MinimumInstanceNumber", "max_instances": "MaximumInstanceNumber"},
    )

    def get_group_autoscaler(self, group_id: int) -> JsonObject:
        """Return the autoscaler of a group, which has no ID. Raises NotFound if there is none, perhaps Forbidden."""
        operation = f"Read the autoscaler of group {group_id}"
        found = self.read_json(operation, f"/groups/{group_id}/autoscaler")
        if found is None:
            raise NotFound(f"{operation}: there is none.", operation=operation, status=404)
        if not isinstance(found, dict):
            raise _of_another_kind(operation, "object")
        return found

    def create_group_autoscaler(self, group_id: int, body: JsonMapping) -> None:
        """Create the autoscaler of a group, at once; there is no PUT, and one that is there may be in the way."""
        operation = f"Create the autoscaler of group {group_id}"
        self.change_silently(operation, "POST", f"/groups/{group_id}/autoscaler", json=dict(body))

    def delete_group_autoscaler(self, group_id: int) -> None:
        """Remove the autoscaler of a group, at once."""
        self.change_silently(f"Delete the autoscaler of group {group_id}", "DELETE", f"/groups/{group_id}/autoscaler")

    # ---------------------------------------------------------------- SSH keys; none can be changed

    kinds["ssh_key"] = ObjectKind(
        "/account/sshkeys", ("Id",), below="ssh_keys", of_instance="ssh_keys", members={"public_key": "Value"}
    )

    def list_ssh_keys(self, **filters: object) -> JsonObjects:
        """Return ``{Id, Name, Value, OwnerUser, CreationDate}`` of the account's SSH keys."""
        return self.read_pages("List SSH keys", "/account/sshkeys", **filters)

    def get_ssh_key(self, number: int) -> JsonObject:
        """Return one key. Raises NotFound."""
        return self.read_one(f"Read SSH key {number}", f"/account/sshkeys/{number}")

    def create_ssh_key(self, name: str, value: str) -> JsonObject:
        """Store a key, at once."""
        return self.change_at_once(
            "Create SSH key", "POST", "/account/sshkeys", json={"SshKeyName": name, "SshKey": value}
        )

    def delete_ssh_key(self, number: int) -> None:
        """Remove a key, at once."""
        self.change_silently(f"Delete SSH key {number}", "DELETE", f"/account/sshkeys/{number}")

    # ---------------------------------------------------------------- health checks

    kinds["health_check"] = ObjectKind(
        HEALTH_CHECKS,
        ("Name", "Type"),
        members={"kind": "ServiceType", "status": "State"},
        reads=tuple(f"{path}/{{id}}" for path in HEALTH_CHECK_PATHS.values()),
    )

    def list_health_checks(self, **filters: object) -> JsonObjects:
        """Return health checks, without what only some kinds have."""
        return self.read_pages("List health checks", HEALTH_CHECKS, **filters)

    def get_health_check(self, number: int) -> JsonObject:
        """Return one health check, without what only some kinds have. Raises NotFound."""
        return self.read_one(f"Read health check {number}", f"{HEALTH_CHECKS}/{number}")

    def get_health_check_of_kind(self, kind: str, number: int) -> JsonObject:
        """Return one health check of that kind. Raises NotFound."""
        return self.read_one(f"Read health check {number}", f"{HEALTH_CHECK_PATHS[kind]}/{number}")

    def create_health_check(self, kind: str, body: JsonMapping) -> JsonObject:
        """Create a health check, at once."""
        path = HEALTH_CHECK_PATHS[kind]
        return self.change_at_once("Create health check", "POST", path, dict(body), HEALTH_CHECKS)

    def change_health_check(self, kind: str, number: int, body: JsonMapping) -> JsonObject:
        """Replace every value of a health check, at once."""
        path = f"{HEALTH_CHECK_PATHS[kind]}/{number}"
        return self.change_at_once(f"Change health check {number}", "PUT", path, dict(body))

    def delete_health_check(self, number: int) -> None:
        """Remove a health check, at once."""
        self.change_silently(f"Delete health check {number}", "DELETE", f"{HEALTH_CHECKS}/{number}")

    kinds["health_check_notification"] = ObjectKind(
        NOTIFICATIONS, ("Address", "Id"), members={"type": "NotificationType"}
    )

    def list_health_check_notifications(self, **filters: object) -> JsonObjects:
        """Return ``{Id, Address, NotificationType}`` of all whom health checks notify."""
        return self.read_pages("List health check notifications", NOTIFICATIONS, **filters)

    def get_health_check_notification(self, number: int) -> JsonObject:
        """Return one notification. Raises NotFound."""
        return self.read_one(f"Read health check notification {number}", f"{NOTIFICATIONS}/{number}")

    def create_health_check_notification(self, address: str, type_id: int) -> JsonObject:
        """Create a notification, at once."""
        body = {"Address": address, "NotificationTypeId": type_id}
        return self.change_at_once("Create health check notification", "POST", NOTIFICATIONS, body)

    def change_health_check_notification(self, number: int, address: str, type_id: int) -> JsonObject:
        """Replace address and type of a notification, at once."""
        operation, body = (
            f"Change health check notification {number}",
            {"Address": address, "NotificationTypeId": type_id},
        )
        return self.change_at_once(operation, "PUT", f"{NOTIFICATIONS}/{number}", body)

    def delete_health_check_notification(self, number: int) -> None:
        """Remove a notification, at once."""
        operation = f"Delete health check notification {number}"
        self.change_silently(operation, "DELETE", f"{NOTIFICATIONS}/{number}")

    kinds["health_check_sensor"] = ObjectKind(reads=(f"{ASSIGNMENTS}/{{id}}",), members={"ip_address": "IPAddress"})

    def list_sensors(self) -> JsonObjects:
        """Return ``{Id, Name, Country, City, IPAddress, IsAvailable}`` of the sensors that carry out health checks."""
        return self._any_list("List the sensors of health checks", "/watch/sensors/all")

    def list_assigned_sensors(self) -> JsonObjects:
        """Return the sensors that are assigned to the account."""
        return self._any_list("List the assigned sensors", ASSIGNMENTS)

    def get_assigned_sensor(self, number: int) -> JsonObject | None:
        """Return one assigned sensor. Raises NotFound, perhaps Forbidden."""
        operation = f"Read assigned sensor {number}"
        found = self.read_json(operation, f"{ASSIGNMENTS}/{number}")
        if found is None or isinstance(found, dict):
            return found
        raise _of_another_kind(operation, "object")

    def assign_sensor(self, number: int) -> None:
        """Assign a sensor to the account, at once."""
        self.change_silently(f"Assign sensor {number}", "POST", ASSIGNMENTS, json={"SensorId": number})

    def delete_assigned_sensor(self, number: int) -> None:
        """End the assignment of a sensor, at once."""
        self.change_silently(f"End assignment {number} of a sensor", "DELETE", f"{ASSIGNMENTS}/{number}")

    def _any_list(self, operation: str, path: str) -> JsonObjects:
        """Return the objects of a list that is described as a single object: it may be any of the three forms."""
        found = self.read_json(operation, path)
        rows = found.get("Items", found) if isinstance(found, dict) else found
        rows = [rows] if isinstance(rows, dict) else rows
        if not isinstance(rows, list) or not all(isinstance(one, dict) and "Id" in one for one in rows):
            raise _of_another_kind(operation, "list of objects")
        return rows

    # ---------------------------------------------------------------- the account, what was done in it, and statistics

    def get_account(self) -> JsonObject:
        """Return the account."""
        return self.read_one("Read the account", "/account")

    def list_events(self, **filters: object) -> JsonObjects:
        """Return the events of all instances; filters: type_ids, status_ids, date_from, date_to (ISO 8601, UTC).

        By what they can be ordered is not known.
        """
        rows: JsonObjects = self.read(RestRead("List events", "/events", PAGES, filters, orders=(None,)))
        return rows

    def list_account_statistics(self, **filters: object) -> JsonObjects:
        """Return samples of the account; filters, all required: date_from, date_to, statistic_types."""
        return self.read_list("List the statistics of the account", "/statistics/account", **filters)

    def list_instance_statistics(self, number: int, **filters: object) -> JsonObjects:
        """Return samples of an instance; filters, all required: as of the account, and statistic_interval."""
        operation = f"List the statistics of instance {number}"
        return self.read_list(operation, f"/statistics/instances/{number}", **filters)

    def list_intervals(self) -> JsonObjects:
        """Return ``{Id, Label}`` of the intervals of statistics."""
        return self.read_list("List the intervals of statistics", "/statistics/dictionaries/intervals")

    # ---------------------------------------------------------------- tickets

    kinds["ticket"] = ObjectKind("/tickets", ("CreationDate", "OperationType"))

    def get_ticket(self, number: int) -> JsonObject:
        """Return one ticket. Raises NotFound."""
        return self.read_one(f"Read ticket {number}", f"/tickets/{number}")

    def list_tickets(self, **filters: t.Any) -> JsonObjects:
        """Return tickets; filters: status_id, creation_date_from, creation_date_to (ISO 8601, UTC)."""
        return self.read_pages("List tickets", "/tickets", **filters)

    def _act(self, kind: str, number: int, action: str, **params: object) -> JsonObject:
        """Start an operation on an instance or a disk: inputs are in the query, there is no body."""
        words = action.replace("_ticket", "").replace("_", " ").capitalize()
        return self.start(f"{words} of {kind} {number}", "POST", f"/{kind}s/{number}/{action}", params)


def _instance_of(found: JsonMapping) -> object:
    """Return the ID of the instance that an answer names; None if it names none."""
    return (found.get("Instance") or {}).get("Id")


def _is_interface_of(number: int, found: object) -> bool:
    return isinstance(found, dict) and is_id(found.get("InterfaceId")) and _instance_of(found) in (None, number)


def _of_another_kind(operation: str, kind: str) -> Unusable:
    """Return the error for an unexpected answer, which is not shown because it may be a secret."""
    return Unusable(f"{operation}: the answer is not a {kind}.", operation=operation)


def infrastructure(task: Task, sender: Exchange | None = None) -> Infrastructure:
    """Return the client; it logs in before the first request, unless a token was given or is kept.

    ``sender`` sends its requests instead of an exchange of its own.
    """
    if task.clients is not None:
        return task.clients.of("infrastructure", infrastructure)
    settings = task.settings
    settings.require((REST,))
    given = settings["access_token"]
    credentials = GivenToken(given) if given else AccountCredentials(IdentityAccount(task))
    api = Infrastructure(sender or exchange(task), settings["base_url"], credentials, settings["api_version"])
    if task.planned_objects is None:
        return api

    return api.reading(CheckModeInfrastructure(task, task.planned_objects, api).read)

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
from .rest_client import LATER_PATH, Changed, ObjectKind, RestClient, RestReader, ignore, is_id

IP_ADDRESSES = "/instances/ip_addresses"
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

    def list_instance_events(self, number: int) -> JsonObjects:
        """Return the events of an instance: what was done, and the messages of failures."""
        return self.read_pages(f"List the events of instance {number}", f"/instances/{number}/events")

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

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of the orchestration tool that the tests run in place of the service's own, and that can do no more.

It plays two versions. Both ignore most changes that they cannot make, fail to read an instance that is gone, and never
replace one. The framework calls itself an alpha. When the tool asks to stop, its server ends while a create runs, and
the instance is in no state: here only the shutdown that the tool sends last ends it.
"""

from __future__ import annotations

import functools
import os
import threading
import time
import typing as t
import urllib.error

from service_api import STOP, Api, Interrupted, Item
from tf import runner
from tf.provider import ProviderServicer
from tf.schema import Attribute, Schema
from tf.types import Bool, Number, Set, String, Unknown

BODY = {
    "instance_name": "InstanceName",
    "subregion_id": "SubregionId",
    "disk_class": "DiskClass",
    "template_id": "TemplateId",
    "type_id": "TypeId",
    "authorization_method_id": "AuthorizationMethodId",
    "init_disk_size": "DiskSize",
    "init_ip_address_id": "IPAddressId",
    "instances_count": "InstancesCount",
    "isfreemium": "Freemium",
}
REQUIRED = tuple(BODY)[:5]
DEFAULTS = {"authorization_method_id": 1399, "init_disk_size": 5, "instances_count": 1, "isfreemium": False}
TYPES = {"instance_name": String(), "isfreemium": Bool()}


class OldInstance:
    """The resource as of version 0.6."""

    type_name = "oci"
    names: t.ClassVar[dict[str, str]] = {name: name for name in BODY}
    computed: t.ClassVar[dict[str, str]] = {"init_ip_address": "IpAddress", "dns_address": "DnsAddress"}

    def __init__(self, service: Service) -> None:
        """Belong to the provider."""
        self._service = service

    @classmethod
    def get_name(cls) -> str:
        """The end of its type's name."""
        return cls.type_name

    @classmethod
    def get_schema(cls) -> Schema:
        """Its attributes."""
        attributes = [Attribute(name, String(), computed=True) for name in ("id", *cls.computed)]
        for name, own in cls.names.items():
            kind = TYPES.get(name, Number())
            if name in REQUIRED:
                attributes.append(Attribute(own, kind, required=True))
            elif name in DEFAULTS:
                attributes.append(Attribute(own, kind, optional=True, computed=True, default=DEFAULTS[name]))
            else:
                attributes.append(cls.address_attribute(own))
        return Schema(version=0, attributes=attributes)

    @classmethod
    def address_attribute(cls, name: str) -> Attribute:
        """The attribute for public addresses."""
        return Attribute(name, Number(), optional=True)

    def options(self, attributes: Item) -> Item:
        """Return what is known of these attributes, by the names of version 0.6."""
        return {name: attributes[own] for name, own in self.names.items() if attributes.get(own) not in (None, Unknown)}

    def validate(self, diags: t.Any, type_name: str, config: Item) -> None:
        """Everything may be."""

    def plan(self, ctx: t.Any, current: Item | None, planned: Item) -> Item:
        """What is planned is what is desired."""
        return planned

    def create(self, ctx: t.Any, planned: Item) -> Item | None:
        """Make one; its number is kept even when the tool wants to stop meanwhile."""
        api, desired = self._service.api, self.options(planned)
        try:
            ticket = api.call("POST", "/instances", {BODY[name]: one for name, one in {**DEFAULTS, **desired}.items()})
            try:
                number = api.done(ticket)["ObjectId"]
            except Interrupted as stopped:
                ctx.diagnostics.add_warning(str(stopped))
                number = api.number_of(desired["instance_name"])
            return self._state(number, desired)
        except Exception as error:
            return self._failed(ctx, f"create {desired['instance_name']}", error, None)

    def read(self, ctx: t.Any, current: Item) -> Item | None:
        """Say how it is; one that is gone is an error."""
        try:
            return self._state(current["id"], self.options(current))
        except Exception as error:
            return self._failed(ctx, f"read instance {current['id']}", error, current)

    def update(self, ctx: t.Any, current: Item, planned: Item) -> Item | None:
        """Change what can be changed."""
        number, api, before, desired = current["id"], self._service.api, self.options(current), self.options(planned)
        disk = None
        acts = {
            "instance_name": lambda value: (f"/instances/{number}/change_name_ticket", {"name": value}),
            "type_id": lambda value: (f"/instances/{number}/change_type_ticket", {"typeId": value}),
            "init_disk_size": lambda value: (f"/disks/{disk}/extend_ticket", {"spaceCapacity": value}),
            "disk_class": lambda value: (f"/disks/{disk}/change_tier_ticket", {"tierId": value}),
        }
        if desired["subregion_id"] != before["subregion_id"]:
            ctx.diagnostics.add_error("Subregion changes are not supported for now")
            return current
        try:
            disk = api.system_disk(number)["Id"]
            for name, act in acts.items():
                if desired[name] != before.get(name):
                    path, query = act(desired[name])
                    api.done(api.call("POST", path, **query))
                    api.ready(number)
            return self._state(number, desired)
        except Exception as error:
            return self._failed(ctx, f"change instance {number}", error, self._state(number, before))

    def delete(self, ctx: t.Any, current: Item) -> Item | None:
        """Remove it."""
        api = self._service.api
        try:
            api.ready(current["id"])
            api.done(api.call("DELETE", f"/instances/{current['id']}"))
        except Exception as error:
            return self._failed(ctx, f"remove instance {current['id']}", error, current)
        return None

    def upgrade(self, ctx: t.Any, version: int, old: Item) -> Item:
        """There is one version."""
        return old

    def _state(self, number: t.Any, known: Item) -> Item:
        """Return the attributes as they are now; ``known`` are options that cannot be read."""
        found = self._service.api.ready(number)
        disk = self._service.api.system_disk(number)
        readable = {
            "instance_name": found["Name"],
            "disk_class": disk["Tier"]["Id"],
            "init_disk_size": disk["SpaceCapacity"],
            "subregion_id": found["Subregion"]["Id"],
            "type_id": found["Type"]["Id"],
            "template_id": found["Template"]["Id"],
            "isfreemium": found["IsFreemium"],
        }
        told = {name: value for name, value in readable.items() if value is not None}
        options = {own: {**known, **told}.get(name) for name, own in self.names.items()}
        return {"id": str(found["Id"]), **options, **{name: found[member] for name, member in self.computed.items()}}

    def _failed(self, ctx: t.Any, what: str, error: Exception, state: Item | None) -> Item | None:
        detail = error.read().decode(errors="replace") if isinstance(error, urllib.error.HTTPError) else ""
        ctx.diagnostics.add_error(f"{what}: {error}", detail)
        return state


class NewInstance(OldInstance):
    """The resource as of version 1.0, which needs an address and can be imported."""

    type_name = "instance"
    names: t.ClassVar[dict[str, str]] = {
        "instance_name": "name",
        "subregion_id": "subregion_id",
        "disk_class": "system_disk_class_id",
        "template_id": "template_id",
        "type_id": "type_id",
        "authorization_method_id": "authorization_method_id",
        "init_disk_size": "system_disk_size",
        "init_ip_address_id": "public_ips",
    }
    computed: t.ClassVar[dict[str, str]] = {"ip_address": "IpAddress", "dns_address": "DnsAddress"}

    @classmethod
    def get_schema(cls) -> Schema:
        """Its attributes, further disks among them."""
        schema = super().get_schema()
        schema.attributes.append(Attribute("disks_ids", Set(Number()), optional=True))
        return schema

    @classmethod
    def address_attribute(cls, name: str) -> Attribute:
        """The attribute for public addresses."""
        return Attribute(name, Set(Number()), optional=True, computed=True)

    def options(self, attributes: Item) -> Item:
        """Return the same; a create takes the first of the addresses."""
        found = super().options(attributes)
        addresses = found.pop("init_ip_address_id", [])
        return {**found, "init_ip_address_id": addresses[0]} if addresses else found

    def create(self, ctx: t.Any, planned: Item) -> Item | None:
        """Make one."""
        if "init_ip_address_id" not in self.options(planned):
            ctx.diagnostics.add_error("instance must have at least one entry in public_ips or opn_ids specified")
            return None
        return super().create(ctx, planned)

    def import_(self, ctx: t.Any, number: str) -> Item | None:
        """Take over one that exists."""
        return self._state(number, {})

    def _state(self, number: t.Any, known: Item) -> Item:
        api = self._service.api
        addresses = api.call("GET", "/floating_ips", instanceId=number, pageSize=32767)["Items"]
        disks = api.call("GET", f"/instances/{number}/disks", diskType="Custom", pageSize=32767)["Items"]
        more = {"public_ips": [one["Id"] for one in addresses], "disks_ids": [one["Id"] for one in disks] or None}
        return {**super()._state(number, known), **more}


class Service:
    """The provider."""

    api: Api
    api_url = "api_url"
    instance: type[OldInstance] = OldInstance

    def get_model_prefix(self) -> str:
        """The beginning of its types' names."""
        return "service_"

    def full_name(self) -> str:
        """The address under which the tool knows it, when it is attached."""
        return os.environ.get("PLUGIN_ADDRESS", "")

    def get_provider_schema(self, diags: t.Any) -> Schema:
        """Its attributes."""
        token = Attribute("access_token", String(), required=True, sensitive=True)
        return Schema(version=0, attributes=[token, Attribute(self.api_url, String(), optional=True)])

    def validate_config(self, diags: t.Any, config: Item) -> None:
        """Everything may be."""

    def configure_provider(self, diags: t.Any, config: Item) -> None:
        """Take address and token."""
        STOP.clear()
        self.api = Api(config[self.api_url], config["access_token"])

    def get_data_sources(self) -> list[t.Any]:
        """None."""
        return []

    def get_resources(self) -> list[t.Any]:
        """One."""
        return [self.instance]

    def get_functions(self) -> list[t.Any]:
        """None."""
        return []

    def new_resource(self, kind: t.Any) -> t.Any:
        """Make one."""
        return kind(self)


class NewService(Service):
    """The provider as of version 1.0."""

    api_url = "odk_api_url"
    instance = NewInstance


class OnlyShutdownEnds(runner._ShutdownInterceptor):
    """A request to stop means: end soon, and answer."""

    def intercept_service(self, continuation: t.Any, details: t.Any) -> t.Any:
        """Look at each call."""
        if details.method.endswith("/StopProvider"):
            STOP.set()
            return continuation(details)
        return super().intercept_service(continuation, details)


def _end_with(parent: int) -> None:
    """Do not outlive a tool that was killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def _of_older_framework(method: t.Any) -> t.Any:
    """Let an answer differ from the plan, as the framework of the service's own plugin does."""

    @functools.wraps(method)
    def answer(*args: t.Any) -> t.Any:
        answer = method(*args)
        answer.legacy_type_system = True
        return answer

    return answer


def main(version: str = "0.6", *pretended: str) -> None:
    """Serve as this version; what is ``pretended`` (update, delete) is only reported as done."""
    for name in pretended:
        setattr(OldInstance, name, lambda _self, _ctx, _current, planned=None: planned)
    for name in ("PlanResourceChange", "ApplyResourceChange"):
        setattr(ProviderServicer, name, _of_older_framework(getattr(ProviderServicer, name)))
    runner._ShutdownInterceptor = OnlyShutdownEnds
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    runner.run_provider(NewService() if version == "1.0" else Service())

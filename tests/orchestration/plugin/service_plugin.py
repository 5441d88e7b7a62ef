# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of the orchestration tool: provider ``service``, resource ``service_oci``. It serves the tests alone.

The framework calls itself an alpha. When the tool asks to stop, its server ends while a create runs, and the instance
is in no state: here only the shutdown that the tool sends last ends it. Which changes replace an instance is an
assumption.
"""

from __future__ import annotations

import os
import threading
import time
import typing as t
import urllib.error

from service_api import STOP, Api, Interrupted, Item
from tf import runner
from tf.schema import Attribute, Schema
from tf.types import Bool, Number, String, Unknown

BODY = {
    "instance_name": "InstanceName",
    "authorization_method_id": "AuthorizationMethodId",
    "disk_class": "DiskClass",
    "init_disk_size": "DiskSize",
    "ip_address_id": "IPAddressId",
    "subregion_id": "SubregionId",
    "type_id": "TypeId",
    "template_id": "TemplateId",
    "instances_count": "InstancesCount",
    "isfreemium": "Freemium",
}
ALWAYS = {"InstancesCount": 1, "DiskSize": 5, "AuthorizationMethodId": 1399}
"""What public plugins send whatever the configuration says."""
UNREADABLE = ("authorization_method_id", "instances_count", "ip_address_id")
REPLACES = ("template_id", "subregion_id", "isfreemium")


class Instance:
    """The resource."""

    def __init__(self, service: Service) -> None:
        """Belong to the provider."""
        self._service = service

    @classmethod
    def get_name(cls) -> str:
        """The end of its type's name."""
        return "oci"

    @classmethod
    def get_schema(cls) -> Schema:
        """Its attributes."""
        texts, truths = ("instance_name",), ("isfreemium",)
        attributes = [Attribute("id", String(), computed=True), Attribute("address", String(), computed=True)]
        for name in BODY:
            kind = String() if name in texts else Bool() if name in truths else Number()
            replaces = name in REPLACES
            if name == "instance_name":
                attributes.append(Attribute(name, kind, required=True))
            elif name in UNREADABLE:
                attributes.append(Attribute(name, kind, optional=True))
            else:
                attributes.append(Attribute(name, kind, optional=True, computed=True, requires_replace=replaces))
        return Schema(version=1, attributes=attributes)

    def validate(self, diags: t.Any, type_name: str, config: Item) -> None:
        """Everything may be."""

    def plan(self, ctx: t.Any, current: Item | None, planned: Item) -> Item:
        """What is planned is what is desired."""
        return planned

    def create(self, ctx: t.Any, planned: Item) -> Item | None:
        """Make one; its number is kept even when the tool wants to stop meanwhile."""
        api = self._service.api
        desired = {name: planned[name] for name in BODY if planned.get(name) not in (None, Unknown)}
        try:
            body = {**ALWAYS, **{BODY[name]: value for name, value in desired.items()}}
            ticket = api.call("POST", "/instances", body)
            try:
                number = api.done(ticket)["ObjectId"]
            except Interrupted as stopped:
                ctx.diagnostics.add_warning(str(stopped))
                number = api.number_of(desired["instance_name"])
            return self._state(number, desired)
        except Exception as error:
            return self._failed(ctx, f"create {desired['instance_name']}", error, None)

    def read(self, ctx: t.Any, current: Item) -> Item | None:
        """Say how it is."""
        try:
            return self._state(current["id"], current)
        except Exception as error:
            return self._failed(ctx, f"read instance {current['id']}", error, current)

    def update(self, ctx: t.Any, current: Item, planned: Item) -> Item | None:
        """Change what can be changed."""
        number, api = current["id"], self._service.api
        disk = api.system_disk(number)["Id"]
        acts = {
            "instance_name": lambda value: (f"/instances/{number}/change_name_ticket", {"name": value}),
            "type_id": lambda value: (f"/instances/{number}/change_type_ticket", {"typeId": value}),
            "init_disk_size": lambda value: (f"/disks/{disk}/extend_ticket", {"spaceCapacity": value}),
            "disk_class": lambda value: (f"/disks/{disk}/change_tier_ticket", {"tierId": value}),
        }
        try:
            for name, act in acts.items():
                if planned.get(name) not in (current.get(name), None, Unknown):
                    path, query = act(planned[name])
                    api.done(api.call("POST", path, **query))
                    api.ready(number)
            return self._state(number, planned)
        except Exception as error:
            return self._failed(ctx, f"change instance {number}", error, self._state(number, current))

    def delete(self, ctx: t.Any, current: Item) -> Item | None:
        """Remove it."""
        api = self._service.api
        try:
            if api.ready(current["id"]) is not None:
                api.done(api.call("DELETE", f"/instances/{current['id']}"))
        except Exception as error:
            return self._failed(ctx, f"remove instance {current['id']}", error, current)
        return None

    def import_(self, ctx: t.Any, number: str) -> Item | None:
        """Take over one that exists."""
        return self._state(number, {})

    def upgrade(self, ctx: t.Any, version: int, old: Item) -> Item:
        """There is one version."""
        return old

    def _state(self, number: t.Any, known: Item) -> Item | None:
        api = self._service.api
        found = api.ready(number)
        if found is None:
            return None
        disk = api.system_disk(number)
        readable = {
            "id": str(found["Id"]),
            "address": found["IpAddress"],
            "instance_name": found["Name"],
            "disk_class": disk["Tier"]["Id"],
            "init_disk_size": disk["SpaceCapacity"],
            "subregion_id": found["Subregion"]["Id"],
            "type_id": found["Type"]["Id"],
            "template_id": found["Template"]["Id"],
            "isfreemium": found["IsFreemium"],
        }
        untold = [name for name, value in readable.items() if value is None]
        rest = {name: known.get(name) for name in (*UNREADABLE, *untold)}
        return {**readable, **{name: None if value is Unknown else value for name, value in rest.items()}}

    def _failed(self, ctx: t.Any, what: str, error: Exception, state: Item | None) -> Item | None:
        detail = error.read().decode(errors="replace") if isinstance(error, urllib.error.HTTPError) else ""
        ctx.diagnostics.add_error(f"{what}: {error}", detail)
        return state


class Service:
    """The provider."""

    api: Api

    def get_model_prefix(self) -> str:
        """The beginning of its types' names."""
        return "service_"

    def full_name(self) -> str:
        """The address under which the tool knows it, when it is attached."""
        return os.environ.get("PLUGIN_ADDRESS", "")

    def get_provider_schema(self, diags: t.Any) -> Schema:
        """Its attributes."""
        token = Attribute("access_token", String(), required=True, sensitive=True)
        return Schema(version=1, attributes=[token, Attribute("api_url", String(), required=True)])

    def validate_config(self, diags: t.Any, config: Item) -> None:
        """Everything may be."""

    def configure_provider(self, diags: t.Any, config: Item) -> None:
        """Take address and token."""
        STOP.clear()
        self.api = Api(config["api_url"], config["access_token"])

    def get_data_sources(self) -> list[t.Any]:
        """None."""
        return []

    def get_resources(self) -> list[t.Any]:
        """One."""
        return [Instance]

    def get_functions(self) -> list[t.Any]:
        """None."""
        return []

    def new_resource(self, kind: t.Any) -> t.Any:
        """Make one."""
        return kind(self)


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


def main() -> None:
    """Serve."""
    runner._ShutdownInterceptor = OnlyShutdownEnds
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    runner.run_provider(Service())

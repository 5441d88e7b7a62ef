# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a real tool printed and wrote, shortened: one instance to change, two to create, one of them refused."""

from __future__ import annotations

import json
import typing as t

VERSION = "OpenTofu v1.11.2\non linux_amd64\n"
PROVIDERS = """
Providers required by configuration:
.
└── provider[mirror.example.com/fcd/service]

"""
OLD_ATTRIBUTES = {
    **dict.fromkeys(("id", "instance_name"), "string"),
    **dict.fromkeys(("disk_class", "init_disk_size", "instances_count", "init_ip_address_id"), "number"),
    **dict.fromkeys(("authorization_method_id", "subregion_id", "template_id", "type_id"), "number"),
    "isfreemium": "bool",
    "ip_address_ids": ["set", "number"],
}
NEW_ATTRIBUTES = {
    **dict.fromkeys(("id", "name"), "string"),
    **dict.fromkeys(("system_disk_class_id", "system_disk_size", "authorization_method_id"), "number"),
    **dict.fromkeys(("subregion_id", "template_id", "type_id"), "number"),
    "public_ips": ["set", "number"],
}


def schema(provider: t.Iterable[str], **resources: dict[str, t.Any]) -> str:
    """Return what the tool prints of the schema of a plugin."""

    def block(attributes: dict[str, t.Any]) -> dict[str, t.Any]:
        described = {name: {"type": kind, "optional": True} for name, kind in attributes.items()}
        return {"version": 0, "block": {"attributes": described, "description_kind": "plain"}}

    entry = {
        "provider": block(dict.fromkeys(provider, "string")),
        "resource_schemas": {name: block(attributes) for name, attributes in resources.items()},
    }
    return json.dumps({"format_version": "1.0", "provider_schemas": {"mirror.example.com/fcd/service": entry}})


SCHEMA = schema(["access_token", "api_url"], service_oci=OLD_ATTRIBUTES, service_opn={"id": "string"})
NEW_SCHEMA = schema(
    ["access_token", "dc", "odk_api_url", "oks_api_url"], service_instance=NEW_ATTRIBUTES, service_opn={"id": "string"}
)
WEB = {"address": "203.0.113.2", "disk_class": 48, "id": "250001", "init_disk_size": 10, "instance_name": "web"}
DB = {"address": "203.0.113.3", "disk_class": 48, "id": "250002", "init_disk_size": 5, "instance_name": "db"}
LARGER = {**WEB, "init_disk_size": 20}
UNKNOWN = {"address": True, "disk_class": True, "id": True, "init_disk_size": True}


NEW = {"id": "250001", "name": "web", "public_ips": [901], "system_disk_class_id": 48, "system_disk_size": 10}


def _resource(name: str, kind: str = "service_oci") -> dict[str, t.Any]:
    return {"address": f"{kind}.{name}", "mode": "managed", "type": kind, "name": name}


def _change(name: str, actions: list[str], before: t.Any, after: t.Any, **more: t.Any) -> dict[str, t.Any]:
    change = {"actions": actions, "before": before, "after": after, "after_unknown": {}, **more}
    return {**_resource(name), "change": {"before_sensitive": {}, "after_sensitive": {}, **change}}


def plan(*changes: dict[str, t.Any], **more: t.Any) -> dict[str, t.Any]:
    """Return what show prints for a plan."""
    after = [
        {
            **_resource(one["name"]),
            "values": one["change"]["after"],
            "sensitive_values": one["change"]["after_sensitive"],
        }
        for one in changes
        if one["change"]["after"] is not None
    ]
    before = [
        {**_resource(one["name"]), "values": one["change"]["before"]}
        for one in changes
        if one["change"]["before"] is not None
    ]
    return {
        "format_version": "1.2",
        "planned_values": {"root_module": {"resources": after}},
        "resource_changes": list(changes),
        "prior_state": {"values": {"root_module": {"resources": before}}},
        **more,
    }


CREATE_DB = _change("db", ["create"], None, {"instance_name": "db"}, after_unknown=UNKNOWN, before_sensitive=False)
CREATE_NEW = {
    **_change("web", ["create"], None, {"name": "web"}, after_unknown={"id": True}),
    **_resource("web", "service_instance"),
}
CREATE_BAD = _change("bad", ["create"], None, {"instance_name": "bad"}, after_unknown=UNKNOWN, before_sensitive=False)
UPDATE_WEB = _change("web", ["update"], WEB, LARGER)
REPLACE_WEB = _change("web", ["delete", "create"], WEB, {"instance_name": "web"}, after_unknown=UNKNOWN)
DELETE_WEB = _change("web", ["delete"], WEB, None)
IMPORT_WEB = _change("web", ["no-op"], WEB, WEB, importing={"id": "250001"})
IMPORT_REPLACE_WEB = _change("web", ["delete", "create"], WEB, {"instance_name": "web"}, importing={"id": "250001"})
SAME_WEB = _change("web", ["no-op"], WEB, WEB)
SECRET_WEB = _change(
    "web", ["update"], WEB, LARGER, before_sensitive={"address": True}, after_sensitive={"address": True}
)


def hook(kind: str, name: str, action: str, number: str | None = None) -> dict[str, t.Any]:
    """Return a line about one resource."""
    known = {"id_key": "id", "id_value": number} if number else {}
    resource = {"addr": f"service_oci.{name}", "resource_type": "service_oci", "resource_name": name}
    told = {"@level": "info", "@message": f"service_oci.{name}: {kind}", "type": kind}
    return {**told, "hook": {"resource": resource, "action": action, **known}}


def diagnostic(summary: str, detail: str = "", severity: str = "error", **more: str) -> dict[str, t.Any]:
    """Return a line with an error or a warning."""
    told = {"@level": severity, "@message": f"Error: {summary}", "type": "diagnostic"}
    return {**told, "diagnostic": {"severity": severity, "summary": summary, "detail": detail, **more}}


def lines(*messages: dict[str, t.Any]) -> str:
    """Return them as the tool prints them; the first line is not JSON, as warnings of its settings are not."""
    return "".join(f"{line}\n" for line in ("Warning: something else", *map(json.dumps, messages)))


REFUSED = diagnostic(
    "create bad: HTTP Error 400: Bad Request", "TemplateId: 1 does\nnot exist.", address="service_oci.bad"
)
HALF_APPLIED = lines(
    hook("apply_start", "db", "create"),
    hook("apply_start", "bad", "create"),
    hook("apply_errored", "bad", "create"),
    hook("apply_complete", "db", "create", "250002"),
    REFUSED,
)


def state(kind: str = "service_oci", /, **instances: dict[str, t.Any]) -> dict[str, t.Any]:
    """Return a state with these attributes by label."""
    resources = [
        {
            **_resource(name, kind),
            "instances": [{"schema_version": 1, "attributes": attributes, "sensitive_attributes": []}],
        }
        for name, attributes in instances.items()
    ]
    return {"version": 4, "serial": 5, "lineage": "1", "outputs": {}, "resources": resources}

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plugin calls its resource and what it has for each option, as its schema says.

Source: docs/service/infrastructure.md, "Orchestration plugin". Version 1.0 of the plugin has renamed nearly everything.
"""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.type_aliases import JsonMapping

PROVIDER = "service"
TOKEN = "access_token"  # noqa: S105 - the name of a variable
OLD_TYPE, NEW_TYPE = f"{PROVIDER}_oci", f"{PROVIDER}_instance"  # until 0.6, as of 1.0
NAME_ATTRIBUTES = ("instance_name", "name")
API_URLS = ("api_url", "odk_api_url")
PLUGIN_OPTIONS: dict[str, tuple[str, ...]] = {
    "instance_name": NAME_ATTRIBUTES,
    "authorization_method_id": ("authorization_method_id",),
    "disk_class": ("disk_class", "system_disk_class_id"),
    "init_disk_size": ("init_disk_size", "system_disk_size"),
    "ip_address_id": ("ip_address_id", "init_ip_address_id", "public_ips"),
    "subregion_id": ("subregion_id",),
    "type_id": ("type_id",),
    "template_id": ("template_id",),
    "instances_count": ("instances_count",),
    "isfreemium": ("isfreemium",),
}
"""The options of an instance, with the names that an attribute for it has had."""

HclAttributes = t.Mapping[str, t.Union[str, int, bool, t.List[int]]]


class PluginSchema(t.NamedTuple):
    """``resource`` is the type of an instance, ``attributes`` are the types of what it has and can be set, by name.

    ``api_url`` is an attribute of the provider.
    """

    resource: str
    attributes: t.Mapping[str, t.Any]
    api_url: str

    def attributes_of(self, label: str, options: JsonMapping, *, is_new: bool) -> HclAttributes:
        """Return the attributes for the options of an instance. Raises InvalidInput for what the plugin cannot do."""
        if is_new and self.resource == NEW_TYPE and options.get("ip_address_id") is None:
            raise InvalidInput(
                f"instances ({label}): ip_address_id: the plugin creates a {self.resource} only with a public address.",
                next_step="Give the ID of one; fcd.cloud.ip_address creates it.",
                option="ip_address_id",
            )
        found = {}
        for option, names in PLUGIN_OPTIONS.items():
            value = options.get(option)
            if value is None:
                continue
            name = next((one for one in names if one in self.attributes), None)
            if name is None:
                raise InvalidInput(
                    f"instances ({label}): {option}: the plugin has nothing like this for its {self.resource}.",
                    next_step="Omit the option.",
                    option=option,
                )
            found[name] = value if isinstance(self.attributes[name], str) else [value]
        return found


def plugin_schema(provider: t.Collection[str], resources: t.Mapping[str, JsonMapping]) -> PluginSchema:
    """Return what is needed of the names of the provider's attributes and the attributes of its resources."""
    resource = next((one for one in (OLD_TYPE, NEW_TYPE) if one in resources), None)
    api_url = next((one for one in API_URLS if one in provider), None)
    if resource is None or api_url is None:
        has = ", ".join(sorted(provider if resource else resources)) or "none"
        raise InvalidInput(
            f"plugin_path: the plugin is not that of the service: it has neither "
            f"{' nor '.join(API_URLS if resource else (OLD_TYPE, NEW_TYPE))}, but {has}.",
            option="plugin_path",
        )
    return PluginSchema(resource, resources[resource], api_url)


def instance_name_of(attributes: JsonMapping) -> str:
    """Return the name of an instance in a plan or a state."""
    return next((str(attributes[one]) for one in NAME_ATTRIBUTES if attributes.get(one) is not None), "")

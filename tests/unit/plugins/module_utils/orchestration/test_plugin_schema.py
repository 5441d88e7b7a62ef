# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options become the attributes that the plugin says it has."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.plugin_schema import plugin_schema

from .recorded import NEW_ATTRIBUTES, OLD_ATTRIBUTES

CONTRACT = {**OLD_ATTRIBUTES, "ip_address_id": "number"}


@pytest.mark.parametrize(
    ("resource", "attributes", "options", "expected"),
    [
        ("service_oci", OLD_ATTRIBUTES, {"instance_name": "a", "type_id": 34}, {"instance_name": "a", "type_id": 34}),
        ("service_oci", CONTRACT, {"ip_address_id": 901, "isfreemium": None}, {"ip_address_id": 901}),
        ("service_oci", OLD_ATTRIBUTES, {"ip_address_id": 901}, {"init_ip_address_id": 901}),
        ("service_instance", NEW_ATTRIBUTES, {"ip_address_id": 901}, {"public_ips": [901]}),
        (
            "service_instance",
            NEW_ATTRIBUTES,
            {"instance_name": "a"},
            "ip_address_id: the plugin creates a service_inst",
        ),
        (
            "service_instance",
            NEW_ATTRIBUTES,
            {"ip_address_id": 1, "isfreemium": False},
            "isfreemium: the plugin has no",
        ),
    ],
)
def test_options(resource: str, attributes: dict[str, t.Any], options: dict[str, t.Any], expected: t.Any) -> None:
    schema = plugin_schema(["api_url"], {resource: attributes})
    if isinstance(expected, str):
        with pytest.raises(InvalidInput, match=expected):
            schema.attributes_of("web", options, is_new=True)
    else:
        assert schema.attributes_of("web", options, is_new=True) == expected


@pytest.mark.parametrize(
    ("provider", "resources", "words"),
    [
        (["access_token"], {"service_oci": OLD_ATTRIBUTES}, "neither api_url nor odk_api_url, but access_token"),
        (["api_url"], {"other_oci": {}}, "neither service_oci nor service_instance, but other_oci"),
        ([], {}, "but none"),
    ],
)
def test_another_plugin(provider: list[str], resources: dict[str, dict[str, t.Any]], words: str) -> None:
    with pytest.raises(InvalidInput, match=f"plugin_path: the plugin is not that of the service: .*{words}"):
        plugin_schema(provider, resources)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration of the orchestration tool as text: whole files, and every kind of text."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.hcl_configuration import (
    FILE_HEADER,
    configuration,
    hcl_string,
)
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.plugin_schema import PluginSchema

SCHEMA = PluginSchema("service_oci", {}, "api_url")
URL = "https://api.example.com/beta"

WHOLE = f"""{FILE_HEADER}

terraform {{
  required_providers {{
    service = {{
      source = "mirror.example.com/fcd/service"
    }}
  }}

  backend "http" {{}}
}}

variable "access_token" {{
  type      = string
  sensitive = true
  ephemeral = true
}}

provider "service" {{
  access_token = var.access_token
  api_url      = "{URL}"
}}

import {{
  to = service_oci.web
  id = "17"
}}

resource "service_oci" "data-1" {{
  instance_name = "data 1"
  isfreemium    = false
}}

resource "service_oci" "web" {{
  instance_name  = "web"
  init_disk_size = 10
  template_id    = 304
}}
"""


def test_text_of_a_whole_file() -> None:
    instances = {
        "web": {"instance_name": "web", "init_disk_size": 10, "template_id": 304},
        "data-1": {"instance_name": "data 1", "isfreemium": False},
    }
    source = "mirror.example.com/fcd/service"
    text = configuration(SCHEMA, URL, instances, ephemeral=True, backend="http", source=source, adopted={"web": "17"})
    assert text == WHOLE


def test_a_file_without_instances_for_an_older_tool() -> None:
    text = configuration(SCHEMA, URL, {}, ephemeral=False)
    assert "ephemeral" not in text
    assert "terraform {" not in text
    assert text.endswith(f'api_url      = "{URL}"\n}}\n')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '""'),
        ('a "b" \\', '"a \\"b\\" \\\\"'),
        ("a\nb\r\tc", '"a\\nb\\r\\tc"'),
        ("\x00\x1f\x7f", '"\\u0000\\u001f\\u007f"'),
        ("${x} %{y}", '"$${x} %%{y}"'),
        ("$${x}", '"$$${x}"'),
        ("$ { % {$", '"$ { % {$"'),
        ("u\u0308", '"\u00fc"'),
    ],
)
def test_texts(text: str, expected: str) -> None:
    assert hcl_string(text) == expected

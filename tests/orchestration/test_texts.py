# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts arrive at the tool as they are, whatever is in them; the tool is the judge."""

from __future__ import annotations

import json
import os
import random
import subprocess
import typing as t
import unicodedata
from pathlib import Path

from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.hcl_configuration import (
    configuration,
    hcl_string,
)
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.plugin_schema import PluginSchema

PIECES = [
    *(
        '"',
        "\\",
        "${",
        "%{",
        "$",
        "%",
        "{",
        "}",
        "$${",
        "%%{",
        "\n",
        "\r",
        "\t",
        "\x01",
        "\x1f",
        "\x7f",
        "\x85",
        "\u2028",
    ),
    *(
        "a",
        "Z",
        "0",
        " ",
        "'",
        "#",
        "//",
        "/*",
        "*/",
        "<<EOT\n",
        "EOT",
        "\\u0041",
        "\\n",
        "ż",
        "ü",
        "u\u0308",
        "\u1100\u1161",
    ),
    *(
        "漢",
        "🙂",
        "👩\u200d💻",
        "\u202e",
        "\ufeff",
        "\u00a0",
        "${var.access_token}",
        "%{ if true }x%{ endif }",
        "`",
        "~",
    ),
]
RANDOM = 412 - 1 - 2 * len(PIECES)


def texts() -> list[str]:
    """Return 412 texts, the same in each run."""
    chance = random.Random(412)
    doubled = [piece + piece for piece in PIECES]
    mixed = ["".join(chance.choices(PIECES, k=chance.randint(2, 12))) for _number in range(RANDOM)]
    return ["", *PIECES, *doubled, *mixed]


def test_every_text_arrives(tools: dict[str, str], each_tool: str, tmp_path: Path) -> None:
    every = texts()
    assert len(every) == 412
    blocks = [f'output "t{number}" {{\n  value = {hcl_string(text)}\n}}\n' for number, text in enumerate(every)]
    (tmp_path / "main.tf").write_text("\n".join(blocks), encoding="utf-8")
    environment = {**os.environ, "CHECKPOINT_DISABLE": "1", "HOME": str(tmp_path)}
    for words in (["init"], ["apply", "-auto-approve"], ["output", "-json"]):
        command = [tools[each_tool], *words, "-no-color"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    read = {name: entry["value"] for name, entry in json.loads(done.stdout).items()}
    desired = {f"t{number}": unicodedata.normalize("NFC", text) for number, text in enumerate(every)}
    assert {name: (read[name], text) for name, text in desired.items() if read[name] != text} == {}


def test_the_layout_is_that_of_the_formatter(tools: dict[str, str], each_tool: str, tmp_path: Path) -> None:
    instances: dict[str, dict[str, t.Any]] = {
        "web": {"instance_name": "web", "template_id": 304, "public_ips": [901, 902]},
        "db-1": {"instance_name": "db", "isfreemium": False},
    }
    text = configuration(
        PluginSchema("service_oci", {"public_ips": [], "ssh_keys_ids": [], "type_id": "number"}, "api_url"),
        "https://api.example.com/beta",
        instances,
        ephemeral=False,
        backend="http",
        source="a.example.com/b/c",
        adopted={"web": "1"},
    )
    (tmp_path / "main.tf").write_text(text, encoding="utf-8")
    command = [tools[each_tool], "fmt", "-check", "-diff"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The case of the module orchestration: the tool and its plugin talk to the service, the collection runs them."""

from __future__ import annotations

import os
from pathlib import Path

from chaos.matrix_case import FILES, Args, Case, State, files
from chaos.workplace import Workplace

WEB: Args = {"template_id": 304, "subregion_id": 1, "type_id": 34, "disk_class": "48", "init_disk_size": 10}
GONE = 126


def prepare() -> None:
    """Write the tool and the plugin. Raises SystemExit where this machine cannot have them."""
    import orchestration_tools
    from orchestration import programs_for_tests

    lacking = orchestration_tools.missing()
    if lacking:
        raise SystemExit(f"No orchestration here: {lacking}. Name other cases with --case.")
    python = str(orchestration_tools.python())
    programs_for_tests.tools(files("tools"), python)
    programs_for_tests.plugin(files("tools"), python, "1.0")


def _address(place: Workplace, name: str) -> None:
    """Create an address, without which the plugin creates no instance, and note its ID."""
    made = place.run("ip_address", {"comment": name, "subregion": "EU-001"}).succeeded()
    (files(name) / "address").write_text(str(made["ip_address"]["id"]), encoding="utf-8")


def _args(name: str) -> Args:
    tools = Path(os.environ[FILES]) / "tools"
    address = int((files(name) / "address").read_text(encoding="utf-8"))
    return {
        "path": str(files(name) / "work"),
        "executable": str(tools / "terraform"),
        "plugin_path": str(tools / "terraform-provider-service"),
        "instances": [{"instance_name": name, "authorization_method_id": 1399, "ip_address_id": address, **WEB}],
        "adopt": True,
    }


def _found(state: State, name: str) -> int:
    return sum(one["Name"] == name and one["Status"] != GONE for one in state["rest"]["instances"])


CASES = (
    Case(
        "orchestration",
        "orchestration",
        {"service": "rest", "method": "POST", "path": "/instances$"},
        _args,
        _found,
        _address,
        only="01c 01f 05c 06a 08a 08b 17 18 20a 20b 20c 26a 30a 30f 30o 31b 31l 31m",
    ),
)

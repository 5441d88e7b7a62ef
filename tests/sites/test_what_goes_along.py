# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes along with something that is removed or replaced is guarded like the thing itself."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import INSTANCE, Given, run

KEPT = {"lifecycle": {"prevent_destroy": True}}
WEB = {"name": "web", **INSTANCE, "recreate": True}
pytestmark = pytest.mark.usefixtures("home")


@pytest.mark.parametrize("kind", ["disks", "ip_addresses"])
def test_what_goes_with_an_instance_protects_it(sandbox: SandboxProcess, kind: str) -> None:
    """Its system disk and its automatic address, which were found with it, and belong to no site."""
    run({"instances": [WEB]}).succeeded()
    (web,) = [one for one in sandbox.state()["rest"]["instances"] if one["Name"] == "web"]
    number = {"disks": web["SystemDisk"], "ip_addresses": web["IpAddresses"][0]}[kind]
    kept: Given = {kind: [{"id": str(number), **KEPT}]}
    run({"instances": [WEB], **kept}).succeeded()
    other = {**WEB, "template": "Debian 8"}
    tries: list[tuple[Given, dict[str, t.Any]]] = [
        (kept, {"prune": True}),
        ({}, {"prune": True}),
        ({"instances": [{**WEB, "state": "absent"}], **kept}, {}),
        ({"instances": [other], **kept}, {"max_replace": "1"}),
        ({"instances": [{**other, "lifecycle": {"create_before_destroy": True}}], **kept}, {"max_replace": "1"}),
        ({"instances": [WEB]}, {"state": "absent"}),
    ]
    for content, options in tries:
        ran = run(content, check_mode=True, **options)
        verb = "replaced" if "max_replace" in options else "removed"
        assert f"It is not {verb}: it would take along disks or addresses" in ran.result["msg"], (content, options)
        assert f"#{number}" in ran.result["msg"]
    ran = run(kept, prune=True)
    assert "Nothing was changed" in ran.result["msg"]
    run({"instances": [WEB], kind: [{"id": str(number)}]}).succeeded()
    assert run({}, prune=True).succeeded().counts == {"delete": 1}

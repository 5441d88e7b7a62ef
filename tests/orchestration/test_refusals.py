# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong is told in one line, and nothing is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from orchestration.managed_folder import DB, WEB, ManagedFolder


@pytest.mark.parametrize("content", ["no state", '{"version": 3, "modules": []}', "{}"])
def test_malformed_state_is_left_alone(managed: ManagedFolder, content: str) -> None:
    managed.run(WEB).succeeded()
    (managed.path / "terraform.tfstate").write_text(content, encoding="utf-8")
    before = managed.files()
    for told in (managed.run(WEB), managed.run(WEB, check_mode=True), managed.run(state="absent")):
        assert told.message.startswith(f"The state {managed.path}/terraform.tfstate cannot be used: it ")
    assert managed.files() == before
    assert len(managed.instances()) == 1


def test_broken_plugin_is_named(executed: ManagedFolder) -> None:
    executed.plugin = "/bin/true"
    told = executed.run(WEB)
    assert told.failed
    assert "\n" not in told.message
    assert told.message.startswith("providers failed: ")
    assert "Check plugin_path" in told.message
    assert "main.tf" not in executed.files()
    assert executed.instances() == []


def test_a_configuration_of_somebody_else(managed: ManagedFolder) -> None:
    managed.path.mkdir()
    (managed.path / "main.tf").write_text('provider "service" {}\n', encoding="utf-8")
    assert managed.run(WEB).message.startswith(f"path: {managed.path}/main.tf was not written by this module.")
    assert managed.run(WEB, overwrite=True).succeeded()["changed"]
    (managed.path / "more.tf").write_text("# mine\n", encoding="utf-8")
    assert f"{managed.path} contains more.tf besides main.tf" in managed.run(WEB, DB).message
    assert len(managed.instances()) == 1


def test_a_plugin_beside_the_configuration(executed: ManagedFolder) -> None:
    """The layout of the contract: the plugin is in the folder."""
    executed.path.mkdir()
    own = executed.path / "terraform-provider-service"
    own.write_bytes(Path(executed.plugin).read_bytes())
    own.chmod(0o700)
    args = executed.args(WEB)
    del args["plugin_path"]
    assert executed.place.run("orchestration", args, check_mode=True).succeeded()["changed"]
    assert executed.place.run("orchestration", args).succeeded()["changed"]
    own.unlink()
    assert "plugin_path: there is no plugin" in executed.place.run("orchestration", args).message

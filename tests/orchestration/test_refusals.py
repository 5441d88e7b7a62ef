# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong is told in one line, and nothing is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from orchestration.site import DB, WEB, Site


@pytest.mark.parametrize("content", ["no state", '{"version": 3, "modules": []}', "{}"])
def test_a_state_that_is_none(site: Site, content: str) -> None:
    site.run(WEB).succeeded()
    (site.path / "terraform.tfstate").write_text(content, encoding="utf-8")
    before = site.files()
    for told in (site.run(WEB), site.run(WEB, check_mode=True), site.run(state="absent")):
        assert told.message.startswith(f"The state {site.path}/terraform.tfstate cannot be used: it ")
    assert site.files() == before
    assert len(site.instances()) == 1


def test_a_plugin_that_is_none(executed: Site) -> None:
    executed.plugin = "/bin/true"
    told = executed.run(WEB)
    assert told.failed
    assert "\n" not in told.message
    assert told.message.startswith("plan failed: ")
    assert "Check plugin_path" in told.message
    assert "main.tf" not in executed.files()
    assert executed.instances() == []


def test_a_configuration_of_somebody_else(site: Site) -> None:
    site.path.mkdir()
    (site.path / "main.tf").write_text('provider "service" {}\n', encoding="utf-8")
    assert site.run(WEB).message.startswith(f"path: {site.path}/main.tf was not written by this module.")
    assert site.run(WEB, overwrite=True).succeeded()["changed"]
    (site.path / "more.tf").write_text("# mine\n", encoding="utf-8")
    assert f"{site.path} contains more.tf besides main.tf" in site.run(WEB, DB).message
    assert len(site.instances()) == 1


def test_a_plugin_beside_the_configuration(executed: Site) -> None:
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

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in the documentation of the module, with a real tool that starts the plugin."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from examples import test_examples
from examples.documentation import documented
from orchestration.managed_folder import ManagedFolder


def test_the_examples(
    executed: ManagedFolder, plugin_of_version_1: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"  # where the examples run
    plugins = folder / "elsewhere" / "opt" / "plugins"
    plugins.mkdir(parents=True)
    shutil.copy(executed.plugin, plugins)
    shutil.copy(plugin_of_version_1, plugins / "terraform-provider-service_v1.0.0")
    tools = Path(executed.executable).parent
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.defpath}")
    (plugin,) = (one for one in documented() if one.name == "orchestration")
    test_examples.test_examples_run(executed.place, tmp_path, plugin)

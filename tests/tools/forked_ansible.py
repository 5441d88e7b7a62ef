# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible's programs in forks of a process that has imported Ansible, which is most of the work of a short run.

The file of the program runs in the fork, with its own arguments, outputs and end. Ansible reads its configuration while
it is imported. So the process that imports it has the folder and the variables of the run; only those of the collection
and of its examples may be others (``OURS``), which Ansible does not know. A run with another folder or other variables
gets another such process. It has imported the collection too, and keeps the modules that forks have packed. Where there
is a configuration file, or where a folder may bring collections of its own, the program itself is started.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import importlib.machinery
import json
import os
import runpy
import shutil
import socket
import subprocess
import sys
import tempfile
import typing as t
from pathlib import Path

OURS = ("FCD_", "FREIGHT_", "SITE_")
COLLECTION = "ansible_collections.fcd.cloud.plugins"
MOST = 3
"""How many processes are kept at most; each has about 60 MB."""

OF_EVERY_RUN = ("cache", "callback", "connection", "filter", "inventory", "lookup", "shell", "strategy", "test", "vars")
"""Kinds of Ansible's plugins, of which each run looks at all, or needs some."""

OF_THE_COLLECTION = ("action", "filter", "lookup", "module_utils", "plugin_utils")
"""Folders of its plugins that run in Ansible's own processes."""

PACKED = "ansiballz_cache"
"""The folder of packed modules, in the temporary folder of a run."""

POLL = 0.01
"""Seconds between two looks at the workers; a process that looks each millisecond, as usual, works while it waits."""

LONGEST = 1 << 20
"""Bytes of a request."""

Variables = t.Mapping[str, str]
Key = t.Tuple[str, str, t.FrozenSet[t.Tuple[str, str]]]


def run(words: t.Sequence[str], folder: Path, variables: Variables) -> subprocess.CompletedProcess[str]:
    """Run a program of Ansible, given by its path, with these variables only and nothing to read."""
    if _configured(folder, variables) or _brings_collections(folder, words):
        own: dict[str, t.Any] = {"cwd": folder, "env": variables, "stdin": subprocess.DEVNULL}
        return subprocess.run(words, **own, capture_output=True, text=True, check=False)
    ours = {name: value for name, value in variables.items() if name.startswith(OURS)}
    interpreter = Path(words[0]).read_text(encoding="utf-8").partition("\n")[0].removeprefix("#!")
    key = (interpreter, str(folder), frozenset(variables.items() - ours.items()))
    kept = _kept.pop(key, None) or _Imported(*key)
    while len(_kept) >= MOST:
        _kept.pop(next(iter(_kept))).close()
    _kept[key] = kept
    return kept.run(words, ours)


def _configured(folder: Path, variables: Variables) -> bool:
    """Whether Ansible may find a configuration file there, whose content may be another one in the next run."""
    places = (folder / "ansible.cfg", Path(variables.get("HOME", "/")) / ".ansible.cfg")
    return "ANSIBLE_CONFIG" in variables or any(place.exists() for place in places)


def _brings_collections(folder: Path, words: t.Sequence[str]) -> bool:
    """Whether a playbook may have collections beside it, which go before those that are imported already."""
    places = {folder, *((folder / word).parent for word in words[1:])}
    return any(os.path.exists(place / "collections") for place in places)


class _Imported:
    """A process that has imported Ansible with these variables in this folder; what it is asked for is run by forks."""

    def __init__(self, interpreter: str, folder: str, variables: t.Iterable[tuple[str, str]]) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._packed = tempfile.mkdtemp()
        command = [interpreter, __file__, str(theirs.fileno()), self._packed]
        nothing = subprocess.DEVNULL
        own: dict[str, t.Any] = {"cwd": folder, "env": dict(variables), "stdin": nothing, "stdout": nothing}
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], **own)
        theirs.close()

    def run(self, words: t.Sequence[str], ours: Variables) -> subprocess.CompletedProcess[str]:
        """Run it to its end."""
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
            request = json.dumps({"words": [*words], "variables": {**ours}}).encode()
            socket.send_fds(self._control, [request], [output.fileno(), errors.fileno()])
            status = self._control.recv(LONGEST)
            assert status, f"the process that has imported Ansible ended with status {self._process.wait()}"
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess([*words], int(status), output.read(), errors.read())

    def close(self) -> None:
        """End it; that it was waited for counts its work as work of this process."""
        self._control.close()
        self._process.wait()
        shutil.rmtree(self._packed)


def _serve(control: socket.socket, packed: str) -> None:
    """Answer each request with the status that its fork ended with."""
    folder = os.getcwd()
    del sys.path[0]  # of this file
    _import_for_the_forks()
    gc.freeze()
    while True:
        request, outputs, _flags, _address = socket.recv_fds(control, LONGEST, 2)
        if not request:
            return
        child = os.fork()
        if not child:
            control.close()
            os.chdir(folder)  # by its path: it may have been made anew
            _become(outputs, packed, **json.loads(request))
        for descriptor in outputs:
            os.close(descriptor)
        _child, status = os.waitpid(child, 0)
        control.send(b"%d" % os.waitstatus_to_exitcode(status))


def _import_for_the_forks() -> None:
    """Import what most runs need, with the settings of each plugin; the finder of collections is left to each fork."""
    importlib.import_module("ansible.cli.playbook")
    from ansible import constants
    from ansible.plugins import loader as plugins
    from ansible.utils.collection_loader import _collection_finder

    finders: t.Any = _collection_finder
    plugins.init_plugin_loader()
    for kind in OF_EVERY_RUN:
        for _plugin in getattr(plugins, f"{kind}_loader").all(class_only=True):
            pass
    _keep_compiled(finders._AnsibleCollectionPkgLoaderBase)
    _import_collection()
    finders._AnsibleCollectionFinder._remove()
    constants.set_constant("DEFAULT_INTERNAL_POLL_INTERVAL", POLL)


def _keep_compiled(loader: t.Any) -> None:
    """Let Python keep the code of the collection as it keeps that of all else; it is compiled in each run otherwise."""
    compiled = loader.get_code

    def get_code(self: t.Any, name: str) -> t.Any:
        file = self.get_filename(name)
        if not os.path.isfile(file):  # a package without a file
            return compiled(self, name)
        return importlib.machinery.SourceFileLoader(name, file).get_code(name)

    loader.get_code = get_code


def _import_collection() -> None:
    """Import what of it runs here and can be imported; there may be none."""
    names = ["requests", "lxml.etree"]
    with contextlib.suppress(ImportError):
        root = Path(importlib.import_module(COLLECTION).__path__[0])
        files = (file for kind in OF_THE_COLLECTION for file in (root / kind).rglob("*.py"))
        names += [".".join((COLLECTION, *file.relative_to(root).with_suffix("").parts)) for file in sorted(files)]
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _become(outputs: t.Sequence[int], packed: str, words: list[str], variables: dict[str, str]) -> None:
    """Be the program; its end is the end of this process."""
    for number, descriptor in enumerate(outputs, 1):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.update(variables)
    from ansible import constants

    name, settings = "DEFAULT_LOCAL_TMP", vars(constants)  # a folder that is made when the setting is read
    constants.set_constant(name, constants.config.get_config_value(name, variables=settings))
    os.symlink(packed, os.path.join(settings[name], PACKED))
    sys.path.insert(0, os.path.dirname(words[0]))
    sys.argv = words
    runpy.run_path(words[0], run_name="__main__")
    sys.exit()


_kept: dict[Key, _Imported] = {}


@atexit.register
def _close() -> None:
    for kept in _kept.values():
        kept.close()


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The preparation of a working folder: which tool, which plugin, and ``init`` only when something of it has changed.

The version of the tool, the checksum of the plugin and its full address are noted in the folder; each is found out anew
when the file that it belongs to has another size or time.
"""

from __future__ import annotations

import os
import typing as t

from .._core.errors import InvalidInput
from .connection import has_own_settings
from .engine import Version
from .rendering import configuration
from .working_folder import CLI, MAIN, WorkingFolder, checksum

if t.TYPE_CHECKING:
    from .connection import Orchestration
    from .engine import Engine

OLDEST = {"Terraform": (1, 5), "OpenTofu": (1, 6)}
"""Since when there are import blocks."""

EPHEMERAL = {"Terraform": (1, 10), "OpenTofu": (1, 11)}
"""Since when variables can be kept out of plans."""


class Preparation:
    """What is known about tool and plugin. ``private`` is a folder that nobody else can look into."""

    def __init__(
        self,
        folder: WorkingFolder,
        plugin: str | None,
        orchestration: Orchestration,
        params: t.Mapping[str, t.Any],
        private: str,
    ) -> None:
        self._folder, self._orchestration, self._params = folder, orchestration, params
        self._scratch = os.path.join(private, "scratch")
        os.mkdir(self._scratch, 0o700)
        self._stamp = folder.stamp()
        self.plugin = plugin
        if plugin is None and not has_own_settings():
            raise InvalidInput(
                "plugin_path: there is no plugin: the folder holds no executable file terraform-provider-service.",
                next_step="Put the plugin of the service there, or set plugin_path to where it is.",
                option="plugin_path",
            )
        self.version = self._version()

    @property
    def ephemeral(self) -> bool:
        """Whether the tool knows variables that it writes into no plan."""
        return self.version.number[:2] >= EPHEMERAL[self.version.tool]

    @property
    def cli(self) -> str | None:
        """The file with the settings of the tool, None when the user has his own."""
        return self._folder.file(CLI) if self.plugin else None

    def prepare(self, engine: Engine, backend: str | None, place: str | None) -> None:
        """Prepare the folder where something has changed that this depends on, and note what it is."""
        now = {**self._of_plugin(), "tool": self.version.tool, "number": list(self.version.number), "backend": backend}
        if self._stamp.get("prepared_for") != now or not self._folder.is_prepared:
            earlier = self._stamp.get("prepared_for") or {}
            if self.plugin is not None:
                if earlier.get("digest") != now["digest"]:
                    self._folder.forget_plugin()
                self._folder.lay_out_plugin(self.plugin, now["source"], self._params["plugin_version"])
            if earlier.get("backend") != backend:
                self._folder.forget_backend()
            self._note(prepared_for=None)
            engine.init()
            self._folder.close()
        self._note(prepared_for=now, state=place)

    def forget_place(self) -> None:
        """Forget where the state was kept: there is nothing in it any more."""
        self._note(state=None)

    def _version(self) -> Version:
        """Return which tool it is, and its version. Raises InvalidInput for one that is none, or too old."""
        path = self._orchestration.executable
        mark = [os.path.realpath(path), *_state_of(path)]
        known = self._stamp.get("executable") or []
        if known[:3] == mark:
            return Version(known[3], tuple(known[4]))
        version = self._orchestration.engine_without_token(self._scratch).version()
        oldest = OLDEST[version.tool]
        if version.number[:2] < oldest:
            raise InvalidInput(
                f"executable: {path} is {version}; at least {oldest[0]}.{oldest[1]} is needed.", option="executable"
            )
        self._stamp["executable"] = [*mark, version.tool, list(version.number)]
        return version

    def _of_plugin(self) -> dict[str, t.Any]:
        if self.plugin is None:
            return {}
        return {
            "plugin": self.plugin,
            "plugin_version": self._params["plugin_version"],
            "digest": self._digest(self.plugin),
            "source": self._params["provider_source"] or self._source(),
        }

    def _digest(self, plugin: str) -> str:
        """Return its checksum; the tool holds that of an earlier one of the same version against it for ever."""
        mark = [os.path.realpath(plugin), *_state_of(plugin)]
        known = self._stamp.get("plugin") or []
        if known[:3] != mark:
            known = [*mark, checksum(plugin)]
            self._stamp["plugin"] = known
        return t.cast(str, known[3])

    def _source(self) -> str:
        """Return the full address that this tool makes of the plugin's name, as the tool itself says it."""
        known = self._stamp.get("source") or [None, None]
        if known[0] != self.version.tool:
            with open(os.path.join(self._scratch, MAIN), "w", encoding="utf-8") as handle:
                handle.write(configuration("", {}, ephemeral=self.ephemeral))
            known = [self.version.tool, self._orchestration.engine_without_token(self._scratch).provider_source()]
            self._stamp["source"] = known
        return t.cast(str, known[1])

    def _note(self, **values: t.Any) -> None:
        self._stamp = {**self._stamp, **values}
        self._folder.set_stamp(self._stamp)


def _state_of(path: str) -> list[int]:
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]

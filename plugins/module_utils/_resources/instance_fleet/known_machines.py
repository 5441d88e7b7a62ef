# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which machines a fleet has made: noted on disk under the name of the fleet, and nowhere at the service."""

from __future__ import annotations

import os
import typing as t

from ..._core.digests import digest
from ..._core.private_files import read_json, write_json
from ..._engine.locks import held
from ..._session.task import Task

LOCK_WAIT = 30.0  # seconds for which another task may hold the note; it is written in a moment


class KnownMachines:
    """``made`` are names by numbers; ``asked_for`` are names of machines whose numbers nobody has seen yet."""

    def __init__(self, task: Task, fleet: str) -> None:
        settings = task.settings
        self._task = task
        self._what = f"the note of fleet {fleet!r}"
        self._folder = os.path.join(task.state_dir, "fleets")
        self._key = digest(settings["base_url"].rstrip("/"), settings["username"] or "", "instance_fleet", fleet)
        self._path = os.path.join(self._folder, self._key + ".json")

    def made(self) -> dict[int, str]:
        """Return the machines that the fleet has made, for as long as it has not removed them."""
        return self._read()[0]

    def asked_for(self) -> set[str]:
        """Return the names of those that were asked for in a run that did not see them made."""
        return self._read()[1]

    def ask_for(self, names: t.Collection[str]) -> None:
        """Note, before it is sent, that these are going to be made."""
        if names:
            self._change(lambda made, asked: (made, asked | set(names)))

    def withdraw(self, names: t.Collection[str]) -> None:
        """Forget that these were asked for: they were certainly not made, or are removed again."""
        if self.asked_for() & set(names):
            self._change(lambda made, asked: (made, asked - set(names)))

    def note(self, seen: t.Mapping[int, str], removed: t.Collection[int]) -> None:
        """Note machines that were seen after having been asked for, and forget those that were removed."""
        made, asked = self._read()
        if seen or set(removed) & set(made) or set(seen.values()) & asked:
            self._change(
                lambda made, asked: (
                    {number: name for number, name in {**made, **seen}.items() if number not in removed},
                    asked - set(seen.values()),
                )
            )

    def _change(self, change: t.Callable[[dict[int, str], set[str]], tuple[dict[int, str], set[str]]]) -> None:
        with held(self._folder, self._key, self._task.deadline.within(LOCK_WAIT, "wait for the note"), what=self._what):
            made, asked = change(*self._read())
            named = {str(number): name for number, name in made.items()}
            write_json(self._path, {"made": named, "asked_for": sorted(asked)})

    def _read(self) -> tuple[dict[int, str], set[str]]:
        kept = read_json(self._path)
        try:
            return {int(number): str(name) for number, name in kept["made"].items()}, set(map(str, kept["asked_for"]))
        except (TypeError, KeyError, ValueError, AttributeError):
            return {}, set()

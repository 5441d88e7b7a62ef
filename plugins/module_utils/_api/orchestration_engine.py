# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of the orchestration tool, one method each.

Source: contract infrastructure-rest.md, "Tool commands": ``init``, ``apply``, ``destroy``. What they print with
``-json`` is the same in both tools that read such a file.
"""

from __future__ import annotations

import json
import re
import typing as t

from .._core.errors import InvalidInput, OperationFailed
from .._transport.programs import Ended, Program

Message = t.Dict[str, t.Any]
VERSION = re.compile(r"(Terraform|OpenTofu) v(\d+)\.(\d+)\.(\d+)")
SOURCE = re.compile(r"provider\[([^\]\s]+/service)\]")
LAST = 600  # characters of an error that is no JSON
PLANNED = 2  # status of a plan with something to do


class Version(t.NamedTuple):
    """Which tool it is, and its version."""

    tool: str
    number: tuple[int, int, int]

    def __str__(self) -> str:
        """Return both for a person."""
        return f"{self.tool} {'.'.join(map(str, self.number))}"


class EngineFailed(OperationFailed):
    """A command failed. Details: ``command``, ``status``, ``diagnostics``."""


class Engine:
    """The tool in a working folder. Every method raises EngineFailed with the tool's own words."""

    def __init__(self, program: Program, tell: t.Callable[[str], None]) -> None:
        self._program = program
        self._tell = tell
        self.starts = 0

    def version(self) -> Version:
        """Return which tool it is. Raises InvalidInput for another program."""
        ended = self._ended("version")
        found = VERSION.match(ended.out)
        if ended.status or not found:
            said = (ended.err or ended.out).strip().splitlines()
            raise InvalidInput(
                f"{self._program.path} is no orchestration tool that can be used"
                f"{f'; it says: {said[0][:LAST]}' if said else ''}.",
                next_step="Set executable to the path of tofu or terraform.",
                option="executable",
            )
        major, minor, patch = (int(number) for number in found.groups()[1:])
        return Version(found.group(1), (major, minor, patch))

    def provider_source(self) -> str:
        """Return the full address of what the configuration calls ``service``."""
        ended = self._done("providers")
        found = SOURCE.search(ended.out)
        if not found:
            raise self._failed("providers", ended)
        return found.group(1)

    def init(self) -> None:
        """Prepare the folder."""
        self._done("init", "-input=false", "-no-color", "-reconfigure")

    def plan(self, to: str, *flags: str) -> bool:
        """Write a plan into the file ``to`` and return whether there is anything to do."""
        arguments = ("-input=false", "-json", "-detailed-exitcode", f"-out={to}", *flags)
        return self._done("plan", *arguments, good=(0, PLANNED)).status == PLANNED

    def show(self, plan: str) -> dict[str, t.Any]:
        """Return a plan as data."""
        return t.cast("dict[str, t.Any]", json.loads(self._done("show", "-json", plan).out))

    def apply(self, plan: str, *flags: str) -> list[Message]:
        """Do what a plan says and return what the tool told meanwhile. EngineFailed has it as ``messages``."""
        ended = self._ended("apply", "-input=false", "-json", *flags, plan, line=self._progress)
        told = messages(ended.out)
        if ended.status:
            failed = self._failed("apply", ended)
            failed.details["applied"] = done_in(told)
            raise failed
        return told

    def outputs(self) -> dict[str, t.Any]:
        """Return the outputs of the state."""
        return t.cast("dict[str, t.Any]", json.loads(self._done("output", "-json").out))

    def _done(self, command: str, *arguments: str, good: tuple[int, ...] = (0,)) -> Ended:
        ended = self._ended(command, *arguments)
        if ended.status not in good:
            raise self._failed(command, ended)
        return ended

    def _ended(self, command: str, *arguments: str, line: t.Callable[[str], None] | None = None) -> Ended:
        self.starts += 1
        return self._program.run(command, *arguments, line=line)

    def _progress(self, line: str) -> None:
        for message in messages(line):
            if message.get("type") in ("apply_start", "apply_progress", "apply_complete", "apply_errored"):
                self._tell(str(message.get("@message")))

    def _failed(self, command: str, ended: Ended) -> EngineFailed:
        found = [entry["diagnostic"] for entry in messages(ended.out) if isinstance(entry.get("diagnostic"), dict)]
        errors = [entry for entry in found if entry.get("severity") == "error"]
        words = "; ".join(map(_said, errors)) or " ".join((ended.err or ended.out).split())[-LAST:] or "it says nothing"
        return EngineFailed(
            f"{command} failed: {words}", command=command, status=ended.status, diagnostics=errors or None
        )


def messages(text: str) -> list[Message]:
    """Return the lines of an output that are JSON objects."""
    found = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
    return found


def done_in(told: t.Iterable[Message]) -> list[dict[str, t.Any]]:
    """Return what an apply has done: ``address``, ``action`` and ``id`` of each resource."""
    hooks = (entry.get("hook") or {} for entry in told if entry.get("type") == "apply_complete")
    return [
        {"address": hook.get("resource", {}).get("addr"), "action": hook.get("action"), "id": hook.get("id_value")}
        for hook in hooks
    ]


def _said(diagnostic: t.Mapping[str, t.Any]) -> str:
    parts = (diagnostic.get("address"), diagnostic.get("summary"), diagnostic.get("detail"))
    return ": ".join(" ".join(str(part).split()) for part in parts if part)

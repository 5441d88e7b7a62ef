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
from .programs import GOES_ON, Ended, Program

Message = t.Dict[str, t.Any]
VERSION = re.compile(r"(Terraform|OpenTofu) v(\d+)\.(\d+)\.(\d+)")
SOURCE = re.compile(r"provider\[([^\]\s]+/service)\]")
LONGEST = 600  # characters of an error
FRAME = str.maketrans("", "", "╷│╵")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SUMMARY = re.compile(r"Error: (.+)")  # where the tool writes no JSON
PLANNED = 2  # status of a plan with something to do


class Version(t.NamedTuple):
    """Which tool it is, and its version."""

    tool: str
    number: tuple[int, int, int]

    def __str__(self) -> str:
        """Return both for a person."""
        return f"{self.tool} {'.'.join(map(str, self.number))}"


class EngineFailed(OperationFailed):
    """A command failed, or was cancelled.

    Details: ``command``, ``status``, ``cancelled``, ``summaries``; those of apply also ``applied`` and ``begun``.
    """

    @property
    def summaries(self) -> list[str]:
        """The heads of the errors that the tool told."""
        return t.cast("list[str]", self.details.get("summaries") or [])

    @property
    def is_about_plugins(self) -> bool:
        """Whether the tool could not use the plugin."""
        in_init = self.details.get("command") == "init" and not self.cancelled
        return in_init or any("plugin" in head.lower() or "instantiate provider" in head for head in self.summaries)

    @property
    def is_unclear(self) -> bool:
        """Whether nobody was left to tell how far it came: it was cancelled, or it or its plugin was killed."""
        killed = self.details["status"] < 0 or any("did not respond" in head for head in self.summaries)
        return self.cancelled or killed

    @property
    def cancelled(self) -> bool:
        """Whether the task was cancelled or its time was over."""
        return bool(self.details.get("cancelled"))


class Engine:
    """The tool in a working folder. Every method raises EngineFailed with the tool's own words.

    ``tell`` gets its progress, ``warn`` its warnings, each once.
    """

    def __init__(self, program: Program, tell: t.Callable[[str], None], warn: t.Callable[[str], None]) -> None:
        self._program = program
        self._tell, self._warn = tell, warn
        self._warned: set[str] = set()

    def version(self) -> Version:
        """Return which tool it is. Raises InvalidInput for another program."""
        ended = self._ended("version")
        found = VERSION.match(ended.out)
        if ended.status or not found:
            said = _plain(ended.err or ended.out)
            raise InvalidInput(
                f"executable: {self._program.path} is no orchestration tool that can be used"
                f"{f'; it says: {said[:LONGEST]}' if said else ''}.",
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
        ended = self._done("plan", *arguments, good=(0, PLANNED))
        self._pass_warnings(ended)
        return ended.status == PLANNED

    def show(self, plan: str) -> dict[str, t.Any]:
        """Return a plan as data."""
        return t.cast("dict[str, t.Any]", json.loads(self._done("show", "-json", plan).out))

    def apply(self, plan: str, *flags: str) -> None:
        """Do what a plan says. EngineFailed has what was done before, as ``applied``."""
        ended = self._ended("apply", "-input=false", "-json", *flags, plan, line=self._progress)
        self._pass_warnings(ended)
        if ended.status or ended.cancelled:
            failed = self._failed("apply", ended)
            told = messages(ended.out)
            failed.details.update(applied=done_in(told), begun=begun_in(told))
            raise failed

    def push_state(self, path: str, *flags: str) -> None:
        """Store a state that could not be stored when it was made; the tool refuses one that is not newer."""
        self._done("state", "push", "-no-color", *flags, path)

    def _done(self, command: str, *arguments: str, good: tuple[int, ...] = (0,)) -> Ended:
        ended = self._ended(command, *arguments)
        if ended.status not in good or ended.cancelled:
            raise self._failed(command, ended)
        return ended

    def _ended(self, command: str, *arguments: str, line: t.Callable[[str], None] | None = None) -> Ended:
        return self._program.run(command, *arguments, line=line)

    def _progress(self, line: str) -> None:
        for message in messages(line):
            if message.get("type") in ("apply_start", "apply_progress", "apply_complete", "apply_errored"):
                self._tell(str(message.get("@message")))

    def _pass_warnings(self, ended: Ended) -> None:
        for words in map(_said, _diagnostics(ended, "warning")):
            if words not in self._warned:
                self._warned.add(words)
                self._warn(words)

    def _failed(self, command: str, ended: Ended) -> EngineFailed:
        errors = _diagnostics(ended, "error")
        words = "; ".join(map(_said, errors)) or _last_words(ended)
        if ended.cancelled:
            late = "; it goes on and notes what it does" if ended.status == GOES_ON else ""
            words = f"{ended.cancelled}{late}. The tool says: {words}" if errors or late else ended.cancelled
        return EngineFailed(
            f"{command}{'' if ended.cancelled else ' failed'}: {words.rstrip('.')}.",
            command=command,
            status=ended.status,
            cancelled=ended.cancelled,
            summaries=[str(entry.get("summary")) for entry in errors]
            or SUMMARY.findall(_uncoloured(ended.err))
            or None,
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
    return [
        {"address": hook.get("resource", {}).get("addr"), "action": hook.get("action"), "id": hook.get("id_value")}
        for hook in _hooks(told, "apply_complete")
    ]


def begun_in(told: t.Iterable[Message]) -> list[str]:
    """Return the addresses of what an apply has begun and not ended well, so that nobody knows how far it came."""
    ended = {hook.get("resource", {}).get("addr") for hook in _hooks(told, "apply_complete")}
    begun = (hook.get("resource", {}).get("addr") for hook in _hooks(told, "apply_start"))
    return [address for address in begun if address not in ended]


def _hooks(told: t.Iterable[Message], kind: str) -> list[Message]:
    return [entry.get("hook") or {} for entry in told if entry.get("type") == kind]


def _diagnostics(ended: Ended, severity: str) -> list[Message]:
    found = [entry["diagnostic"] for entry in messages(ended.out) if isinstance(entry.get("diagnostic"), dict)]
    return [entry for entry in found if entry.get("severity") == severity]


def _said(diagnostic: t.Mapping[str, t.Any]) -> str:
    parts = (diagnostic.get("address"), diagnostic.get("summary"), diagnostic.get("detail"))
    return ": ".join(_plain(str(part)).rstrip(".") for part in parts if part)[:LONGEST]


def _last_words(ended: Ended) -> str:
    """Return what can be said of a failure without an error that the tool told."""
    told = [str(entry.get("@message")) for entry in messages(ended.out)]
    words = _plain(ended.err or (told[-1] if told else ended.out)) or "it says nothing"
    first = words.find("Error: ")
    words = words[-LONGEST:] if first < 0 else words[first:][:LONGEST]
    is_killed = ended.status < 0 and ended.status != GOES_ON
    return f"it was ended by signal {-ended.status}; its last words: {words}" if is_killed else words


def _plain(text: str) -> str:
    """Return it in one line, without the frame that the tool draws around its errors."""
    return " ".join(_uncoloured(text).translate(FRAME).split())


def _uncoloured(text: str) -> str:
    return COLOUR.sub("", text)

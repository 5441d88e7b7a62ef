# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The orchestration tool: its executable, its environment with the token in it, and its commands, one method each.

Source: docs/service/infrastructure.md, "Orchestration plugin": ``init``, ``apply``, ``destroy``. What they print with
``-json`` is the same in both tools that read such a file.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import typing as t

from .._connection.credentials import GivenToken, IdentityAccount
from .._connection.task import Task
from .._core.errors import FcdError, InvalidInput, OperationFailed
from .._core.home import expand_home
from .._core.type_aliases import JsonObject
from .._infrastructure.api import infrastructure
from .plugin_schema import PluginSchema, plugin_schema
from .programs import GOES_ON, Program, ProgramResult

EXECUTABLES = ("tofu", "terraform")
PASSED_ON = (
    *("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "SSL_CERT_FILE", "SSL_CERT_DIR", "TF_REATTACH_PROVIDERS"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
)
TOOL_ENVIRONMENT = {"CHECKPOINT_DISABLE": "1", "TF_INPUT": "0", "TF_IN_AUTOMATION": "1", "NO_COLOR": "1"}
CLI_FILE = "TF_CLI_CONFIG_FILE"
CLI_FILES_AT_HOME = (".tofurc", ".terraformrc")
VERSION_LINE = re.compile(r"(Terraform|OpenTofu) v(\d+)\.(\d+)\.(\d+)")
SOURCE = re.compile(r"provider\[([^\]\s]+/service)\]")
MAX_ERROR_LENGTH = 600  # characters of an error
FRAME = str.maketrans("", "", "╷│╵")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
STATUS = re.compile(r"\b[345][0-9]{2}\b")
OWN_WORDS = re.compile(r'\\?"Message\\?"\s*:')  # every error of the service has them
SUMMARY = re.compile(r"Error: (.+)")  # if the tool writes no JSON
PLANNED = 2  # status of a plan with something to do


class Orchestration:
    """Creates engines for folders; requests the token once. Raises InvalidInput if there is no executable."""

    def __init__(self, task: Task, executable: str | None) -> None:
        if executable is None:
            found = next(filter(None, map(shutil.which, EXECUTABLES)), None)
            problem = f"No orchestration tool was found: there is no {' and no '.join(EXECUTABLES)} in PATH."
            step = "Install one of them, or set executable to its path."
        else:
            path = expand_home(executable)
            found = shutil.which(path) if os.path.isabs(path) or os.sep not in path else None
            problem = f"executable: {executable} is not an executable file."
            step = "Give the full path of tofu or terraform, or omit the option if one of them is in PATH."
        if found is None:
            raise InvalidInput(problem, next_step=step, option="executable")
        self.executable = os.path.abspath(found)
        self._task = task
        self._token: str | None = None

    def engine(self, folder: str, cli: str | None, variables: t.Mapping[str, str]) -> Engine:
        """Return the tool in a folder, with the token; ``cli`` is its configuration file."""
        return self.engine_without_token(folder, cli, {"TF_VAR_access_token": self._access_token(), **variables})

    def engine_without_token(
        self, folder: str, cli: str | None = None, variables: t.Mapping[str, str] | None = None
    ) -> Engine:
        """Return it with an environment of its own, which takes nothing from this process that changes what it does."""
        task = self._task
        environment = {name: os.environ[name] for name in PASSED_ON if os.environ.get(name)}
        environment.update(TOOL_ENVIRONMENT)
        own = os.environ.get(CLI_FILE, "")
        if cli or os.path.exists(own):
            environment[CLI_FILE] = cli or own
        if task.settings["ca_path"]:  # so that the plugin trusts the authorities that this task trusts
            environment["SSL_CERT_FILE"] = task.settings["ca_path"]
        environment.update(variables or {})
        redacted = task.redactor.text
        program = Program(self.executable, folder, environment, task.deadline)
        return Engine(program, lambda text: task.tell(redacted(text)), lambda text: task.warn(redacted(text)))

    def has_new_token(self) -> bool:
        """Return whether the token was refused and there is a new one now; the tool reports the reason only as text.

        A small request to the service shows it: if the token is refused, it is renewed.
        """
        if self._token is None or self._task.settings["access_token"]:
            return False

        before = self._token
        try:
            infrastructure(self._task).list_dictionaries()
            self._token = None
            return self._access_token() != before
        except FcdError:  # the error of the tool is reported
            return False

    def _access_token(self) -> str:
        """Return the token; it is in the environment of the tool, not in a file or on a command line."""
        if self._token is None:
            token: str = self._task.settings["access_token"]
            if token:
                GivenToken(token)  # raises for an impossible token
            else:
                token = IdentityAccount(self._task).token()["token"]
            self._task.redactor.add(token)
            self._token = token
        return self._token


def has_own_settings() -> bool:
    """Return whether the user has configured where the tool finds plugins."""
    files = [os.path.join(expand_home("~"), name) for name in CLI_FILES_AT_HOME]
    return any(map(os.path.exists, [os.environ.get(CLI_FILE, ""), *files]))


class Version(t.NamedTuple):
    """Which tool it is, and its version."""

    tool: str
    number: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.tool} {'.'.join(map(str, self.number))}"


class EngineFailed(OperationFailed):
    """A command failed, or was cancelled.

    Details: ``command``, ``status``, ``cancelled``, ``summaries``; those of apply also ``applied``, ``begun`` and
    ``refused``.
    """

    @property
    def summaries(self) -> list[str]:
        """The summaries of the errors that the tool reported."""
        heads: list[str] = self.details.get("summaries") or []
        return heads

    @property
    def is_about_plugins(self) -> bool:
        """Return whether the tool could not use the plugin."""
        asked = self.details.get("command") in ("init", "providers") and not self.cancelled
        return asked or any("plugin" in head.lower() or "instantiate provider" in head for head in self.summaries)

    @property
    def unclear(self) -> list[str]:
        """The addresses of what was started and neither succeeded nor was refused by the service itself."""
        return [address for address in self.details["begun"] if address not in self.details["refused"]]

    @property
    def goes_on(self) -> bool:
        """Return whether the tool was left running."""
        return bool(self.details["status"] == GOES_ON)

    @property
    def cancelled(self) -> bool:
        """Return whether the task was cancelled or its time was up."""
        return bool(self.details.get("cancelled"))

    @property
    def in_plan(self) -> bool:
        """Return whether the tool could not plan; that changes nothing."""
        return bool(self.details["command"] == "plan")


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
        ended = self._program.run("version")
        found = VERSION_LINE.match(ended.out)
        if ended.status or not found:
            said = _plain(ended.err or ended.out)
            raise InvalidInput(
                f"executable: {self._program.path} is not a usable orchestration tool"
                f"{f'; it says: {said[:MAX_ERROR_LENGTH]}' if said else ''}.",
                next_step="Set executable to the path of tofu or terraform.",
                option="executable",
            )
        tool, *numbers = found.groups()
        return Version(tool, tuple(map(int, numbers)))

    def provider_source(self) -> str:
        """Return the full address of what the configuration calls ``service``."""
        ended = self._done("providers")
        found = SOURCE.search(ended.out)
        if not found:
            raise _failure("providers", ended)
        return found.group(1)

    def schema(self) -> PluginSchema:
        """Return what the plugin says that it has. Raises InvalidInput for another plugin."""
        told: dict[str, JsonObject] = json.loads(self._done("providers", "schema", "-json").out)
        schema: JsonObject = next(iter((told.get("provider_schemas") or {}).values()), {})
        resources = {name: types_of_settable(entry) for name, entry in (schema.get("resource_schemas") or {}).items()}
        return plugin_schema(types_of_settable(schema.get("provider")), resources)

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
        shown: dict[str, t.Any] = json.loads(self._done("show", "-json", plan).out)
        return shown

    def apply(self, plan: str, *flags: str) -> None:
        """Carry out a plan. EngineFailed has what was done before, as ``applied``."""
        ended = self._program.run("apply", "-input=false", "-json", *flags, plan, line=self._progress)
        self._pass_warnings(ended)
        if ended.status or ended.cancelled:
            failed = _failure("apply", ended)
            applied, begun = applied_and_begun(messages(ended.out))
            failed.details.update(applied=applied, begun=begun, refused=_refused(_diagnostics(ended, "error")))
            raise failed

    def forget(self, addresses: t.Iterable[str], *flags: str) -> None:
        """Remove resources from the state, and nothing else."""
        self._done("state", "rm", "-no-color", *flags, *addresses)

    def push_state(self, path: str, *flags: str) -> None:
        """Store a state that could not be stored when it was written; the tool refuses one that is not newer."""
        self._done("state", "push", "-no-color", *flags, path)

    def _done(self, command: str, *arguments: str, good: tuple[int, ...] = (0,)) -> ProgramResult:
        ended = self._program.run(command, *arguments)
        if ended.status not in good or ended.cancelled:
            raise _failure(command, ended)
        return ended

    def _progress(self, line: str) -> None:
        for message in messages(line):
            if message.get("type") in ("apply_start", "apply_progress", "apply_complete", "apply_errored"):
                self._tell(str(message.get("@message")))

    def _pass_warnings(self, ended: ProgramResult) -> None:
        for words in map(_said, _diagnostics(ended, "warning")):
            if words not in self._warned:
                self._warned.add(words)
                self._warn(words)


def types_of_settable(schema: JsonObject | None) -> JsonObject:
    """Return the types of the attributes that a configuration can set, by name."""
    attributes = ((schema or {}).get("block") or {}).get("attributes") or {}
    return {
        name: one.get("type")
        for name, one in attributes.items()
        if name != "id" and (one.get("required") or one.get("optional"))
    }


def messages(text: str) -> list[JsonObject]:
    """Return the lines of an output that are JSON objects."""
    found = []
    for line in text.splitlines():
        if line.startswith("{"):
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
    return found


def applied_and_begun(told: t.Iterable[JsonObject]) -> tuple[list[dict[str, t.Any]], list[str]]:
    """Return what an apply has done, and the addresses of what it has started and not finished.

    The first has ``address``, ``action`` and ``id`` of each resource; how far the second got is not known.
    """
    applied, begun = [], []
    for message in told:
        hook = message.get("hook") or {}
        address, action = hook.get("resource", {}).get("addr"), hook.get("action")
        if message.get("type") == "apply_complete":
            applied.append({"address": address, "action": action, "id": hook.get("id_value")})
        elif message.get("type") == "apply_start":
            begun.append((address, action))
    ended = {(one["address"], one["action"]) for one in applied}  # a replacement consists of two
    return applied, [one[0] for one in begun if one not in ended]


def _refused(errors: t.Iterable[JsonObject]) -> list[str]:
    """Return the addresses of what the service has refused in its own words, so that nothing was done.

    The plugin passes on the status of the answer and its body, each in its own way. The answer to a read while
    something is being created has another status.
    """
    said: dict[str, list[str]] = {}
    for entry in errors:
        said.setdefault(str(entry.get("address")), []).append(f"{entry.get('summary')} {entry.get('detail')}")
    return [
        address
        for address, every in said.items()
        if all(OWN_WORDS.search(words) and set(STATUS.findall(words)) in ({"400"}, {"402"}) for words in every)
    ]


def _failure(command: str, ended: ProgramResult) -> EngineFailed:
    errors = _diagnostics(ended, "error")
    words = "; ".join(map(_said, errors)) or _last_words(ended)
    if ended.cancelled:
        late = "; it continues and records what it does" if ended.status == GOES_ON else ""
        words = f"{ended.cancelled}{late}. The tool says: {words}" if errors or late else ended.cancelled
    summaries = [str(entry.get("summary")) for entry in errors] or SUMMARY.findall(COLOUR.sub("", ended.err))
    return EngineFailed(
        f"{command}{'' if ended.cancelled else ' failed'}: {words.rstrip('.')}.",
        command=command,
        status=ended.status,
        cancelled=ended.cancelled,
        summaries=summaries or None,
    )


def _diagnostics(ended: ProgramResult, severity: str) -> list[JsonObject]:
    found = [entry["diagnostic"] for entry in messages(ended.out) if isinstance(entry.get("diagnostic"), dict)]
    return [entry for entry in found if entry.get("severity") == severity]


def _said(diagnostic: t.Mapping[str, object]) -> str:
    parts = (diagnostic.get("address"), diagnostic.get("summary"), diagnostic.get("detail"))
    return ": ".join(_plain(str(part)).rstrip(".") for part in parts if part)[:MAX_ERROR_LENGTH]


def _last_words(ended: ProgramResult) -> str:
    """Return the best description of a failure for which the tool has not reported an error."""
    told = [str(entry.get("@message")) for entry in messages(ended.out)]
    words = _plain(ended.err or (told[-1] if told else ended.out)) or "it says nothing"
    first = words.find("Error: ")
    words = words[-MAX_ERROR_LENGTH:] if first < 0 else words[first:][:MAX_ERROR_LENGTH]
    is_killed = ended.status < 0 and ended.status != GOES_ON
    return f"it was ended by signal {-ended.status}; its last output: {words}" if is_killed else words


def _plain(text: str) -> str:
    """Return the text in one line, without colors and the frame that the tool draws around its errors."""
    return " ".join(COLOUR.sub("", text).translate(FRAME).split())

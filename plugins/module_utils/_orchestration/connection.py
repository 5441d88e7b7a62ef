# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The orchestration tool of a task: its executable, its environment and the token in it."""

from __future__ import annotations

import contextlib
import os
import shutil
import typing as t

from .._connection.credentials import GivenToken, IdentityAccount
from .._connection.task import Task
from .._core.errors import FcdError, InvalidInput
from .._http.messages import check_address
from .engine import Engine
from .programs import Program

EXECUTABLES = ("tofu", "terraform")
PASSED_ON = (
    *("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "SSL_CERT_FILE", "SSL_CERT_DIR", "TF_REATTACH_PROVIDERS"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
)
OWN = {"CHECKPOINT_DISABLE": "1", "TF_INPUT": "0", "TF_IN_AUTOMATION": "1", "NO_COLOR": "1"}
CLI_FILE = "TF_CLI_CONFIG_FILE"
CLI_FILES_AT_HOME = (".tofurc", ".terraformrc")


class Orchestration:
    """Makes engines for folders; the token is asked for once."""

    def __init__(self, task: Task, executable: str | None) -> None:
        self.executable = _found(executable)
        self._task = task
        self._token: str | None = None

    def engine(self, folder: str, cli: str | None = None, more: t.Mapping[str, str] | None = None) -> Engine:
        """Return the tool in a folder; ``cli`` is the file with its settings, ``more`` are further variables."""
        return self._engine(folder, {"TF_VAR_access_token": self._access_token(), **(more or {})}, cli)

    def engine_without_token(self, folder: str) -> Engine:
        """Return it for what needs no token."""
        return self._engine(folder, {}, None)

    def _engine(self, folder: str, more: t.Mapping[str, str], cli: str | None) -> Engine:
        task = self._task
        environment = _environment(cli, {**_authorities(task), **more})
        program = Program(self.executable, folder, environment, task.deadline)
        redacted = task.redactor.text
        return Engine(program, lambda text: task.tell(redacted(text)), lambda text: task.warn(redacted(text)))

    def has_new_token(self) -> bool:
        """Whether the token was refused and there is a new one now; the tool only says in words of the plugin's why.

        The service is asked for something small: when it refuses the token, that renews it.
        """
        if self._token is None or self._task.settings["access_token"]:
            return False
        from .._infrastructure.api import infrastructure

        before = self._token
        try:
            infrastructure(self._task).list_dictionaries()
            self._token = None
            return self._access_token() != before
        except FcdError:  # what the tool has said is told
            return False

    def _access_token(self) -> str:
        """Return the token; it is in the environment of the tool, and in no file and on no command line."""
        if self._token is None:
            given: str | None = self._task.settings["access_token"]
            if given:
                GivenToken(given)  # raises for what cannot be one
            self._token = given or t.cast(str, IdentityAccount(self._task).token()["token"])
            self._task.redactor.add(self._token)
        return self._token


def _environment(cli: str | None, more: t.Mapping[str, str]) -> dict[str, str]:
    """Return the whole environment: nothing of this process that would change what the tool does."""
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    own = os.environ.get(CLI_FILE, "")
    cli = cli or (own if os.path.exists(own) else None)
    return {**passed, **OWN, **({CLI_FILE: cli} if cli else {}), **more}


def _authorities(task: Task) -> dict[str, str]:
    """Return what has the plugin trust the authorities that this task trusts."""
    path = task.settings["ca_path"]
    return {"SSL_CERT_FILE": path} if path else {}


def check_api_url(task: Task, url: str | None) -> None:
    """Raise InvalidInput when the plugin would take the token to what is no address, or in clear to another host."""
    if url:
        check_address(url, "api_url", allow_plain_http=task.settings["allow_plain_http"])


def has_own_settings() -> bool:
    """Whether the user has told the tool where it finds plugins."""
    files = [os.path.join(os.path.expanduser("~"), name) for name in CLI_FILES_AT_HOME]
    return any(map(os.path.exists, [os.environ.get(CLI_FILE, ""), *files]))


@contextlib.contextmanager
def state_backend(answer: t.Callable[[str, bytes], tuple[int, bytes]]) -> t.Iterator[dict[str, str]]:
    """Have the tool ask us for its state while the block runs; yields the variables that tell it so."""
    from .loopback_http import LoopbackServer

    with LoopbackServer(answer) as server:
        yield {
            **dict.fromkeys(("TF_HTTP_ADDRESS", "TF_HTTP_LOCK_ADDRESS", "TF_HTTP_UNLOCK_ADDRESS"), server.address),
            "TF_HTTP_USERNAME": server.user,
            "TF_HTTP_PASSWORD": server.password,
        }


def _found(given: str | None) -> str:
    if given is not None:
        wanted = os.path.expanduser(given)
        found = shutil.which(wanted) if os.path.isabs(wanted) or os.sep not in wanted else None
        if found is None:
            raise InvalidInput(
                f"executable: {given} is no executable file.",
                next_step="Give the whole path of tofu or terraform, or leave it out where one of them is in PATH.",
                option="executable",
            )
        return os.path.abspath(found)
    for name in EXECUTABLES:
        found = shutil.which(name)
        if found:
            return os.path.abspath(found)
    raise InvalidInput(
        f"No orchestration tool is found: there is no {' and no '.join(EXECUTABLES)} in PATH.",
        next_step="Install one of them, or set executable to its path.",
        option="executable",
    )

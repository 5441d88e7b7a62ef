# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service in this process, and acts done there; every result and error is searched for secrets."""

from __future__ import annotations

import json
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import (
    PASSWORD,
    Bench,
    sandbox_state,
)

OLD, NEW, WRONG = "canary-old-axolotl", "canary-new-narwhal", "canary-wrong-okapi"
TOKEN = "canary-token-quokka"
PESEL = "44051401359"
CANARIES = (PASSWORD, OLD, NEW, WRONG, TOKEN, PESEL)

SECOND = {"user_id": 2, "user_name": "second.user"}


class ActBench(Bench):
    """Does acts; user 2 has the password OLD, and the token TOKEN for another one."""

    def __init__(self, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, monkeypatch)
        self.set(2, OLD)
        self.state.reset_tokens[TOKEN] = 2
        self.state.users[2]["Pesel"] = PESEL

    def set(self, user: int, password: str) -> None:
        """Let a user have a password."""
        self.state.passwords[user] = sandbox_state.digest(password)

    def has(self, password: str, user: int = 2) -> bool:
        """Whether a user has this password."""
        return bool(self.state.passwords[user] == sandbox_state.digest(password))

    def refuse(self, operation: str, **fault: t.Any) -> None:
        """Let the service answer with a fault."""
        self.service.settings["faults"] = [{"operation": f"^{operation}$", "error_code": 9, "times": 0, **fault}]

    def act(self, operation: Operation, /, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        """Do an act and look for secrets in what is told."""
        try:
            result = self.run(operation, check_mode=check_mode, **params)
        except FcdError as problem:
            self.clean(problem.as_result())
            raise
        self.clean(result)
        return result

    def clean(self, told: t.Any) -> None:
        """Check that no secret is in what is told."""
        text = json.dumps([told, self.warnings], ensure_ascii=False)
        assert not [canary for canary in CANARIES if canary in text], text


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> ActBench:
    return ActBench(tmp_path, monkeypatch)

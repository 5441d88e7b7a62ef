# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service in this process, and users brought to their state there; every result is searched for secrets."""

from __future__ import annotations

import json
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract import client_user
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import PASSWORD, Bench

USER_PASSWORD = "canary-user-axolotl"
OTHER_PASSWORD = "canary-user-narwhal"
PESEL = "44051401359"
OTHER_PESEL = "44051401458"
CANARIES = (PASSWORD, USER_PASSWORD, OTHER_PASSWORD, PESEL, OTHER_PESEL)

LOGIN = {"user_name": "billing.reader"}
NEW = {
    **LOGIN,
    "user_password": USER_PASSWORD,
    "first_name": "Billing",
    "last_name": "Reader",
    "email": "billing.reader@example.com",
    "pesel": PESEL,
}


class UserBench(Bench):
    """Runs the operation client_user."""

    def __call__(self, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        """Bring a user to its state."""
        try:
            result = self.run(client_user.OPERATION, check_mode=check_mode, **params)
        except FcdError as problem:
            self.clean(problem.as_result())
            raise
        self.clean(result)
        return result

    def clean(self, told: t.Any) -> None:
        """Check that no secret is in what is told, nor in any file."""
        text = json.dumps([told, self.warnings], ensure_ascii=False) + "".join(self.notes(settled=True))
        assert not [canary for canary in CANARIES if canary in text], text

    @property
    def second(self) -> str:
        """The login of a user that is there from the start, number 2."""
        return str(self.state.users[2]["AdLogin"])

    def stored(self, login: str = "billing.reader") -> dict[str, t.Any]:
        """The only user of the service with this login."""
        (row,) = self.all_stored(login)
        return row

    def all_stored(self, login: str = "billing.reader") -> list[dict[str, t.Any]]:
        """All users of the service with this login."""
        return [row for row in self.state.users.values() if row["AdLogin"] == login]


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> UserBench:
    return UserBench(tmp_path, monkeypatch)

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account, with what the service tells of it and without."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.account import INFO, account_record

if t.TYPE_CHECKING:
    from .conftest import Account


@pytest.mark.parametrize("line", ["D1", "D2"])
def test_the_account_is_one_request(account: Account, line: str) -> None:
    account.settings(null_members=[], freemium_enabled=False, line=line)
    found = account.read(INFO)
    assert (found["changed"], account.sent()) == (False, ["GET /account"])
    own = found["account"]
    assert (own["id"], own["freemium_enabled"], own["company"]["name"]) == (7001, False, "Example Ltd")
    assert [(one["city"], one["country"]["label"]) for one in own["addresses"]] == [("Warsaw", "Poland")]
    assert (own["payment"]["method"], own["payment"]["vat_rate"]) == ({"id": 1, "label": "Bank transfer"}, 23.0)


def test_what_is_not_told_is_null() -> None:
    assert account_record({"Id": 1}) == {
        "id": 1,
        "freemium_enabled": None,
        "company": None,
        "addresses": [],
        "payment": None,
    }

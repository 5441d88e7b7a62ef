# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What readers hide: national ids unless they are asked for, passwords and tokens at all."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._contract import hidden_values
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

H = hidden_values.HIDDEN
ROW: dict[str, t.Any] = {
    "id": 7,
    "pesel": "90010112345",
    "Pesel": 90010112345,
    "has_pesel": True,
    "user": {"pesel": None, "owner_pesel": "90010112345", "phones": [{"verification_code": "123456"}]},
    "code": "CPU",
    "password": "canary",
    "is_password_expired": False,
    "access_token": "canary",
    "national_number": "90010112345",
    "names": ["pesel", 1, None],
}
SHOWN: dict[str, t.Any] = {
    **ROW,
    "user": {"pesel": None, "owner_pesel": "90010112345", "phones": [{"verification_code": H}]},
    "password": H,
    "access_token": H,
}


def test_secrets_are_hidden_on_every_level(bench: Bench) -> None:
    told = hidden_values.hide_personal(bench.task(), {"show_pesel": None}, [ROW])
    user = {**SHOWN["user"], "owner_pesel": H}
    assert told == [{**SHOWN, "pesel": H, "Pesel": H, "user": user}]


def test_national_ids_are_shown_to_who_asks(bench: Bench) -> None:
    assert hidden_values.hide_personal(bench.task(), {"show_pesel": True}, ROW) == SHOWN


def test_a_national_id_of_another_name_is_hidden_once_it_is_known(bench: Bench) -> None:
    bench.connection = {"soap_member_map": {"User.pesel": "NationalNumber", "User.email": "Mail"}}
    assert hidden_values.hide_personal(bench.task(), {}, ROW)["national_number"] == H
    assert hidden_values.hide_personal(bench.task(), {"show_pesel": True}, ROW)["national_number"] == "90010112345"


def test_plain_values_pass(bench: Bench) -> None:
    for value in (None, True, "pesel", 5, []):
        assert hidden_values.hide_personal(bench.task(), {}, value) == value

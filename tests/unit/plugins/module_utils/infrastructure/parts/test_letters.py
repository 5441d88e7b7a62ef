# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that the service refuses are told before anything is sent, in check mode too."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

NAME = r"one of the characters / \ | < > %, namely"
TEMPLATE: dict[str, t.Any] = {"version": "1", "descriptions": [{"language": "1", "description": "x/y"}]}
REFUSED: list[tuple[str, dict[str, t.Any], str]] = [
    ("disk", {"name": "a/b"}, f"name: 'a/b' contains {NAME} /."),
    ("private_network", {"name": " a/b"}, f"name: ' a/b' contains {NAME} /."),
    ("private_network", {"name": "a|b<c>"}, f"name: 'a|b<c>' contains {NAME} | < >."),
    ("snapshot", {"name": "50% done", "instance": "web"}, f"name: '50% done' contains {NAME} %."),
    (
        "snapshot",
        {"name": "x", "description": "see https://example.com/"},
        "description: 'see https://example.com/' contains the character /.",
    ),
    (
        "instance_to_template",
        {"name": "web", "template_name": "t/q", **TEMPLATE},
        "template_name: 't/q' contains the character /.",
    ),
    ("ip_address", {"comment": "x" * 51}, "comment: it has 51 characters; at most 50 are allowed."),
    (
        "ip_address",
        {"comment": "x", "reverse_dns": "a/b.example.com"},
        "reverse_dns: 'a/b.example.com' is not a host name",
    ),
    ("ip_address", {"comment": "x", "reverse_dns_v6": "ab"}, "reverse_dns_v6: 'ab' is not a host name"),
    ("ssh_key", {"name": "x" * 201}, "name: it has 201 characters; 1 to 200 are allowed."),
    ("disk", {"name": "x" * 301}, "name: it has 301 characters; 1 to 300 are allowed."),
    ("private_network", {"name": "x" * 501}, "name: it has 501 characters; 1 to 500 are allowed."),
    ("instance_import", {"name": "x" * 301}, "name: it has 301 characters; 1 to 300 are allowed."),
    ("instance_template", {"name": "x" * 301}, "name: it has 301 characters; 1 to 300 are allowed."),
    ("snapshot", {"name": "x" * 501}, "name: it has 501 characters; 1 to 500 are allowed."),
]


@pytest.mark.parametrize("check_mode", [False, True])
@pytest.mark.parametrize(("module", "params", "says"), REFUSED)
def test_nothing_is_sent(account: Account, module: str, params: dict[str, t.Any], says: str, check_mode: bool) -> None:
    said = account.fails(errors.InvalidInput, module, check_mode=check_mode, **params)
    assert said.startswith(says)
    assert account.sent() == []


def test_a_key_may_have_any_name(account: Account) -> None:
    assert (
        account.run("ssh_key", name="a/b|<c>%", public_key="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA x")["action"]
        == "create"
    )

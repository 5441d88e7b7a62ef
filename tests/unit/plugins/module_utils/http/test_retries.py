# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of what is sent again, and the pauses."""

from __future__ import annotations

import typing as t
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._http.retries import may_repeat, pause, retry_after_seconds

NOW = 1_700_000_000.0


def service(status: int) -> errors.ServiceError:
    return errors.ServiceError("x", status=status)


SENT_AGAIN: list[tuple[t.Any, ...]] = [
    (errors.Unreachable("x"), "read idempotent write login"),
    (errors.Unreachable("x", repeatable=False), ""),
    (errors.RateLimited("x", status=429), "read idempotent write login"),
    (errors.RateLimited("x", status=498), "read idempotent write login"),
    (errors.Unclear("x"), "read idempotent"),
    (errors.Unclear("x", repeatable=False), ""),
    (errors.DeadlinePassed("x"), ""),
    (errors.Unusable("x", status=200), "read idempotent"),
    (errors.Unusable("x", status=302, repeatable=False), ""),
    (service(500), "read idempotent"),
    (service(502), "read idempotent"),
    (service(503), "read idempotent"),
    (service(504), "read idempotent"),
    (service(408), "read idempotent"),
    (service(501), ""),
    (service(507), ""),
    (errors.Unauthorized("x", status=401), ""),
    (errors.Forbidden("x", status=403), ""),
    (errors.NotFound("x", status=404), ""),
    (errors.Conflict("x", status=409), ""),
    (errors.Rejected("x", status=400), ""),
    (errors.Rejected("x", status=500), ""),
    (errors.InvalidInput("x"), ""),
]


def test_what_is_sent_again(subtests: pytest.Subtests) -> None:
    for error, kinds in SENT_AGAIN:
        with subtests.test(error=error, kinds=kinds):
            allowed = [kind for kind in ("read", "idempotent", "write", "login") if may_repeat(kind, error)]
            assert allowed == kinds.split()


def test_pauses_grow_and_are_drawn_by_lot(subtests: pytest.Subtests) -> None:
    for number, most in ((1, 1.0), (2, 2.0), (3, 4.0), (5, 16.0), (6, 20.0), (90, 20.0)):
        with subtests.test(number=number, most=most):
            assert pause(number, None, lambda: 1.0) == most
            assert pause(number, None, lambda: 0.0) == 0.0
            assert 0.0 <= pause(number, None) <= most


def test_a_wish_of_the_service_counts(subtests: pytest.Subtests) -> None:
    for asked, seconds in ((0.0, 0.0), (3.0, 3.0), (60.0, 60.0), (3600.0, 60.0)):
        with subtests.test(asked=asked, seconds=seconds):
            assert pause(1, asked, lambda: 0.5) == seconds


WISHED: list[tuple[t.Any, ...]] = [
    (None, None),
    ("", None),
    ("3", 3.0),
    (" 120 ", 120.0),
    ("0", 0.0),
    ("9" * 18, 1e6),
    ("9" * 40, None),
    ("3, 3", 3.0),  # the header came twice
    ("3, 4", None),
    (formatdate(NOW + 30, usegmt=True), 30.0),
    (formatdate(NOW - 30, usegmt=True), 0.0),
    ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
    ("soon", None),
    ("-5", None),
    ("1.5", None),
    ("٣", None),
    ("nan", None),
]


def test_both_forms_of_the_wish(subtests: pytest.Subtests) -> None:
    for value, seconds in WISHED:
        with subtests.test(value=value, seconds=seconds):
            assert retry_after_seconds({} if value is None else {"retry-after": value}, NOW) == seconds


@given(st.text(max_size=40))
def test_any_text_is_survived(text: str) -> None:
    seconds: t.Any = retry_after_seconds({"retry-after": text}, NOW)
    assert seconds is None or seconds >= 0

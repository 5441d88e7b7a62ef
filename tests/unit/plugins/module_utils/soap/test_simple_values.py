# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables for the values of elements."""

from __future__ import annotations

import datetime as dt
import decimal
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import from_text, kind, to_text
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Malformed


class Text(str):  # noqa: SLOT000 - like the real one
    """What ansible-core makes of a text: a subclass."""


class Number(int):
    """The same for a whole number."""


UTC = dt.timezone.utc
WORDS = ["Active", "WaitingForVerification"]


SENT: list[tuple[t.Any, ...]] = [
    ("int", 5, "5"),
    ("int", "5", "5"),
    ("int", " +07 ", "7"),
    ("int", Text("5"), "5"),
    ("int", Number(5), "5"),
    ("int", -(2**31), "-2147483648"),
    ("unsignedByte", 255, "255"),
    ("long", 2**63 - 1, "9223372036854775807"),
    ("integer", 10**60, "1" + "0" * 60),
    ("positiveInteger", 1, "1"),
    ("boolean", True, "true"),
    ("boolean", "no", "false"),
    ("boolean", "False", "false"),
    ("boolean", Text("Yes"), "true"),
    ("boolean", 0, "false"),
    ("decimal", "1.50", "1.50"),
    ("decimal", 0.1, "0.1"),
    ("decimal", decimal.Decimal("1E+3"), "1000"),
    ("decimal", 7, "7"),
    ("double", 1e300, "1E+300"),
    ("double", "-inf", "-INF"),
    ("double", float("inf"), "INF"),
    ("float", "nan", "NaN"),
    ("dateTime", "2026-05-06", "2026-05-06T00:00:00"),
    ("dateTime", "2026-05-06 07:08:09", "2026-05-06T07:08:09"),
    ("dateTime", "2026-05-06T07:08:09.1234567+02:00", "2026-05-06T07:08:09.1234567+02:00"),
    ("dateTime", dt.datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC), "2026-05-06T07:08:09+00:00"),
    ("dateTime", dt.date(2026, 5, 6), "2026-05-06T00:00:00"),
    ("dateTime", "2028-02-29T24:00:00Z", "2028-02-29T24:00:00Z"),
    ("dateTime", "-0044-03-15T12:00:00", "-0044-03-15T12:00:00"),
    ("dateTime", "12026-03-15T12:00:00", "12026-03-15T12:00:00"),
    ("base64Binary", b"\x00\xff", "AP8="),
    ("base64Binary", "AP8=\n", "AP8="),
    ("string", "a\tb\nc", "a\tb\nc"),
    ("string", 12, "12"),
    ("string", True, "true"),
    ("string", False, "false"),
    ("string", "", ""),
    ("date", dt.date(2026, 5, 6), "2026-05-06"),
    ("list", ["Read", "Write"], "Read Write"),
    ("list", "Read Write", "Read Write"),
]


def test_values_are_written_as_text() -> None:
    for name, value, text in SENT:
        assert to_text({"simple": name}, value, "X.y") == text


REFUSED: list[tuple[t.Any, ...]] = [
    ("int", "abc", "X.y: must be a whole number (int), not 'abc'."),
    ("int", "", "X.y: must be a whole number (int), not ''."),
    ("int", 1.5, "X.y: must be a whole number (int), not 1.5."),
    ("int", 5.0, "X.y: must be a whole number (int), not 5.0."),
    ("int", True, "X.y: must be a whole number (int), not True."),
    ("int", 2**40, "X.y: must be at least -2147483648 and at most 2147483647 (int), not 1099511627776."),
    ("unsignedByte", -1, "X.y: must be at least 0 and at most 255 (unsignedByte), not -1."),
    ("negativeInteger", 0, "X.y: must be at most -1 (negativeInteger), not 0."),
    ("int", "9" * 500, "X.y: must be a number with at most 400 digits."),
    ("int", [5], "X.y: must be a whole number (int), not a list."),
    ("int", {"a": 1}, "X.y: must be a whole number (int), not a dictionary."),
    ("boolean", "maybe", "X.y: must be a boolean (yes or no), not 'maybe'."),
    ("boolean", 2, "X.y: must be a boolean (yes or no), not 2."),
    ("boolean", "x" * 99, f"X.y: must be a boolean (yes or no), not '{'x' * 55} ...."),
    ("decimal", "1,5", "X.y: must be a number (decimal) such as 12.50, not '1,5'."),
    ("decimal", True, "X.y: must be a number (decimal) such as 12.50, not True."),
    ("decimal", "inf", "X.y: must be a number (decimal) such as 12.50, not 'inf'."),
    ("decimal", "1e999999999", "X.y: must be a number with at most 400 digits."),
    ("dateTime", "tomorrow", "X.y: must be a date and time such as 2026-05-06T07:08:09Z, not 'tomorrow'."),
    ("dateTime", "2026-02-29", "X.y: must be a date and time such as 2026-05-06T07:08:09Z, not '2026-02-29'."),
    (
        "dateTime",
        "2026-05-06T25:00:00",
        "X.y: must be a date and time such as 2026-05-06T07:08:09Z, not '2026-05-06T25:00:00'.",
    ),
    ("base64Binary", "secret?", "X.y: must be base64 text."),
    ("base64Binary", "zażółć", "X.y: must be base64 text."),
    ("string", "secret\x00", "X.y: contains the character '\\x00', which is not allowed in XML."),
    ("string", {"secret": 1}, "X.y: must be a string, not a dictionary."),
    ("string", ["secret"], "X.y: must be a string, not a list."),
    ("list", {"secret"}, "X.y: must be a list of words, not a list."),
]


def test_impossible_values_are_refused() -> None:
    for name, value, message in REFUSED:
        with pytest.raises(InvalidInput) as caught:
            to_text({"simple": name}, value, "X.y")
        assert caught.value.message == message
        assert caught.value.details["path"] == "X.y"
        assert "secret" not in str(caught.value)


SPELLINGS: list[t.Any] = ["WaitingForVerification", "waiting_for_verification", "WAITING-FOR-VERIFICATION"]


def test_a_word_of_an_enumeration_counts_in_any_spelling() -> None:
    for spelling in SPELLINGS:
        assert to_text({"simple": "string", "enum": WORDS}, spelling, "X.y") == "WaitingForVerification"


def test_another_word_is_answered_with_the_allowed_ones() -> None:
    with pytest.raises(InvalidInput) as caught:
        to_text({"simple": "string", "enum": WORDS}, "Asleep", "X.y")
    assert caught.value.message == "X.y: must be one of Active, WaitingForVerification, not 'Asleep'."


RECEIVED: list[tuple[t.Any, ...]] = [
    ("int", " 5 ", 5),
    ("unsignedLong", "18446744073709551615", 2**64 - 1),
    ("boolean", "1", True),
    ("boolean", "false", False),
    ("double", "1.5", 1.5),
    ("double", "INF", "INF"),
    ("float", "NaN", "NaN"),
    ("decimal", "1.50", "1.50"),
    ("dateTime", "2026-05-06T07:08:09.1234567", "2026-05-06T07:08:09.1234567"),
    ("string", " a ", " a "),
    ("list", "Read  Write", ["Read", "Write"]),
    ("guid", " x ", "x"),
]


def test_text_is_read_as_values() -> None:
    for name, text, value in RECEIVED:
        found = from_text(name, text, "X.y")
        assert found == value
        assert type(found) is type(value)


ANOTHER_TYPE = [
    *(("int", text) for text in ("secret", "", "1_000", "٣")),
    ("boolean", "yes"),
    ("double", "seven"),
]


def test_an_answer_of_another_type_is_malformed_and_not_shown() -> None:
    for name, text in ANOTHER_TYPE:
        with pytest.raises(Malformed) as caught:
            from_text(name, text, "X.y")
        assert str(caught.value).startswith("X.y contains text that is not ")
        assert not text or text not in str(caught.value)


KINDS: list[tuple[t.Any, str]] = [
    (None, "null"),
    (True, "a boolean"),
    (1, "a number"),
    ((1,), "a list"),
    (b"", "bytes"),
]


def test_kinds_in_words() -> None:
    for value, word in KINDS:
        assert kind(value) == word

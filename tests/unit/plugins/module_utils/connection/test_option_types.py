# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times and sizes with units, as they are read and as they are refused."""

from __future__ import annotations

import copy
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import (
    BYTES,
    GIGABYTES,
    SECONDS,
    WHOLE_SECONDS,
    Word,
    read_option,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput


class State(Word):
    synonyms: t.Mapping[str, str] = {"running": "started"}


STATE = State("str")


VALUES: list[tuple[t.Any, ...]] = [
    (SECONDS, 90, 90.0),
    (SECONDS, "90", 90.0),
    (SECONDS, " 1.5 ", 1.5),
    (SECONDS, "90s", 90.0),
    (SECONDS, "10m", 600.0),
    (SECONDS, "10 MIN", 600.0),
    (SECONDS, "1.5h", 5400.0),
    (SECONDS, "2d", 172800.0),
    (SECONDS, "1w", 604800.0),
    (WHOLE_SECONDS, "3600.0", 3600),
    (GIGABYTES, 20, 20),
    (GIGABYTES, "20GiB", 20),
    (GIGABYTES, "20 gb", 20),
    (GIGABYTES, "20480M", 20),
    (GIGABYTES, "1T", 1024),
    (BYTES, "4096", 4096),
    (BYTES, "512K", 524288),
    (BYTES, "10MiB", 10485760),
    (BYTES, "1.5G", 1610612736),
    (BYTES, "7B", 7),
    (BYTES, "9007199254740993", 2**53 + 1),
    (BYTES, " 1.5 kb ", 1536),
    (BYTES, 4096.0, 4096),
    (STATE, "running", "started"),
    (STATE, "stopped", "stopped"),
]


def test_values(subtests: pytest.Subtests) -> None:
    for kind, given, meant in VALUES:
        with subtests.test(kind=kind, given=given):
            found = kind.read("it", given)
            assert found == meant
            assert isinstance(found, type(meant))
            assert kind.read("it", found) == meant  # what was read stays as it is
            assert kind == "str" and copy.deepcopy(kind).read("it", given) == meant  # as Ansible copies specifications


REFUSED: list[tuple[t.Any, ...]] = [
    (
        SECONDS,
        "soon",
        "it: 'soon' is not a duration. Write seconds, or a number with s, m, h, d or w, such as 10m.",
    ),
    (
        SECONDS,
        "5 parsecs",
        "it: '5 parsecs' is not a duration. Write seconds, or a number with s, m, h, d or w, such as 10m.",
    ),
    (SECONDS, True, "it: True is not a duration. Write seconds, or a number with s, m, h, d or w, such as 10m."),
    (SECONDS, "-1m", "it: a duration must be 0 seconds or more, not -60."),
    (SECONDS, "nan", "it: a duration must be 0 seconds or more, not nan."),
    (WHOLE_SECONDS, "0.5s", "it: '0.5s' is not a whole number of seconds."),
    (GIGABYTES, "512M", "it: '512M' is not a whole number of GB."),
    (
        GIGABYTES,
        -20,
        "it: -20 is not a size. Write a number of GB, or a number with K, M, G or T, such as 10GiB.",
    ),
    (
        GIGABYTES,
        "9 potatoes",
        "it: '9 potatoes' is not a size. Write a number of GB, or a number with K, M, G or T, such as 10GiB.",
    ),
    (
        BYTES,
        "inf",
        "it: 'inf' is not a size. Write a number of bytes, or a number with K, M, G or T, such as 10GiB.",
    ),
    (
        BYTES,
        "10m10",
        "it: '10m10' is not a size. Write a number of bytes, or a number with K, M, G or T, such as 10GiB.",
    ),
    *(
        (
            BYTES,
            odd,
            f"it: {odd!r} is not a size. Write a number of bytes, or a number with K, M, G or T, such as 10GiB.",
        )
        for odd in ("-1", "-1.5G", "\u0661\u0660", "\u0661\u0660G", "1_000", "10Gb", "10Gib", True)
    ),
    *(
        (
            SECONDS,
            odd,
            f"it: {odd!r} is not a duration. Write seconds, or a number with s, m, h, d or w, such as 10m.",
        )
        for odd in ("\u0661\u0660", "\u0661\u0660m", "1_000")
    ),
]


def test_values_of_the_wrong_type_are_refused(subtests: pytest.Subtests) -> None:
    for kind, given, says in REFUSED:
        with subtests.test(kind=kind, given=given):
            with pytest.raises(InvalidInput) as told:
                kind.read("it", given)
            assert str(told.value) == says


def test_options_in_options() -> None:
    spec = {"type": "list", "elements": "dict", "options": {"ttl": {"type": SECONDS}, "name": {"type": "str"}}}
    given = [{"ttl": "10m", "name": "10m", "more": 1}, {"ttl": None}]
    assert read_option(spec, "rules", given) == [{"ttl": 600.0, "name": "10m", "more": 1}, {"ttl": None}]

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs, option by option, and as lines with signs."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.differences import diff_lines, differences
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import ReportedChange

Options = t.Dict[str, t.Any]


def changed(before: Options, after: Options) -> ReportedChange:
    return ReportedChange("instances", "web", "update", before, after, "", "")


def test_differences() -> None:
    for before, after, told in [
        ({}, {}, []),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, [("b", "2", "3")]),
        ({"a": 1}, {"b": "x"}, [("b", None, "x"), ("a", "1", None)]),
        ({"a": None}, {"a": ""}, [("a", "null", "")]),
        ({"a": True}, {"a": 1}, [("a", "true", "1")]),
        ({"a": 1}, {"a": 1.0}, [("a", "1", "1.0")]),
        ({"a": "1"}, {"a": 1}, [("a", '"1"', "1")]),
        ({"a": [True]}, {"a": [1]}, [("a", "[true]", "[1]")]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 1}}, []),
        ({"a": [1]}, {"a": [1, "ł"]}, [("a", "[1]", '[1, "ł"]')]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [("a.c", "2", "3")]),
        ({"a": {"b": 1}}, {"a": {}}, [("a.b", "1", None)]),
        ({"a": {"b": 1}}, {"a": 5}, [("a", '{"b": 1}', "5")]),
        (
            {"a": {"b": {"c": {"d": {"e": 1}}}}},
            {"a": {"b": {"c": {"d": {"e": 2}}}}},
            [("a.b.c.d", '{"e": 1}', '{"e": 2}')],
        ),
    ]:
        assert [(one.option, one.before, one.after) for one in differences(changed(before, after))] == told


def test_long_values_take_several_lines() -> None:
    (one,) = differences(changed({}, {"a": ["x" * 40, "y" * 40]}))
    assert one.after is not None
    assert one.after.count("\n") == 3


def test_each_line_has_a_sign() -> None:
    change = changed({"a": "one\ntwo"}, {"a": "three", "b\n+ c": "\u202ed"})
    assert diff_lines(change, 100) == ["- a: one", "-   two", "+ a: three", r"+ b\n+ c: \u202ed"]


def test_what_forces_a_replacement_comes_first_and_what_is_computed_last() -> None:
    later = "(known after apply)"
    before, after = {"id": 1, "size": 2, "template": {"id": 3}}, {"id": later, "size": 4, "template": {"id": 5}}
    found = differences(changed(before, after)._replace(forced_by=("template",)))
    assert [one.option for one in found] == ["template.id", "size", "id"]


def test_what_forces_a_replacement_is_marked() -> None:
    change = changed({"a": {"b": 1}, "c": 1}, {"a": {"b": 2}, "c": 2})._replace(forced_by=("a",))
    assert [(one.option, one.forces) for one in differences(change)] == [("a.b", True), ("c", False)]
    assert diff_lines(change, 100) == ["- a.b: 1", "+ a.b: 2  (forces replacement)", "- c: 1", "+ c: 2"]


def test_values_are_bounded() -> None:
    assert diff_lines(changed({}, {"a": "x" * 500}), 3) == ["+ a: xxx… (500 characters)"]

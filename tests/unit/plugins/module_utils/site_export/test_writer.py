# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML as text: whatever is in it, a reader of YAML finds what was written, and nothing is taken for a template."""

from __future__ import annotations

import typing as t

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._site_export.site_text import (
    yaml_comment,
    yaml_document,
    yaml_quoted,
    yaml_scalar,
)


class Loader(yaml.SafeLoader):
    """Knows the tag of texts that are not evaluated."""


Loader.add_constructor("!unsafe", lambda loader, node: str(loader.construct_scalar(node)))

LETTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(LETTERS, max_size=30) | st.text(" \n#:-{}'\"ax|>\t&*!%", max_size=20)
LEAVES = TEXTS | st.integers() | st.booleans() | st.none()
VALUES = st.recursive(LEAVES, lambda inside: st.lists(inside, max_size=4) | st.dictionaries(TEXTS, inside, max_size=4))


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
@example({"a": "x\n y\n"})
@example({"a": ["x\ny", {"b": "  x\ny"}, [["{{ x }}\ny"]]]})
@example({"a": {}, "b": [], "c": [{}], "d": [[]]})
@example({"=": "=", "<<": "<<", "yes": "no", "1e3": "0x1F", "~": "null", "12:30:45": "2026-11-21"})
def test_what_is_written_is_read(value: dict[str, t.Any]) -> None:
    assert (yaml.load(yaml_document(value), Loader) or {}) == value


@given(TEXTS)
def test_a_comment_stays_one(text: str) -> None:
    assert yaml.load(yaml_comment(f"{text}") + yaml_comment(f"- of {yaml_quoted(text)}") + "a: 1\n", Loader) == {"a": 1}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("web-1", "web-1"),
        ("CentOS 7", "CentOS 7"),
        ("Golden image (2025-01)", "Golden image (2025-01)"),
        ("somebody@example.com", "somebody@example.com"),
        ("yes", '"yes"'),
        ("No", '"No"'),
        ("NULL", '"NULL"'),
        ("1e3", '"1e3"'),
        ("0x1F", '"0x1F"'),
        ("~", '"~"'),
        ("", '""'),
        (" x", '" x"'),
        ("x ", '"x "'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ("- a", '"- a"'),
        ("{{ x }}", '!unsafe "{{ x }}"'),
        ("a {% b", '!unsafe "a {% b"'),
        ("{# x", '!unsafe "{# x"'),
        ("#jinja2: x", '!unsafe "#jinja2: x"'),
        ("f('x')", """!unsafe "f('x')\""""),
        ("'x' | f", """!unsafe "'x' | f\""""),
        ("{ x }", '"{ x }"'),
        ("x\u2028y\x85\x00\ufeff", '"x\\u2028y\\u0085\\u0000\\ufeff"'),
        ("żółw 🐢", '"żółw 🐢"'),
        ("rtl\u202egnp.exe", r'"rtl\u202egnp.exe"'),
        ("zero\u200bwidth \U000e0041", r'"zero\u200bwidth \U000e0041"'),
        (12, "12"),
        (True, "true"),
        (None, "null"),
    ],
)
def test_a_value_in_one_line(value: t.Any, text: str) -> None:
    assert yaml_scalar(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\nb\n", "a: |\n  a\n  b\n"),
        ("a\n\n  b", "a: |-\n  a\n\n    b\n"),
        ("{{ a }}\nb\n", "a: !unsafe |\n  {{ a }}\n  b\n"),
        (" a\nb", 'a: " a\\nb"\n'),
        ("a \nb", 'a: "a \\nb"\n'),
        ("a\nb\n\n", 'a: "a\\nb\\n\\n"\n'),
        ("a\tb\nc", 'a: "a\\tb\\nc"\n'),
        ("\na\nb", 'a: "\\na\\nb"\n'),
        ("a\u2066\nb", 'a: "a\\u2066\\nb"\n'),
        ("a\n", 'a: "a\\n"\n'),
    ],
)
def test_a_text_of_several_lines(value: str, text: str) -> None:
    assert yaml_document({"a": value}) == text


def test_lists_and_mappings() -> None:
    site = {"site": "shop", "instances": [{"name": "web", "networks": ["a", "b"], "x": {"ref": "c.d"}}]}
    assert yaml_document(site) == (
        "site: shop\n\ninstances:\n  - name: web\n    networks:\n      - a\n      - b\n    x:\n      ref: c.d\n"
    )

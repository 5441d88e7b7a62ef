# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of strangers in one line: everything in it can be seen, and goes into UTF-8 and XML."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from lxml import etree

from ansible_collections.fcd.cloud.plugins.module_utils._core.text import (
    bounded,
    visible,
    visible_lines,
    visible_text,
    visible_value,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.templates import environment
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.wording import position

ANY = st.text(st.characters(exclude_categories=()))


def test_what_cannot_be_seen_is_escaped() -> None:
    for text, shown in [
        ("web-1", "web-1"),
        ("Łódź شبكة 網路 🚀", "Łódź شبكة 網路 🚀"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\u202ea\u200bb\ufeff\u2028", r"\u202ea\u200bb\ufeff\u2028"),
        ("\x00\x1b[1m\x7f", r"\x00\x1b[1m\x7f"),
        ("\ud800 \uffff", r"\ud800 \uffff"),
        ("a\xa0b", r"a\xa0b"),
        ("a ##[group]b ##vso[x]c # ## d", r"a \x23#[group]b \x23#vso[x]c # ## d"),
    ]:
        assert visible(text) == shown


COMMAND = re.compile(r"\s*::|.*##(vso)?\[", re.IGNORECASE)
"""What pipelines take for a command: the first at the beginning of a line, the second anywhere in it."""


@given(
    ANY | st.text(" \n\t#:[x", max_size=20) | st.lists(st.sampled_from(["##vso[", "##[", "#", "\n", " x"])).map("".join)
)
def test_a_text_of_several_lines_holds_no_command(text: str) -> None:
    lines = visible_text(text).split("\n")
    assert len(lines) == text.count("\n") + 1
    assert all(map(str.isprintable, lines))
    assert not any(map(COMMAND.match, lines))
    assert visible_text(visible_text(text)) == visible_text(text)


def test_text_is_visible_at_any_depth() -> None:
    assert visible_value({"a\n": ["b\x1b", ("c", 1, None, True)]}) == {r"a\n": [r"b\x1b", ["c", 1, None, True]]}


@given(ANY)
def test_what_is_visible_goes_everywhere(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert visible(shown) == shown
    element = etree.Element("a", b=shown)  # lxml refuses what is illegal in XML
    assert etree.fromstring(etree.tostring(element)).get("b") == shown


@given(ANY)
def test_lines_stay_lines(text: str) -> None:
    lines = visible_lines(text)
    assert len(lines) == text.count("\n") + 1
    assert all(line.isprintable() for line in lines)


def test_long_text_says_how_long_it_is() -> None:
    assert bounded("x" * 10, 10) == "x" * 10
    assert bounded("x" * 12345, 3) == "xxx… (12,345 characters)"


@given(ANY, ANY)
def test_templates_keep_text_as_text(content: str, attribute: str) -> None:
    """Whatever is given, the element that comes out has it as its text and its attribute."""
    template = environment({"visible": visible}).from_string(
        '<p title="{{ title | visible }}">{{ text | visible }}</p>'
    )
    element = etree.fromstring(template.render(text=content, title=attribute), etree.HTMLParser()).find(".//p")
    assert element is not None
    assert (element.text or "") == visible(content)
    assert element.get("title") == visible(attribute)
    assert len(element) == 0


def test_templates_escape_once_and_know_their_values() -> None:
    template = environment({}).from_string("{% macro bold(text) %}<b>{{ text }}</b>{% endmacro %}{{ bold(given) }}")
    assert template.render(given="<&>") == "<b>&lt;&amp;&gt;</b>"
    with pytest.raises(UndefinedError):
        template.render()


def test_positions() -> None:
    for source, file, line in [
        ("site.yml:12", "site.yml", 12),
        ("site.yml:12:3", "site.yml", 12),
        ("C:/site.yml:7", "C:/site.yml", 7),
        ("site.yml", "site.yml", 1),
        ("a:b", "a:b", 1),
        ("two\nlines:3", "two\nlines", 3),
        ("site.yml:0", "site.yml:0", 1),
        (":5", ":5", 1),
    ]:
        assert position(source) == (file, line)


def test_no_position() -> None:
    assert position("") is None

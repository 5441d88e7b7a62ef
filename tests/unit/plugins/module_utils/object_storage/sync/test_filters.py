# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Patterns for names."""

from __future__ import annotations

import fnmatch
import re
import typing as t

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import tree_merge
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.tree_merge import Filter, compile_patterns

NAMES = st.lists(st.text("ab.-é\n", min_size=1, max_size=4), min_size=1, max_size=4).map("/".join)
GLOBS = st.text("ab.*?[]!-/\\^&~|(){}$+é\n", min_size=1, max_size=8).filter(lambda text: text.strip("/"))


FITTING: list[tuple[t.Any, ...]] = [
    ("*.html", ["a.html", "b/c.html", ".html", "d.html/e"], ["a.htm", "html", "a.htmlx"]),
    ("/*.html", ["a.html"], ["b/c.html"]),
    ("docs/*.md", ["docs/a.md", "docs/a.md/b"], ["docs/b/a.md", "x/docs/a.md", "docs/a.mdx"]),
    ("docs/**/*.md", ["docs/a.md", "docs/b/c/a.md"], ["docs.md", "a.md"]),
    ("**/a", ["a", "b/a", "b/c/a"], ["ba", "b/ca"]),
    ("a/**", ["a/b", "a/b/c"], ["a", "b/a/c"]),
    ("**", ["a", "a/b", "\n"], []),
    (".git", [".git", ".git/config", "sub/.git/config"], ["x.git", ".gitignore"]),
    ("build/", ["build/a", "x/build/a"], ["build"]),
    ("/build/", ["build/a"], ["build", "x/build/a"]),
    ("a?c", ["abc", "a.c"], ["ac", "a/c"]),
    ("[a-c].x", ["a.x"], ["d.x"]),
    ("[!a-c].x", ["d.x"], ["a.x", "/.x"]),
    ("[]].x", ["].x"], ["a.x"]),
    ("[!]].x", ["a.x"], ["].x"]),
    ("a[", ["a["], ["a"]),
    ("[z-a]", [], ["a", "z", "-"]),
    ("[a\\]", ["a", "\\"], ["b"]),
    ("a.b+(c)$", ["a.b+(c)$"], ["axb+(c)$"]),
    ("line\nbreak", ["line\nbreak"], ["line"]),
]


def test_patterns_match_names() -> None:
    for glob, fits, fits_not in FITTING:
        pattern = compile_patterns([glob], "include")
        assert [name for name in fits if not pattern.fullmatch(name)] == []
        assert [name for name in fits_not if pattern.fullmatch(name)] == []


@given(st.text("ab/*", min_size=1, max_size=10).filter(lambda text: text.strip("/")), NAMES)
@example("**a*b", "a/ab")
@example("**/a*/**/b", "ab/a/c/b")
def test_a_star_takes_whatever_makes_the_rest_fit(glob: str, name: str) -> None:
    """The same pattern, whose stars give back what they took."""
    start = "" if "/" in glob.rstrip("/") else "(?:.*/)?"
    body = "".join(map(tree_merge._piece, tree_merge._TOKEN.findall(glob.strip("/"))))
    plain = f"{start}{body}{'/.+' if glob.endswith('/') else '(?:/.*)?'}"
    fits = re.fullmatch(plain, name, re.DOTALL) is not None
    assert (compile_patterns([glob], "include").fullmatch(name) is not None) is fits


def test_no_name_keeps_a_pattern_from_ending() -> None:
    """Each star would multiply the time by the length of the name."""
    for glob, name in (
        ("*a" * 9 + "*b", "a" * 4096),
        ("**/a" * 9 + "/b", "a/" * 2048),
        ("**a" * 9 + "**b", "a" * 4096),
    ):
        assert compile_patterns([glob], "include").fullmatch(name) is None


@pytest.mark.parametrize("glob", ["", "/", "//"])
def test_no_pattern(glob: str) -> None:
    with pytest.raises(InvalidInput, match="is not a pattern"):
        compile_patterns([glob], "include")


@given(GLOBS, NAMES)
def test_a_folder_that_is_not_entered_has_nothing_that_is_taken(glob: str, name: str) -> None:
    desired = Filter(exclude=[glob])
    folders = name.split("/")[:-1]
    closed = any(not desired.enters("/".join(folders[: number + 1])) for number in range(len(folders)))
    assert not (closed and desired.selects(name))


@given(GLOBS, NAMES)
def test_include_and_exclude_are_opposites(glob: str, name: str) -> None:
    assert Filter(include=[glob]).selects(name) is not Filter(exclude=[glob]).selects(name)


@given(st.text("ab.*?", min_size=1, max_size=6), st.text("ab.", min_size=1, max_size=6))
def test_a_name_without_folders_fits_as_in_a_shell(glob: str, name: str) -> None:
    assert Filter(include=[glob]).selects(name) is fnmatch.fnmatchcase(name, glob)

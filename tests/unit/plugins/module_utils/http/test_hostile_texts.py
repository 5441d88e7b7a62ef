# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever long text the service may send costs each function that looks at it about as much as any other.

What takes quadratic time would need minutes for one of these texts. The limit is processor time, and only there so that
such a test ends.
"""

from __future__ import annotations

import contextlib
import json
import signal
import types
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core.text import (
    Redactor,
    did_you_mean,
    fold,
    names_a_secret,
    nearest,
    plain,
    snake,
    visible,
)
from ansible_collections.fcd.cloud.plugins.module_utils._http.http_errors import (
    MAX_READ,
    MAX_SECRET,
    error_id,
    own_words,
    refusal,
)
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request, Response
from ansible_collections.fcd.cloud.plugins.module_utils._http.retries import retry_after_seconds

SIZE = 1 << 18
LIMIT = 30.0  # seconds
TEXTS = {
    text[:8]: (text * SIZE)[:SIZE]
    for text in ("<", "(", "A", "a\u0301\u0316", "<script", "<a", "&lt", "_x003C_", "\x1b", "://:")
} | {"backing field": f"<{'A' * SIZE}>k__Backing"}
HIDE = Redactor(["A" * 64 + "b", "<script" * 9 + "b"]).text
REQUEST = Request("Read it", "POST", "https://api.example.com/", "write")
LOOKS: dict[str, t.Callable[[str], object]] = {
    "words of a page": lambda text: own_words(text.encode(), HIDE),
    "words in JSON": lambda text: own_words(json.dumps({"Message": text}).encode(), HIDE),
    "an error": lambda text: refusal(REQUEST, Response(400, {"retry-after": text[:65536]}, text.encode()), HIDE),
    "ID of an error": lambda text: error_id(text.encode()),
    "a wish": lambda text: retry_after_seconds({"retry-after": text}, 0.0),
    "snake": snake,
    "fold": fold,
    "plain": plain,
    "a secret's name": names_a_secret,
    "a suggestion": lambda text: did_you_mean("standard-2", [text, "standard-1"]),
    "a suggestion for it": lambda text: did_you_mean(text, ["standard-1", "A" * 200]),
    "visible": visible,
    "secrets": HIDE,
}


@contextlib.contextmanager
def processor_time(seconds: float) -> t.Iterator[None]:
    """End the block after so much time of the processor: regular expressions look for signals now and then."""

    def stop(_number: int, _frame: types.FrameType | None) -> None:
        raise AssertionError(f"this took more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("look", LOOKS)
def test_no_text_keeps_a_look_from_ending(look: str, subtests: pytest.Subtests) -> None:
    for name, text in TEXTS.items():
        with subtests.test(text=name), processor_time(LIMIT):
            LOOKS[look](text)


def test_many_long_names_are_compared_for_a_while_only() -> None:
    labels = [(f"s{number:06}" + "standard-" * 40)[:256] for number in range(10_000)]
    with processor_time(LIMIT):
        assert nearest("standard-small" * 10, [*labels, "standard-small" * 11]) == ["standard-small" * 11, *labels[:2]]


def test_very_long_names_are_not_suggested() -> None:
    assert nearest("standard", ["standard" + "-" * 300, "standards"]) == ["standards"]
    assert did_you_mean("zzz", ["b" * 300]) == f"Known: {'b' * 253}...."


def test_no_half_of_a_secret_is_left_where_a_page_is_cut() -> None:
    secret = "canary-" * 300
    hide = Redactor([secret]).text
    for before in range(MAX_READ - len(secret), MAX_READ, 500):
        for letter in "aż\U0001f600":
            tags = f"<{letter}>"
            page = tags * (before // 3) + "<" * (before % 3) + secret + tags * 999
            assert "canary" not in (own_words(page.encode(), hide) or "")
    # so many that hiding them leaves nothing but the end
    assert "canary" not in (own_words((secret * 999).encode(), hide) or "")
    assert len(secret) < MAX_SECRET


@given(st.lists(st.sampled_from(["<", ">", "/", "script", "HEAD", "style", " ", "a", "&lt;", "ż", '"']), max_size=40))
def test_what_is_in_hidden_parts_is_never_shown(parts: list[str]) -> None:
    page = f"{''.join(parts)}<script>var canary;</script>after"
    words = own_words(page.encode(), lambda text: text) or ""
    assert "canary" not in words or "<script>" not in page.replace("<<", "<")

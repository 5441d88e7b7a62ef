# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines on the screen, which never make a run hang or fail: where the output is closed or full, they are left out.

A task worker hands its lines to a thread of ansible-playbook that also collects the results. An error while that thread
writes a line would end it, and the run would wait for results for ever. So it calls a function of this file instead.
"""

from __future__ import annotations

import contextlib
import sys
import typing as t

from ansible.utils.display import Display

EVENT_BYTES = 1000  # by default, AWX shows the first 1024 bytes of an event (EVENT_STDOUT_MAX_BYTES_DISPLAY)
COLOUR_BYTES = 12  # of a line, with its end

display = Display()
WRITE_LINE = "_fcd_cloud_write"
"""What the display of ansible-playbook knows that function by; a worker can call its display by names only."""


def show(line: str, colour: str | None = None) -> None:
    """Show a line."""
    _hand_over("display", line, color=colour)


def show_lines(lines: t.Iterable[tuple[str, str | None]]) -> None:
    """Show lines with their colours, in few messages: where a job is run, each message becomes one of its events."""
    for text, colour in joined_lines(lines):
        show(text, colour)


def joined_lines(lines: t.Iterable[tuple[str, str | None]]) -> t.Iterator[tuple[str, str | None]]:
    """Yield the lines with neighbours of one colour joined, as far as AWX shows an event."""
    block: list[str] = []
    size, last = 0, None
    for text, colour in lines:
        more = len(text.encode(errors="replace")) + COLOUR_BYTES
        if block and (colour != last or size + more > EVENT_BYTES):
            yield "\n".join(block), last
            block, size = [], 0
        block.append(text)
        size, last = size + more, colour
    if block:
        yield "\n".join(block), last


def show_detail(text: str, host: str | None = None) -> None:
    """Show a line with ``-v``, and keep it in a log that wants it."""
    if display.verbosity or display.log_verbosity:
        _hand_over("v", text, host=host)


def _hand_over(method: str, *args: object, **options: object) -> None:
    queue = _queue()
    if queue is not None and hasattr(display, WRITE_LINE):
        queue.send_display(WRITE_LINE, method, *args, **options)
    elif sys.__stdout__ is not None:  # else nobody could read it
        _write(method, *args, **options)


def _queue() -> t.Any:
    """Return the way from a worker to ansible-playbook; None in ansible-playbook itself."""
    return getattr(display, "_final_q", None)


def _write(method: str, *args: object, **options: object) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # full or gone; closed since; closed from the start
        getattr(display, method)(*args, **options)


if _queue() is None:  # a worker is a fork of ansible-playbook, which has imported this with the action plugin
    setattr(display, WRITE_LINE, _write)

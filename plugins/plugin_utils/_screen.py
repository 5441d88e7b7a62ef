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

display = Display()
WRITE_LINE = "_fcd_cloud_write"
"""What the display of ansible-playbook knows that function by; a worker can call its display by names only."""


def show(line: str, colour: str | None = None) -> None:
    """Show a line."""
    _hand_over("display", line, color=colour)


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

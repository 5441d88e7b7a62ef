# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare results of tasks and name the places where they differ."""

from __future__ import annotations

import typing as t

VOLATILE = frozenset(
    (
        *("ansible_facts", "delta", "duration", "elapsed", "end", "exception", "invocation", "request_id", "start"),
        *("access_token", "expires_at", "expires_in", "refresh_token"),
        *("date", "x_request_id"),  # headers that ansible.builtin.uri returns
        *("ansible_index_var", "both_ways_index"),  # of the second run, from callback_plugins/both_ways.py
        "failed_when_suppressed_exception",  # ansible-core 2.19 and 2.20 note it of ordinary modules only
    )
)
ABSENT = "(absent)"


def differences_to(first: t.Any, second: t.Any, volatile: t.Sequence[str] = ()) -> list[str]:
    """Return lines like ``.instance_made.instance.id: 7 != 8``, none where the two are equal but for volatile keys."""
    return list(_compare("", first, second, VOLATILE | set(volatile)))


def registered(variables: dict[str, t.Any]) -> dict[str, t.Any]:
    """Return those that are results of tasks, and the lists of them that are not empty."""
    return {name: value for name, value in variables.items() if _is_result(value)}


def _is_result(value: t.Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, dict) for one in value)
    return isinstance(value, dict) and "changed" in value


def _compare(place: str, first: t.Any, second: t.Any, volatile: frozenset[str]) -> t.Iterator[str]:
    if isinstance(first, dict) and isinstance(second, dict):
        for key in sorted({*first, *second} - volatile):
            yield from _compare(f"{place}.{key}", first.get(key, ABSENT), second.get(key, ABSENT), volatile)
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for number, pair in enumerate(zip(first, second)):
            yield from _compare(f"{place}[{number}]", *pair, volatile)
    elif first != second or isinstance(first, bool) != isinstance(second, bool):
        yield f"{place}: {first!r} != {second!r}"


class FilterModule:
    """The filters registered and differences_to."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return them by name."""
        return {"differences_to": differences_to, "registered": registered}

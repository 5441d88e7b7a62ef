# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Record what a target has registered, or compare it with the record where there is one.

The options are ``name`` (of the target, and of the record), ``volatile`` (keys, on any level, that may differ) and
``least`` (how many results there must be).
"""

from __future__ import annotations

import ast
import functools
import os
import re
import typing as t
from pathlib import Path

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

RECORDS = "~/both_ways"
VOLATILE = frozenset(
    (
        *("ansible_facts", "delta", "duration", "elapsed", "end", "exception", "invocation", "request_id", "start"),
        *("access_token", "expires_at", "expires_in", "refresh_token"),
        *("date", "x_request_id"),  # headers that ansible.builtin.uri returns
        *("ansible_index_var", "both_ways_index"),  # of a later run, from callback_plugins/both_ways.py
        *("changed_when_result", "failed_when_result", "failed_when_suppressed_exception", "skipped"),  # of some cores
    )
)
ABSENT = "(absent)"

SPELLINGS = (
    (re.compile(r"<class '(\w+)'>"), r"\1"),  # older cores say so of the type of an option
    (re.compile("it reset the connection"), "it closed the connection without an answer"),  # as Python sees it
)
WARNING_OF_OPTIONS = "Using a template for task args is unsafe"


class ActionModule(ActionBase):
    """The action both_ways_results."""

    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Fail where a result differs from that of the first run."""
        result: dict[str, t.Any] = super().run(tmp, task_vars)
        _validation, args = self.validate_argument_spec(
            argument_spec={
                "name": {"type": "str", "required": True},
                "volatile": {"type": "list", "elements": "str", "default": []},
                "least": {"type": "int", "default": 1},
            }
        )
        registered = _registered(task_vars or {}, args["name"])
        if len(registered) < args["least"]:
            raise AnsibleActionFail(f"{len(registered)} results are too few: {', '.join(registered)}")
        record = Path(RECORDS).expanduser() / f"{args['name']}.results"
        if not record.exists():
            _write(record, registered)
            return {**result, "msg": f"{len(registered)} results are recorded."}
        first = ast.literal_eval(record.read_text(encoding="utf-8"))
        differences = list(_compare("", first, registered, VOLATILE | set(args["volatile"])))
        if differences:
            raise AnsibleActionFail("The two ways differ in:\n" + "\n".join(differences))
        return {**result, "msg": f"{len(registered)} results are the same both ways."}


def _registered(variables: dict[str, t.Any], target: str) -> dict[str, t.Any]:
    """Return the results of tasks, and the lists of them that are not empty."""
    names = [name for name in variables if name == "results" or name.startswith(f"{target}_")]
    return {name: _plain(variables[name]) for name in sorted(names) if _is_result(variables[name])}


def _is_result(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, dict) for one in value)
    return isinstance(value, dict) and "changed" in value


def _plain(value: t.Any) -> t.Any:
    """Return it without the types that a core makes of plain data."""
    if isinstance(value, dict):
        return {_plain(key): _plain(one) for key, one in _items(value)}
    if isinstance(value, (list, tuple)):
        return (list if isinstance(value, list) else tuple)(map(_plain, value))
    if isinstance(value, str):
        return functools.reduce(lambda text, spelling: spelling[0].sub(spelling[1], text), SPELLINGS, str(value))
    plain = next((kind for kind in (bool, int, float, bytes) if isinstance(value, kind)), str)
    return None if value is None else plain(value)


def _items(value: dict[t.Any, t.Any]) -> t.Iterator[tuple[t.Any, t.Any]]:
    """Yield what is in it but for what only newer cores tell: that a task did not fail, how its options are given."""
    for key, one in value.items():
        told = [text for text in one if WARNING_OF_OPTIONS not in str(text)] if key == "warnings" else one
        if not (key == "warnings" and not told) and not (key == "failed" and one is False):
            yield key, told


def _write(record: Path, content: object) -> None:
    """Write it for the owner only: it has secrets of the sandbox."""
    record.parent.mkdir(exist_ok=True)
    with open(os.open(record, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(repr(content))


def _compare(place: str, first: t.Any, second: t.Any, volatile: frozenset[str]) -> t.Iterator[str]:
    """Yield lines like ``.instance_made.instance.id: 7 != 8``, none where the two are equal but for volatile keys."""
    if isinstance(first, dict) and isinstance(second, dict):
        asked = first.get("ansible_loop_var")  # an item of a loop, in which older cores make texts of numbers
        for key in sorted({*first, *second} - volatile - {asked}):
            yield from _compare(f"{place}.{key}", first.get(key, ABSENT), second.get(key, ABSENT), volatile)
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for number, pair in enumerate(zip(first, second)):
            yield from _compare(f"{place}[{number}]", *pair, volatile)
    elif first != second or isinstance(first, bool) != isinstance(second, bool):
        yield f"{place}: {first!r} != {second!r}"

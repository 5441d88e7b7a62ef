# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan in a file: read, and compared with the plan that is made now.

Its digests are what binds. One without changes, as job systems hand it on, binds as well; what differs from it cannot
be named then.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import typing as t

from ..._core.errors import InvalidInput
from .entries import Place
from .plan_document import FORMAT, WORLD, Plan, world

LARGEST = 64 * 1024 * 1024  # bytes
TOLD = 3  # differences in one message
AGAIN = "Make a new plan, look at it, and apply that."
SAME = {
    "site": "site",
    "environment": "environment",
    "stage": "stage",
    "part": "part",
    "kinds": "kinds",
    "state": "state",
}


def read_plan(path: str) -> Plan:
    """Return the plan in a file. Raises InvalidInput when it cannot be read or is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as exc:
        link = exc.errno == errno.ELOOP
        raise _wrong(path, "it is a symbolic link" if link else f"{exc.strerror}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _wrong(path, "it is no ordinary file")
        if status.st_size > LARGEST:
            raise _wrong(path, f"it has {status.st_size} bytes, and a plan has at most {LARGEST}")
        with open(descriptor, "rb", closefd=False) as handle:
            plan = json.loads(handle.read(LARGEST + 1))
    except (ValueError, RecursionError):
        raise _wrong(path, "it is no JSON") from None
    finally:
        os.close(descriptor)
    return _checked(path, plan)


def check_same(path: str, before: Plan, now: Plan, aside: Place) -> None:
    """Raise InvalidInput unless the plan of the file is for this run, of this declaration and of this world."""
    for name, word in SAME.items():
        if before.get(name) != now[name]:
            raise InvalidInput(
                f"plan: {path} is for {word} {_said(before.get(name))}, this run is for {_said(now[name])}. "
                "Nothing was changed.",
                next_step="Take the plan that belongs to this run, or make one.",
                option="plan",
            )
    if (before["mode"] == "prune") != (now["mode"] == "prune"):
        raise InvalidInput(
            f"plan: {path} was made for {before['mode']}, this run is for {now['mode']}. Nothing was changed.",
            next_step=AGAIN,
            option="plan",
        )
    differs = [
        word
        for word, name in (("the declaration", "declaration_digest"), ("the world", "world_digest"))
        if before[name] != now[name]
    ]
    if differs:
        raise InvalidInput(
            f"plan: {' and '.join(differs)} changed since {path} was made ({before['made_at']})"
            f"{_differences(before, now, aside)}Nothing was changed.",
            next_step=f"Part of it may be done already, where a run was interrupted. {AGAIN}",
            option="plan",
        )


def _checked(path: str, plan: t.Any) -> Plan:
    if not isinstance(plan, dict) or "format" not in plan:
        raise _wrong(path, "it is no plan of a site")
    if plan["format"] != FORMAT:
        raise _wrong(path, f"it has format {plan['format']!r}, and this version of the collection reads {FORMAT}")
    texts = ("site", "stage", "mode", "made_at", "declaration_digest", "world_digest")
    changes = plan.get("changes")
    whole = all(isinstance(plan.get(name), str) for name in texts) and isinstance(changes, (list, type(None)))
    if not whole or not all(map(_is_change, changes or ())):
        raise _wrong(path, "parts of a plan are missing in it")
    return t.cast("Plan", plan)


def _is_change(change: t.Any) -> bool:
    if not isinstance(change, dict) or not set(WORLD) <= set(change):
        return False
    return isinstance(change["kind"], str) and isinstance(change["name"], str)


def _differences(before: Plan, now: Plan, aside: Place) -> str:
    """Return the first entries whose changes differ, in words; nothing of them where the plan has digests only."""
    if before.get("changes") is None:
        return ". "
    old, new = _as_json(before), _as_json(now)
    differing = [place for place in {**old, **new} if old.get(place) != new.get(place) and place != aside]
    if not differing:
        return ": the same entries change in the same way. "
    told = [
        f"{' '.join(map(str, place))} ({_word(old.get(place))}, now {_word(new.get(place))})" for place in differing
    ]
    more = f" and {len(told) - TOLD} more" if len(told) > TOLD else ""
    return f": {', '.join(told[:TOLD])}{more}. "


def _as_json(plan: Plan) -> dict[Place, list[t.Any]]:
    """Return what counts of the changes, as it is after it was in a file."""
    return t.cast(
        "dict[Place, list[t.Any]]",
        {place: json.loads(json.dumps(values, default=str)) for place, values in world(plan["changes"]).items()},
    )


def _word(values: list[t.Any] | None) -> str:
    return "unchanged" if values is None else str(values[WORLD.index("action")])


def _said(value: t.Any) -> str:
    return "none" if value is None else str(value) if not isinstance(value, list) else ", ".join(map(str, value))


def _wrong(path: str, why: str) -> InvalidInput:
    return InvalidInput(f"plan: {path} cannot be used: {why}. Nothing was changed.", next_step=AGAIN, option="plan")

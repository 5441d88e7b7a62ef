# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of a cell: a verdict from what its runs told and what there is at the service."""

from __future__ import annotations

import json
import re
import typing as t

from chaos.canaries import CREDENTIALS, spellings
from chaos.kinds import client_user
from chaos.matrix_case import Case
from chaos.matrix_cases_contract import NEW_PASSWORD
from chaos.proxy_faults import Fault
from chaos.task_process import Ended

SECRETS = (
    *(CREDENTIALS[name] for name in ("password", "api_client_secret", "storage_key")),
    str(client_user("any")["user_password"]),
    NEW_PASSWORD,
)
KILLED = "killed"
LIMIT = 75.0
"""Seconds of its own after which a run counts as without an end."""

CONVERGED, NAMED_ERROR, FORCED = "converged", "named error", "forced"
TOLD, MISLED, NEVER_STRUCK = "told", "misled", "never struck"
GOOD = {
    CONVERGED: ("C", "all runs ended well, with one object; the first has changed something"),
    NAMED_ERROR: (
        "E",
        "a run failed, warned or was killed; a later one, a day later at most, ended well, with one object",
    ),
    FORCED: ("F", "a run a day later does not know either what there is: only `force_create`, which it names, helps"),
    TOLD: ("P", "only a person can mend it: the runs say so and how to go on, and change nothing more"),
    MISLED: ("L", "the proxy lied about what was done, or did it again later, and the first run could not know"),
    NEVER_STRUCK: ("", "the task sent nothing that the fault is for, so the cell says nothing"),
}
BAD = {
    "DUPLICATE": ("D", "more than one object, and no run says so, or a later run has made it"),
    "OTHERS CHANGED": ("X", "what somebody else has was changed"),
    "LOST": ("O", "a run ended well without a warning, and what it declares was not there"),
    "WRONG CHANGED": ("W", "what was done was told as changed: false"),
    "UNBOUNDED": ("U", f"a run took more than {LIMIT:g} s"),
    "LEAK": ("S", "a secret in a result"),
    "TRACEBACK": ("T", "an error without a name"),
    "STAYS RED": ("R", "it does not end well when the fault is over"),
}


UNTELLABLE = {
    *((module, fault, "DUPLICATE") for module in ("ip_address", "instance_export") for fault in ("31e", "46c")),
    *((module, "08b", "WRONG CHANGED") for module in ("storage_container", "storage_object")),
    ("client_user_password", "40j", "LOST"),
    ("orchestration", "08b", "WRONG CHANGED"),
}
"""A second address that comes long after the answer, or was asked for at another host, has no comment, and could be
anybody's.

The run that makes a second export tells of both. Later runs take the newest of several.

A container and an object are there once, whoever asks for them: the answer to the second delivery is that of somebody
who was quicker.
Only a log-in shows that a password was not set, and failed ones may lock the account. The provider of the orchestration
hears that its address is in use, and not that the first delivery of its own request uses it.
"""


class Cell(t.NamedTuple):
    """What came of a fault on a case; ``runs`` are the ends of the runs, in words."""

    case: str
    fault: str
    verdict: str
    seconds: float
    runs: tuple[str, ...]

    @property
    def bad(self) -> bool:
        """Whether it must not be."""
        return self.verdict in BAD


class Evidence(t.NamedTuple):
    """The runs, the number of objects after each, and how many writes reached the service in each.

    ``kept_name`` is what the service keeps of ``name``, if that is not all. ``forced``: in the end the task
    had to be run with force_create.
    """

    runs: list[Ended]
    counts: list[int]
    writes: list[int]
    name: str = ""
    kept_name: str = ""
    forced: bool = False
    others_changed: bool = False

    def in_words(self) -> tuple[str, ...]:
        """Return how each run ended, how many writes it sent, and how many objects there were then."""
        parts = zip(self.runs, self.writes, self.counts)
        return tuple(f"{in_words(run)} [{writes} sent, {count} there]" for run, writes, count in parts)


def verdict(case: Case, fault: Fault, found: Evidence) -> str:
    """Return the verdict; of an act, which every run does again, only the first run tells about the fault."""
    told = json.dumps([[one.result, one.warnings, one.told] for one in found.runs]).encode()
    verdicts = (
        ("UNBOUNDED", any(unbounded(one) for one in found.runs)),
        ("TRACEBACK", any(_is_nameless(one) for one in found.runs)),
        ("LEAK", any(one in told for secret in SECRETS for one in spellings(secret))),
        ("OTHERS CHANGED", found.others_changed),
        *(_of_act(found) if case.act else _of_state(fault, found)),
        (FORCED, found.forced),
        (NAMED_ERROR, any(one.failed for one in found.runs) or not all(found.counts)),
    )
    name = next((word for word, holds in verdicts if holds), CONVERGED)
    lied = fault.lies and name == "WRONG CHANGED"
    return MISLED if lied or (case.name, fault.name, name) in UNTELLABLE else name


def _of_state(fault: Fault, found: Evidence) -> tuple[tuple[str, bool], ...]:
    first, last, count = found.runs[0], found.runs[-1], found.counts[-1]
    changed = [bool(one.result.get("changed")) for one in found.runs]
    still = found.writes[-1] == 0
    untold = not any(changed) or bool(found.counts[0] and not changed[0])
    at_once = first.failed and changed[0] and found.counts[0] == count
    return (
        (
            "LOST",
            any(number == 0 and not (run.failed or run.warnings) for run, number in zip(found.runs, found.counts)),
        ),
        (TOLD, count > 1 and still and _says_both(last) and (fault.lies or at_once)),
        ("DUPLICATE", count > 1),
        (TOLD, count == 0 and still and last.failed and (gone(fault, last) or unknown(last) or _says_both(last))),
        (TOLD, count == 1 and still and changed[0] and all(_names_kept(one, found) for one in (first, last))),
        ("WRONG CHANGED", untold and first.kind != KILLED),
        ("STAYS RED", last.failed or changed[-1]),
    )


def _names_kept(ended: Ended, found: Evidence) -> bool:
    """Whether it fails and says under which name the service has the object, if that is another one.

    The name may be a part of what the object is called, as in a fleet.
    """
    quoted = re.findall(r"'([^']*)'", ended.message)
    others = [one for one in quoted if found.kept_name in one and found.name not in one]
    return ended.failed and bool(found.kept_name and others)


def _of_act(found: Evidence) -> tuple[tuple[str, bool], ...]:
    first, done = found.runs[0], found.counts[0]
    return (
        ("DUPLICATE", done > 1),
        ("LOST", done == 0 and not first.failed),
        ("WRONG CHANGED", done == 1 and not first.result.get("changed") and first.kind != KILLED),
        ("STAYS RED", found.runs[-1].failed),
    )


def gone(fault: Fault, ended: Ended) -> bool:
    """Whether the object was removed for good, and the run names an error."""
    return "removable" in fault.needs and bool(ended.kind)


def unknown(ended: Ended) -> bool:
    """Whether it says that nobody knows what there is, of one thing or of one among many."""
    return "CannotDetermine" in {ended.kind, *_kinds(ended.result)} or "Cannot determine whether" in ended.message


def unbounded(ended: Ended) -> bool:
    """Whether a run took too long, the time aside in which others had the processors."""
    return bool(ended.result.get("unbounded")) or ended.seconds - ended.kept > LIMIT


def _says_both(ended: Ended) -> bool:
    """Whether it says that there are two, and their numbers."""
    numbers = set(re.findall(r"\b\d{4,}\b", f"{ended.message} {ended.result.get('error')}"))
    ambiguous = "Ambiguous" in {ended.kind, *_kinds(ended.result)}
    return ended.failed and ambiguous and len(numbers) > 1


def _is_nameless(ended: Ended) -> bool:
    """Return whether an error has no name; what failed in part, as a fleet or a site, has those of its parts."""
    kinds = {ended.kind} - {""} or _kinds(ended.result)
    return ended.failed and ("Traceback" in ended.message or not kinds or "Defect" in kinds)


def _kinds(told: t.Any) -> set[str]:
    """Return the kinds of all errors in a result."""
    if isinstance(told, list):
        return {kind for one in told for kind in _kinds(one)}
    if not isinstance(told, dict):
        return set()
    own = told.get("error")
    named = {str(own["kind"])} if isinstance(own, dict) and own.get("kind") else set()
    return named.union(*map(_kinds, told.values()))


def in_words(ended: Ended) -> str:
    """Return how a run ended."""
    changed = "changed" if ended.result.get("changed") else "unchanged"
    warned = f"; warns: {ended.warnings[0][:120]}" if ended.warnings else ""
    if not ended.failed:
        return f"ok, {changed}{warned}"
    return f"{ended.kind or 'no name'}, {changed}: {' '.join(ended.message.split())[:600]}"

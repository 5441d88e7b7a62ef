# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS): code hosts mark the lines.

A result without a line is shown by no code host, so what is declared nowhere (an orphan) points at the first line of
the file in which most entries are.
"""

from __future__ import annotations

import collections
import hashlib
import json
import typing as t
from urllib.parse import quote

from ....module_utils._connection.task import VERSION
from ....module_utils._core.text import bounded, name_in_line, visible
from .plan_contents import ACTIONS, POLICIES, ReportedChange, ReportedFailure, ReportedPlan
from .wording import SENTENCES, TITLES, Position, diff_lines, headline, notes, only_targets, position, remark_lines

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS = 5000
"""Code hosts show no more; with too many they refuse the file."""

LONGEST_VALUE = 300
LONGEST_MESSAGE = 4000
Item = t.Dict[str, t.Any]


def sarif_report(plan: ReportedPlan) -> str:
    """Return the log file. Errors come first, since the number of results is bounded."""
    sources = [change.source for change in plan.changes] + [failure.source for failure in plan.failures]
    files = collections.Counter(place.file for place in map(position, sources) if place)
    home = Position(files.most_common(1)[0][0], 1) if files else None
    results = [*(_of_failure(plan, failure, home) for failure in plan.failures)]
    results += [_of_change(plan, change, home) for change in plan.changes[: max(0, MOST_RESULTS - len(results))]]
    # what tells the runs of one site apart for a code host that keeps the newest of each
    parts = (plan.mode, plan.site, plan.environment, plan.stage, plan.part.replace("/", "-of-"))
    category = "/".join(quote(visible(part), safe="") for part in parts if part)
    run: Item = {
        "tool": {"driver": {"name": "fcd.cloud", "version": VERSION, "rules": _rules(plan)}},
        "automationDetails": {"id": f"{category}/"},
        "invocations": [_invocation(plan, len(results[:MOST_RESULTS]))],
        "columnKind": "unicodeCodePoints",
        "results": results[:MOST_RESULTS],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rules(plan: ReportedPlan) -> list[Item]:
    texts = {action: f"The entry {SENTENCES[plan.mode][action]}." for action in ACTIONS}
    texts["error"] = "The entry could not be read, compared or brought to its state."
    return [
        {
            "id": f"{plan.mode}/{name}",
            "name": f"{TITLES[plan.mode].title().replace(' ', '')}{name.capitalize()}",
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": "error" if name == "error" else _level(plan)},
        }
        for name, text in texts.items()
    ]


def _level(plan: ReportedPlan) -> str:
    return "warning" if plan.mode == "drift" else "note"


def _invocation(plan: ReportedPlan, shown: int) -> Item:
    more = len(plan.changes) + len(plan.failures) - shown
    told = [headline(plan), *notes(plan)] + ([f"{more:,} more results are in the JSON report only."] if more else [])
    notifications = [{"level": "note", "message": _message(text)} for text in told]
    if plan.targets:
        notifications.insert(0, {"level": "warning", "message": _message(only_targets(plan))})
    return {
        "executionSuccessful": not plan.failures,
        "endTimeUtc": plan.made_at,
        "toolExecutionNotifications": notifications,
    }


def _of_change(plan: ReportedPlan, change: ReportedChange, home: Position | None) -> Item:
    sentence = f"{change.kind} {name_in_line(change.name)} {SENTENCES[plan.mode][change.action]}"
    said = [f"{line[0].upper()}{line[1:]}." for line in remark_lines(change)]
    text = "\n".join([" ".join([f"{sentence}.", *said]), *diff_lines(change, LONGEST_VALUE)])
    return _result(plan, change.action, text, _level(plan) if change.minded else "note", change, home)


def _of_failure(plan: ReportedPlan, failure: ReportedFailure, home: Position | None) -> Item:
    about = f"{failure.kind} {name_in_line(failure.name)}: " if failure.name else ""
    text = f"{about}{visible(failure.message)} {visible(failure.next_step)}".rstrip()
    return _result(plan, "error", text, "error", failure, home)


def _result(
    plan: ReportedPlan, name: str, text: str, level: str, about: ReportedChange | ReportedFailure, home: Position | None
) -> Item:
    rules = (*ACTIONS, "error")
    parts = [plan.site, plan.environment, name, about.kind, about.name]
    if isinstance(about, ReportedFailure) and about.kind == POLICIES:  # one policy may fail for several entries
        parts.append(about.message)
    same = "\0".join(parts).encode("utf-8", "backslashreplace")
    logical = {"kind": "resource", "fullyQualifiedName": f"{about.kind or 'site'}/{name_in_line(about.name)}"}
    located: Item = {"logicalLocations": [logical]}
    place = position(about.source) or home
    if place:
        file = {"uri": _address(place.file)}
        located["physicalLocation"] = {"artifactLocation": file, "region": {"startLine": place.line}}
    return {
        "ruleId": f"{plan.mode}/{name}",
        "ruleIndex": rules.index(name),
        "message": _message(text),
        "partialFingerprints": {"entry/v1": hashlib.sha256(same).hexdigest()},
        "level": level,
        "locations": [located],
    }


def _message(text: str) -> Item:
    """Return a plain text message; its brackets would be a link and its braces a placeholder (sections 3.11.5, .6)."""
    escaped = bounded(text, LONGEST_MESSAGE)
    for mark, meant in (("\\", "\\\\"), ("[", "\\["), ("]", "\\]"), ("{", "{{"), ("}", "}}")):
        escaped = escaped.replace(mark, meant)
    return {"text": escaped}


def _address(file: str) -> str:
    """Return the path as a URI reference: relative to the checkout, or absolute; nothing in it is taken as a scheme."""
    path = quote(file.encode("utf-8", "backslashreplace"), safe="/")
    return f"file://{path}" if path.startswith("/") else path

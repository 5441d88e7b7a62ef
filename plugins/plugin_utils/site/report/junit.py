# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as JUnit XML: CI servers show each entry as a test.

There is no standard; this keeps to what the usual readers share: a test suite for each kind, a test for each entry that
changes or has an error, and one that passes for all that are as declared. The name of a test does not tell what becomes
of the entry, so that a CI server can show how it went in earlier runs.
"""

from __future__ import annotations

import typing as t
from xml.etree import ElementTree as ET

from ....module_utils._core.text import bounded, name_in_line, visible
from .differences import diff_lines
from .plan_contents import DONE, POLICIES, ReportedChange, ReportedFailure, ReportedPlan
from .wording import (
    BADGES,
    REPORT_TITLES,
    SENTENCES,
    edit_lines,
    entries_in_words,
    extent,
    notes,
    only_targets,
    position,
    remark_lines,
)

MAX_JUNIT_VALUE = 2000
HOW = {mode: "system-out" if mode in DONE else "skipped" for mode in REPORT_TITLES}
HOW["drift"] = "failure"
"""A difference fails the test when it is drift; in a plan it is not done yet; after an apply it is done."""


def junit_report(plan: ReportedPlan) -> str:
    """Return the document."""
    about = _about_the_whole(plan)  # it comes first, and errors of no kind go to it
    suites: dict[str, list[ET.Element]] = {"site": about} if about else {}
    suites.update((kind, []) for kind in plan.by_kind)
    for kind, test in _tests(plan):
        suites.setdefault(kind, []).append(test)
    if not any(suites.values()):  # a file without any test counts as an error on some CI servers
        suites["site"] = [_case(plan, "site", extent(plan).lower(), "")]
    root = ET.Element(
        "testsuites",
        {"name": f"{REPORT_TITLES[plan.mode].lower()} of {plan.site}", **_sums(suites.values()), "time": "0"},
    )
    for kind, tests in suites.items():
        numbers = {**_sums([tests]), "skipped": str(_with([tests], "skipped"))}
        moment = {"time": "0", "timestamp": plan.made_at.rstrip("Z")}
        suite = ET.SubElement(root, "testsuite", {"name": f"{plan.site}.{kind}", **numbers, **moment})
        suite.extend(tests)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _tests(plan: ReportedPlan) -> t.Iterator[tuple[str, ET.Element]]:
    yield from ((change.kind, _of_change(plan, change)) for change in plan.changes)
    yield from ((failure.kind or "site", _of_failure(plan, failure)) for failure in plan.failures)
    for policy in plan.policies:
        if policy.passed:
            yield POLICIES, _case(plan, POLICIES, name_in_line(policy.name) or "a policy", policy.file)
    for kind, counts in plan.by_kind.items():
        same = counts["unchanged"] - plan.edited_only(kind)
        if same:
            yield kind, _unchanged(plan, kind, same)


def _sums(suites: t.Collection[list[ET.Element]]) -> dict[str, str]:
    tests = sum(len(tests) for tests in suites)
    return {"tests": str(tests), "failures": str(_with(suites, "failure")), "errors": str(_with(suites, "error"))}


def _with(suites: t.Iterable[list[ET.Element]], tag: str) -> int:
    return sum(test.find(tag) is not None for tests in suites for test in tests)


def _case(plan: ReportedPlan, kind: str, name: str, source: str) -> ET.Element:
    place = position(source)
    where = {"file": visible(place.file), "line": str(place.line)} if place else {}
    return ET.Element("testcase", {"name": name, "classname": f"{plan.site}.{kind}", "time": "0", **where})


def _about_the_whole(plan: ReportedPlan) -> list[ET.Element]:
    cases = []
    if plan.targets:
        cases.append(_case(plan, "site", "all entries of the site", ""))
        _add(cases[0], "skipped", "", message=only_targets(plan))
    told = [*edit_lines(plan), *notes(plan)]
    if told:
        cases.append(_case(plan, "site", "notes", ""))
        _add(cases[-1], "system-out", "\n".join(told))
    return cases


def _of_change(plan: ReportedPlan, change: ReportedChange) -> ET.Element:
    name = name_in_line(change.name)
    case = _case(plan, change.kind, name, change.source)
    sentence = f"{name} {SENTENCES[plan.mode][change.action]}"
    lines = [sentence, *remark_lines(change), *([visible(change.source)] if change.source else [])]
    lines += diff_lines(change, MAX_JUNIT_VALUE)
    how = HOW[plan.mode] if change.minded else "skipped"
    if how == "system-out":
        _add(case, "system-out", "\n".join(lines))
    else:
        badge = BADGES[plan.mode][change.action]
        attributes = {"message": sentence} if how == "skipped" else {"message": sentence, "type": badge}
        _add(case, how, "\n".join(lines), **attributes)
    return case


def _of_failure(plan: ReportedPlan, failure: ReportedFailure) -> ET.Element:
    case = _case(plan, failure.kind or "site", name_in_line(failure.name) or "the whole site", failure.source)
    message = visible(bounded(failure.message, MAX_JUNIT_VALUE))
    advice = visible(bounded(failure.next_step, MAX_JUNIT_VALUE))
    lines = [line for line in (message, advice, visible(failure.source)) if line]
    _add(case, "error", "\n".join(lines), message=message, type="error")
    return case


def _unchanged(plan: ReportedPlan, kind: str, number: int) -> ET.Element:
    word = BADGES[plan.mode]["unchanged"]
    told = "as declared" if word == "unchanged" else word
    case = _case(plan, kind, f"entries that are {told}", "")
    _add(case, "system-out", f"{entries_in_words(number)} {'is' if number == 1 else 'are'} {told}.")
    return case


def _add(case: ET.Element, tag: str, text: str, **attributes: str) -> None:
    ET.SubElement(case, tag, attributes).text = text

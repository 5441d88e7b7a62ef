# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SARIF 2.1.0: the parts that are written, by a schema of them, and what code hosts need besides."""

from __future__ import annotations

import json
import typing as t
from urllib.parse import unquote

import jsonschema
import pytest

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report import sarif
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import ReportedPlan

from . import sample_plans

Item = t.Dict[str, t.Any]
LEVEL = {"enum": ["none", "note", "warning", "error"]}
NUMBER = {"type": "integer", "minimum": 0}


def of(**members: t.Any) -> Item:
    """Return the schema of an object with these members and no others; those whose name ends in _ are optional."""
    properties = {name.rstrip("_"): schema for name, schema in members.items()}
    needed = [name for name in members if not name.endswith("_")]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def listed(schema: Item, least: int = 0) -> Item:
    return {"type": "array", "items": schema, "minItems": least}


TEXT = {"type": "string", "minLength": 1}
MESSAGE = of(text=TEXT)
MOMENT = {"type": "string", "pattern": "^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9](:[0-5][0-9]){2}Z$"}
ADDRESS = {"type": "string", "pattern": "^(file:///)?[A-Za-z0-9._~/%-]+$"}
RULE = of(id=TEXT, name=TEXT, shortDescription=MESSAGE, defaultConfiguration=of(level=LEVEL))
PLACE = of(artifactLocation=of(uri=ADDRESS), region=of(startLine={"type": "integer", "minimum": 1}))
LOCATION = of(logicalLocations=listed(of(kind=TEXT, fullyQualifiedName=TEXT), 1), physicalLocation_=PLACE)
RESULT = of(
    ruleId=TEXT,
    ruleIndex=NUMBER,
    level=LEVEL,
    message=MESSAGE,
    locations=listed(LOCATION, 1),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
)
INVOCATION = of(
    executionSuccessful={"type": "boolean"},
    endTimeUtc=MOMENT,
    toolExecutionNotifications=listed(of(level=LEVEL, message=MESSAGE)),
)
RUN = of(
    tool=of(driver=of(name=TEXT, version=TEXT, rules=listed(RULE))),
    automationDetails=of(id={"type": "string", "pattern": "^[A-Za-z0-9._~%/-]+/$"}),
    invocations=listed(INVOCATION, 1),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results=listed(RESULT),
)
SCHEMA = of(**{"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}, "runs": listed(RUN, 1)})

Read = t.Callable[[sample_plans.Plan], ReportedPlan]


def run_of(plan: ReportedPlan) -> Item:
    (run,) = json.loads(sarif.sarif_report(plan))["runs"]
    return t.cast("Item", run)


def test_it_is_valid(plans: list[ReportedPlan]) -> None:
    for plan in plans:
        jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(sarif.sarif_report(plan)))


def test_each_result_names_its_rule(plans: list[ReportedPlan]) -> None:
    for plan in plans:
        run = run_of(plan)
        rules = run["tool"]["driver"]["rules"]
        assert len(run["results"]) == len(plan.changes) + len(plan.failures)
        assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
        marks = [result["partialFingerprints"]["entry/v1"] for result in run["results"]]
        assert len(set(marks)) == len(marks)


def test_drift_is_marked_where_it_is_declared(read: Read) -> None:
    results = run_of(read(sample_plans.usual(mode="drift")))["results"]
    places = [result["locations"][0]["physicalLocation"] for result in results]
    assert [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places] == [
        ("site.yml", 14),
        ("site.yml", 31),
        ("environments/production.yml", 8),
        ("site.yml", 55),
        ("site.yml", 9),
        ("site.yml", 1),  # it is declared nowhere
    ]
    assert {result["level"] for result in results} == {"warning"}
    assert results[2]["ruleId"] == "drift/update"
    assert results[2]["message"]["text"].startswith("instances web-2 is not as declared.\n- type: v1.standard-1.09\n")


def test_without_any_position_the_entry_is_named(read: Read) -> None:
    plan = read(sample_plans.plan([sample_plans.change("disks", "data", "orphan", source=None)]))
    (result,) = run_of(plan)["results"]
    assert result["locations"] == [{"logicalLocations": [{"kind": "resource", "fullyQualifiedName": "disks/data"}]}]


def test_errors_come_first_and_the_number_is_bounded(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 4)
    run = run_of(read(sample_plans.failed()))
    assert [result["level"] for result in run["results"]] == ["error", "error", "error", "note"]
    told = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert told == ["3 changes planned and 3 errors.", "2 more results are in the JSON report only."]
    assert run["invocations"][0]["executionSuccessful"] is False


def test_what_is_said_of_the_whole_and_of_each(read: Read) -> None:
    run = run_of(read(sample_plans.identities(targets=["instances.web"])))
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert notes[0] == {
        "level": "warning",
        "message": {
            "text": "Only these entries and what they need: instances.web. The rest of the site was not looked at."
        },
    }
    assert [note["message"]["text"] for note in notes[3:]] == [
        "Monthly cost of the changes: 1,280.00 -> 1,320.75 EUR (+40.75), without 1 entry of unknown price.",
        "No price for storage_containers assets: Traffic is paid for by use.",
        "1 of 2 policies passed.",
        "An apply with this plan is bound to 1 secret value and 2 files.",
    ]
    texts = {result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]: result for result in run["results"]}
    assert texts["policies/no container is public"]["level"] == "error"
    assert texts["instances/web"]["message"]["text"].startswith(
        "instances web would be replaced: removed with everything in it, and created again. Moved from instances.old. "
        "Edited in the file since the last apply. Monthly cost: +15.50 EUR (42.50 -> 58.00).\n"
    )


def test_a_policy_that_fails_for_two_entries_has_two_results(read: Read) -> None:
    failed = [{"name": "p", "file": "p.yml:1", "message": text, "passed": False} for text in ("a", "b")]
    results = run_of(read(sample_plans.plan(policies=failed)))["results"]
    assert len({result["partialFingerprints"]["entry/v1"] for result in results}) == 2


def test_messages_have_no_links_and_no_placeholders(read: Read) -> None:
    """Brackets are escaped and braces are doubled, sections 3.11.5 and 3.11.6."""
    for result in run_of(read(sample_plans.hostile()))["results"]:
        text = result["message"]["text"].replace("\\\\", "").replace("\\[", "").replace("\\]", "")
        assert "[" not in text
        assert "{" not in text.replace("{{", "")


def test_files_are_no_addresses_of_elsewhere(read: Read) -> None:
    plan = read(sample_plans.plan([sample_plans.change("disks", "d", "create", source="javascript:alert(1)/ł x:3")]))
    place = run_of(plan)["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "javascript%3Aalert%281%29/%C5%82%20x"
    assert unquote(place["artifactLocation"]["uri"]) == "javascript:alert(1)/ł x"
    assert place["region"]["startLine"] == 3


def test_runs_of_different_environments_are_told_apart(read: Read) -> None:
    names = {
        run_of(read(sample_plans.usual(**more)))["automationDetails"]["id"]
        for more in ({}, {"mode": "drift"}, {"stage": "rest"}, {"part": "1/4"}, {"part": "2/4"})
    }
    assert len(names) == 5
    assert "plan/web-shop/production/all/1-of-4/" in names

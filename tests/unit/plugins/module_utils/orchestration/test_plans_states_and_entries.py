# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans, states and entries, by tables."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Ambiguous, FcdError, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration import declared_instances, tool_commands
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration import plans_and_states as documents
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.programs import Program, ProgramResult

from . import recorded

LATER = "(known after apply)"


@pytest.mark.parametrize(
    ("change", "action", "number"),
    [
        (recorded.CREATE_DB, "create", None),
        (recorded.UPDATE_WEB, "update", "250001"),
        (recorded.REPLACE_WEB, "replace", "250001"),
        (recorded.DELETE_WEB, "delete", "250001"),
        (recorded.IMPORT_WEB, "import", "250001"),
        (recorded.IMPORT_REPLACE_WEB, "replace", "250001"),
        (recorded.SAME_WEB, None, None),
    ],
)
def test_actions(change: dict[str, t.Any], action: str | None, number: str | None) -> None:
    desired = [] if action is None else [{"address": change["address"], "action": action, "id": number}]
    assert documents.actions_of(recorded.plan(change)) == desired


def test_diff_of_a_plan_hides_secrets() -> None:
    diff = documents.diff_of(recorded.plan(recorded.CREATE_DB, recorded.SECRET_WEB, recorded.SAME_WEB))
    assert diff["before"] == {"service_oci.web": {**recorded.WEB, "address": "(hidden)"}}
    new = {"instance_name": "db", "address": LATER, "disk_class": LATER, "id": LATER, "init_disk_size": LATER}
    assert diff["after"] == {"service_oci.db": new, "service_oci.web": {**recorded.LARGER, "address": "(hidden)"}}
    planned = documents.planned_instances(recorded.plan(recorded.CREATE_DB, recorded.SECRET_WEB, recorded.DELETE_WEB))
    assert planned == {"db": new, "web": {**recorded.LARGER, "address": "(hidden)"}}


def test_drift() -> None:
    assert documents.drift_of(recorded.plan(resource_drift=[{"address": "service_oci.web"}])) == ["service_oci.web"]
    assert documents.drift_of(recorded.plan()) == []


def test_what_an_apply_did() -> None:
    applied, begun = tool_commands.applied_and_begun(tool_commands.messages(recorded.HALF_APPLIED))
    assert applied == [{"address": "service_oci.db", "action": "create", "id": "250002"}]
    assert begun == ["service_oci.bad"]


class Killed:
    """A program that somebody kills."""

    path = "tool"
    ended = ProgramResult(-9, recorded.lines(recorded.hook("apply_start", "db", "create")), "", None)

    def run(self, *_arguments: str, **_more: t.Any) -> ProgramResult:
        return self.ended


def test_a_tool_that_is_killed() -> None:
    tool = tool_commands.Engine(t.cast(Program, Killed()), print, print)
    with pytest.raises(
        tool_commands.EngineFailed, match=r"apply failed: it was ended by signal 9; its last output: [^{]*$"
    ) as told:
        tool.apply("plan")
    assert told.value.unclear == told.value.details["begun"] == ["service_oci.db"]


@pytest.mark.parametrize(
    ("detail", "refused"),
    [
        ('{"Message": "TemplateId: 1 does not exist."}', True),
        (r'"{\"Message\": \"TemplateId: 1 does not exist.\"}"', True),
        ("<html>Bad Request</html>", False),
        ('{"Message": "no such ticket"} at ticket 404', False),
    ],
)
def test_a_refusal_in_the_own_words_of_the_service(detail: str, refused: bool) -> None:
    start = recorded.hook("apply_start", "bad", "create")
    said = recorded.diagnostic("create bad: HTTP Error 400: Bad Request", detail, address="service_oci.bad")
    killed = Killed()
    killed.ended = ProgramResult(1, recorded.lines(start, said), "", None)
    with pytest.raises(tool_commands.EngineFailed) as told:
        tool_commands.Engine(t.cast(Program, killed), print, print).apply("plan")
    assert told.value.unclear == ([] if refused else ["service_oci.bad"])


def test_instances_are_read_from_a_state() -> None:
    state = recorded.state(web=recorded.WEB)
    state["resources"][0]["instances"][0]["sensitive_attributes"] = [[{"type": "get_attr", "value": "address"}]]
    assert documents.parsed_state(json.dumps(state).encode(), "it") == state
    assert documents.recorded_instances(state) == {"web": {**recorded.WEB, "address": "(hidden)"}}
    assert documents.recorded_instances(None) == {}
    assert documents.is_empty_state(recorded.state())
    assert not documents.is_empty_state(state)


ODD = ["[1]", '[{"name": "web", "instances": null}]', '[{"name": "web", "instances": [{"attributes": 5}]}]', "[{}]"]


@pytest.mark.parametrize(
    "content",
    [b"[]", b"1", b"{", b'{"version": 3}', b'{"version": 4}', b"\xff"]
    + [f'{{"version": 4, "resources": {resources}}}'.encode() for resources in ODD],
)
def test_malformed_state_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidInput, match="The state at/home cannot be used: it "):
        documents.parsed_state(content, "at/home")


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_state(content: bytes) -> None:
    assert documents.parsed_state(content, "it") is None


def no_labels() -> t.Any:
    raise AssertionError("numbers need none")


class Lists:
    """Labels with one number each."""

    def item(self, option: str, label: str) -> dict[str, t.Any]:
        return {"id": len(label), "label": label}


@pytest.mark.parametrize(
    ("entry", "label", "attributes"),
    [
        ({"instance_name": "web 1.a"}, "web_1_a", {"instance_name": "web 1.a"}),
        ({"instance_name": "1st"}, "_1st", {"instance_name": "1st"}),
        ({"instance_name": "ż"}, "_", {"instance_name": "ż"}),
        ({"instance_name": "a", "label": "b-c"}, "b-c", {"instance_name": "a"}),
        (
            {"instance_name": "a", "type": "34", "disk_class": "48", "isfreemium": False, "template_id": 304},
            "a",
            {"instance_name": "a", "type_id": 34, "disk_class": 48, "isfreemium": False, "template_id": 304},
        ),
        ({"instance_name": "a", "type": "four"}, "a", {"instance_name": "a", "type_id": 4}),
    ],
)
def test_entries(entry: dict[str, t.Any], label: str, attributes: dict[str, t.Any]) -> None:
    labels: t.Any = Lists if entry.get("type") == "four" else no_labels
    warnings: list[str] = []
    assert declared_instances.declared_instances([entry], labels, warnings.append) == {label: attributes}
    assert warnings == []


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (
            [{"instance_name": "a"}, {"instance_name": "a"}],
            r"instances\[1\] \(a\): label: 'a' is already the label of 'a'",
        ),
        ([{"instance_name": "a", "label": "a b"}], r"instances\[0\] \(a\): label: 'a b' cannot be the name"),
        ([{"instance_name": ""}], r"instances\[0\] \(\): instance_name: '' has 0 characters"),
        ([{"instance_name": "a/b"}], "contains one of the characters"),
        ([{"instance_name": "a", "type": " "}], "type: the label is empty"),
        ([{"instance_name": "a", "init_disk_size": 4}], "init_disk_size: 4 is not between"),
    ],
)
def test_entries_that_cannot_be_meant(entries: list[dict[str, t.Any]], words: str) -> None:
    with pytest.raises(FcdError, match=words):
        declared_instances.declared_instances(entries, no_labels, print)


def test_several_instances_in_an_entry_are_warned_of() -> None:
    warnings: list[str] = []
    declared_instances.declared_instances([{"instance_name": "a", "instances_count": 3}], no_labels, warnings.append)
    assert warnings == ["instances_count: the service may create only one instance for a; use one entry for each."]


class Listing:
    """Instances of these names, with the numbers 1, 2 and so on."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self.unconfirmed: dict[t.Any, t.Any] = {}

    def __call__(self) -> t.Any:
        return self

    def list_instances(self, **_filters: t.Any) -> list[dict[str, t.Any]]:
        return [{"Id": number, "Name": name} for number, name in enumerate(self._names, 1)]


WEB, DB = {"instance_name": "web"}, {"instance_name": "db"}


@pytest.mark.parametrize(
    ("listed", "managed", "adopted"),
    [
        (("web", "db", "web-2"), {}, {"w": "1", "d": "2"}),
        (("web-2",), {}, {}),
        (("web", "db"), {"d": {"id": "2"}}, {"w": "1"}),
        (("web", "web"), {"w": {"id": "2"}}, {}),
    ],
)
def test_adoption(listed: tuple[str, ...], managed: dict[str, t.Any], adopted: dict[str, str]) -> None:
    assert declared_instances.adopted_numbers(Listing(*listed), {"w": WEB, "d": DB}, managed) == adopted


@pytest.mark.parametrize(
    ("listed", "desired", "managed", "words"),
    [
        (("web", "web"), {"w": WEB}, {}, "There are 2 instances with the name 'web'"),
        (
            ("web",),
            {"w": WEB},
            {"old": {"id": "1"}},
            "'web' is instance 1, which is already managed under the label old",
        ),
        (("web",), {"w": WEB, "v": WEB}, {}, "w and v both have the name 'web'"),
    ],
)
def test_what_cannot_be_adopted(
    listed: tuple[str, ...], desired: dict[str, t.Any], managed: dict[str, t.Any], words: str
) -> None:
    with pytest.raises((Ambiguous, InvalidInput), match=words):
        declared_instances.adopted_numbers(Listing(*listed), desired, managed)


def plan_of(*changes: tuple[str, list[str], dict[str, t.Any] | None, dict[str, t.Any] | None]) -> dict[str, t.Any]:
    every = []
    for address, actions, before, after in changes:
        every.append({"address": address, "change": {"actions": actions, "before": before, "after": after}})
    return {"resource_changes": every}


OLD = {"id": "7", "instance_name": "web", "type_id": 34, "isfreemium": False, "ip_address_id": 901}
RENAMED = {"instance_name": "shop", "type_id": 34, "isfreemium": False}


@pytest.mark.parametrize(
    ("after", "protect", "refused"),
    [
        (RENAMED, ["replace"], True),
        ({**RENAMED, "ip_address_id": None}, ["replace"], True),
        (RENAMED, ["delete"], False),  # the other guard refuses that
        (RENAMED, [], False),
        ({**RENAMED, "type_id": 35}, ["replace"], False),
    ],
)
def test_a_new_name_without_the_old_label(after: dict[str, t.Any], protect: list[str], refused: bool) -> None:
    plan = plan_of(("service_oci.web", ["delete"], OLD, None), ("service_oci.shop", ["create"], None, after))
    if not refused:
        documents.refuse_renaming(plan, protect)
        return
    with pytest.raises(InvalidInput, match=r"service_oci\.web would be removed, .* set its label to web;") as caught:
        documents.refuse_renaming(plan, protect)
    assert [one["action"] for one in caught.value.details["refused"]] == ["delete", "create"]


def test_a_removal_and_a_creation_alone_are_no_new_name() -> None:
    documents.refuse_renaming(plan_of(("service_oci.web", ["delete"], OLD, None)), ["replace"])
    documents.refuse_renaming(plan_of(("service_oci.shop", ["create"], None, RENAMED)), ["replace"])

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan on a terminal."""

from __future__ import annotations

import typing as t

import pytest
from ansible import constants

from ansible_collections.fcd.cloud.plugins.plugin_utils._screen import EVENT_BYTES, joined_lines
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report import terminal
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.terminal import output_lines, plan_lines

from . import conftest, sample_plans

LATER = sample_plans.LATER


def texts(plan: sample_plans.Plan, *, everything: bool = False) -> list[str]:
    return [line.text for line in plan_lines(plan, everything=everything)]


def of_change(action: str = "update", **more: t.Any) -> list[str]:
    """Return the lines of one change."""
    return texts(sample_plans.plan([sample_plans.change("instances", "web", action, source=None, **more)]))[1:-1]


def test_outputs_have_a_line_each() -> None:
    """Whatever is in them; a value that is long is shortened."""
    odd = {"front": "203.0.113.7", "ids": [1, 2], "none": None, "empty": "", "two\nlines": "a\nb\x1b[2J"}
    assert output_lines(odd) == [
        "Outputs:",
        "  front = 203.0.113.7",
        "  ids = [1, 2]",
        "  none = null",
        '  empty = ""',
        "  two\\nlines = a b\\x1b[2J",
    ]
    assert len(output_lines({"long": "x" * 9000})[1]) < 2100
    assert output_lines({}) == []


def test_lines_of_a_plan() -> None:
    assert texts(sample_plans.identities(targets=["instances.web", "disks.data"])) == [
        "Only these entries and what they need: instances.web, disks.data. The rest of the site was not looked at.",
        "Plan of web-shop:",
        "    < ssh_keys operations  (site.yml:9)",
        "    > private_networks backend  (site.yml:14; moved from private_networks.dev-db)",
        "    ~ storage_containers assets  (site.yml:55; changed at the service since the last apply)",
        '        read_acl: .r:* -> ""',
        ("  -/+ instances web  (site.yml:31; moved from instances.old; edited in the file since the last apply)"),
        "        template: Debian 8 -> Debian 9  # forces replacement",
        "        name: old -> web",
        "        1 field (known after apply)",
        ("    + instances worker  (site.yml:40; edited in the file since the last apply)"),
        "        name: worker",
        "        template: Debian 9",
        "        ip_addresses: (known after apply)",
        "        1 field (known after apply)",
        "    ^ instances legacy  (site.yml:62)",
        (
            "    ~ disks data  (site.yml:48; becomes the site's own; "
            "edited in the file and changed at the service since the last apply)"
        ),
        "        size: 40 -> 80",
        '        instances: [250001] -> ["(known after apply)"]',
        "    ? disks old-data",
        "    ! instances db  (site.yml:40)",
        "        The template forces a replacement, and lifecycle.prevent_destroy in its entry forbids that.",
        "        Take prevent_destroy out of the entry first, or leave template as it is.",
        "    ! policies no container is public  (policies/storage.yml:8)",
        "        assets can be read by everybody. Take .r:* out of read_acl.",
        (
            "  Since the last apply: 2 edited in the file, 1 changed at the service, "
            "1 edited in the file and changed at the service."
        ),
        "  1 of 2 policies passed.",
        "  The plan also pins 1 secret value and 2 files: apply is refused if one of them changes.",
        (
            "Plan: 1 to create, 2 to update, 1 to replace, 1 to adopt, 1 to move, 1 to release; 1 no longer declared; "
            "294 as declared; 2 errors; only these entries and what they need."
        ),
    ]


def test_nothing_of_strangers_reaches_the_terminal() -> None:
    """Each line is one, without anything that moves a cursor, changes a colour or a direction; the colours exist."""
    for everything in [True, False]:
        for name in list(conftest.SAMPLES):
            lines = plan_lines(conftest.SAMPLES[name], everything=everything)
            assert [line.text for line in lines if not line.text.isprintable()] == []
            assert max(len(line.text) for line in lines) < 6000
            assert all(hasattr(constants, line.colour) for line in lines if line.colour)


def test_neighbours_of_one_colour_are_one_message() -> None:
    """A job keeps an event for each message."""
    lines = [(line.text, line.colour) for line in plan_lines(sample_plans.many(300), everything=True)]
    messages = [*joined_lines(lines)]
    assert [(text, colour) for message, colour in messages for text in message.split("\n")] == lines
    assert max(len(text) for text, _colour in messages if "\n" in text) < EVENT_BYTES
    assert len(messages) < len(lines) / 2
    assert [*joined_lines([])] == []


SIGNS = dict(zip(sample_plans.ACTIONS, ("+", "~", "-/+", "-", "<", ">", "^", "?")))


def test_each_entry_has_its_sign() -> None:
    for name in list(conftest.SAMPLES):
        plan = conftest.SAMPLES[name]
        shown = [
            line.split()[0] for line in texts(plan) if line.startswith("  ") and line[:5].strip() in SIGNS.values()
        ]
        failed = {(one["kind"], one["name"]) for one in plan["errors"]}
        gone = {
            one["action"] for one in plan["changes"] if plan["mode"] == "apply" and (one["kind"], one["name"]) in failed
        }
        for action in set(sample_plans.ACTIONS) - {"unchanged", "error"} - gone:
            assert shown.count(SIGNS[action]) == plan["counts"][action]


def test_nulls_and_what_stays_are_not_shown() -> None:
    given = {"before": {"a": None, "b": 1, "c": None}, "after": {"a": None, "b": 1, "c": 2, "d": {"e": None}}}
    assert of_change(**given)[1:] == ["        c: 2", "        d: {}"]
    assert of_change("create", after={"a": "", "b": [], "c": {"d": None}, "e": 0, "f": False})[1:] == [
        "        e: 0",
        "        f: false",
    ]


def test_what_goes_has_its_line_only_unless_all_is_asked_for() -> None:
    before = {"name": "web", "size": 10, "tags": None}
    assert of_change("delete", before=before) == ["    - instances web"]
    plan = sample_plans.plan([sample_plans.change("instances", "web", "delete", source=None, before=before)])
    assert texts(plan, everything=True)[2:-1] == ["        name: web -> not set", "        size: 10 -> not set"]


def test_what_comes_before_the_old_one_goes_has_a_sign_of_its_own() -> None:
    assert of_change("replace", creates_first=True) == ["  +/- instances web"]
    assert of_change("replace", creates_first=False) == ["  -/+ instances web"]


def test_what_a_new_thing_refers_to_is_shown_though_it_is_not_there_yet() -> None:
    assert of_change("create", after={"name": "web", "private_networks": LATER, "id": LATER})[1:] == [
        "        name: web",
        "        private_networks: (known after apply)",
        "        1 field (known after apply)",
    ]


def test_what_is_known_after_apply_is_counted_unless_all_is_asked_for() -> None:
    after = {"name": "web", "id": LATER, "address": LATER, "networks": [LATER]}
    assert of_change("create", after=after)[1:] == [
        "        name: web",
        '        networks: ["(known after apply)"]',
        "        2 fields (known after apply)",
    ]
    plan = sample_plans.plan([sample_plans.change("instances", "web", "create", after=after)])
    assert "        address: (known after apply)" in texts(plan, everything=True)


def test_what_the_service_gives_as_number_and_label_is_one_text() -> None:
    old, new = {"id": 767, "label": "CentOS 7"}, {"id": 304, "label": "Debian 8"}
    at = [{**old, "slot": 1}]
    assert of_change("replace", before={"a": old, "c": 1}, after={"a": new}, forced_by=["a"])[1:] == [
        "        a: CentOS 7 (767) -> Debian 8 (304)  # forces replacement",
        "        1 field (known after apply)",
    ]
    assert of_change(before={"template": at}, after={"template": LATER})[1:] == [
        '        template: ["CentOS 7 (767)"] -> (known after apply)'
    ]
    assert of_change(before={"a": at}, after={"a": [{**old, "slot": 2}]})[1:] != []


def test_long_values_are_bounded_and_lines_compared() -> None:
    assert of_change(before={"a": "x"}, after={"a": "y" * 500})[1:] == [
        f"        a: x -> {'y' * 100}… (500 characters)"
    ]
    old = "\n".join(f"line {number}" for number in range(100))
    assert of_change(before={"a": old}, after={"a": old.replace("line 50\n", "line fifty\n")})[1:] == [
        "        a:",
        "           line 49",
        "          -line 50",
        "          +line fifty",
        "           line 51",
    ]
    many = of_change(before={"a": old}, after={"a": old.replace("line", "row")})[1:]
    assert (len(many), many[-1]) == (terminal.MAX_DIFF_LINES + 2, "          ... and 188 more lines")
    assert of_change("create", after={"a": "one\ntwo"})[1:] == ["        a: one two"]


def test_of_many_entries_the_first_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "MAX_ENTRIES", 10)
    plan = sample_plans.many(300)
    assert "    ... and 290 more changes; the reports have all of them" in texts(plan)
    assert len([line for line in texts(plan, everything=True) if line[4:5] in "+~-?" and line[:4] == "    "]) == 300


def test_nothing_of_a_kind_is_not_counted() -> None:
    bound = {"values": {}, "files": dict.fromkeys("ab", "5b")}
    assert "  The plan also pins 2 files: apply is refused if one of them changes." in texts(
        sample_plans.plan([], bound=bound)
    )


def test_the_last_line() -> None:
    for plan, last in [
        (sample_plans.clean(), "Plan: nothing to do; 294 as declared."),
        (sample_plans.removed(3, mode="prune"), "Prune: 3 to delete; 2 already gone."),
        (sample_plans.removed(1, state="absent"), "Deprovision plan: 1 to delete; 2 already gone or not owned."),
        (sample_plans.failed(), "Plan: 2 to create, 1 to update; 294 as declared; 3 errors."),
        (sample_plans.plan([], errors=[sample_plans.failure("web", "wrong")]), "Plan: 1 error."),
    ]:
        assert texts(plan)[-1] == last


def test_no_line_is_a_command_for_a_pipeline() -> None:
    """They look behind the blanks of a line, and for some commands everywhere in it."""
    for word in ["::warning::x", "##[error]x"]:
        after = {word: word, "note": f"a\n  {word}\nb"}
        lines = of_change(before={"note": f"a\n  {word}\nc"}, after=after)
        assert any(word[2:] in line for line in lines)
        failed = sample_plans.plan([], errors=[sample_plans.failure("web", f"It says\n{word}")])
        assert not [line for line in (*lines, *texts(failed)) if line.lstrip().startswith("::") or "##[" in line]


def test_what_the_service_sets_with_a_change_is_only_counted() -> None:
    before, after = {"name": "web", "start_date": "2026-01-01"}, {"name": "www", "start_date": LATER}
    assert of_change(before=before, after=after)[1:] == [
        "        name: web -> www",
        "        1 field (known after apply)",
    ]

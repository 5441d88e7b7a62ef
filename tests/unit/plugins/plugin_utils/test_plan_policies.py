# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of one's own on a plan: how they are written, and that no text of the service is a template in them."""

from __future__ import annotations

import typing as t
from pathlib import Path

import ansible.template
import pytest
from ansible.parsing.dataloader import DataLoader

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_policies import (
    PolicyCheck,
    PolicyResult,
    read_policies,
)

PLAN = {
    "environment": "production",
    "counts": {"replace": 1, "delete": 0, "update": 2},
    "by_kind": {"instances": {"replace": 1}, "disks": {"create": 1, "delete": 0}},
    "not_sent": [],
    "errors": [{"kind": "disks", "msg": "It is wrong."}],
    "changes": [
        {"kind": "instances", "name": "web", "action": "replace", "after": {"type": "large"}},
        {"kind": "disks", "name": "{{ 1 / 0 }}", "action": "create", "after": {"size": 2000}},
    ],
}


def tried(folder: Path, text: str, **variables: t.Any) -> list[PolicyResult]:
    """Return what comes of the policies in a text."""
    (folder / "rules.yml").write_text(f"policies:\n{text}", encoding="utf-8")
    found = PolicyCheck(DataLoader(), variables, read_policies([str(folder)])).results(PLAN)
    return [PolicyResult(**one) for one in found]


def test_an_expression_over_the_plan_holds_or_does_not(tmp_path: Path) -> None:
    found = tried(
        tmp_path,
        "- {name: none goes, that: plan.counts.delete == 0, message: Too many.}\n"
        "- {name: none comes anew, that: [true, plan.counts.replace == 0], message: '{{ plan.counts.replace }} do.'}\n",
    )
    assert [(one.name, one.message, one.passed) for one in found] == [
        ("none goes", "", True),
        ("none comes anew", "1 do.", False),
    ]
    assert found[1].file.endswith("rules.yml:3")


def test_one_for_each_change_tells_those_that_do_not_hold(tmp_path: Path) -> None:
    rule = "- {name: small, each: true, that: (change.after.size | default(0)) < 1000, message: '%s is large.'}"
    (one,) = tried(tmp_path, rule % "{{ change.name }}")
    assert (one.message, one.passed) == ("{{ 1 / 0 }} is large.", False), "a name of the service is no template"


@pytest.mark.parametrize(("when", "passed"), [("plan.environment == 'production'", False), ("freeze", True)])
def test_one_may_be_for_some_plans_only_and_see_variables(tmp_path: Path, when: str, passed: bool) -> None:
    (one,) = tried(tmp_path, f"- {{name: a, that: false, message: no, when: {when}}}", freeze=False)
    assert one.passed is passed


def test_one_that_cannot_be_tried_does_not_hold(tmp_path: Path) -> None:
    (one,) = tried(tmp_path, "- {name: a, that: nothing_known > 1, message: Why.}")
    assert not one.passed
    assert one.message.startswith("Why. (it cannot be evaluated: ")
    assert "nothing_known" in one.message


@pytest.mark.parametrize(
    ("that", "told"),
    [
        ("plan.by_kinds.disks.delete | default(0) == 0", "there is no 'by_kinds' in plan. Did you mean 'by_kind'?"),
        ("plan.by_kind.disk.delete | default(0) == 0", "there is no 'disk' in plan.by_kind. Did you mean 'disks'?"),
        (
            "plan.by_kind.disks.deletes is not defined",
            "there is no 'deletes' in plan.by_kind.disks. Did you mean 'delete'",
        ),
        ("plan['count'].delete == 0", "there is no 'count' in plan. Did you mean 'counts'?"),
        ("plan.counts.get('deleted', 0) == 0", "there is no 'deleted' in plan.counts. Did you mean 'delete'?"),
        (
            "plan.changes | selectattr('acton', 'eq', 'delete') | list == []",
            "no 'acton' in a change. Did you mean 'action'?",
        ),
        ("plan.errors | map(attribute='mgs', default=1) | list", "no 'mgs' in plan.errors. Did you mean 'msg'?"),
    ],
)
def test_a_member_that_is_misspelt_does_not_hold_whatever_its_default(tmp_path: Path, that: str, told: str) -> None:
    (one,) = tried(tmp_path, f'- {{name: a, that: "{that}", message: Why.}}')
    assert not one.passed
    assert told in one.message
    (one,) = tried(tmp_path, "- {name: a, each: true, that: change.knd | default('') == '', message: Why.}")[:1]
    assert "there is no 'knd' in a change" in one.message


@pytest.mark.parametrize(
    "that",
    [
        "plan.by_kind.storage_containers.delete == 0",
        "plan.by_kind.instances.replace == 1 and plan.counts.update == 2",
        "(plan.changes | map(attribute='after.size', default=0) | sum) == 2000",
        "plan | to_json is search('large') and plan.by_kind | dict2items | length > 9",
    ],
)
def test_what_is_there_needs_no_default(tmp_path: Path, that: str) -> None:
    assert [one.passed for one in tried(tmp_path, f'- {{name: a, that: "{that}", message: no}}')] == [True]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- {name: a, that: x, mesage: b}", "Did you mean 'message'?"),
        ("- {name: a, message: b}", "a check has name, that"),
        ("- {name: a, that: [], message: b}", "a check has name, that"),
        ("- {name: a, that: true, message: b, each: change}", "each is true or false, not 'change'"),
        ("- {name: a, that: true, message: b, each: }", "each is true or false, not None"),
        ("- text", "a check is a mapping"),
        ("  a: b", "a list of checks is expected"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        tried(tmp_path, text)
    assert told in caught.value.message
    assert "rules.yml:2: policies: " in caught.value.message or "rules.yml:1: policies: " in caught.value.message


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read: No such file"):
        read_policies([str(tmp_path / "none.yml")])


def test_a_folder_without_policies_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"a folder of policies must contain files that end in \.yml or \.yaml"):
        read_policies([str(tmp_path)])


@pytest.mark.parametrize("that", ["false", "{}[secret]", "lookup('file', '/nonexistent/' ~ secret) == 1"])
def test_nothing_that_is_drawn_is_shown(tmp_path: Path, that: str) -> None:
    secret = "{{ lookup('ansible.builtin.env', 'SITE_POLICY_SECRET') }}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SITE_POLICY_SECRET", "CNRYpolicy")
        trusted = ansible.template.trust_as_template(secret)
        (one,) = tried(tmp_path, f'- {{name: a, that: "{that}", message: "at most {{{{ secret }}}}"}}', secret=trusted)
        assert one.message.startswith("at most {{ secret }}")
        assert "CNRY" not in one.message
        (one,) = tried(tmp_path, f'- {{name: a, that: "{that}", message: no}}', secret=trusted)
        assert "CNRY" not in one.message
    assert not one.passed

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The credential types, surveys and templates, by the rules of AWX; and that they fit what the collection reads."""

from __future__ import annotations

import copy
import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.fcd.cloud.plugins.module_utils._connection import options, profiles
from awx import credential_data
from awx.awx_rules import inject, playbooks, refused_answers, refused_credential_type, refused_survey

CONTROLLER = credential_data.DATA.parent
PROJECT = credential_data.AWX / "project"
ROLES = credential_data.COLLECTION / "roles"
TYPES = credential_data.types()
SERVICES = {
    "infrastructure": (options.REST, options.IDENTITY),
    "soap": (options.SOAP,),
    "object_storage": (options.STORAGE,),
    "all": (options.REST, options.IDENTITY, options.SOAP, options.STORAGE, options.SITE),
}
ODD = 'o\'neill \\ "quoted" {{ 6 * 7 }} %s: # żółw 🐢 '


class Loader(yaml.SafeLoader):
    """Reads data files; what is tagged as no template is a text."""


Loader.add_constructor("!unsafe", lambda loader, node: loader.construct_scalar(t.cast("yaml.ScalarNode", node)))


def data(name: str) -> list[dict[str, t.Any]]:
    """Return the one list in a data file."""
    [items] = yaml.load((CONTROLLER / f"{name}.yml").read_text("utf-8"), Loader=Loader).values()
    return t.cast("list[dict[str, t.Any]]", items)


def test_the_data_is_what_the_files_say() -> None:
    """When this fails: python tests/awx/credential_data.py."""
    assert credential_data.DATA.read_text("utf-8") == credential_data.data()
    assert data("credential_types") == list(TYPES.values())


@pytest.mark.parametrize("name", TYPES)
def test_a_credential_type_is_accepted(name: str) -> None:
    """By the rules, and it has what its services cannot do without."""
    kind = TYPES[name]
    assert refused_credential_type(kind) == []
    fields = {field["id"]: field for field in kind["inputs"]["fields"]}
    known = options.connection_options(SERVICES[name])
    needed = {option for option, about in known.items() if about.needed}
    assert set(kind["inputs"]["required"]) == needed
    assert needed <= set(fields) <= {*known, "ca_certificate", "skip_certificate_check"}
    secret = {field for field in fields if field in known and known[field].secret}
    assert {field for field in fields if fields[field].get("secret")} == secret
    assert {field for field in needed if known[field].secret} <= secret
    assert set(kind["injectors"]["env"]) == {options.environment_name(x) for x in ("config_file", "ca_path")}


BROKEN = {
    "an unknown field": lambda kind: kind["injectors"]["env"].update(FCD_SCOPE="{{ scope }}"),
    "a variable of Ansible": lambda kind: kind["injectors"]["env"].update(ANSIBLE_TIMEOUT="1"),
    "a variable of the job": lambda kind: kind["injectors"]["env"].update(PATH="/bin"),
    "no file is meant": lambda kind: kind["injectors"]["env"].update(FCD_CA_PATH="{{ tower.filename }}"),
    "a secret switch": lambda kind: kind["inputs"]["fields"][-1].update(secret=True),
    "a key of another format": lambda kind: kind["inputs"]["fields"][0].update(hidden=True),
    "a field twice": lambda kind: kind["inputs"]["fields"].append(kind["inputs"]["fields"][0]),
    "an unnamed file": lambda kind: kind["injectors"]["file"].update(template="x"),
    "a template that is none": lambda kind: kind["injectors"]["file"].update({"template.x": "{% if %}"}),
}


@pytest.mark.parametrize("what", BROKEN)
def test_the_rules_refuse(what: str) -> None:
    """Each of them, so that the test before means something."""
    kind = copy.deepcopy(TYPES["all"])
    BROKEN[what](kind)
    assert refused_credential_type(kind)


@pytest.mark.parametrize("name", TYPES)
def test_the_injected_profile_is_read_as_it_was_typed(name: str, tmp_path: Path) -> None:
    """With any characters, and no secret stands in a variable."""
    kind = TYPES[name]
    fields = [field["id"] for field in kind["inputs"]["fields"] if field["id"] in options.OPTIONS]
    inputs = {field: "percent" if field == "storage_key_encoding" else ODD + field for field in fields}
    variables = inject(kind, inputs, tmp_path)
    assert profiles.read_profile(variables["FCD_CONFIG_FILE"], "default", required=True) == {
        **inputs,
        "validate_certs": True,
    }
    assert variables["FCD_CA_PATH"] == ""
    assert not any(ODD in text for text in variables.values())


def test_certificates_are_checked_unless_told_otherwise(tmp_path: Path) -> None:
    """The authority is a file of its own."""
    kind = TYPES["object_storage"]
    variables = inject(kind, {"ca_certificate": "-----BEGIN", "skip_certificate_check": True}, tmp_path)
    assert profiles.read_profile(variables["FCD_CONFIG_FILE"], "default", required=True)["validate_certs"] is False
    assert Path(variables["FCD_CA_PATH"]).read_text("utf-8").strip() == "-----BEGIN"


def test_surveys_are_accepted() -> None:
    """By the rules; texts that begin with a template of Ansible are texts by then."""
    surveys = [item["survey_spec"] for item in (*data("job_templates"), *data("workflows")) if "survey_spec" in item]
    assert len(surveys) > 9
    assert [text for survey in surveys for text in refused_survey(survey)] == []


QUESTION = {"question_name": "A", "variable": "a", "type": "text", "required": True}


@pytest.mark.parametrize(
    "questions",
    [
        [],
        [{**QUESTION, "required": "yes"}],
        [QUESTION, QUESTION],
        [{**QUESTION, "type": "boolean"}],
        [{**QUESTION, "type": "integer", "default": "1"}],
        [{**QUESTION, "type": "multiplechoice"}],
        [{**QUESTION, "type": "multiplechoice", "choices": "a\nb", "default": "c"}],
        [{**QUESTION, "type": "multiplechoice", "choices": "a\nb", "default": "a\nb"}],
    ],
)
def test_the_rules_refuse_a_survey(questions: list[dict[str, t.Any]]) -> None:
    """Each of them."""
    assert refused_survey({"name": "", "description": "", "spec": questions})


def test_a_question_with_a_default_needs_no_answer() -> None:
    """AWX does not take the default of a required question for a schedule, or for a launch by its API."""
    surveys = [item["survey_spec"] for item in (*data("job_templates"), *data("workflows")) if "survey_spec" in item]
    questions = [question for survey in surveys for question in survey["spec"]]
    assert {question["variable"]: question["required"] for question in questions} == {
        question["variable"]: "default" not in question for question in questions
    }
    cannot_be_empty = {question["variable"] for question in questions if question.get("min")}
    assert cannot_be_empty == {"provision_file", "provision_max_delete"}


TEXT = {"variable": "a", "type": "text", "required": True, "default": "x"}


@pytest.mark.parametrize(
    ("question", "answers", "how"),
    [
        (TEXT, {}, {}),
        ({**TEXT, "min": 1}, {"a": ""}, {}),
        (TEXT, {"a": 1}, {}),
        ({**TEXT, "type": "multiplechoice", "choices": "x\ny"}, {"a": ""}, {}),
        (TEXT, {"a": "y", "b": "z"}, {"others": False}),
    ],
)
def test_the_rules_refuse_an_answer(
    question: dict[str, t.Any], answers: dict[str, t.Any], how: dict[str, bool]
) -> None:
    """Each of them; what may come later, and what is ignored, is not refused."""
    assert refused_answers({"spec": [question]}, answers, **how)
    assert refused_answers({"spec": [question]}, {"a": "x"}, later=True) == []
    assert refused_answers({"spec": [question]}, {}, later=True) == []


def test_jobs_that_change_nothing_do_without_the_private_key() -> None:
    reading = {
        one["name"] for one in data("job_templates") if "awx_setup_plan_credential" in one.get("credentials", "")
    }
    names = ("plan", "drift", "prune, dry run", "deprovision, dry run", "state")
    assert reading == {f"{{{{ awx_setup_prefix }}}} {name}" for name in names}


def test_templates_name_what_there_is() -> None:
    """Playbooks and inventory files are in the project, templates in the data, and survey variables mean something."""
    templates = {item["name"]: item for item in data("job_templates")}
    assert all((PROJECT / source["source_path"]).is_file() for source in data("inventory_sources"))
    nodes = [node for workflow in data("workflows") for node in workflow["simplified_workflow_nodes"]]
    assert {node["unified_job_template"] for node in nodes if "unified_job_template" in node} <= set(templates)
    assert all(schedule["unified_job_template"] in templates for schedule in data("schedules"))


def test_awx_takes_the_playbooks_for_playbooks() -> None:
    """It reads the lines of a file, and offers no other files to job templates."""
    assert set(playbooks(PROJECT)) == {item["playbook"] for item in data("job_templates")}


def test_what_is_asked_is_what_the_role_takes() -> None:
    """Surveys and variables of templates name variables of the role provision; the other one is of the project."""
    specs = yaml.safe_load((ROLES / "provision" / "meta" / "argument_specs.yml").read_text("utf-8"))["argument_specs"]
    known = {name for spec in specs.values() for name in spec["options"]}
    templates = data("job_templates")
    asked = {question["variable"] for item in templates for question in item.get("survey_spec", {}).get("spec", ())}
    given = {name for item in templates for name in item.get("extra_vars", {})}
    assert len(asked) > 3
    assert asked | given <= {*known, "reports_container"}


def test_there_are_as_many_slices_as_parts() -> None:
    """Each part is one host; a slice for each, and no part is left out."""
    [rest] = [item for item in data("job_templates") if "job_slice_count" in item]
    parts = yaml.safe_load((PROJECT / "inventory" / "parts.yml").read_text("utf-8"))["parts"]["hosts"]
    count = rest["job_slice_count"]
    assert [host["provision_part"] for host in parts.values()] == [f"{n}/{count}" for n in range(1, count + 1)]

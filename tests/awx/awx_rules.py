# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What AWX 24.6.1 refuses and hides, and how it injects a credential: its rules in our words.

Where they stand in its source, below ``awx/main`` and ``awx/api``:

- credential types, and what a job gets of them: ``fields.py`` (CredentialTypeInputField, CredentialTypeInjectorField),
  ``models/credential``
- surveys: ``views/__init__.py`` (JobTemplateSurveySpec)
- answers: ``models/mixins.py`` (SurveyJobTemplateMixin), ``serializers.py`` (LaunchConfigurationBaseSerializer).
  A launch and a schedule must have an answer to each required question, whose default does not count; a node of a
  workflow may lack it. A schedule and a node may have no other variables; a launch ignores those
- playbooks: ``serializers.py`` (JobOptionsSerializer): a job template names one that the last sync of its project found
- secrets of notifications: ``notifications/*_backend.py``, the fields of type password
- the kind of an inventory: ``models/inventory.py``, empty for a plain one; null is stored as empty
"""

from __future__ import annotations

import os
import re
import tempfile
import typing as t
from pathlib import Path

import jsonschema
from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

Document = t.Mapping[str, t.Any]

NOT_FOR_CREDENTIALS = frozenset(
    (
        *("VIRTUAL_ENV", "PATH", "PYTHONPATH", "JOB_ID", "INVENTORY_ID", "INVENTORY_SOURCE_ID", "INVENTORY_UPDATE_ID"),
        *(
            "AD_HOC_COMMAND_ID",
            "REST_API_URL",
            "REST_API_TOKEN",
            "MAX_EVENT_RES",
            "CALLBACK_QUEUE",
            "CACHE",
            "AWX_HOST",
        ),
        *("CALLBACK_CONNECTION", "JOB_CALLBACK_DEBUG", "INVENTORY_HOSTVARS", "PROJECT_REVISION"),
        "SUPERVISOR_CONFIG_PATH",
    )
)
"""Variables that no credential may set, besides all that begin with ANSIBLE_."""

TEXT_ONLY = ("choices", "multiline", "format", "secret")
FIELD = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "label"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-zA-Z_]+[a-zA-Z0-9_]*$"},
        "type": {"enum": ["string", "boolean"]},
        "format": {"enum": ["ssh_private_key", "url"]},
        "choices": {"type": "array", "minItems": 1, "items": {"type": "string"}, "uniqueItems": True},
        "label": {"type": "string"},
        "help_text": {"type": "string"},
        "multiline": {"type": "boolean"},
        "secret": {"type": "boolean"},
        "ask_at_runtime": {"type": "boolean"},
        "default": {},
    },
}
INPUTS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "required": {"type": "array", "items": {"type": "string"}},
        "fields": {"type": "array", "items": FIELD},
    },
}
INJECTORS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "file": {
            "type": "object",
            "additionalProperties": False,
            "patternProperties": {"^template(\\.[a-zA-Z_]+[a-zA-Z0-9_]*)?$": {"type": "string"}},
        },
        "env": {
            "type": "object",
            "additionalProperties": False,
            "patternProperties": {"^[a-zA-Z_]+[a-zA-Z0-9_]*$": {"type": "string", "pattern": "^[\x00-\x7f]*$"}},
        },
        "extra_vars": {"type": "object"},
    },
}
QUESTION = {"type": str, "question_name": str, "variable": str, "required": bool}
DEFAULTS = {
    **dict.fromkeys(("text", "textarea", "password", "multiplechoice", "multiselect"), str),
    "integer": int,
    "float": float,
}

NOTIFICATION_SECRETS = {
    "awssns": ("aws_secret_access_key", "aws_session_token"),
    "email": ("password",),
    "grafana": ("grafana_key",),
    "irc": ("password",),
    "pagerduty": ("token",),
    "slack": ("token",),
    "twilio": ("account_token",),
    "webhook": ("password",),
}
"""The fields of a notification that AWX never shows, by its type."""

PLAYBOOK = re.compile(r"^\s*?-?\s*?(?:hosts|(ansible\.builtin\.)?(include|import_playbook)):", re.MULTILINE)


def playbooks(folder: Path) -> list[str]:
    """Return the files that AWX offers to job templates: it reads their lines."""
    return sorted(path.name for path in folder.glob("*.yml") if PLAYBOOK.search(path.read_text("utf-8")))


class Filename:
    """The files of a credential while its templates are read."""

    def __init__(self, names: t.Iterable[str]) -> None:
        """Have an attribute for each name."""
        for name in names:
            setattr(self, name, "EXAMPLE_FILENAME")

    def __str__(self) -> str:
        """Refuse: which file is meant is not said."""
        raise TemplateError("tower.filename needs the name of a file")


def refused_credential_type(kind: Document) -> list[str]:
    """Return what AWX would not take of a credential type."""
    wrong = [*_breaches(kind["inputs"], INPUTS), *_breaches(kind["injectors"], INJECTORS)]
    return wrong or [*_wrong_fields(kind["inputs"]), *_wrong_injectors(kind)]


def _breaches(value: t.Any, schema: Document) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in jsonschema.Draft4Validator(schema).iter_errors(value)]


def _wrong_fields(inputs: Document) -> t.Iterator[str]:
    names = [field["id"] for field in inputs["fields"]]
    if "tower" in names or len(set(names)) < len(names):
        yield "a field is called tower, or two have one name"
    yield from (f"required: {name} is no field" for name in inputs.get("required", ()) if name not in names)
    for field in inputs["fields"]:
        if field.get("type", "string") != "string":
            yield from (f"{field['id']}: {key} is for texts" for key in TEXT_ONLY if key in field)


def _wrong_injectors(kind: Document) -> t.Iterator[str]:
    injectors = kind["injectors"]
    for name in injectors.get("env", {}):
        if name.startswith("ANSIBLE_") or name in NOT_FOR_CREDENTIALS:
            yield f"{name} is not allowed"
    files = list(injectors.get("file", {}))
    if "template" in files and len(files) > 1:
        yield "several files need names"
    several = Filename(name.partition(".")[2] for name in files if "." in name)
    filename = "EXAMPLE_FILENAME" if files == ["template"] else several
    values = {field["id"]: "EXAMPLE" for field in kind["inputs"]["fields"]}
    strict = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    example = {**values, "tower": {"filename": filename}}
    for texts in injectors.values():
        yield from (f"{key}: {why}" for key, text in texts.items() for why in _unrendered(strict, text, example))


def _unrendered(environment: ImmutableSandboxedEnvironment, text: str, values: Document) -> list[str]:
    """Return why a template cannot be rendered."""
    try:
        environment.from_string(text).render(**values)
    except TemplateError as error:
        return [str(error)]
    return []


def refused_survey(survey: Document) -> list[str]:
    """Return what AWX would not take of a survey."""
    wrong = [
        f"{key} is missing" for key in ("name", "description", "spec") if not isinstance(survey.get(key), (str, list))
    ]
    if wrong or not survey["spec"]:
        return wrong or ["there are no questions"]
    names = [question.get("variable") for question in survey["spec"]]
    twice = ["two questions have one variable"] if len(set(names)) < len(names) else []
    return [*twice, *(text for question in survey["spec"] for text in _wrong_question(question))]


def _wrong_question(question: Document) -> t.Iterator[str]:
    name = question.get("variable")
    yield from (f"{name}: {key} is wrong" for key, kind in QUESTION.items() if not isinstance(question.get(key), kind))
    kind = question.get("type")
    if kind not in DEFAULTS:
        yield f"{name}: there is no type {kind}"
        return
    default = question.get("default", "")
    if default != "" and not isinstance(default, DEFAULTS[kind]):
        yield f"{name}: the default is no {kind}"
    if kind in ("multiplechoice", "multiselect"):
        yield from _wrong_choices(name, kind, question.get("choices"), str(default).splitlines())


def _wrong_choices(name: t.Any, kind: str, choices: t.Any, defaults: list[str]) -> t.Iterator[str]:
    if choices is None:
        yield f"{name}: there are no choices"
    elif kind == "multiplechoice" and len(defaults) > 1:
        yield f"{name}: there is one default only"
    elif any(default not in choices for default in defaults):
        yield f"{name}: the default is none of the choices"


def refused_answers(survey: Document, answers: Document, *, later: bool = False, others: bool = True) -> list[str]:
    """Return what AWX would not take of the answers to a survey.

    ``later`` says that answers may still come, as to a node of a workflow; ``others`` that variables that no question
    is about are ignored, and not refused.
    """
    questions = {question["variable"]: question for question in survey.get("spec", ())}
    required = [name for name, question in questions.items() if question["required"] and not later]
    wrong = [f"'{name}' value missing" for name in required if name not in answers]
    for name in questions.keys() & answers.keys():
        wrong += _wrong_answer(questions[name], answers[name])
    unknown = [] if others else sorted(answers.keys() - questions.keys())
    return wrong + [f"Variables {name} are not allowed on launch." for name in unknown]


def _wrong_answer(question: Document, answer: t.Any) -> t.Iterator[str]:
    name, kind = question["variable"], question["type"]
    expected: tuple[type, ...] = {"integer": (int,), "float": (int, float), "multiselect": (list,)}.get(kind, (str,))
    if not isinstance(answer, expected):
        yield f"Value {answer} for '{name}' has another type than {kind}."
    elif kind in ("text", "textarea", "password") and len(str(answer)) < (question.get("min") or 0):
        yield f"'{name}' value {answer} is too small (must be at least {question['min']})."
    elif kind == "multiplechoice" and answer not in question["choices"].splitlines():
        yield f"Value {answer} for '{name}' expected to be one of {question['choices'].splitlines()}."


def inject(kind: Document, inputs: Document, private_data: Path, seen_as: str | None = None) -> dict[str, str]:
    """Write the files of a credential below ``private_data`` and return the variables of the job.

    ``seen_as`` is the folder that the job sees in place of ``private_data``; with a container it is /runner.
    Fields without a value are not defined, and booleans without one are false.
    """
    booleans = {field["id"]: False for field in kind["inputs"]["fields"] if field.get("type") == "boolean"}
    values = {**booleans, **{name: value for name, value in inputs.items() if isinstance(value, bool) or value}}
    sandboxed = ImmutableSandboxedEnvironment()
    folder = private_data / "env"
    folder.mkdir(mode=0o700, exist_ok=True)
    files: dict[str, str] = {}
    for label, template in kind["injectors"].get("file", {}).items():
        descriptor, path = tempfile.mkstemp(dir=folder)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(sandboxed.from_string(template).render(**values))
        os.chmod(path, 0o600)
        files[label.partition(".")[2]] = os.path.join(seen_as or str(private_data), "env", os.path.basename(path))
    tower = {"filename": files[""] if list(files) == [""] else files}
    return {
        name: sandboxed.from_string(template).render(**values, tower=tower)
        for name, template in kind["injectors"].get("env", {}).items()
    }

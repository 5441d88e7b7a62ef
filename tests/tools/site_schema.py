# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON schema of site files, for completion in editors and for checks without Ansible.

``python tests/tools/site_schema.py`` writes playbooks/site.schema.json, and playbooks/environment.schema.json for the
files that are laid over a site file, from the kinds, the options of the operations and the documentation of the
modules; a unit test fails when they are not what this would write.
"""

from __future__ import annotations

import json
import re
import sys
import typing as t
from pathlib import Path

from tree_yaml import documentation, options_of

ROOT = Path(__file__).resolve().parents[2]

if __name__ == "__main__":
    import collection_tree

    sys.path.insert(0, str(collection_tree.linked()))

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import KINDS, EntryKind

Schema = t.Dict[str, t.Any]

TARGETS = {
    "site": ROOT / "playbooks" / "site.schema.json",
    "environment": ROOT / "playbooks" / "environment.schema.json",
}
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TRUTH = ["yes", "no", "on", "off", "true", "false", "y", "n", "t", "f", "1", "0", "1.0", "0.0"]
TEXT, REFERENCE, NOTHING = {"$ref": "#/$defs/template"}, {"$ref": "#/$defs/reference"}, {"type": "null"}
MARKUP = re.compile(r"[A-Z]+\(([^()]*(?:\([^()]*\))?[^()]*)\)")

DESCRIPTIONS = {
    "site": "Name of the whole. What is made is noted as belonging to it.",
    "registry": "Where the site notes what it owns: a container of the object storage, or a file. By default a file of "
    "the host on which it is applied.",
    "defaults": "Options for all entries of a kind that do not have them themselves.",
    "key": "Label for references, unique in its kind. By default the name.",
    "remove": "In a file that is laid over another: the entry is not declared any more.",
    "reference": "Stands for the number of another entry: its kind and its key.",
}


def site() -> Schema:
    """Return the schema of a site file."""
    kinds = {kind.name: _entries(kind) for kind in KINDS.values()}
    properties = {
        "site": _described("site", anyOf=[{"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,62}$"}, TEXT]),
        "registry": {
            **_described("registry"),
            "anyOf": [_registry("container"), _registry("path"), NOTHING],
        },
        "defaults": {
            **_described("defaults"),
            "anyOf": [{"type": "object", "properties": _defaults(), "additionalProperties": False}, TEXT, NOTHING],
        },
        **kinds,
    }
    return {
        "$schema": DRAFT,
        "title": "Site file of fcd.cloud",
        "$ref": "#/$defs/site",
        "required": ["site"],
        "$defs": {
            "site": {"type": "object", "properties": properties, "additionalProperties": False},
            "template": {"type": "string", "pattern": r"\{[{%#]", "description": "A template, in quotes."},
            "reference": {
                **_described("reference"),
                "type": "object",
                "properties": {"ref": {"type": "string", "pattern": f"^({'|'.join(KINDS)})\\..+"}},
                "required": ["ref"],
                "additionalProperties": False,
            },
            **{f"{kind.name}.options": {"properties": _options(kind)} for kind in KINDS.values()},
        },
    }


def environment() -> Schema:
    """Return the schema of a file that is laid over a site file, where ``site`` may be left out."""
    return {
        "$schema": DRAFT,
        "title": "Environment of a site of fcd.cloud",
        "$ref": f"{TARGETS['site'].name}#/$defs/site",
    }


def text_of(name: str) -> str:
    """Return the file as it is to be."""
    return json.dumps({"site": site, "environment": environment}[name](), indent=1, ensure_ascii=False) + "\n"


def _described(name: str, **more: t.Any) -> Schema:
    return {"description": DESCRIPTIONS[name], **more}


def _registry(member: str) -> Schema:
    properties = {member: {"type": "string", "minLength": 1}}
    return {"type": "object", "properties": properties, "required": [member], "additionalProperties": False}


def _entries(kind: EntryKind) -> Schema:
    items = {"anyOf": [_entry(kind), TEXT]}
    what = documentation(kind.module)["short_description"]
    return {"description": f"{what}.", "anyOf": [{"type": "array", "items": items}, TEXT, NOTHING]}


def _entry(kind: EntryKind) -> Schema:
    """Return the schema of an entry; defaults may say part of what it is known by, but not the last of it."""
    known_by = [["key"], *([name] for way in kind.identity for name in _spellings(kind, way[-1]))]
    return {
        "type": "object",
        "properties": {
            "key": _described("key", anyOf=[{"type": ["string", "integer"]}, NOTHING]),
            "remove": _described("remove", anyOf=[{"type": "boolean"}, {"enum": ["yes", "no", "on", "off"]}]),
            **{name: {"$ref": f"#/$defs/{kind.name}.options/properties/{name}"} for name in _options(kind)},
        },
        "additionalProperties": False,
        "anyOf": [{"required": required} for required in known_by],
        **_exclusive(kind),
    }


def _exclusive(kind: EntryKind) -> Schema:
    groups = kind.operation().rules.get("mutually_exclusive", ())
    pairs = sorted({tuple(sorted((one, other))) for group in groups for one in group for other in group if one < other})
    some = {"not": NOTHING}
    both = [{"required": list(pair), "properties": dict.fromkeys(pair, some)} for pair in pairs]
    return {"allOf": [{"not": one} for one in both]} if both else {}


def _defaults() -> Schema:
    return {
        kind.name: {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        name: {"$ref": f"#/$defs/{kind.name}.options/properties/{name}"} for name in _options(kind)
                    },
                    "additionalProperties": False,
                },
                TEXT,
                NOTHING,
            ]
        }
        for kind in KINDS.values()
    }


def _spellings(kind: EntryKind, name: str) -> list[str]:
    return [name, *kind.options()[name].get("aliases", ())]


def _options(kind: EntryKind) -> Schema:
    told = options_of(kind.module)
    found: Schema = {}
    for name, spec in kind.options().items():
        schema = _option(spec, told.get(name, {}))
        found[name] = schema
        for alias in spec.get("aliases", ()):
            place = f"#/$defs/{kind.name}.options/properties/{name}"
            found[alias] = {"$ref": place, "description": f"The same as {name}."}
    return found


def _option(spec: Schema, told: Schema) -> Schema:
    schema: Schema = {}
    if told.get("description"):
        schema["description"] = plain(told["description"])
    if spec.get("default") is not None:
        schema["default"] = spec["default"]
    forms = _forms(spec, told)
    if forms:
        schema["anyOf"] = [*forms, NOTHING]
    return schema


def _forms(spec: Schema, told: Schema) -> list[Schema]:
    """Return what the value may be; none where it may be anything."""
    kind = spec.get("type", "str")
    if kind == "list":
        inside: Schema = {key: spec[key] for key in ("options", "choices") if key in spec}
        inside["type"] = spec.get("elements", "raw")
        forms = _forms(inside, told)
        items = {"anyOf": forms} if forms else {}
        single = [TEXT] if inside["type"] == "dict" else [{"type": ["string", "number"]}]
        return [{"type": "array", "items": items}, *single]
    if kind == "dict":
        return [_mapping(spec, told), TEXT]
    if spec.get("choices"):
        return [{"enum": list(spec["choices"])}, TEXT]
    return _SINGLE.get(kind, [])


_SINGLE: dict[str, list[Schema]] = {
    "int": [{"type": "integer"}, {"type": "string", "pattern": r"^\s*[+-]?\d+\s*$"}, TEXT, REFERENCE],
    "float": [{"type": "number"}, {"type": "string", "pattern": r"^\s*[+-]?\d+(\.\d*)?\s*$"}, TEXT],
    "bool": [{"type": "boolean"}, {"enum": TRUTH}, TEXT],
    "str": [{"type": ["string", "number"]}, REFERENCE],
    "path": [{"type": "string"}],
}


def _mapping(spec: Schema, told: Schema) -> Schema:
    inside = spec.get("options")
    if not inside:
        return {"type": "object"}
    documented = told.get("suboptions", {})
    properties = {name: _option(one, documented.get(name, {})) for name, one in inside.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def plain(text: str | t.Sequence[str]) -> str:
    """Return a description without the markup of documentation."""
    paragraphs = [text] if isinstance(text, str) else text
    return "\n\n".join(MARKUP.sub(r"\1", " ".join(paragraph.split())) for paragraph in paragraphs)


if __name__ == "__main__":
    for target, path in TARGETS.items():
        path.write_text(text_of(target), encoding="utf-8")

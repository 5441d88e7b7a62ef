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

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import Seconds, Size
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import KINDS, EntryKind

Schema = t.Dict[str, t.Any]

TARGETS = {
    "site": ROOT / "playbooks" / "site.schema.json",
    "environment": ROOT / "playbooks" / "environment.schema.json",
}
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TRUTH = ["yes", "no", "on", "off", "true", "false", "y", "n", "t", "f", "1", "0", "1.0", "0.0"]
TEXT, REFERENCE, NOTHING = {"$ref": "#/$defs/template"}, {"$ref": "#/$defs/reference"}, {"type": "null"}
FLAG: list[Schema] = [{"type": "boolean"}, {"enum": ["yes", "no", "on", "off", "true", "false"]}, TEXT]
MARKUP = re.compile(r"[A-Z]+\(([^()]*(?:\([^()]*\))?[^()]*)\)")

DESCRIPTIONS = {
    "site": "The name of the site, which owns everything that it creates.",
    "registry": "Where the site records what it owns: an object storage container, or a file. By default, a file on "
    "the host that applies the site.",
    "defaults": "Options for all entries of a kind that do not set them themselves.",
    "key": "Label for references, unique within its kind. The default is the name.",
    "remove": "In a file that is laid over another: whether the entry is no longer declared.",
    "reference": "The ID of another entry, given by its kind and key.",
    "adopt": "Whether an existing object becomes the site's own and is removed with the site.",
    "lifecycle": "How the entry may change.",
    "prevent_destroy": "Whether to fail if a plan would remove or replace it.",
    "ignore_changes": "Options that are used only when it is created or replaced.",
    "create_before_destroy": "Whether a replacement is created before the old object is removed.",
    "moved": "Entries that have moved or been renamed in the file but are still the same objects.",
    "from": "The kind, and the key or name, that it had before.",
    "to": "The kind and key of the entry that it is now.",
    "removed": "Entries that are no longer declared.",
    "what": "The kind, and the key or name, that it had before.",
    "destroy": "Whether to remove it. With false, it stays and no longer belongs to the site.",
    "outputs": "Values to report after a run, by name: kind, key and member of the module's result, such as "
    "instances.web.ip_address.",
    "policies": "Files, or folders of files, with checks that every plan must pass. Relative paths start at the "
    "folder of this file.",
}


def site() -> Schema:
    """Return the schema of a site file."""
    kinds = {kind.name: _entries(kind) for kind in KINDS.values()}
    properties = {
        "site": _described("site", anyOf=[{"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,62}$"}, TEXT]),
        "registry": {
            **_described("registry"),
            "anyOf": [_registry("container", others_may_write=SHARED), _registry("path"), NOTHING],
        },
        "defaults": _described("defaults", anyOf=[_table(_defaults()), TEXT, NOTHING]),
        **kinds,
        **_statements(),
    }
    return {
        "$schema": DRAFT,
        "title": "Site file of fcd.cloud",
        "$ref": "#/$defs/site",
        "required": ["site"],
        "$defs": {
            "site": _table(properties),
            "template": {"type": "string", "pattern": r"\{[{%#]", "description": "A template, in quotes."},
            "reference": {
                **_described("reference"),
                "type": "object",
                "properties": {"ref": {"type": "string", "pattern": f"^({'|'.join(KINDS)})\\..+"}},
                "required": ["ref"],
                "additionalProperties": False,
            },
            **{f"{kind.name}.options": {"properties": _options(kind)} for kind in KINDS.values()},
            **{f"{kind.name}.lifecycle": _lifecycle(kind) for kind in KINDS.values()},
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


def _table(properties: Schema, **more: t.Any) -> Schema:
    return {"type": "object", "properties": properties, **more, "additionalProperties": False}


def _list_of(item: Schema) -> list[Schema]:
    return [{"type": "array", "items": {"anyOf": [item, TEXT]}}, TEXT, NOTHING]


SHARED: Schema = {
    "type": "boolean",
    "description": "Whether to use the container even if other accounts may write to it. It is signed in any case.",
}


def _registry(member: str, **more: Schema) -> Schema:
    return _table({member: {"type": "string", "minLength": 1}, **more}, required=[member])


def _statements() -> Schema:
    """Return the schemas of what stands beside the entries."""
    owned = "|".join(kind.name for kind in KINDS.values() if kind.can_be_owned)
    label = {"anyOf": [{"type": "string", "pattern": f"^({owned})\\..+"}, TEXT]}
    move = _table({name: _described(name, **label) for name in ("from", "to")}, required=["from", "to"])
    gone = {"what": _described("what", **label), "destroy": _described("destroy", anyOf=FLAG)}
    path = {"anyOf": [{"type": "string", "pattern": f"^({'|'.join(KINDS)})\\..+\\.[^.]+$"}, TEXT, NOTHING]}
    outputs = _table({}, patternProperties={"^[A-Za-z_][A-Za-z0-9_]*$": path})
    return {
        "moved": _described("moved", anyOf=_list_of(move)),
        "removed": _described("removed", anyOf=_list_of(_table(gone, required=[*gone]))),
        "outputs": _described("outputs", anyOf=[outputs, TEXT, NOTHING]),
        "policies": _described("policies", anyOf=_list_of({"type": "string", "minLength": 1})),
    }


def _lifecycle(kind: EntryKind) -> Schema:
    options = {"enum": [*_options(kind)]}
    members = {
        "prevent_destroy": _described("prevent_destroy", anyOf=[*FLAG, NOTHING]),
        "ignore_changes": _described("ignore_changes", anyOf=[*_list_of(options), {"type": "string"}]),
        "create_before_destroy": _described("create_before_destroy", anyOf=[*FLAG, NOTHING]),
    }
    if not kind.creates_first:
        del members["create_before_destroy"]
    return _described("lifecycle", anyOf=[_table(members), TEXT, NOTHING])


def _entries(kind: EntryKind) -> Schema:
    what = documentation(kind.module)["short_description"]
    return {"description": f"{what}.", "anyOf": _list_of(_entry(kind))}


def _entry(kind: EntryKind) -> Schema:
    """Return the schema of an entry; defaults may say part of what it is known by, but not the last of it."""
    known_by = [["key"], *([name] for way in kind.identity for name in _spellings(kind, way[-1]))]
    adopt = {"adopt": _described("adopt", anyOf=[*FLAG, NOTHING])} if kind.can_be_owned else {}
    properties = {
        "key": _described("key", anyOf=[{"type": ["string", "integer"]}, NOTHING]),
        "remove": _described("remove", anyOf=[{"type": "boolean"}, {"enum": ["yes", "no", "on", "off"]}]),
        **adopt,
        **_said_of_each(kind),
    }
    return _table(properties, anyOf=[{"required": required} for required in known_by], **_exclusive(kind))


def _said_of_each(kind: EntryKind) -> Schema:
    """Return the schemas of what an entry may have and defaults too."""
    options = {name: {"$ref": f"#/$defs/{kind.name}.options/properties/{name}"} for name in _options(kind)}
    return {"lifecycle": {"$ref": f"#/$defs/{kind.name}.lifecycle"}, **options}


def _exclusive(kind: EntryKind) -> Schema:
    groups = kind.operation().rules.get("mutually_exclusive", ())
    pairs = sorted({tuple(sorted((one, other))) for group in groups for one in group for other in group if one < other})
    some = {"not": NOTHING}
    both = [{"required": list(pair), "properties": dict.fromkeys(pair, some)} for pair in pairs]
    return {"allOf": [{"not": one} for one in both]} if both else {}


def _defaults() -> Schema:
    return {kind.name: {"anyOf": [_table(_said_of_each(kind)), TEXT, NOTHING]} for kind in KINDS.values()}


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
    if isinstance(kind, (Seconds, Size)):
        return [{"type": "number" if isinstance(kind, Seconds) else "integer"}, *WITH_UNIT, TEXT]
    if kind == "dict":
        return [_mapping(spec, told), TEXT]
    if spec.get("choices"):
        return [{"enum": list(spec["choices"])}, TEXT]
    return _SINGLE.get(kind, [])


WITH_UNIT: list[Schema] = [{"type": "string", "pattern": r"^\s*\d+(\.\d*)?\s*[A-Za-z]*\s*$"}]
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
    return _table({name: _option(one, documented.get(name, {})) for name, one in inside.items()})


def plain(text: str | t.Sequence[str]) -> str:
    """Return a description without the markup of documentation."""
    paragraphs = [text] if isinstance(text, str) else text
    return "\n\n".join(MARKUP.sub(r"\1", " ".join(paragraph.split())) for paragraph in paragraphs)


if __name__ == "__main__":
    for target, path in TARGETS.items():
        path.write_text(text_of(target), encoding="utf-8")

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration file of the orchestration tool, as text.

Source: docs/service/infrastructure.md, "Orchestration plugin". What the plugin calls everything is in its schema.
"""

from __future__ import annotations

import typing as t
import unicodedata

from .plugin_schema import PROVIDER, TOKEN, HclAttributes, PluginSchema

FILE_HEADER = "# Written by Ansible, module fcd.cloud.orchestration. Changes in this file are overwritten."
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Expression(str):
    """A text that is written unquoted."""

    __slots__ = ()


def bare_configuration(backend: str | None = None, source: str | None = None) -> str:
    """Return a file that has no more than ``init`` needs."""
    return "\n\n".join([FILE_HEADER, *_settings(backend, source), _block(f'provider "{PROVIDER}"', {})]) + "\n"


def configuration(
    schema: PluginSchema,
    api_url: str,
    instances: t.Mapping[str, HclAttributes],
    *,
    ephemeral: bool,
    backend: str | None = None,
    source: str | None = None,
    adopted: t.Mapping[str, str] | None = None,
) -> str:
    """Return the whole file; it contains no secret.

    ``instances`` are attributes by label. ``ephemeral``: the tool supports variables that it does not
    write into plans. ``backend`` is the name of the backend of the state, if the state is not beside the file.
    ``source`` is the full address of the plugin, unless the tool is to derive it from the plugin's name. ``adopted``
    are the IDs, as text, of instances that exist and are to be adopted under a label.
    """
    token: dict[str, t.Any] = {"type": Expression("string"), "sensitive": True}
    if ephemeral:
        token["ephemeral"] = True
    service = {TOKEN: Expression(f"var.{TOKEN}"), schema.api_url: api_url}
    blocks = [FILE_HEADER, *_settings(backend, source)]
    blocks += [_block(f'variable "{TOKEN}"', token), _block(f'provider "{PROVIDER}"', service)]
    for label, number in sorted((adopted or {}).items()):
        blocks.append(_block("import", {"to": Expression(f"{schema.resource}.{label}"), "id": number}))
    for label, attributes in sorted(instances.items()):
        head = f"resource {hcl_string(schema.resource)} {hcl_string(label)}"
        blocks.append(_block(head, attributes, ignored=sorted({*schema.attributes}.difference(attributes))))
    return "\n\n".join(blocks) + "\n"


def hcl_string(text: str) -> str:
    """Return a text as the tool reads it back, in the composed form (NFC) that it turns every text into.

    What would start an expression in a text, ``${`` or ``%{``, is escaped.
    """
    text = unicodedata.normalize("NFC", text)
    pieces: list[str] = []
    for place, character in enumerate(text):
        if character in "$%" and text[place + 1 : place + 2] == "{":
            pieces.append(character * 2)
        elif character in ESCAPES:
            pieces.append(ESCAPES[character])
        elif ord(character) < 0x20 or ord(character) == 0x7F:
            pieces.append(f"\\u{ord(character):04x}")
        else:
            pieces.append(character)
    return f'"{"".join(pieces)}"'


def _block(head: str, attributes: HclAttributes, *, ignored: t.Sequence[str] = ()) -> str:
    """Return a block, aligned as the formatter of the tool does it; attributes that are ignored stay as they are."""
    width = max(map(len, attributes), default=0)
    lines = [f"  {name.ljust(width)} = {_written(value)}" for name, value in attributes.items()]
    if ignored:
        lines += ["", "  lifecycle {", f"    ignore_changes = [{', '.join(ignored)}]", "  }"]
    return "\n".join([f"{head} {{", *lines, "}"])


def _settings(backend: str | None, source: str | None) -> list[str]:
    """Return the block of settings, if there are any."""
    parts = []
    if source:
        parts.append(f"  required_providers {{\n    {PROVIDER} = {{\n      source = {hcl_string(source)}\n    }}\n  }}")
    if backend:
        parts.append(f"  backend {hcl_string(backend)} {{}}")
    return ["\n".join(["terraform {", "\n\n".join(parts), "}"])] if parts else []


def _written(value: str | int | bool | list[int]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, list)):
        return str(value)
    return value if isinstance(value, Expression) else hcl_string(str(value))

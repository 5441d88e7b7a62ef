# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A message as plain data with the names of the schema, to show what would be sent.

It is read back from the XML itself, so it shows what the service would get, and nothing else.
"""

from __future__ import annotations

import typing as t

from .._core.text import fold, names_a_secret
from .client import Message, Node, XmlTree, declare
from .codec import TYPE_KEY, from_text
from .contract import ANY, TYPE, XSD, Contract, SchemaField, local

CONCEALED = "(hidden)"

Secrets = t.Mapping[str, t.Any]
_NOT_GIVEN = object()


def previewed(contract: Contract, message: Message, secrets: Secrets) -> dict[str, t.Any]:
    """Return the members of the message. Those that are also in ``secrets``, in any spelling, are concealed."""
    root = XmlTree(f"<message{declare(message.prefixes)}>{message.text}</message>".encode()).root
    return _Preview(contract).members(root.children[0], message.operation.input[1], secrets)


class _Preview:
    def __init__(self, contract: Contract) -> None:
        self._contract = contract

    def members(self, node: Node, key: str, secrets: Secrets) -> dict[str, t.Any]:
        stated = node.attributes.get(TYPE)
        found: dict[str, t.Any] = {TYPE_KEY: local(stated)} if stated else {}
        fields = {field.element: field for field in self._contract.fields(stated or key)}
        for child in node.children:
            field = fields[child.tag]
            value = self._member(child, field, _of(secrets, field.name))
            if field.repeated and isinstance(found.get(field.name), list):
                found[field.name].append(value)
            else:
                found[field.name] = [value] if field.repeated else value
        return found

    def _member(self, node: Node, field: SchemaField, secret: t.Any) -> t.Any:
        value = self._value(node, field.type, secret if isinstance(secret, t.Mapping) else {})
        if value is None:
            return None
        concealed = secret is not _NOT_GIVEN and (isinstance(value, list) or not isinstance(secret, t.Mapping))
        return CONCEALED if concealed or names_a_secret(field.name) else value

    def _value(self, node: Node, key: str, secrets: Secrets) -> t.Any:
        if node.nil:
            return None
        stated = node.attributes.get(TYPE, key)
        if stated.startswith(f"{{{XSD}}}"):
            return from_text(local(stated), node.text, "")
        simple = None if key == ANY and stated != key else self._contract.simple(key)
        if simple is not None:
            return from_text(simple["simple"], node.text, "")
        item = self._contract.item(key)
        if item is None:
            return self.members(node, key, secrets)
        return [self._value(child, item.type, {}) for child in node.children]


def _of(secrets: Secrets, name: str) -> t.Any:
    """Return what is secret in the member: all of it, unless that is a dictionary."""
    return next((value for key, value in secrets.items() if fold(str(key)) == fold(name)), _NOT_GIVEN)

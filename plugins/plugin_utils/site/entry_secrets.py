# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets of entries: which texts no run may show, and fields that are hidden whatever is in them.

A text is hidden wherever it turns up, which would garble a plan when the text is an ordinary word. So a secret that
came from a lookup or a vault and is a word which the site file shows anyway is hidden only as the value of a field.
"""

from __future__ import annotations

import typing as t

from ...module_utils._core.text import given_secrets, leaf_texts
from ...module_utils._engine.plan import HIDDEN, HIDDEN_CHANGED
from .model import KINDS, Declaration

CONTENT = {"content": ("etag", "size")}
"""Fields that tell of the value of an option which is no field itself."""

Side = t.Dict[str, t.Any]


def secret_texts(declaration: Declaration) -> t.Iterator[str]:
    """Yield the texts that must not be shown anywhere."""
    public = "\0".join(_public_texts(declaration))
    for entry in declaration.entries:
        specs = entry.of.operation().options
        yield from given_secrets(specs, entry.given)
        for name in entry.secrets:
            yield from (text for text in leaf_texts(entry.given.get(name)) if text not in public)


def _public_texts(declaration: Declaration) -> t.Iterator[str]:
    """Yield the texts that the file and its form show in clear."""
    yield from (declaration.site, declaration.environment or "", *leaf_texts(dict(declaration.registry)), *KINDS)
    for kind in {entry.kind for entry in declaration.entries}:
        for name, option in KINDS[kind].operation().options.items():
            yield from (name, *map(str, option.get("choices", ())))
    for entry in declaration.entries:
        yield from (entry.name, entry.key)
        for name, value in entry.given.items():
            if name not in entry.secrets:
                yield from leaf_texts(value)


def hidden_names(secrets: t.Iterable[str]) -> set[str]:
    """Return the fields that are hidden whatever is in them, by the options that are secret; an ID hides its object."""
    return {field for option in secrets for field in (option, option.removesuffix("_id"), *CONTENT.get(option, ()))}


def with_hidden_fields(secrets: t.Iterable[str], before: Side, after: Side) -> tuple[Side, Side]:
    """Return both sides of a change without the values of secret options; what is hidden and differs says so."""
    old, new = dict(before), dict(after)
    for name in hidden_names(secrets):
        differs = old.get(name) is not None and old[name] != new.get(name)
        old.update(_hidden(old, name, HIDDEN))
        new.update(_hidden(new, name, HIDDEN_CHANGED if differs else HIDDEN))
    return old, new


def _hidden(side: Side, name: str, shown: str) -> Side:
    """Return the field as it is shown; nothing for one that is not there, has no value, or is hidden already."""
    return {} if side.get(name) in (None, HIDDEN, HIDDEN_CHANGED) else {name: shown}
